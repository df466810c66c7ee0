public import RowcastDiff
public import RowcastModel
public import RowcastStore

/// Watches a list in a test, and compares its updates with the expectations of the test.
///
/// Each update is checked when it is received: it starts where the one before ended, changes something, leads to its list, and
/// would pass a strict table. Then the expectation of the test is checked; an update without an expectation is a failure.
///
///     @Test func `an answer moves its thread to the top`() async throws {
///       let inbox = Inbox()                      // the app's own type, with a ListStore inside
///       try await UpdateRecorder.record(inbox.store) { recorder in
///         try await recorder.expectInitial { $0.rowCount == 3 }
///         await inbox.receive(.answer(thread: 3))
///         try await recorder.expect(
///           rows: .init(moves: [.init(from: RowPath(section: 0, row: 2), to: RowPath(section: 0, row: 0))]))
///       }
///     }
///
/// A failure is thrown as a ``RecorderError`` with the file and line of the expectation, so the recorder works with any test
/// library. It needs no simulator. A missing update is a failure after one second. On a schedule (`Schedules`), where
/// nothing is late, it is a deadlock; a limit that is given there is one of virtual time.
///
/// A recorder stops when it has waited in vain, or when the task that waits is cancelled: each expectation after that is a failure
/// that names the first one.
public final actor UpdateRecorder<Section: SectionViewModel, Row: RowViewModel> {
  private typealias Failure = RecorderError<Section, Row>

  /// The updates that were asserted.
  public private(set) var updates: [ListUpdate<Section, Row>] = []

  /// The default time limit of a recorder: one second, or no limit on a schedule.
  public static var usualTimeLimit: Duration? { isInVirtualTime ? nil : .seconds(1) }

  private let list: any LiveList<Section, Row>
  private let stream: AsyncStream<ListUpdate<Section, Row>>
  private let startsOver: Bool
  private let timeLimit: Duration?
  private let clock: any Clock<Duration>
  /// The failed wait. The stream ended with it, and may have lost an update.
  private var stopped: Failure?

  /// Starts to watch a list: a store, a view, a mirror.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - startsOver: True if the list may start over, as a mirror of a writer that restarts: an update need not start where
  ///     the one before it ended.
  ///   - timeLimit: The longest wait for an update; `nil` for no limit. A busy process gets more: the limit passes in turns, each
  ///     of which waits behind other tasks.
  ///   - clock: The clock of the limit.
  public init(
    _ list: some LiveList<Section, Row>, startsOver: Bool = false, timeLimit: Duration? = UpdateRecorder.usualTimeLimit,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.list = list
    self.startsOver = startsOver
    self.timeLimit = timeLimit
    self.clock = clock
    stream = list.updates()
  }

  /// Watches a list while a body runs, and fails if an update is left that the body did not expect. The other parameters are as
  /// in ``init(_:startsOver:timeLimit:clock:)``.
  ///
  /// - Returns: The result of the body.
  /// - Throws: Any error of the body; ``RecorderError`` for a remaining update.
  public static func record<Result: Sendable>(
    _ list: some LiveList<Section, Row>, startsOver: Bool = false, timeLimit: Duration? = UpdateRecorder.usualTimeLimit,
    clock: any Clock<Duration> = ContinuousClock(), file: String = #fileID, line: Int = #line,
    _ body: @Sendable (UpdateRecorder) async throws -> Result
  ) async throws -> Result {
    let recorder = UpdateRecorder(list, startsOver: startsOver, timeLimit: timeLimit, clock: clock)
    let result = try await body(recorder)
    try await recorder.expectNothing(file: file, line: line)
    return result
  }

  /// Waits for the next update, and checks it by itself.
  ///
  /// - Returns: The update, or `nil` at the end of the stream.
  /// - Throws: ``RecorderError`` for an update that breaks a promise or is too late, and if the task is cancelled.
  public func next(file: String = #fileID, line: Int = #line) async throws -> ListUpdate<Section, Row>? {
    let update = try await next(expecting: "an update", at: "\(file):\(line)")
    return update
  }

  /// Waits for the next update, or for the end if that is expected.
  func next(expecting expected: String, isEnd: Bool = false, at location: String) async throws
    -> ListUpdate<Section, Row>?
  {
    try checkIsRunning(expecting: expected, at: location)
    let (stream, timeLimit, clock) = (stream, timeLimit, clock)
    let before = before
    let next: ListUpdate<Section, Row>?
    do {
      next = try await withThrowingTaskGroup(of: ListUpdate<Section, Row>?.self) { group in
        group.addTask {
          var iterator = stream.makeAsyncIterator()
          return await iterator.next()
        }
        if let timeLimit {
          group.addTask {
            // A cancelled limit does not count: the update was received, or the waiting task was cancelled.
            guard (try? await Self.wait(timeLimit, on: clock)) != nil else { return nil }
            let reason: Failure.Reason =
              isEnd ? .open(expected: expected, after: timeLimit) : .late(expected: expected, after: timeLimit)
            throw Failure(reason: reason, location: location, before: before)
          }
        }
        defer { group.cancelAll() }
        return try await group.next() ?? nil
      }
    } catch {
      stopped = stopped ?? error as? Failure
      throw error
    }
    guard let update = next else {
      // A stream ends when a task that reads it is cancelled: this one, or another one that waited at the same time.
      try checkIsRunning(expecting: expected, at: location)
      guard Task.isCancelled else { return nil }
      let cancelled = failure(.cancelled(expected: expected), at: location)
      stopped = cancelled
      throw cancelled
    }
    if let reason = violation(in: update) { throw failure(reason, at: location) }
    updates.append(update)
    return update
  }

  private func checkIsRunning(expecting expected: String, at location: String) throws {
    if let stopped { throw failure(.stopped(expected: expected, by: stopped.description), at: location) }
  }

  /// Waits in turns, so that tasks that are ready run in between, however late the clock is read.
  private static func wait<C: Clock<Duration>>(_ limit: Duration, on clock: C) async throws {
    let (start, limit, turns) = (clock.now, limit.asWait, 20)
    for turn in 1...turns { try await clock.sleep(until: start.advanced(by: limit * turn / turns), tolerance: nil) }
  }

  /// The list that the next update starts from.
  private var before: ListSnapshot<Section, Row> { updates.last?.snapshot ?? ListSnapshot() }

  private func failure(_ reason: Failure.Reason, at location: String) -> Failure {
    Failure(reason: reason, location: location, before: before)
  }

  /// The promise that an update breaks, if it breaks one.
  private func violation(in update: ListUpdate<Section, Row>) -> Failure.Reason? {
    let last = updates.last?.position
    let isNext = last == nil ? update.previous == nil : update.follows(last)
    // A list that starts over does so with the whole list. Changes of another list do not start here.
    let isOther = update.previous != nil && last.map { $0.epoch != update.epoch } ?? false
    if !isNext, !startsOver || isOther { return .gap(after: last, got: update) }
    if update.previous != nil, update.changes.isEmpty || isNext && update.snapshot == before { return .empty(update) }
    // From a stream that starts over: there is no list to apply it to.
    guard isNext else { return nil }
    do {
      try BatchValidator(
        update.changes, rowCountsBefore: before.rowCounts, rowCountsAfter: update.snapshot.rowCounts
      ).validate()
    } catch {
      return .refused(error)
    }
    let folded = before.applying(update.changes, inserting: update.snapshot)
    return folded == update.snapshot ? nil : .wrongFold(update)
  }
}

