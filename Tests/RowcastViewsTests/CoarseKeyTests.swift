import Foundation
import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore
@testable import RowcastViews

/// Keys that are equal and not the same: what is shown is what some row has now.
@Suite(.watched) struct CoarseKeyTests {
  /// A name whose case does not matter.
  struct Name: Hashable, Comparable, Sendable {
    let text: String
    static func == (lhs: Name, rhs: Name) -> Bool { lhs.text.lowercased() == rhs.text.lowercased() }
    static func < (lhs: Name, rhs: Name) -> Bool { lhs.text.lowercased() < rhs.text.lowercased() }
    func hash(into hasher: inout Hasher) { hasher.combine(text.lowercased()) }
  }

  struct Place: RowViewModel {
    let id: Int
    var country: String
    var rank = 0
    var name: Name { Name(text: country) }
  }

  typealias Store = ListStore<SoleSection, Place>

  @Test func `texts in two Unicode forms are spelled as their first row has them`() async throws {
    let store = try Store([Place(id: 1, country: "Caf\u{E9}"), Place(id: 2, country: "Cafe\u{301}")])
    let texts = store.arranged { $0.sectioned(by: \.country) { TestSection($0, "\($0.unicodeScalars.count)") } }
    #expect(await texts.snapshot.sections.map(\.content.title) == ["4"])
    try await store.edit { try $0.remove(1) }
    #expect(await texts.snapshot.sections.map(\.content.title) == ["5"])
  }

