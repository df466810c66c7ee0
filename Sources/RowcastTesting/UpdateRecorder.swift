public import RowcastDiff
public import RowcastModel
public import RowcastStore

/// Watches a list in a test, and holds it to what the test expects.
///
/// Each update is checked as it comes: it starts where the one before ended, changes something, leads to its list, and
/// would pass a strict table. What the test then says about it is checked as well; an update left unsaid is a failure.
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
/// A failure is thrown as a ``RecorderError``, so the recorder works with any test library. It runs wherever Swift does;
/// no simulator is involved. On a schedule (``Schedules``) its time limit is virtual.
public actor UpdateRecorder<Section: SectionViewModel, Row: RowViewModel> {
  /// The updates that were asserted.
  public private(set) var updates: [ListUpdate<Section, Row>] = []

  private let list: any LiveList<Section, Row>
  private let stream: AsyncStream<ListUpdate<Section, Row>>
  private let checks: RecorderChecks
  private let timeLimit: Duration?
  private let clock: any Clock<Duration>

  /// Starts to watch a list: a store, a view, a mirror.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - checks: What is checked of each update.
  ///   - timeLimit: How long to wait for an update; `nil` for ever.
  ///   - clock: The clock of the limit.
  public init(
    _ list: some LiveList<Section, Row>, checks: RecorderChecks = .all, timeLimit: Duration? = nil,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.list = list
    self.checks = checks
    self.timeLimit = timeLimit
    self.clock = clock
    stream = list.updates()
  }

  /// Watches a list for the length of a body, and fails if an update is left that the body did not expect.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - checks: What is checked of each update.
  ///   - timeLimit: How long to wait for an update; `nil` for ever.
  ///   - clock: The clock of the limit.
  ///   - body: The test.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws; ``RecorderError/notAsserted(_:)``.
  public static func record<Result: Sendable>(
    _ list: some LiveList<Section, Row>, checks: RecorderChecks = .all, timeLimit: Duration? = nil,
    clock: any Clock<Duration> = ContinuousClock(), _ body: @Sendable (UpdateRecorder) async throws -> Result
  ) async throws -> Result {
    let recorder = UpdateRecorder(list, checks: checks, timeLimit: timeLimit, clock: clock)
    let result = try await body(recorder)
    try await recorder.expectNothing()
    return result
  }

  /// Waits for the next update, and checks it by itself.
  ///
  /// - Returns: The update, or `nil` at the end of the stream.
  /// - Throws: ``RecorderError`` for an update that breaks a promise or comes too late, and if the task is cancelled.
  public func next() async throws -> ListUpdate<Section, Row>? { try await next(expecting: "an update") }

  private func next(expecting expected: String) async throws -> ListUpdate<Section, Row>? {
    let (stream, timeLimit, clock) = (stream, timeLimit, clock)
    let next = try await withThrowingTaskGroup(of: ListUpdate<Section, Row>?.self) { group in
      group.addTask {
        var iterator = stream.makeAsyncIterator()
        return await iterator.next()
      }
      if let timeLimit {
        group.addTask {
          // A limit that is cancelled is no limit: the update came, or the waiting task was cancelled.
          guard (try? await clock.sleep(for: timeLimit)) != nil else { return nil }
          throw RecorderError<Section, Row>.late(expected: expected, after: timeLimit)
        }
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
    guard let update = next else {
      // A stream ends when the task that reads it is cancelled.
      if Task.isCancelled { throw RecorderError<Section, Row>.cancelled(expected: expected) }
      return nil
    }
    try check(update)
    updates.append(update)
    return update
  }

  private func check(_ update: ListUpdate<Section, Row>) throws {
    let last = updates.last
    if checks.contains(.revisions), update.previous != last?.revision {
      throw RecorderError<Section, Row>.gap(after: last?.revision, got: update)
    }
    let before = last?.snapshot ?? ListSnapshot()
    if checks.contains(.change), last != nil, update.changes.isEmpty { throw RecorderError<Section, Row>.empty(update) }
    // The whole list, from a stream that starts over: there is nothing to fold it onto.
    guard update.previous == last?.revision else { return }
    if checks.contains(.strictness) {
      do {
        try BatchValidator(
          TableBatch(update.changes), rowCountsBefore: before.rowCounts, rowCountsAfter: update.snapshot.rowCounts
        ).validate()
      } catch {
        throw RecorderError<Section, Row>.refused(error)
      }
    }
    if checks.contains(.fold), before.applying(update.changes, inserting: update.snapshot) != update.snapshot {
      throw RecorderError<Section, Row>.wrongFold(update)
    }
  }
}

/// What an ``UpdateRecorder`` checks of each update.
public struct RecorderChecks: OptionSet, Sendable {
  /// One bit for each check.
  public let rawValue: Int

  /// Creates a set of checks from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The update starts at the revision where the one before it ended. A mirror that is brought up to date anew does not.
  public static let revisions = RecorderChecks(rawValue: 1)
  /// The update changes something, if it is not the first.
  public static let change = RecorderChecks(rawValue: 2)
  /// Applying the changes to the list before gives the list after. Costs a comparison of the whole lists.
  public static let fold = RecorderChecks(rawValue: 4)
  /// A strict table would take the changes.
  public static let strictness = RecorderChecks(rawValue: 8)
  /// All of them.
  public static let all: RecorderChecks = [.revisions, .change, .fold, .strictness]
}

// MARK: - Expectations

extension UpdateRecorder {
  /// Expects the next update to be one that a test accepts.
  ///
  /// - Parameters:
  ///   - description: What is expected, for the message of a failure.
  ///   - isAccepted: Whether this is it.
  /// - Returns: The update.
  /// - Throws: ``RecorderError``.
  @discardableResult
  public func expect(
    _ description: String, _ isAccepted: @Sendable (ListUpdate<Section, Row>) -> Bool
  ) async throws -> ListUpdate<Section, Row> {
    guard let update = try await next(expecting: description) else {
      throw RecorderError<Section, Row>.ended(expected: description)
    }
    guard isAccepted(update) else {
      throw RecorderError<Section, Row>.unexpected(expected: description, got: update)
    }
    return update
  }

  /// Expects the next update to have exactly these operations.
  ///
  /// - Parameters:
  ///   - sections: The operations on sections.
  ///   - rows: The operations on rows.
  /// - Returns: The update.
  /// - Throws: ``RecorderError``.
  @discardableResult
  public func expect(
    sections: Changeset<Int> = .init(), rows: Changeset<RowPath> = .init()
  ) async throws -> ListUpdate<Section, Row> {
    let changes = ListChanges(sections: sections, rows: rows)
    return try await expect("an update with \(changes)") { $0.changes == changes }
  }

  /// Expects the first update, which is the whole list.
  ///
  /// - Parameter isAccepted: Whether this is the list.
  /// - Returns: The update.
  /// - Throws: ``RecorderError``.
  @discardableResult
  public func expectInitial(
    _ isAccepted: @Sendable (ListSnapshot<Section, Row>) -> Bool = { _ in true }
  ) async throws -> ListUpdate<Section, Row> {
    try await expect("the whole list") { $0.previous == nil && isAccepted($0.snapshot) }
  }

  /// Expects that the list is what the last update said: that nothing is pending.
  ///
  /// - Throws: ``RecorderError/notAsserted(_:)`` with the update that is.
  public func expectNothing() async throws {
    guard await list.snapshot != updates.last?.snapshot ?? ListSnapshot() else { return }
    if let update = try await next() { throw RecorderError<Section, Row>.notAsserted(update) }
  }

  /// Expects that nothing is pending and that the stream ends; a store is finished first.
  ///
  /// - Throws: ``RecorderError/notAsserted(_:)`` for an update that came before the end.
  public func expectEnd() async throws {
    if let store = list as? ListStore<Section, Row> { await store.finish() }
    if let update = try await next() { throw RecorderError<Section, Row>.notAsserted(update) }
  }
}
