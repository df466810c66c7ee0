#if ROWCAST_HOOKS
  import RowcastDiff
  import RowcastModel
  import RowcastStore
  import RowcastSchedules
  import RowcastTesting
  import RowcastViews
  import RowcastTestSupport
  import Testing

  /// What the recorder says when nothing comes, and what it takes besides stores.
  @Suite(.watched) struct UpdateRecorderLimitTests {
    typealias Failure = RecorderError<TestSection, TestRow>

    @Test func `an update that does not come is missed after the limit, in virtual time`() async throws {
      try await Schedules.explore(100, timers: .whenIdle) { run in
        let store = ListStore(try TestSnapshot.of(("a", [1])))
        let recorder = UpdateRecorder(store, timeLimit: .seconds(60))
        try await recorder.expectInitial()
        do {
          _ = try await recorder.next()
          try run.expect(false, "an update came")
        } catch let error as Failure {
          guard case .late(_, after: .seconds(60)) = error.reason else { throw error }
          try run.expect(run.clock.now.duration(to: run.clock.now) == .zero, "time goes backwards")
        }
      }
    }

    @Test func `a limit may be any duration`() async throws {
      let store = ListStore(try TestSnapshot.of(("a", [1])))
      let recorder = UpdateRecorder(store, timeLimit: .seconds(Int64.max))
      try await recorder.expectInitial()
      async let update = recorder.next()
      await eventually { await store.waiterCount == 1 }
      try await store.edit { try $0.append(TestRow(2), to: "a") }
      #expect(try await update?.snapshot.rowCount == 2)
    }

    @Test func `an update that does not come is missed after a second, by name`() async throws {
      let store = ListStore(try TestSnapshot.of(("a", [1])))
      let recorder = UpdateRecorder(store)
      try await recorder.expectInitial()
      let error = try await #require(throws: Failure.self) {
        try await recorder.expect(rows: .init(inserts: [RowPath(section: 0, row: 1)]))
      }
      guard case .late(_, after: .seconds(1)) = error.reason else { throw error }
      let text = error.description
      #expect(text.contains("UpdateRecorderLimitTests.swift:") && text.contains("there was no update"))
    }

    @Test func `on a schedule no recorder is late, and a missing update is a deadlock`() async throws {
      let failure = try await #require(throws: ScheduleFailure.self) {
        try await Schedules.explore(300) { run in
          let store = ListStore(try TestSnapshot.of(("a", [1])))
          let recorder = UpdateRecorder(store)
          try await recorder.expectInitial()
          try await run.clock.sleep(for: .seconds(60))
          _ = try await recorder.next()
        }
      }
      guard case .deadlock = failure.kind else { throw failure }
    }

    @Test func `an update that comes in time is not missed`() async throws {
      try await Schedules.explore(300, timers: .whenIdle) { run in
        let store = ListStore(try TestSnapshot.of(("a", [1])))
        try await UpdateRecorder.record(store, timeLimit: .seconds(60)) { recorder in
          try await recorder.expectInitial()
          async let edit: Void = {
            try await run.clock.sleep(for: .seconds(59))
            try await store.edit { try $0.append(TestRow(2), to: "a") }
          }()
          try await recorder.expect(rows: .init(inserts: [RowPath(section: 0, row: 1)]))
          try await edit
        }
      }
    }

    @Test func `a recorder whose task is cancelled says so`() async throws {
      try await Schedules.explore(100) { run in
        let store = ListStore(try TestSnapshot.of(("a", [1])))
        let recorder = UpdateRecorder(store)
        try await recorder.expectInitial()
        let waiting = Task { try await recorder.next() }
        waiting.cancel()
        do {
          _ = try await waiting.value
          try run.expect(false, "it did not say so")
        } catch let error as Failure {
          guard case .cancelled = error.reason else { throw error }
        }
      }
    }

    /// A list whose stream has a gap.
    private struct Gapped: LiveList {
      let parts: [TestUpdate]
      var snapshot: TestSnapshot { get async { parts.last?.snapshot ?? TestSnapshot() } }
      var revision: Int { get async { parts.last?.revision ?? 0 } }

      func updates() -> AsyncStream<TestUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(of: TestUpdate.self)
        for part in parts { continuation.yield(part) }
        continuation.finish()
        return stream
      }
    }

    @Test func `a list may start over, if the test says so`() async throws {
      let first = try TestSnapshot.of(("a", [1]))
      let second = try TestSnapshot.of(("a", [1, 2]))
      let list = Gapped(parts: [
        TestUpdate(revision: 1, previous: nil, changes: TestSnapshot().changes(to: first), snapshot: first),
        TestUpdate(revision: 7, previous: 6, changes: first.changes(to: second), snapshot: second),
      ])
      await #expect(throws: Failure.self) {
        let strict = UpdateRecorder(list)
        while try await strict.next() != nil {}
      }
      let relaxed = UpdateRecorder(list, startsOver: true)
      while try await relaxed.next() != nil {}
      #expect(await relaxed.updates.count == 2)
    }

    @Test(arguments: [false, true])
    func `changes of another list are a gap, whatever their revision is`(startsOver: Bool) async throws {
      let (first, second) = (try TestSnapshot.of(("a", [1])), try TestSnapshot.of(("a", [1, 2])))
      let list = Gapped(parts: [
        TestUpdate(initial: first, revision: 7, epoch: "sent"),
        TestUpdate(
          revision: 8, previous: 7, changes: first.changes(to: second), snapshot: second, epoch: "inbox"),
      ])
      let recorder = UpdateRecorder(list, startsOver: startsOver)
      try await recorder.expectInitial()
      let error = try await #require(throws: Failure.self) { _ = try await recorder.next() }
      guard case .gap(after: ListPosition(epoch: "sent", revision: 7), _) = error.reason else { throw error }
    }

    @Test func `changes that are none, that a table refuses, or that give another list are failures`() async throws {
      let (first, second) = (try TestSnapshot.of(("a", [1])), try TestSnapshot.of(("a", [1, 2])))
      func reason(_ changes: ListChanges, _ list: TestSnapshot) async throws -> Failure.Reason? {
        let recorder = UpdateRecorder(
          Gapped(parts: [
            TestUpdate(initial: first, revision: 1),
            TestUpdate(revision: 2, previous: 1, changes: changes, snapshot: list),
          ]))
        try await recorder.expectInitial()
        do { _ = try await recorder.next() } catch { return (error as? Failure)?.reason }
        return nil
      }
      #expect(try await reason(first.changes(to: second), second) == nil)
      guard case .empty = try await reason(ListChanges(), second) else { throw Mismatch("not empty") }
      // The update of a row that has not changed says nothing of the row that is new.
      let (row, third) = (RowPath(section: 0, row: 0), try TestSnapshot.of(("a", [3])))
      guard case .wrongFold = try await reason(ListChanges(rows: .init(moves: [.init(from: row, to: row)])), third)
      else { throw Mismatch("not another list") }
      guard case .refused = try await reason(ListChanges(rows: .init(inserts: [RowPath(section: 4, row: 0)])), second)
      else { throw Mismatch("not refused") }
    }
  }
#endif