  @Test func `values of lists equal those of recomputing, also where equal keys are not the same`() async throws {
    var random = SeededGenerator.forFuzzing("coarse values")
    for _ in 0..<SeededGenerator.rounds(8, long: 10_000) {
      let rig = ArrangedRig<Int>(SeededGenerator(seed: random.next())) { $0 }
      let store = ListStore<TestSection, Card<Int>>()
      let value = store.summary(.min { TextKey($0.b) }, .max { PlainKey($0.a) })
      let sorted = store.arranged { $0.sorted(by: .ascending { $0.b }) }
      let ranks = [0, 3, 7, 13].map { (id: $0, inStore: store.rank(of: $0), inList: sorted.rank(of: $0)) }
      for event in 0..<30 {
        for _ in 0..<rig.int(1..<4) { rig.edit() }
        try await store.replace(with: rig.draft.snapshot)
        rig.draft.commit()
        let (least, most) = await value.value
        let rows = NaiveList(rig.draft.snapshot).parts.flatMap(\.rows)
        var expected: (TextKey?, PlainKey?)
        for row in rows {
          if expected.0.map({ TextKey(row.b) < $0 }) ?? true { expected.0 = TextKey(row.b) }
          if expected.1.map({ $0 < PlainKey(row.a) }) ?? true { expected.1 = PlainKey(row.a) }
        }
        #expect(
          least?.number == expected.0?.number && most?.number == expected.1?.number,
          "seed \(random.seed), event \(event)")
        let order = await sorted.snapshot.allRows.map(\.id)
        for rank in ranks {
          let places = (await rank.inStore.value, await rank.inList.value)
          #expect(
            places == (rows.firstIndex { $0.id == rank.id }, order.firstIndex(of: rank.id)),
            "seed \(random.seed), event \(event), row \(rank.id)")
        }
      }
    }
  }

  /// A row that tells all that its id does not.
  struct Node: RowViewModel {
    let id: Name
    var above: Name?
    /// Tells each state of the row from all others.
    var stamp: Int
    var reuseIdentifier: String { "" }
    static func == (lhs: Node, rhs: Node) -> Bool { lhs.id == rhs.id && lhs.stamp == rhs.stamp }
  }

  struct Shown: RowViewModel {
    let id: Name
    var text: String
  }

  @Test func `parents are spelled as they are in their list, whatever happens to them`() async throws {
    var random = SeededGenerator.forFuzzing("coarse ids")
    func int(_ range: Range<Int>) -> Int { .random(in: range, using: &random) }
    func name() -> Name {
      let text = ["ab", "cd", "ef", "gh", "ij"][int(0..<5)]
      return Name(text: [text, text.uppercased(), text.capitalized][int(0..<3)])
    }
    for _ in 0..<SeededGenerator.rounds(8, long: 20_000) {
      let store = ListStore<SoleSection, Node>()
      try await store.set([])
      let outline = store.arranged {
        $0.outlined(parent: \.above) { Shown(id: $0.id, text: $1.parent?.text ?? "none") }
      }
      for event in 0..<100 {
        let node = Node(id: name(), above: int(0..<4) == 0 ? nil : name(), stamp: 100 * event + int(0..<100))
        let (isRemoval, isMove, place) = (int(0..<3) == 0, int(0..<4) == 0, int(0..<6))
        try await store.edit { list in
          let count = list.snapshot.rowCount
          guard list.row(node.id) != nil else {
            return try list.insert(node, at: RowPath(section: 0, row: min(place, count)))
          }
          if isRemoval { return _ = try list.remove(node.id) }
          if isMove { try list.move(node.id, to: RowPath(section: 0, row: min(place, count - 1))) }
          try list.update(node.id) { $0 = node }
        }
        let rows = await store.snapshot.allRows
        let shown = await outline.snapshot.allRows
        for row in shown where row.text != "none" {
          #expect(rows.contains { $0.id.text == row.text }, "seed \(random.seed): the parent of \(row)")
        }
        #expect(shown.count == rows.count)
      }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a changed row costs O(log n), however many rows have equal keys`() async throws {
    for count in [1_000, 8_000] {
      let calls = CallCount()
      let store = try Store(
        (0..<count).map { Place(id: $0, country: $0.isMultiple(of: 2) ? "Cuba" : "CUBA", rank: $0) })
      let view = store.arranged {
        $0.sectioned(by: { calls.note($0.name) }, summary: .min(\.name)) { name, least in
          calls.note(TestSection(name.text.lowercased(), "\(name.text) \(least?.text ?? "")"))
        }.sorted(by: \.rank)
      }
      _ = await view.snapshot
      try await store.edit { try $0.update(count / 2) { $0.country = "cuba" } }
      _ = await view.snapshot
      for id in [0, count / 2, count - 1] {
        let before = calls.value
        try await store.edit { try $0.update(id) { $0.rank = -$0.rank - 1 } }
        #expect(
          await view.snapshot.sections.map(\.content.title) == [
            id == 0 ? "Cuba Cuba" : "\(id == count - 1 ? "CUBA CUBA" : "cuba cuba")"
          ])
        #expect(calls.value - before <= 12, "\(calls.value - before) calls for one of \(count) rows")
      }
    }
  }

  // MARK: - Sums

  struct Item: RowViewModel {
    let id: Int
    var price: Decimal
    var time: Duration
    static func == (lhs: Item, rhs: Item) -> Bool {
      lhs.id == rhs.id && "\(lhs.price)" == "\(rhs.price)" && lhs.time == rhs.time
    }
  }

  @Test func `numbers of other types are summed up as exactly as they are added`() async throws {
    let prices = ["0.10", "0.20", "1e20"].map { Decimal(string: $0) ?? 0 }
    let store = try ListStore(prices.enumerated().map { Item(id: $0.offset, price: $0.element, time: .seconds(1)) })
    let sum = store.summary(.sum(\.price), .sum(\.time))
    #expect(await sum.value == (prices.reduce(0, +), .seconds(3)))
    try await store.edit { try $0.remove(2) }
    #expect(await sum.value == (prices[0] + prices[1], .seconds(2)))
    try await store.edit { try $0.update(1) { $0.price = .nan } }
    #expect(await sum.value.0.isNaN)
    try await store.edit { try $0.remove(1) }
    #expect(await sum.value == (prices[0], .seconds(1)), "nothing is left of what is no number")
    try await store.set([])
    #expect(await sum.value == (0, .zero))
  }
}
