import RowcastDiff
public import RowcastModel

/// The state of a store, and the tasks that wait for it to change.
///
/// Streams hold the core, the app holds the ``ListStore`` in front of it. So the streams of a store that the app has
/// dropped still deliver the last state, and end.
///
/// Its members are final, as those of all actors here whose code is inlined: no actor has subclasses, but only what is marked so
/// is called directly from other modules, and specialised.
@usableFromInline
package actor StoreCore<Section: SectionViewModel, Row: RowViewModel>: ListPublisher {
  /// See ``ListStore/epoch``.
  @usableFromInline package nonisolated let epoch: String
  /// The stores that share one order of transactions with this one: all run on the executor of their space.
  @usableFromInline package nonisolated let space: ListSpace
  @usableFromInline final var contents: StoreContents<Section, Row>
  @usableFromInline package final var differences = DifferenceCache()
  @usableFromInline package final var hub = WeakReference()
  /// Whether a task is waking those waiters that a writer did not wake.
  private final var isWaking = false
  /// What drops former states when they have become too old, while there are such.
  private final var dropping: Task<Void, Never>?
  private nonisolated let sleep: @Sendable (Duration) async throws -> Void

  @usableFromInline
  package init(
    _ draft: sending ListDraft<Section, Row>, in space: ListSpace = ListSpace(), epoch: String = "",
    history: ListHistory = .none, elapsed: @escaping @Sendable () -> Duration = { .zero },
    sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in throw CancellationError() }
  ) {
    require(
      epoch.utf8.count <= ListPosition.longestEpoch,
      "An epoch has \(ListPosition.longestEpoch) bytes at most, not \(epoch.utf8.count): \(epoch)")
    self.epoch = epoch
    self.space = space
    self.sleep = sleep
    contents = StoreContents(draft, history: StateHistory(history, elapsed: elapsed))
  }

  deinit { dropping?.cancel() }

  @usableFromInline package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe space.unownedExecutor }

  /// The newest state.
  @inlinable package final var state: ListState<Section, Row> { contents.state }
  /// Whether it is the last.
  @inlinable package final var isFinished: Bool { contents.isFinished }

  /// Runs one transaction; see ``ListStore/edit(_:)``.
  @inlinable
  package final func edit<Result>(_ body: (inout ListEditor<Section, Row>) throws -> Result) throws -> Result {
    let (result, isAwaited) = try contents.edit(body)
    if isAwaited { wakeWaiters() }
    return result
  }

  /// Runs one transaction on a list that is not finished.
  @inlinable
  @inline(__always)
  package final func transact<Result, Failure: Error>(
    _ body: (inout ListEditor<Section, Row>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let (result, isAwaited) = try contents.transact(body)
    if isAwaited { wakeWaiters() }
    return result
  }

  /// Ends the store after its last state; see ``ListStore/finish()``.
  package final func finish() {
    contents.isFinished = true
    wakeWaiters()
  }
}

// MARK: - History

extension StoreCore {
  /// The state at a revision: the newest one, or one that the history has.
  @usableFromInline
  package final func state(at revision: Int) -> ListState<Section, Row>? { contents.state(at: revision) }

  /// The revision at a position, if that is one of this list.
  @usableFromInline
  package final nonisolated func revision(of position: ListPosition?) -> Int? {
    position?.epoch == epoch ? position?.revision : nil
  }

  /// Watches the list; see ``ListStore/updates(since:)``.
  @inlinable
  package final nonisolated func updates(since position: ListPosition?) -> AsyncStream<ListUpdate<Section, Row>> {
    guard let revision = revision(of: position) else { return Subscription(to: self).stream }
    return Subscription(to: self) { await onSharedExecutor { await self.state(at: revision) } }.stream
  }

  /// The newest state, and the one at a revision if it is kept.
  @usableFromInline
  package final func states(since revision: Int?) -> (
    newest: ListState<Section, Row>, former: ListState<Section, Row>?
  ) {
    (state, revision.flatMap { state(at: $0) })
  }

  /// Drops former states when their time has come, and until there are none. The task does not keep the list.
  private func dropStates(in wait: Duration) {
    dropping = Task.detached { [weak self, sleep] in
      var next: Duration? = wait
      while let wait = next {
        do { try await sleep(wait) } catch { return }
        next = await self?.timeToNextDrop()
      }
    }
  }

  private func timeToNextDrop() -> Duration? {
    let wait = contents.history?.timeToNextDrop()
    if wait == nil { dropping = nil }
    return wait
  }

  /// The number of former states that are kept. For tests.
  package final var historyCount: Int { contents.history?.count ?? 0 }
}

// MARK: - Waiting

extension StoreCore {
  @usableFromInline
  package final func newest() -> (state: ListState<Section, Row>, isFinal: Bool) { (state, isFinished) }

  /// The answer to a request for a state after a revision.
  @usableFromInline
  enum Poll: Sendable {
    case ready(Delivery<Section, Row>)
    case waiting(Signal, WaiterList.Token)
    case ended
  }

  @inlinable
  final func poll(after revision: Int?) -> Poll {
    if state.revision != revision { return .ready(delivery(of: state, to: revision)) }
    let signal = Signal()
    return addWaiter(signal, after: state.revision).map { .waiting(signal, $0) } ?? .ended
  }

  // The task waits outside of the actor: woken there, it would take the actor's turn only to leave again.
  @inlinable
  package final nonisolated func delivery(after revision: Int?) async -> Delivery<Section, Row>? {
    while true {
      switch await poll(after: revision) {
      case .ready(let delivery): return delivery
      case .ended: return nil
      case .waiting(let signal, let token):
        if await !signal.wait() || Task.isCancelled {
          await removeWaiter(token)
          return nil
        }
      }
    }
  }

  /// Adds a signal that is sent at the next change after a revision.
  ///
  /// - Returns: Its place, for ``removeWaiter(_:)``; `nil` if the list has changed already, or will not change.
  @usableFromInline
  package final func addWaiter(_ signal: Signal, after revision: Int) -> WaiterList.Token? {
    isFinished || state.revision != revision ? nil : contents.waiters.add(signal)
  }

  @usableFromInline
  package final func removeWaiter(_ token: WaiterList.Token) { contents.waiters.remove(token) }

  /// Wakes few waiters at once; a task wakes the others, if there are more, so that no writer pays for them.
  @usableFromInline
  final func wakeWaiters() {
    if dropping == nil, let wait = contents.history?.timeToNextDrop() { dropStates(in: wait) }
    contents.waiters.callAll()
    guard contents.waiters.wakeDue(atMost: 8), !isWaking else { return }
    isWaking = true
    Task.detached(priority: .high) { await self.wakeRest() }
  }

  private func wakeRest() async {
    // Between two batches the writers have their turn.
    while contents.waiters.wakeDue(atMost: 16) { await Task.yield() }
    isWaking = false
  }

  /// The number of subscribers that wait for the next state. For tests.
  package final var waiterCount: Int { contents.waiters.count }
  /// The number of waiters that are due and were not woken yet. For tests.
  package final var dueCount: Int { contents.waiters.dueCount }
}
