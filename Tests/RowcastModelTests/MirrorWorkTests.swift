import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

/// What folding a message costs after many others.
@Suite(.watched) struct MirrorWorkTests {
  /// A row that counts how often any is compared or asked for its id.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  struct Row: RowViewModel, Codable {
    static let calls = CallCount()

    private let number: Int
    private let text: String

    init(_ number: Int, _ text: String = "") { (self.number, self.text) = (number, text) }

    var id: Int { Self.calls.note(number) }
    static func == (lhs: Row, rhs: Row) -> Bool { calls.note(lhs.number == rhs.number && lhs.text == rhs.text) }
  }

  /// A message with one operation on a list of twenty sections, and what it does to the plain arrays of their ids.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func message(
    from previous: Int, _ ids: inout [[Int]], _ random: inout SeededGenerator
  ) -> WireMessage<TestSection, Row> {
    let section = Int.random(in: 0..<20, using: &random)
    let count = ids[section].count
    let path = RowPath(section: section, row: Int.random(in: 0..<count, using: &random))
    let target = RowPath(section: section, row: Int.random(in: 0..<count, using: &random))
    var rows = Changeset<RowPath>()
    var (inserted, updated): ([Row], [Row]) = ([], [])
    switch Int.random(in: 0..<4, using: &random) {
    case 0 where count > 400:
      rows.deletes = [path]
      ids[section].remove(at: path.row)
    case 1:
      let new = 1_000_000 + previous
      rows.inserts = [path]
      inserted = [Row(new)]
      ids[section].insert(new, at: path.row)
    case 2 where path != target:
      rows.moves = [.init(from: path, to: target)]
      ids[section].insert(ids[section].remove(at: path.row), at: target.row)
    default:
      rows.updates = [.init(from: path, to: path)]
      updated = [Row(ids[section][path.row], "\(previous)")]
    }
    return .changes(
      WireChanges(
        previous: previous, revision: previous + 1, changes: ListChanges(rows: rows), insertedRows: inserted,
        updatedRows: updated))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a message costs the same after tens of thousands of others`() throws {
    var random = SeededGenerator.forFuzzing("many messages")
    var ids = (0..<20).map { section in Array(section * 500..<section * 500 + 500) }
    let list = ListSnapshot<TestSection, Row>(
      unchecked: ids.enumerated().map { ListSection(TestSection("s\($0.offset)"), rows: $0.element.map { Row($0) }) })
    var mirror = WireReader(list, at: ListPosition(epoch: "", revision: 0))
    var costs: [Int] = []
    let tenth = SeededGenerator.rounds(2_000, long: 10_000)
    for revision in 0..<10 * tenth {
      if revision % tenth == 0 { costs.append(0) }
      let message = Self.message(from: revision, &ids, &random)
      let start = Row.calls.value
      _ = try mirror.fold(message)
      costs[costs.count - 1] += Row.calls.value - start
    }
    #expect(mirror.snapshot.contents.map { $0.rows.map(\.id) } == ids, "seed \(random.seed)")
    #expect(costs.allSatisfy { $0 < tenth * 120 }, "seed \(random.seed): \(costs)")
    #expect(costs.allSatisfy { $0 < costs[0] * 3 / 2 }, "seed \(random.seed): \(costs)")
  }
}
