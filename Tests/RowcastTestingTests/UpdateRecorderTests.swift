import RowcastDiff
import RowcastModel
import RowcastSchedules
import RowcastStore
import RowcastTesting
import RowcastTestSupport
import RowcastViews
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
    // Also with an empty list, which has no changes from nothing.
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

#if ROWCAST_HOOKS
  /// The error of the recorder if no update arrives.
  extension UpdateRecorderTests {
    typealias Recorder = UpdateRecorder<TestSection, TestRow>

    /// The error of an expectation that fails.
    static func failure(_ expectation: () async throws -> Void) async throws -> Failure {
      do { try await expectation() } catch let error as Failure { return error }
      throw Mismatch("an expectation passed")
    }

    /// A store with one row, and a recorder of its list that has the whole of it.
    static func start(timeLimit: Duration? = Recorder.usualTimeLimit) async throws -> (TestStore, Recorder) {
      let store = try TestStore.with([1])
      let recorder = Recorder(store, timeLimit: timeLimit)
      try await recorder.expectInitial()
      return (store, recorder)
    }

    static let insert = Changeset(inserts: [RowPath(section: 0, row: 1)])

    @Test func `an update that comes within the limit is taken, and one that does not is missed, in virtual time`()
      async throws
    {
      try await Schedules.explore(300, timers: .whenIdle) { run in
        let (store, recorder) = try await Self.start(timeLimit: .seconds(60))
        async let edit: Void = {
          try await run.clock.sleep(for: .seconds(59))
          try await store.edit { try $0.append(TestRow(2), to: "a") }
        }()
        try await recorder.expect(rows: Self.insert)
        try await edit
        let error = try await Self.failure { _ = try await recorder.next() }
        guard case .late(_, after: .seconds(60)) = error.reason else { throw error }
      }
    }

    @Test func `an update that does not come is missed after a second, by name`() async throws {
      let (store, recorder) = try await Self.start()
      let error = try await Self.failure { try await recorder.expect(rows: Self.insert) }
      guard case .late(_, after: .seconds(1)) = error.reason else { throw error }
      let text = error.description
      #expect(text.contains("UpdateRecorderTests.swift:") && text.contains("there was no update"))
      withExtendedLifetime(store) {}
    }

    @Test func `on a schedule no recorder is late, and a missing update is a deadlock`() async throws {
      let failure = try await #require(throws: ScheduleFailure.self) {
        try await Schedules.explore(300) { run in
          let (store, recorder) = try await Self.start()
          try await run.clock.sleep(for: .seconds(60))
          _ = try await recorder.next()
          withExtendedLifetime(store) {}
        }
      }
      guard case .deadlock = failure.kind else { throw failure }
    }

    @Test(arguments: [false, true])
    func `after a wait that failed each expectation is a failure that names it`(isCancelled: Bool) async throws {
      try await Schedules.explore(100, timers: .whenIdle) { run in
        let (store, recorder) = try await Self.start(timeLimit: .seconds(60))
        let waiting = Task { try await recorder.expect("an answer") { _ in true } }
        if isCancelled { waiting.cancel() }
        let error = try await Self.failure { _ = try await waiting.value }
        switch error.reason {
        case .late where !isCancelled, .cancelled where isCancelled: break
        default: throw error
        }
        let expectations: [@Sendable () async throws -> Void] = [
          { try await recorder.expectNothing() }, { try await recorder.expect("a row") { _ in true } },
          { _ = try await recorder.next() }, { try await recorder.expectEnd() },
        ]
        // Whether an update is pending or not. The last expectation ends the list.
        for isEdited in [false, true] {
          if isEdited { try await store.edit { try $0.append(TestRow(2), to: "a") } }
          for (number, expectation) in expectations.enumerated() where isEdited || number < 3 {
            let error = try await Self.failure(expectation)
            guard case .stopped(_, let first) = error.reason else { throw error }
            try run.expect(first.contains("expected an answer, but "), error.description)
          }
        }
      }
    }

    /// A list whose stream keeps each update while nobody reads.
    private struct Queued: LiveList {
      let queue = AsyncStream.makeStream(of: TestUpdate.self)
      var snapshot: TestSnapshot { get async { TestSnapshot() } }
      var revision: Int { get async { 0 } }

      func updates() -> AsyncStream<TestUpdate> { queue.stream }
    }

    @Test func `an update that the limit cuts off is missed, and none behind it is taken`() async throws {
      let late = CallCount()
      let list = try TestSnapshot.of(("a", [1]))
      try await Schedules.explore(300) { run in
        let queued = Queued()
        let recorder = Recorder(queued, timeLimit: .seconds(60))
        async let sent: Void = {
          try await run.clock.sleep(for: .seconds(60))
          for revision in 1...2 { queued.queue.continuation.yield(TestUpdate(initial: list, revision: revision)) }
        }()
        do { _ = try await recorder.next() } catch {
          late.note(())
          try await sent
          let error = try await Self.failure { _ = try await recorder.next() }
          guard case .stopped = error.reason else { throw error }
        }
      }
      #expect(late.value > 0)
    }

    @Test func `an update behind a wait that failed is not lost to the end of a record`() async throws {
      try await Schedules.explore(100, timers: .whenIdle) { run in
        let store = try TestStore.with([1])
        let error = try await Self.failure {
          try await UpdateRecorder.record(store, timeLimit: .seconds(60)) { recorder in
            try await recorder.expectInitial()
            _ = try? await recorder.next()
            try await store.edit { try $0.append(TestRow(2), to: "a") }
          }
        }
        guard case .stopped = error.reason else { throw error }
      }
    }

    @Test func `a stream that does not end is still open, by name`() async throws {
      try await Schedules.explore(100, timers: .whenIdle) { run in
        let store = try TestStore.with([1])
        defer { withExtendedLifetime(store) {} }
        let recorder = UpdateRecorder(store.arranged { $0 }, timeLimit: .seconds(60))
        try await recorder.expectInitial()
        let text = "expected the end of the stream, but it was still open after 60.0 seconds"
        let error = try await Self.failure { try await recorder.expectEnd() }
        try run.expect(error.description.hasSuffix(text), error.description)
      }
    }
  }
#endif
