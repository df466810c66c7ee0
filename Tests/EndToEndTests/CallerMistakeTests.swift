import Rowcast
import RowcastTestSupport
import Testing

/// What a caller gets wrong stops the program, in every room, and the message has the value.
@Suite(.watched) struct CallerMistakeTests {
  enum Mistake: String, CaseIterable, Codable {
    case sectionsWithoutRows, keyframes, linePace, heartbeat, spaceHeartbeat, versions, age, storePace,
      tableHeight, newHeight, rowHeight, workingRange, pool, unknownRow, lastLines, lineLimit, interval

    var message: String {
      switch self {
      case .sectionsWithoutRows: "1 and 0 sections, but rows of 0 and 0"
      case .keyframes: "There is no keyframe after every 0 updates"
      case .linePace: "A list cannot be sent every -1.0 seconds"
      case .heartbeat, .spaceHeartbeat: "There is no heartbeat every 0.0 seconds"
      case .versions: "A history cannot have -1 versions"
      case .age: "A history cannot be -1.0 seconds long"
      case .storePace: "A store cannot follow a list every -1.0 seconds"
      case .tableHeight, .newHeight: "A table cannot have -1 lines; use 0 or more"
      case .rowHeight: "A row cannot have 0 lines; use 1 or more"
      case .workingRange: "A table cannot keep -1 rows ready; use 0 or more"
      case .pool: "A pool cannot hold -1 cells; use 0 or more"
      case .unknownRow: "The list has no row at 0-7"
      case .lastLines: "The number of last lines must not be negative, got -1"
      case .lineLimit: "A line must be limited to at least 1 byte, got 0"
      case .interval: "`interval` must not be negative, got -1.0 seconds"
      }
    }

    private struct Lists: Codable, Sendable {
      var list: WireMessage<TestSection, TestRow>?
    }

    private static var table: RetainedTable<TestSection, TestRow> {
      RetainedTable(cells: CellRegistry<TestRow>(), height: 3)
    }

    func make() throws {
      let store = TestStore(TestSnapshot())
      switch self {
      case .sectionsWithoutRows:
        _ = ListChanges(from: [TestSection("a")], rows: [[TestRow]](), to: [], rows: [])
      case .keyframes: _ = KeyframePolicy(everyUpdates: 0)
      case .linePace: _ = EncodedList(store, every: .seconds(-1)) { _ in 1 }
      case .heartbeat: _ = EncodedList(store) { _ in 1 }.lines(heartbeat: .zero)
      case .spaceHeartbeat: _ = EncodedSpace(Lists()) { _ in 1 }.lines(heartbeat: .zero)
      case .versions: _ = TestStore(TestSnapshot(), history: .last(-1))
      case .age: _ = TestStore(TestSnapshot(), history: .within(.seconds(-1)))
      case .storePace: _ = TestStore(following: store, every: .seconds(-1))
      case .tableHeight: _ = RetainedTable<TestSection, TestRow>(cells: CellRegistry<TestRow>(), height: -1)
      case .newHeight: try Self.table.resize(toHeight: -1)
      case .rowHeight:
        _ = RetainedTable<TestSection, TestRow>(cells: CellRegistry<TestRow>(), height: 3, estimatedRowHeight: 0)
      case .workingRange: Self.table.workingRange = -1
      case .pool: _ = RetainedTable<TestSection, TestRow>(cells: CellRegistry<TestRow>(), height: 3, poolCap: -1)
      case .unknownRow: try Self.table.scroll(to: RowPath(section: 0, row: 7))
      case .lastLines: _ = FollowedFile("log", from: .lastLines(-1)).makeAsyncIterator()
      case .lineLimit: _ = FollowedFile("log", lineLimit: 0).makeAsyncIterator()
      case .interval: _ = Polling(every: .seconds(-1)) { _ in 1 }
      }
    }
  }

  @Test(arguments: Mistake.allCases) func `a mistake stops the program, and the message has the value`(
    _ mistake: Mistake
  ) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [mistake] in
      try mistake.make()
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains(mistake.message))
  }
}
