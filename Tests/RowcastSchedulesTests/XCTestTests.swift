#if ROWCAST_HOOKS
  import RowcastSchedules
  import XCTest

  /// Schedules in tests of XCTest.
  final class XCTestTests: XCTestCase {
    func testAFailureIsThrown() async throws {
      do {
        try await Schedules.explore(10) { run in try run.expect(false, "never") }
        XCTFail("nothing was thrown")
      } catch let failure as ScheduleFailure {
        XCTAssertTrue(failure.description.contains("never"))
      }
    }

    func testAFailureIsRecorded() async throws {
      var failures: [String] = []
      try await Schedules.explore(10, record: { failures.append("\($0)") }) { run in try run.expect(false, "never") }
      XCTAssertEqual(failures.count, 1)
    }

    func testTasksOnTheMainActorAreExplored() async throws {
      let exploration = try await Schedules.explore(200) { _ in
        async let first: Void = MainActor.run {}
        async let second: Void = MainActor.run {}
        _ = await (first, second)
      }
      XCTAssertEqual(exploration.schedules, 200)
      XCTAssertGreaterThan(exploration.distinct, 1)
    }
  }
#endif
