import RowcastModel

/// The states of a list at common times: all its readers get the same ones, however fast each of them is.
///
/// A task reads the next state of the list, and then waits until a reader asks for a later one, and until the pace has passed. No
/// timer runs without waiters; at most one state is read in vain.
final actor PacedList<Section: SectionViewModel, Row: RowViewModel>: ListPublisher {
  typealias State = ListState<Section, Row>

  var differences = DifferenceCache()
  weak var partWatchers: (any AnyObject & Sendable)?
  private nonisolated let source: @Sendable (ListPosition?) -> Resumption<Section, Row>
  private let pace: Duration
  private let clock: AnyClock
  private let prepare: @Sendable (ListUpdate<Section, Row>) async -> Void
  /// The newest state that was read, and when it was known to be the newest of the list.
  private var state: State?
  private var time = Duration.zero
  /// The difference of the last two states, for readers one state behind.
  private var difference: DifferenceCache.Difference?
  /// Readers that have the newest state.
  private var waiters = WaiterList()
  /// New readers for which the current state is older than the pace promises.
  private var newcomers = WaiterList()
  /// New readers that may be ahead of a read in progress. Readers added before it began are due.
  private var strangers = WaiterList()
  private var reading: Task<Void, Never>?
  /// The number of the reading task, and true while it waits for the list.
  private var (readingNumber, isWaitingForList) = (0, false)
  /// Wakes the reading task, while no reader waits.
  private var demand: Signal?
  /// True if the task must look at the list even if it has not changed.
  private var isAskedToLook = false
  /// True if a reader asked for the state when it was older than the pace, and the task has not read another one yet.
  private var isStale = false
  private var isFinished = false
  private var isEnded = false

  /// - Parameters:
  ///   - source: Makes the updates of the list since a position.
  ///   - pace: The shortest time between two states.
  ///   - clock: Measures the pace.
  ///   - prepare: Called with the update to each state but the first, before any reader gets it.
  init(
    _ source: @escaping @Sendable (ListPosition?) -> Resumption<Section, Row>, every pace: Duration, on clock: AnyClock,
    prepare: @escaping @Sendable (ListUpdate<Section, Row>) async -> Void
  ) {
    (self.source, self.pace, self.clock, self.prepare) = (source, pace.asWait, clock, prepare)
  }

  deinit { reading?.cancel() }

  /// Watches the list from a position on, at the common times.
  nonisolated func resumption(_ position: ListPosition?) -> Resumption<Section, Row> {
    Resumption(to: self) { [source] in
      let start = position == nil ? nil : await source(position).start()
      // A mirror that has followed the list in another way may be ahead of the state. If the list does not know its position,
      // that may have any revision, up to the newest.
      let mayBeFurther = position != nil && start == nil
      await onSharedExecutor {
        await self.waitForState(readFromNowOn: mayBeFurther)
        if let start { _ = await self.delivery(after: start.revision - 1) }
      }
      return start
    } isEnded: {
      await self.sharedStep { $0.isEnded }
    }
  }

  // MARK: - Readers

  func newest() -> (state: State, isFinal: Bool) {
    (state ?? State(snapshot: ListSnapshot(), revision: -1), isFinished)
  }

  func poll(after revision: Int?, isCalled: Bool) -> Poll<Section, Row> {
    if let state, state.revision > revision ?? -1 { return .ready(delivery(of: state, to: revision)) }
    if isFinished { return .ended }
    let signal = Signal()
    let token = waiters.add(signal)
    askForState()
    return .waiting(signal, hasSeveralPlaces: false) { await self.step { $0.waiters.remove(token) } }
  }

  /// Waits for a state that was the newest within the pace, or whose reading begins after the call.
  private nonisolated func waitForState(readFromNowOn isReadAnew: Bool) async {
    guard let (signal, token) = await addNewcomer(readFromNowOn: isReadAnew) else { return }
    await signal.wait()
    await removeNewcomer(token, readFromNowOn: isReadAnew)
  }

  private func addNewcomer(readFromNowOn isReadAnew: Bool) -> (Signal, WaiterList.Token)? {
    let isIdle = demand != nil
    // While the task waits for the list to change, the state is the newest, unless other readers have just asked for a look.
    let isNew = state != nil && !isReadAnew && !isStale && newcomers.isEmpty && (!isIdle || clock.now < time + pace)
    if isFinished || isNew { return nil }
    let signal = Signal()
    let token = isReadAnew ? strangers.add(signal) : newcomers.add(signal)
    if isReadAnew, isWaitingForList {
      // The list need not change again: the waiting task would then read nothing.
      beginReading()
    } else {
      if isIdle || isReadAnew { isAskedToLook = true }
      askForState()
    }
    // Readers that arrive before that wait for the same state.
    if isReadAnew { isStale = true }
    return (signal, token)
  }

  private func removeNewcomer(_ token: WaiterList.Token, readFromNowOn isReadAnew: Bool) {
    if isReadAnew { strangers.remove(token) } else { newcomers.remove(token) }
  }

  // MARK: - The task that reads

  private func askForState() {
    if let demand {
      // The list may have changed since: the task looks at it even if no update follows.
      if clock.now >= time + pace { (isStale, isAskedToLook) = (true, true) }
      demand.send()
      self.demand = nil
    } else if reading == nil, !isFinished {
      beginReading()
    }
  }

  /// Begins to read the list. A former task has let the pace pass already, and waits for the list.
  private func beginReading() {
    reading?.cancel()
    (readingNumber, isWaitingForList, isAskedToLook) = (readingNumber + 1, false, true)
    reading = Task.detached { [weak self, source, clock, prepare, readingNumber, state] in
      guard await self?.takeLook() != nil else { return }
      var (updates, former) = (source(state?.position), state)
      while var update = await updates.next() {
        if let former, update.revision > former.revision {
          update.start(at: former.position, former.snapshot)
          await prepare(update)
        }
        if update.revision > former?.revision ?? -1 { former = State(update) }
        guard let (demand, next) = await self?.take(update, of: readingNumber) else { return }
        guard await demand.wait() else { return }
        // A clock that fails does not end the list.
        try? await clock.sleep(until: next)
        if Task.isCancelled { return }
        if await self?.takeLook() ?? false { updates = source(former?.position) }
      }
      if Task.isCancelled { return }
      let isEnded = await updates.isEnded()
      await self?.finish(isEnded: isEnded, of: readingNumber)
    }
  }

  /// Takes an update. Returns a signal, sent when a reader asks for the next one, and the earliest time of the next read; `nil`
  /// if another task has taken over.
  private func take(
    _ update: ListUpdate<Section, Row>, of reading: Int
  ) -> (demand: Signal, next: Duration)? {
    guard reading == readingNumber else { return nil }
    (time, isStale, isWaitingForList) = (clock.now, false, false)
    if update.revision > state?.revision ?? -1 {
      if let state {
        let new = DifferenceCache.Difference((state.revision..<update.revision, update.changes))
        differences.store(new)
        difference = new
      }
      state = State(update)
      waiters.wakeAll()
    }
    newcomers.wakeAll()
    _ = strangers.wake(atMost: .max)
    let signal = Signal()
    if waiters.isEmpty, strangers.isEmpty { demand = signal } else { signal.send() }
    return (signal, time + pace)
  }

  /// Returns true if the list is read again, which gives a state in any case. If not, the task waits for the list to change.
  private func takeLook() -> Bool {
    defer { (isAskedToLook, isWaitingForList) = (false, !isAskedToLook) }
    if isAskedToLook { strangers.markAllDue() }
    return isAskedToLook
  }

  private func finish(isEnded: Bool, of reading: Int) {
    guard reading == readingNumber else { return }
    (isFinished, self.isEnded) = (true, isEnded)
    waiters.wakeAll()
    newcomers.wakeAll()
    strangers.wakeAll()
  }
}

extension ListState {
  /// The state after an update, whose list need not know its runs.
  fileprivate init(_ update: ListUpdate<Section, Row>) {
    let isKnown = update.lineage.epoch == update.epoch
    self.init(
      snapshot: update.snapshot, revision: update.revision,
      lineage: isKnown ? update.lineage : Lineage(of: update.epoch, since: update.revision))
  }
}

extension ListUpdate {
  /// Makes the update start at another position, with the list there.
  mutating func start(at position: ListPosition, _ former: ListSnapshot<Section, Row>) {
    if start == position { return }
    previous = position.revision
    previousEpoch = position.epoch == epoch ? nil : position.epoch
    changes = former.changes(to: snapshot)
  }
}
