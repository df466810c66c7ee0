#if ROWCAST_HOOKS
  import RowcastDiff
  import RowcastModel
  import RowcastStore
  import RowcastSchedules
  import RowcastTesting
  import RowcastTestSupport
  import Testing

  /// What the recorder says when nothing comes.
  @Suite(.watched) struct UpdateRecorderLimitTests {
    typealias Failure = RecorderError<TestSection, TestRow>

    @Test func `an update that comes within the limit is taken, and one that does not is missed, in virtual time`()
      async throws
    {
      try await Schedules.explore(300, timers: .whenIdle) { run in
        let store = ListStore(try TestSnapshot.of(("a", [1])))
        let recorder = UpdateRecorder(store, timeLimit: .seconds(60))
        try await recorder.expectInitial()
        async let edit: Void = {
          try await run.clock.sleep(for: .seconds(59))
          try await store.edit { try $0.append(TestRow(2), to: "a") }
        }()
        try await recorder.expect(rows: .init(inserts: [RowPath(section: 0, row: 1)]))
        try await edit
        do {
          _ = try await recorder.next()
          try run.expect(false, "an update came")
        } catch let error as Failure {
          guard case .late(_, after: .seconds(60)) = error.reason else { throw error }
        }
      }
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
  }
#endif
