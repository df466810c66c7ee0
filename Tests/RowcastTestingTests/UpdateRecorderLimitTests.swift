#if ROWCAST_HOOKS
  import RowcastDiff
  import RowcastModel
  import RowcastStore
  import RowcastSchedules
  import RowcastTesting
  import RowcastViews
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

    @Test(arguments: [false, true])
    func `after a wait that failed each expectation is a failure that names it`(isCancelled: Bool) async throws {
      try await Schedules.explore(100, timers: .whenIdle) { run in
        let store = ListStore(try TestSnapshot.of(("a", [1])))
        let recorder = UpdateRecorder(store, timeLimit: .seconds(60))
        try await recorder.expectInitial()
        let waiting = Task { try await recorder.expect("an answer") { _ in true } }
        if isCancelled { waiting.cancel() }
        guard case .failure = await waiting.result else { throw Mismatch("an update came") }
        let expectations: [@Sendable () async throws -> Void] = [
          { try await recorder.expectNothing() }, { try await recorder.expect("a row") { _ in true } },
          { _ = try await recorder.next() }, { try await recorder.expectEnd() },
        ]
        // Whether an update is pending or not. The last expectation ends the list.
        for isEdited in [false, true] {
          if isEdited { try await store.edit { try $0.append(TestRow(2), to: "a") } }
          for (number, expectation) in expectations.enumerated() where isEdited || number < 3 {
            do {
              try await expectation()
              try run.expect(false, "expectation \(number) passed, edited: \(isEdited)")
            } catch let error as Failure {
              guard case .stopped(_, let first) = error.reason else { throw error }
              try run.expect(first.contains("expected an answer, but "), error.description)
            }
          }
        }
      }
    }

    @Test func `an update behind a wait that failed is not lost to the end of a record`() async throws {
      try await Schedules.explore(100, timers: .whenIdle) { run in
        let store = ListStore(try TestSnapshot.of(("a", [1])))
        do {
          try await UpdateRecorder.record(store, timeLimit: .seconds(60)) { recorder in
            try await recorder.expectInitial()
            _ = try? await recorder.next()
            try await store.edit { try $0.append(TestRow(2), to: "a") }
          }
          try run.expect(false, "it passed")
        } catch let error as Failure {
          guard case .stopped = error.reason else { throw error }
        }
      }
    }

    @Test func `a stream that does not end is still open, by name`() async throws {
      try await Schedules.explore(100, timers: .whenIdle) { run in
        let store = ListStore(try TestSnapshot.of(("a", [1])))
        defer { withExtendedLifetime(store) {} }
        let recorder = UpdateRecorder(store.arranged { $0 }, timeLimit: .seconds(60))
        try await recorder.expectInitial()
        do {
          try await recorder.expectEnd()
          try run.expect(false, "it ended")
        } catch let error as Failure {
          let text = "expected the end of the stream, but it was still open after 60.0 seconds"
          try run.expect(error.description.hasSuffix(text), error.description)
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
  }
#endif
