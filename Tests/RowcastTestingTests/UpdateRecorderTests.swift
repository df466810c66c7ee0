import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTesting
import RowcastTestSupport
import Testing

/// An app's list, as its tests see it.
private actor Inbox {
  nonisolated let store: ListStore<TestSection, TestRow>

  init() throws {
    store = ListStore(try .of(("inbox", [1, 2, 3])))
  }

  func receiveAnswer(to thread: Int) async throws {
    try await store.edit { try $0.move(thread, to: RowPath(section: 0, row: 0)) }
  }
}

@Suite(.watched) struct UpdateRecorderTests {
  typealias Failure = RecorderError<TestSection, TestRow>

  private let toTheTop = Changeset<RowPath>(
    moves: [.init(from: RowPath(section: 0, row: 2), to: RowPath(section: 0, row: 0))])

  @Test func `an answer moves its thread to the top`() async throws {
    let inbox = try Inbox()
    let rows = toTheTop
    try await UpdateRecorder.record(inbox.store) { recorder in
      try await recorder.expectInitial { $0.rowCount == 3 }
      try await inbox.receiveAnswer(to: 3)
      try await recorder.expect(rows: rows)
    }
  }

  @Test func `another change than the expected one is a failure that shows both`() async throws {
    let inbox = try Inbox()
    let recorder = UpdateRecorder(inbox.store)
    try await recorder.expectInitial()
    try await inbox.receiveAnswer(to: 3)
    await #expect {
      try await recorder.expect(rows: Changeset(deletes: [RowPath(section: 0, row: 1)]))
    } throws: { error in
      "\(error)".contains("expected an update with rows: deletes [0-1], got revision 0 to 1: rows: moves [0-2→0-0]\n")
    }
  }

  @Test func `an update that nobody asserted is a failure`() async throws {
    let inbox = try Inbox()
    await #expect {
      try await UpdateRecorder.record(inbox.store) { recorder in
        try await recorder.expectInitial()
        try await inbox.receiveAnswer(to: 3)
      }
    } throws: { error in
      if case .notAsserted(let update) = (error as? Failure)?.reason { update.revision == 1 } else { false }
    }
  }

  @Test func `the first list is an update like any other`() async throws {
    let inbox = try Inbox()
    await #expect(throws: Failure.self) { try await UpdateRecorder.record(inbox.store) { _ in } }
  }

  @Test func `nothing pending, then closed`() async throws {
    let recorder = UpdateRecorder(try Inbox().store)
    try await recorder.expectInitial()
    try await recorder.expectNothing()
    try await recorder.expectEnd()
    await #expect { try await recorder.expect(rows: Changeset()) } throws: { error in
      if case .ended = (error as? Failure)?.reason { true } else { false }
    }
  }

  @Test func `a failure says where the expectation stands, and which rows it is about`() async throws {
    let inbox = try Inbox()
    let recorder = UpdateRecorder(inbox.store)
    try await recorder.expectInitial()
    try await inbox.store.edit { list in
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
}