// MARK: - Expectations

extension UpdateRecorder {
  /// Expects the next update to be one for which `isAccepted` returns `true`. The message of a failure has the description.
  ///
  /// - Returns: The update.
  /// - Throws: ``RecorderError``.
  @discardableResult
  public func expect(
    _ description: String, file: String = #fileID, line: Int = #line,
    _ isAccepted: @Sendable (ListUpdate<Section, Row>) -> Bool
  ) async throws -> ListUpdate<Section, Row> {
    let (location, before) = ("\(file):\(line)", before)
    guard let update = try await next(expecting: description, at: location) else {
      throw failure(.ended(expected: description), at: location)
    }
    guard isAccepted(update) else {
      throw Failure(reason: .unexpected(expected: description, got: update), location: location, before: before)
    }
    return update
  }

  /// Expects the next update to have exactly these operations on sections and rows.
  ///
  /// - Returns: The update.
  /// - Throws: ``RecorderError``.
  @discardableResult
  public func expect(
    sections: Changeset<Int> = .init(), rows: Changeset<RowPath> = .init(), file: String = #fileID, line: Int = #line
  ) async throws -> ListUpdate<Section, Row> {
    let changes = ListChanges(sections: sections, rows: rows)
    return try await expect("an update with \(changes)", file: file, line: line) { $0.changes == changes }
  }

  /// Expects the first update, which is the whole list, to be one for which `isAccepted` returns `true`.
  ///
  /// - Returns: The update.
  /// - Throws: ``RecorderError``.
  @discardableResult
  public func expectInitial(
    file: String = #fileID, line: Int = #line,
    _ isAccepted: @Sendable (ListSnapshot<Section, Row>) -> Bool = { _ in true }
  ) async throws -> ListUpdate<Section, Row> {
    try await expect("the whole list", file: file, line: line) { $0.previous == nil && isAccepted($0.snapshot) }
  }

  /// Expects that no update is pending: the list is still the list of the last update. The first update, which is the whole list,
  /// is pending until it is read.
  ///
  /// - Throws: ``RecorderError`` with the update that is pending.
  public func expectNothing(file: String = #fileID, line: Int = #line) async throws {
    let location = "\(file):\(line)"
    try checkIsRunning(expecting: "no update", at: location)
    if updates.isEmpty { return try await expectNoUpdate(or: "the whole list", at: location) }
    guard await list.snapshot != before else { return }
    try await expectNoUpdate(or: "an update to the newest list, which is not that of the last update", at: location)
  }

  private func expectNoUpdate(or expected: String, isEnd: Bool = false, at location: String) async throws {
    let before = before
    if let update = try await next(expecting: expected, isEnd: isEnd, at: location) {
      throw Failure(reason: .notAsserted(update), location: location, before: before)
    }
  }

  /// Expects that nothing is pending and that the stream ends; a store is finished first.
  ///
  /// - Throws: ``RecorderError`` for an update before the end, and for a stream that does not end within the limit.
  public func expectEnd(file: String = #fileID, line: Int = #line) async throws {
    if let store = list as? ListStore<Section, Row> { await store.finish() }
    try await expectNoUpdate(or: "the end of the stream", isEnd: true, at: "\(file):\(line)")
  }
}
