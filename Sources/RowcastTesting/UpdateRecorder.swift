public import RowcastDiff
public import RowcastModel
public import RowcastStore

/// Watches a store in a test, and holds it to what the test expects.
///
/// Each update is checked as it comes: it starts where the one before ended, changes something, leads to its list, and
/// would pass a strict table. What the test then says about it is checked as well. Updates that it says nothing about
/// are a failure.
///
///     @Test func `an answer moves its thread to the top`() async throws {
///       let inbox = Inbox()                      // the app's own type, with a ListStore inside
///       try await UpdateRecorder.record(inbox.store) { recorder in
///         try await recorder.expectInitial { $0.rowCount == 2 }
///         await inbox.receive(.answer(thread: 2))
///         try await recorder.expect(
///           rows: .init(moves: [.init(from: RowPath(section: 0, row: 1), to: RowPath(section: 0, row: 0))]))
///       }
///     }
///
/// A failure is thrown as a ``RecorderError``, so the recorder works with any test library. It runs wherever Swift does;
/// no simulator is involved.
public actor UpdateRecorder<Section: SectionViewModel, Row: RowViewModel> {
  /// The updates that were asserted.
  public private(set) var updates: [ListUpdate<Section, Row>] = []

  private let store: ListStore<Section, Row>
  private let stream: AsyncStream<ListUpdate<Section, Row>>

  /// Starts to watch a store.
  public init(_ store: ListStore<Section, Row>) {
    self.store = store
    stream = store.updates()
  }

  /// Watches a store for the length of a body, and fails if an update is left that nobody asserted.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - body: The test.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws; ``RecorderError/notAsserted(_:)``.
  public static func record<Result: Sendable>(
    _ store: ListStore<Section, Row>, _ body: @Sendable (UpdateRecorder) async throws -> Result
  ) async throws -> Result {
    let recorder = UpdateRecorder(store)
    let result = try await body(recorder)
    try await recorder.expectNothing()
    return result
  }

  /// Waits for the next update, and checks it by itself.
  ///
  /// - Returns: The update, or `nil` at the end of the stream.
  /// - Throws: ``RecorderError`` for an update that breaks a promise.
  public func next() async throws -> ListUpdate<Section, Row>? {
    var iterator = stream.makeAsyncIterator()
    guard let update = await iterator.next() else { return nil }
    try check(update)
    updates.append(update)
    return update
  }

  private func check(_ update: ListUpdate<Section, Row>) throws {
    let last = updates.last
    guard update.previous == last?.revision else {
      throw RecorderError<Section, Row>.gap(after: last?.revision, got: update)
    }
    let before = last?.snapshot ?? ListSnapshot()
    if last != nil, update.changes.isEmpty { throw RecorderError<Section, Row>.empty(update) }
    do {
      try BatchValidator(
        update.changes, rowCountsBefore: before.rowCounts, rowCountsAfter: update.snapshot.rowCounts
      ).validate()
    } catch {
      throw RecorderError<Section, Row>.refused(error)
    }
    guard before.applying(update.changes, inserting: update.snapshot) == update.snapshot else {
      throw RecorderError<Section, Row>.wrongFold(update)
    }
  }
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
    guard let update = try await next() else { throw RecorderError<Section, Row>.ended(expected: description) }
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
    return try await expect("an update with \(changes.summary)") { $0.changes == changes }
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
    guard await store.snapshot != updates.last?.snapshot ?? ListSnapshot() else { return }
    if let update = try await next() { throw RecorderError<Section, Row>.notAsserted(update) }
  }

  /// Finishes the store, and expects that nothing is pending and that the stream ends.
  ///
  /// - Throws: ``RecorderError/notAsserted(_:)`` for an update that came before the end.
  public func expectEnd() async throws {
    await store.finish()
    if let update = try await next() { throw RecorderError<Section, Row>.notAsserted(update) }
  }
}
