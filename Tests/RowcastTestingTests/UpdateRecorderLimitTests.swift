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
    typealias Recorder = UpdateRecorder<TestSection, TestRow>
    typealias Failure = RecorderError<TestSection, TestRow>

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
      #expect(text.contains("UpdateRecorderLimitTests.swift:") && text.contains("there was no update"))
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
