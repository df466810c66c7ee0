import RowcastDiff
package import RowcastModel

extension ListStore {
  /// Creates a store that follows another list, for readers that need what that list does not have: a history, or a pace.
  ///
  ///     let board = ListStore(following: orders.arranged(by: plan), every: .milliseconds(50), history: .last(1_000))
  ///     let lines = EncodedList(board) { try encoder.encode($0) }
  ///
  /// A derived list has no former versions: a mirror that reconnects gets the whole list. A store that follows it sends the
  /// difference. With a pace, the changes of an interval are one revision, so that all connections of an ``EncodedList`` that keep up
  /// share all of its lines, whatever their number.
  ///
  /// The store has an epoch of its own. It follows its list until it is released, also while nobody watches, and ends with it. It
  /// is empty until it has read the list. Do not edit it: the next change of the list may undo the edit.
  ///
  /// - Parameters:
  ///   - list: The list. A store is not kept alive.
  ///   - pace: The shortest interval between two revisions, and before the end; not negative. It is measured after a revision, and
  ///     not while nothing changes.
  ///   - history: The former versions from which ``updates(since:)`` and ``message(since:)`` can continue.
  ///   - clock: Measures the pace, and the age of versions.
  /// - Complexity: O(k log n) for k operations of an update on n rows.
  public init<Time: Clock>(
    following list: some LiveList<Section, Row>, every pace: Duration = .zero, history: ListHistory = .none,
    clock: Time = ContinuousClock()
  ) where Time.Duration == Duration {
    require(pace >= .zero, "A store cannot follow a list every \(pace)")
    let clock = AnyClock(clock)
    self.init(
      ListState(snapshot: ListSnapshot().begun, revision: 0, lineage: Lineage(of: ListPosition.randomEpoch())),
      isContinued: true, history: history, clock: clock)
    let source = list.updatesSincePosition(nil)
    Task { [core] in await core.follow(source, every: pace, on: clock, endingWithIt: true) }
  }
}

extension StoreCore {
  /// Follows a list, instead of the one before, until the store has ended.
  ///
  /// - Parameters:
  ///   - source: The updates of the list, all of it first.
  ///   - pace: The shortest interval between two revisions.
  ///   - clock: Measures it.
  ///   - endsWithIt: True if the store ends with the list.
  ///   - newest: Makes other updates of the list; ``readFollowed()`` reads the first of them. The store keeps what the closure
  ///     captures until it no longer follows the list.
  package final nonisolated func follow(
    _ source: Resumption<Section, Row>, every pace: Duration, on clock: AnyClock, endingWithIt endsWithIt: Bool,
    reading newest: (@Sendable (ListPosition?) -> Resumption<Section, Row>)? = nil
  ) async {
    await follow { [weak self] number in
      while let update = await source.next() {
        guard await self?.receive(update, of: number) ?? false else { return }
        if pace == .zero { continue }
        // A clock that fails does not end the list.
        try? await clock.sleep(until: clock.now + pace.asWait)
        if Task.isCancelled { return }
      }
      if Task.isCancelled || !endsWithIt { return }
      if await source.isEnded() { await self?.finish() } else { await self?.stop() }
    } reading: { [weak self] number in
      guard let newest else { return }
      await Self.limited { [weak self] in
        if let update = await newest(nil).next() { _ = await self?.receive(update, of: number, isRead: true) }
      }
    }
  }

  /// Begins to follow a list, unless the store has ended. The closures get the number of the list.
  private final func follow(
    _ body: @escaping @Sendable (Int) async -> Void, reading read: @escaping @Sendable (Int) async -> Void
  ) {
    following?.cancel()
    let number = followed.number + 1
    followed = (number, nil, nil, .min, false)
    if isFinished { return }
    followed.read = { await read(number) }
    following = Task { [weak self] in
      await body(number)
      await self?.letGo(of: number)
    }
  }

