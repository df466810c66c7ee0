import RowcastDiff
public import RowcastModel

/// The state of a store, and the tasks that wait for it to change.
///
/// Streams keep the core alive, the app keeps the ``ListStore`` in front of it. So the streams of a store that the app has
/// dropped still deliver the last state, and end.
///
/// Actors have no subclasses, yet only members marked `final` are called directly from other modules, and specialised.
@usableFromInline
package final actor StoreCore<Section: SectionViewModel, Row: RowViewModel>: ListPublisher {
  /// See ``ListStore/epoch``.
  @usableFromInline package nonisolated let epoch: String
  /// True if the list continues elsewhere, or in another run, when the store is released.
  private nonisolated let isContinued: Bool
  /// The stores that share one order of transactions with this one: all run on the executor of their space.
  @usableFromInline package nonisolated let space: ListSpace
  /// The newest state.
  @usableFromInline package internal(set) final var state: ListState<Section, Row>
  /// True if the newest state is the last.
  @usableFromInline package internal(set) final var isFinished = false
  /// True if the list does not change any more in any store.
  package internal(set) final var isEnded = false
  /// The newest list and its index, which the body of a transaction edits.
  @usableFromInline final var editor: ListEditor<Section, Row>
  @usableFromInline package final var waiters = SubscriberList()
  /// The former states with which subscribers may reconnect; `nil` if none are kept.
  @usableFromInline final var history: StateHistory<Section, Row>?
  @usableFromInline package final var differences = DifferenceCache()
  @usableFromInline package final weak var partWatchers: (any AnyObject & Sendable)?
  /// Drops former states when they have become too old.
  private final var dropping: Task<Void, Never>?
  private nonisolated let clock: AnyClock
  /// Throws for a list that a transaction must not produce.
  @usableFromInline nonisolated let validate: Validation?

  /// Looks at the list after a transaction, and the one before it.
  @usableFromInline
  package typealias Validation =
    @Sendable (
      _ after: ListSnapshot<Section, Row>, _ before: ListSnapshot<Section, Row>
    ) throws -> Void

  /// Starts with a list at a revision, and with the states before it, in the order of their revisions.
  @usableFromInline
  package init(
    _ draft: sending ListDraft<Section, Row>, in space: ListSpace = ListSpace(), lineage: Lineage = Lineage(),
    revision: Int = 0, after former: [ListState<Section, Row>] = [], isContinued: Bool = false,
    history: ListHistory = .none, clock: AnyClock = AnyClock(ContinuousClock()),
    origin: ListState<Section, Row>? = nil, validate: Validation? = nil
  ) {
    let epoch = lineage.epoch
    require(
      epoch.utf8.count <= ListPosition.longestEpoch,
      "An epoch has \(ListPosition.longestEpoch) bytes at most, not \(epoch.utf8.count): \(epoch)")
    self.epoch = epoch
    self.isContinued = isContinued
    self.space = space
    self.clock = clock
    self.validate = validate
    var kept = StateHistory<Section, Row>(history, clock: clock)
    for state in former { kept?.append(state) }
    let snapshot = draft.snapshot
    state = ListState(snapshot: snapshot, revision: revision, lineage: lineage)
    editor = ListEditor(draft: draft)
    self.history = kept
    self.origin = origin
    self.origin?.snapshot = snapshot
  }

  /// The task that follows another list, until the store has ended.
  package final var following: Task<Void, Never>?
  /// The list that the store follows: its number among all that were followed, a function that reads its newest state, its last
  /// adopted state with the revision there (for a mirror, the number of messages), and true if a read has adopted it.
  final var followed:
    (number: Int, read: (@Sendable () async -> Void)?, list: ListSnapshot<Section, Row>?, revision: Int, isRead: Bool) =
      (0, nil, nil, .min, false)
  /// The list that was read from a mirror, as it is here, with the position and the runs of the mirror's writer.
  final var origin: ListState<Section, Row>?

  /// The number of sources that were attached to sections.
  package final var sourceCount = 0
  /// The phases of the sources of a section until they end, and whether a section shows one again as another source was cancelled.
  package final var sourcePhases: [Section.ID: [(source: Int, phase: SectionPhase, isRestored: Bool)]] = [:]

  deinit { dropping?.cancel() }

  @usableFromInline package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe space.unownedExecutor }

  /// Runs one transaction; see ``ListStore/edit(_:)``.
  @inlinable
  package final func edit<Result>(_ body: (inout ListEditor<Section, Row>) throws -> Result) throws -> Result {
    guard !isFinished else { throw ListStoreError.finished }
    let former = validate == nil ? nil : state.snapshot
    return try transact { editor throws in
      let result = try body(&editor)
      if let former { try validate?(editor.snapshot, former) }
      return result
    }
  }

  /// Runs one transaction, on a finished list, too.
  @inlinable
  package final func transact<Result, Failure: Error>(
    _ body: (inout ListEditor<Section, Row>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    do throws(Failure) {
      let result = try body(&editor)
      if commit() { wakeWaiters() }
      return result
    } catch {
      editor.draft.rollBack(to: state.snapshot)
      checkInvariants()
      throw error
    }
  }

  /// Makes the edited list the newest state. Returns `true` if tasks wait for it, or for former states to become too old.
  @inlinable
  final func commit() -> Bool {
    let hasChanged = editor.draft.hasChanged(from: state.snapshot)
    editor.draft.commit()
    defer { checkInvariants() }
    guard hasChanged else {
      state.snapshot = editor.draft.snapshot
      return false
    }
    history?.append(state)
    state.snapshot = editor.draft.snapshot
    state.revision += 1
    return waiters.waitForChange || history != nil
  }

  /// Checks, in debug builds, that the list between transactions is the newest state.
  @inlinable
  final func checkInvariants() {
    assert(
      state.snapshot.isIdentical(to: editor.draft.snapshot) && editor.draft.editCount == 0,
      "Revision \(state.revision) has \(state.snapshot.rowCount) rows, and the list \(editor.draft.snapshot.rowCount)")
  }

  /// Ends the store after its last state; see ``ListStore/finish()``.
  package final func finish() {
    isEnded = true
    stop()
  }

  /// Ends the store after its last state. The list does not end if it continues elsewhere.
  package final func stop() {
    if !isContinued { isEnded = true }
    isFinished = true
    following?.cancel()
    following = nil
    followed = (followed.number, nil, nil, followed.revision, false)
    wakeWaiters()
  }

  /// Begins a run: positions from now on have another epoch. The list stays as it is, at one revision more. After the last state
  /// there is no other, and so no run.
  package final func beginRun() {
    if isFinished { return }
    let oldest = oldestRevision
    history?.append(state)
    state.lineage.begin(ListPosition.randomEpoch(), at: state.revision)
    state.lineage = state.lineage.newest(Lineage.longestInFile, andSince: oldest)
    state.revision += 1
    checkInvariants()
    wakeWaiters()
  }
}

