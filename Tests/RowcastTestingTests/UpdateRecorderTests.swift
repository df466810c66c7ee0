import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTesting
import RowcastTestSupport
import Testing

@Suite(.watched) struct UpdateRecorderTests {
  typealias Failure = RecorderError<TestSection, TestRow>

  private let inbox: TestStore

  init() throws { inbox = ListStore(try .of(("inbox", [1, 2, 3]))) }

  private func moveToTheTop() async throws {
    try await inbox.edit { try $0.move(3, to: RowPath(section: 0, row: 0)) }
  }

  @Test func `another change than the expected one is a failure that shows both`() async throws {
    let recorder = UpdateRecorder(inbox)
    try await recorder.expectInitial()
    try await moveToTheTop()
    await #expect {
      try await recorder.expect(rows: Changeset(deletes: [RowPath(section: 0, row: 1)]))
    } throws: { error in
      "\(error)".contains("expected an update with rows: deletes [0-1], got revision 0 to 1: rows: moves [0-2→0-0]\n")
    }
  }

  @Test func `an update that nobody asserted is a failure, also the first one of a list without sections`() async throws
  {
    for (list, asserts) in [(inbox, false), (inbox, true), (TestStore(), false)] {
      let error = await #expect(throws: Failure.self) {
        try await UpdateRecorder.record(list) { recorder in
          guard asserts else { return }
          try await recorder.expectInitial()
          try await moveToTheTop()
        }
      }
      guard case .notAsserted(let update) = error?.reason else { throw Mismatch("\(String(describing: error))") }
      #expect(update.previous == (asserts ? 0 : nil))
    }
    _ = try await UpdateRecorder.record(TestStore()) { try await $0.expectInitial() }
  }

  @Test func `nothing pending, then closed`() async throws {
    let recorder = UpdateRecorder(inbox)
    try await recorder.expectInitial()
    try await recorder.expectNothing()
    try await recorder.expectEnd()
    await #expect { try await recorder.expect(rows: Changeset()) } throws: { error in
      if case .ended = (error as? Failure)?.reason { true } else { false }
    }
  }

  @Test func `a failure says where the expectation stands, and which rows it is about`() async throws {
    let recorder = UpdateRecorder(inbox)
    try await recorder.expectInitial()
    try await inbox.edit { list in
      try list.remove(1)
      try list.move(3, to: RowPath(section: 0, row: 0))
      try list.update(2) { $0.text = "new" }
      try list.append(TestRow(4, "four"), to: "inbox")
      try list.append(TestSection("archive", "Archive"))
    }
    let line = #line + 1
    await #expect { try await recorder.expect(rows: Changeset()) } throws: { error in
      let text = "\(error)"
      #expect(text.contains("UpdateRecorderTests.swift:\(line)"))
      for part in [
        "insert 1: \(TestSection("archive", "Archive"))", "delete 0-0: \(TestRow(1))",
        "move 0-1→0-1: \(TestRow(2, "new"))",
        "update 0-1→0-1: \(TestRow(2)) → \(TestRow(2, "new"))", "insert 0-2: \(TestRow(4, "four"))",
      ] {
        #expect(text.contains(part))
      }
      return true
    }
  }

  @Test func `a limit may be any duration`() async throws {
    let recorder = UpdateRecorder(inbox, timeLimit: .seconds(Int64.max))
    try await recorder.expectInitial()
    async let update = recorder.next()
    await eventually { await inbox.waiterCount == 1 }
    try await moveToTheTop()
    #expect(try await update?.revision == 1)
  }

  /// A list whose stream has a gap.
  private struct Gapped: LiveList {
    let parts: [TestUpdate]
    var snapshot: TestSnapshot { get async { parts.last?.snapshot ?? TestSnapshot() } }
    var revision: Int { get async { parts.last?.revision ?? 0 } }

    func updates() -> AsyncStream<TestUpdate> {
      AsyncStream { stream in
        for part in parts { stream.yield(part) }
        stream.finish()
      }
    }
  }

  @Test(arguments: [false, true])
  func `an update with a gap, or no change, or some that a table refuses or that give another list is a failure`(
    startsOver: Bool
  ) async throws {
    let lists = try [[1], [1, 2], [3]].map { try TestSnapshot.of(("a", $0)) }
    /// What is wrong with an update of the first list, which has revision 1.
    func reason(
      _ changes: ListChanges? = nil, to list: TestSnapshot, after previous: Int = 1, of epoch: String = "sent"
    ) async throws -> Failure.Reason? {
      let update = TestUpdate(
        revision: 8, previous: previous, changes: changes ?? lists[0].changes(to: list), snapshot: list, epoch: epoch)
      let recorder = UpdateRecorder(
        Gapped(parts: [TestUpdate(initial: lists[0], revision: 1, epoch: "sent"), update]), startsOver: startsOver)
      try await recorder.expectInitial()
      do {
        _ = try await recorder.next()
        #expect(await recorder.updates.count == 2)
        return nil
      } catch {
        return (error as? Failure)?.reason
      }
    }
    let (first, row) = (RowPath(section: 0, row: 0), RowPath(section: 4, row: 0))
    #expect(try await reason(to: lists[1]) == nil)
    // A list may start over if the test says so, but not with changes of another list.
    switch try await reason(to: lists[1], after: 6) {
    case nil: #expect(startsOver)
    case .gap: #expect(!startsOver)
    case let other: Issue.record("\(other as Any)")
    }
    // Also with a list that is empty, whose changes from nothing are none.
    let anew = [TestUpdate(initial: lists[0], revision: 1), TestUpdate(initial: .init(), revision: 0)]
    let recorder = UpdateRecorder(Gapped(parts: anew), startsOver: startsOver)
    try await recorder.expectInitial()
    if startsOver { #expect(try await recorder.next()?.snapshot.sectionCount == 0) }
    guard case .gap = try await reason(to: lists[1], of: "inbox") else { throw Mismatch("no gap") }
    guard case .empty = try await reason(ListChanges(), to: lists[1]) else { throw Mismatch("not empty") }
    for rows in [Changeset(updates: [.init(from: first, to: first)]), Changeset(deletes: [first], inserts: [first])] {
      guard case .empty = try await reason(ListChanges(rows: rows), to: lists[0]) else { throw Mismatch("not empty") }
    }
    // The move of a row says nothing of the row that is new.
    let move = ListChanges(rows: .init(moves: [.init(from: first, to: first)]))
    guard case .wrongFold = try await reason(move, to: lists[2]) else { throw Mismatch("not another list") }
    guard case .refused = try await reason(ListChanges(rows: .init(inserts: [row])), to: lists[1])
    else { throw Mismatch("not refused") }
  }
}