  /// Releases a list that will not change any more.
  private final func letGo(of number: Int) {
    if followed.number == number { followed = (number, nil, nil, followed.revision, false) }
  }

  /// Applies an update of the followed list, from the task that follows it or from a read. Returns false if the store has ended,
  /// or follows another list.
  private final func receive(_ update: ListUpdate<Section, Row>, of number: Int, isRead: Bool = false) -> Bool {
    if isFinished || followed.number != number { return false }
    // A read may be ahead of the task or behind it: changes since the last update of one do not apply to the list of the other.
    let isMixed = isRead || followed.isRead
    if isMixed && update.revision <= followed.revision { return true }
    adopt(update.snapshot, at: update.revision, by: isMixed || update.previous == nil ? nil : update.changes)
    followed.isRead = isRead
    return true
  }

  /// Makes the list equal to the followed one, by the changes since the last time if they are known.
  private final func adopt(_ list: ListSnapshot<Section, Row>, at revision: Int, by changes: ListChanges?) {
    let former = followed.list
    transact { editor in
      guard let former else { return editor.replace(with: list) }
      let update = ListUpdate(
        revision: 1, previous: 0, changes: changes ?? former.changes(to: list), snapshot: list)
      do { try editor.apply(update) } catch { editor.replace(with: list) }
    }
    (followed.revision, followed.list) = (revision, list)
  }

  /// Reads the newest state of the list that the store follows, if it follows one. A list that does not answer within a second is
  /// not read.
  package final func readFollowed() async { await followed.read?() }

  /// Runs a body in a task of its own, which is cancelled after a second. The caller waits even if its task is cancelled.
  private static func limited(_ body: @escaping @Sendable () async -> Void) async {
    await Task {
      let end = Signal()
      let reading = Task {
        await body()
        end.send()
      }
      let limit = Task {
        // In steps, so that a process that was stopped for seconds still reads.
        for _ in 0..<4 where !Task.isCancelled { try? await ContinuousClock().sleep(for: .milliseconds(250)) }
        end.send()
      }
      await end.wait()
      reading.cancel()
      limit.cancel()
    }.value
  }
}

// MARK: - Mirrors

extension StoreCore {
  /// Follows a mirror, instead of the list before, until the store has ended. A mirror without a position begins with the list
  /// that was read from an earlier one, if the store still has it.
  package final func follow(_ mirror: MirroredList<Section, Row>) async where Section: WireSection, Row: Codable {
    let receiver = mirror.receiver
    if let origin = newestOfOrigin.origin { await receiver.begin(at: origin) }
    follow { [weak self] number in
      while !Task.isCancelled {
        // Before the mirror is read, so that no message is missed.
        let signal = Signal()
        let place = await receiver.addWaiter(signal)
        await self?.read(receiver, of: number)
        guard let place else { return }
        if await !signal.wait() { await receiver.removeWaiter(place) }
      }
    } reading: { [weak self] number in
      await self?.read(receiver, of: number)
    }
    await readFollowed()
  }

  /// Reads the list of a mirror and its position, at one moment.
  private final func read(_ mirror: MirrorReceiver<Section, Row>, of number: Int) async
  where Section: WireSection, Row: Codable {
    let (origin, messages) = await mirror.newest
    // Another read, even of another mirror, may have been faster.
    guard let origin, !isFinished, followed.number == number, followed.revision < messages else { return }
    let revision = state.revision
    if newestOfOrigin.origin == nil { followed.list = nil }
    adopt(origin.snapshot, at: messages, by: nil)
    self.origin = ListState(snapshot: state.snapshot, revision: origin.revision, lineage: origin.lineage)
    // The position must be written, too.
    if state.revision == revision { wakeWaiters() }
  }

  /// The newest state, and the same list with its position in the mirror, if it was read from one.
  package final var newestOfOrigin: (state: ListState<Section, Row>, origin: ListState<Section, Row>?) {
    (state, origin.flatMap { $0.snapshot.isIdentical(to: state.snapshot) ? $0 : nil })
  }
}