// MARK: - History

extension StoreCore {
  /// The state at a position in any run of this list: the newest one, or one that the history has.
  @usableFromInline
  package final func state(at position: ListPosition?) -> ListState<Section, Row>? {
    guard let position, state.lineage.contains(position, upTo: state.revision),
      let found = position.revision == state.revision ? state : history?.state(at: position.revision)
    else { return nil }
    return found.at(position)
  }

  /// The oldest revision with which a subscriber may reconnect.
  package final var oldestRevision: Int { history?.oldest ?? state.revision }

  /// Watches the list for a connection that is made again.
  package final nonisolated func resumption(_ position: ListPosition?) -> Resumption<Section, Row> {
    Resumption(to: self) {
      await self.sharedStep { $0.state(at: position) }
    } isEnded: {
      await self.sharedStep { $0.isEnded }
    }
  }

  /// Begins to drop former states when they are too old, if there are any.
  package final func dropStates() {
    if dropping == nil, let time = history?.nextDrop() { dropStates(at: time) }
  }

  /// Drops former states when they are too old, until there are none. The task does not keep the list alive.
  private func dropStates(at time: Duration) {
    dropping = Task.detached { [weak self, clock] in
      var next: Duration? = time
      while let time = next {
        do { try await clock.sleep(until: time) } catch { return }
        next = await self?.nextDrop()
      }
    }
  }

  private func nextDrop() -> Duration? {
    let time = history?.nextDrop()
    if time == nil { dropping = nil }
    return time
  }

  // MARK: - Waiting

  @usableFromInline
  package final func newest() -> (state: ListState<Section, Row>, isFinal: Bool) { (state, isFinished) }

  @usableFromInline
  package final func poll(after revision: Int?, isCalled: Bool) -> Poll<Section, Row> {
    let isNew = state.revision != revision
    if isNew, revision == nil || isCalled || isFinished || waiters.takeFreeTurn(at: state.revision) {
      return .ready(delivery(of: state, to: revision))
    }
    if isFinished { return .ended }
    let signal = Signal()
    let place = waiters.add(signal, toLine: isNew)
    if isNew { beginWaking() }
    return .waiting(signal, hasSeveralPlaces: false) { await self.step { $0.waiters.remove(place) } }
  }

  /// Adds a signal that is sent at the next change after a revision. Returns its place among the ``waiters``; `nil` if the list has
  /// changed already, or will not change.
  @usableFromInline
  package final func addWaiter(_ signal: Signal, after revision: Int) -> SubscriberList.Place? {
    isFinished || state.revision != revision ? nil : waiters.add(signal)
  }

  /// Wakes few waiters at once; a task wakes the others, if there are more, so that no writer pays for them.
  @usableFromInline
  final func wakeWaiters() {
    dropStates()
    if waiters.wakeFirst(withLine: isFinished) { beginWaking() }
  }

  /// Begins to wake the waiters that are due, unless a task of this priority does.
  private func beginWaking() {
    guard let priority = waiters.beginWaking() else { return }
    Task.detached(priority: priority) {
      // Not on the actor: a task that yields there runs next again, before the woken tasks have been enqueued on it.
      while await self.step({ $0.waiters.wakeSome(priority) }) { await Task.yield() }
    }
  }

  /// The number of tasks that wait for the next state.
  package final var waiterCount: Int { waiters.count }
}
