import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

/// What folding a message costs after many of them.
@Suite(.watched) struct UpdateApplyingWorkTests {
  /// A row that counts how often any is compared or asked for its id.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  struct Row: RowViewModel, Codable {
    static let calls = CallCount()

    private var number: Int
    var text = ""

    init(_ number: Int) { self.number = number }

    var id: Int { Self.calls.note(number) }
    static func == (lhs: Row, rhs: Row) -> Bool { calls.note(lhs.number == rhs.number && lhs.text == rhs.text) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  typealias Snapshot = ListSnapshot<TestSection, Row>

  /// The origin of the messages: one operation each, with the changes that it makes.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  struct Writer {
    var draft: ListDraft<TestSection, Row>
    var next: Int

    mutating func change(_ random: inout SeededGenerator) -> ListChanges {
      let section = Int.random(in: 0..<draft.snapshot.sectionCount, using: &random)
      let count = draft.snapshot.rowCount(inSection: section)
      let path = RowPath(section: section, row: Int.random(in: 0..<count, using: &random))
      defer { draft.commit() }
      switch Int.random(in: 0..<4, using: &random) {
      case 0 where count > 100:
        draft.removeRow(at: path)
        return ListChanges(rows: Changeset(deletes: [path]))
      case 1:
        draft.insertRow(Row(next), at: path)
        next += 1
        return ListChanges(rows: Changeset(inserts: [path]))
      case 2:
        let to = RowPath(section: section, row: Int.random(in: 0..<count, using: &random))
        draft.moveRow(from: path, to: to)
        return ListChanges(rows: Changeset(moves: path == to ? [] : [.init(from: path, to: to)]))
      default:
        var row = draft.snapshot.row(at: path)
        row.text = "\(next)"
        next += 1
        draft.replaceRow(at: path, with: row)
        return ListChanges(rows: Changeset(updates: [.init(from: path, to: path)]))
      }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a message costs a mirror, and a store that it is applied to, the same after many others`()
    async throws
  {
    var random = SeededGenerator.forFuzzing("long streams")
    let count = 10_000
    let list = Snapshot(
      unchecked: (0..<20).map { section in
        ListSection(TestSection("s\(section)"), rows: (0..<count / 20).map { Row(section * count + $0) })
      })
    var writer = Writer(draft: ListDraft(list), next: count * 20)
    var mirror = WireReader<TestSection, Row>(list, at: ListPosition(epoch: "", revision: 0))
    let store = ListStore(list)
    var costs: [(mirror: Int, store: Int)] = []
    let messages = SeededGenerator.rounds(10_000, long: 200_000)
    for revision in 1...messages {
      let changes = writer.change(&random)
      let message = WireMessage(
        ListUpdate(revision: revision, previous: revision - 1, changes: changes, snapshot: writer.draft.snapshot))
      let start = Row.calls.value
      let folded = try mirror.fold(message)
      let middle = Row.calls.value
      // A message without changes is no update.
      if let update = folded { try await store.edit { try $0.apply(update) } }
      if revision % (messages / 10) == 1 { costs.append((0, 0)) }
      costs[costs.count - 1].mirror += middle - start
      costs[costs.count - 1].store += Row.calls.value - middle
    }
    #expect(mirror.snapshot == writer.draft.snapshot, "seed \(random.seed)")
    #expect(await store.snapshot == writer.draft.snapshot, "seed \(random.seed)")
    let tenth = messages / 10
    for cost in costs {
      #expect(cost.mirror < 200 * tenth && cost.store < 250 * tenth, "seed \(random.seed): \(costs)")
      #expect(
        cost.mirror < costs[0].mirror * 3 / 2 && cost.store < costs[0].store * 3 / 2, "seed \(random.seed): \(costs)")
    }
  }
}
