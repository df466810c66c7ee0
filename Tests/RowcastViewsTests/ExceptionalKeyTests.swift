import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import RowcastViews
import Testing

/// Keys that are not equal to themselves, keys that share a section, and functions that are not a strict weak order.
@Suite(.watched) struct ExceptionalKeyTests {
  struct Offer: RowViewModel {
    let id: Int
    var price: Double

    // A row whose price is a NaN is equal to itself.
    static func == (lhs: Offer, rhs: Offer) -> Bool { lhs.id == rhs.id && lhs.price.bitPattern == rhs.price.bitPattern }
  }

  struct PriceSection: SectionViewModel {
    let id: Double
  }

  typealias Store = ListStore<SoleSection, Offer>

  private static func store(_ prices: Double...) async throws -> Store {
    let store = Store()
    let offers = prices.enumerated().map { Offer(id: $0, price: $1) }
    try await store.edit { list in for offer in offers { try list.upsert(offer) } }
    return store
  }

  private static func content<Section>(_ list: ListSnapshot<Section, Offer>, _ name: (Section) -> String) -> [String] {
    (0..<list.sectionCount).map { index in
      "\(name(list.section(at: index))): \(list.rows(inSection: index).map { "\($0.id)" }.joined(separator: " "))"
    }
  }

  @Test func `rows whose keys have no place in an order, or share a section with others, are named`() async throws {
    let store = try await Self.store(.nan, 2, .nan, 1)
    let sorted = store.arranged { $0.sorted(by: .ascending(\.price)) }
    let listed = store.arranged { $0.sorted(by: .ascending(\.price, order: [1, 2])) }
    let sections = store.arranged { $0.sectioned(by: \.price) { TestSection("\($0)") } }
    let shared = store.arranged { $0.sectioned(by: \.price) { _ in TestSection("all") } }
    for list in [sorted, listed] { #expect(Set(await list.failures.keys) == [0, 2]) }
    func failures(_ list: ArrangedList<TestSection, Offer>) async -> [Int: ArrangementFailure?] {
      await list.failures.mapValues { $0 as? ArrangementFailure }
    }
    #expect(await failures(sections) == [0: .unorderedKey("nan"), 2: .unorderedKey("nan")])
    #expect(await failures(shared)[1] == .sharedSection(key: "2.0"))
    try await store.edit { list in
      try list.remove(0)
      try list.upsert(Offer(id: 2, price: 3))
      try list.remove(3)
    }
    #expect(await failures(sections).isEmpty)
    #expect(await sorted.failures.isEmpty)
    #expect(await failures(shared) == [2: .sharedSection(key: "3.0")])
  }

  @Test func `a row whose section could not be found again is left out, and named`() async throws {
    let store = try await Self.store(.nan, 1)
    let view = store.arranged { $0.sectioned(by: \.price) { PriceSection(id: $0) } }
    #expect(Self.content(await view.snapshot) { "\($0.id)" } == ["1.0: 1"])
    try await store.edit { try $0.upsert(Offer(id: 2, price: .nan)) }
    #expect(Self.content(await view.snapshot) { "\($0.id)" } == ["1.0: 1"])
    let failure = ArrangementFailure.unidentifiedSection(key: "nan")
    #expect(await view.failures.mapValues { $0 as? ArrangementFailure } == [0: failure, 2: failure])
    try await store.edit { list in
      try list.upsert(Offer(id: 0, price: 1))
      try list.remove(2)
    }
    #expect(Self.content(await view.snapshot) { "\($0.id)" } == ["1.0: 0 1"])
    #expect(await view.failures.isEmpty)
  }

  @Test(arguments: [0, 1, 2])
  func `a function that is no strict weak order loses no row and stops nothing`(_ kind: Int) async throws {
    // Scissors cut paper, which wraps the rock; a NaN is the same as all other prices; any row is before any other.
    let precedes: @Sendable (Offer, Offer) -> Bool =
      switch kind {
      case 0: { (Int($0.price) - Int($1.price) + 30) % 3 == 1 }
      case 1: { ($0.price > 1 ? $0.price : .nan) < $1.price }
      default: { _, _ in true }
      }
    var random = SeededGenerator.forFuzzing("functions that are no order, \(kind)")
    let store = try await Self.store(0, 1, 2)
    let view = store.arranged { $0.sorted(by: .by(precedes)) }
    let divided = store.arranged { plan in
      plan.sorted(by: .by(precedes)).sectioned(by: { $0.id % 3 }) { TestSection("\($0)") }
    }
    for event in 0..<300 {
      let offer = Offer(
        id: Int.random(in: 0..<40, using: &random), price: Double(Int.random(in: 0..<3, using: &random)))
      try await store.edit { list in
        if event % 3 == 0, list.path(ofRow: offer.id) != nil {
          try list.remove(offer.id)
        } else {
          try list.upsert(offer)
        }
      }
      let rows = await store.snapshot.allRows.sorted { $0.id < $1.id }
      for list in [
        await view.snapshot.allRows.sorted { $0.id < $1.id }, await divided.snapshot.allRows.sorted { $0.id < $1.id },
      ] {
        try #require(list == rows, "seed \(random.seed), event \(event)")
      }
    }
    #expect(await view.failures.isEmpty)
  }

  @Test(arguments: [
    (RowWindow<Int>.last(-1), [Int]()), (.last(.min), []), (.last(.max), [0, 1, 2]), (.rows(-5..<2), [0, 1]),
    (.rows(-5 ..< -2), []), (.rows(.min ..< .max), [0, 1, 2]), (.around(1, count: -1), []),
    (.around(1, count: .min), []),
    (.around(1, count: .max), [0, 1, 2]), (.around(7, count: -1), []), (.around(7, count: .max), [0, 1, 2]),
    (.around(2, count: 2), [1, 2]), (.after(0), [1, 2]), (.after(0, count: 1), [1]), (.after(2), []),
    (.after(1, count: .min), []), (.after(1, count: .max), [2]), (.after(7, count: -1), []), (.after(7), [0, 1, 2]),
    (.first(-3), []), (.first(.min), []), (.first(2), [0, 1]), (.first(.max), [0, 1, 2]),
  ])
  func `a window takes any numbers: what the list does not have shows nothing`(_ window: RowWindow<Int>, _ ids: [Int])
    async throws
  {
    let list = try await Self.store(0, 0, 0).arranged { $0.window(window) }.snapshot
    #expect(NaiveList(list).parts.flatMap(\.rows).map(\.id) == ids)
  }
}

/// Rows with equal keys keep their order, whatever the compiler knows about their types.
@Suite(.watched) struct SortedByKeyTests {
  /// A key that is not equal to itself if it is "aside", which is before other texts.
  private struct Name: Hashable, CustomStringConvertible {
    let description: String

    static func == (lhs: Name, rhs: Name) -> Bool { lhs.description == rhs.description && lhs.description != "aside" }
  }

  @Test func `a key that is not equal to itself is after keys that the list does not have`() async throws {
    let store = try ListStore(["m", "aside", "z", "b"].enumerated().map { TestRow($0, $1) })
    let sections = store.arranged {
      $0.sectioned(by: { Name(description: $0.text) }, order: ["z", "aside"].map(Name.init)) { TestSection("\($0)") }
    }
    #expect(await sections.snapshot.sections.map(\.id) == ["z", "b", "m", "aside"])
    #expect(await Array(sections.failures.keys) == [1])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a key that a function compares is made once a row when all rows are sorted, and for few after a change`()
    async throws
  {
    let made = CallCount()
    let store = try ListStore((0..<1_000).map { TestRow($0, "\($0 * 7 % 100)") })
    let list = store.arranged {
      $0.sorted(
        by: .descending {
          made.note(Int($0.text) ?? 0)
        } by: {
          $0 < $1
        })
    }
    let texts = await list.snapshot.allRows.map { $0.text }
    #expect(made.value == 1_000)
    let numbers: [Int] = (0..<1_000).map { $0 * 7 % 100 }
    #expect(texts == numbers.sorted(by: >).map { "\($0)" })
    try await store.edit { try $0.update(500) { $0.text = "12" } }
    _ = await list.snapshot
    #expect(made.value <= 1_000 + 2 + 4 * 10)
  }

  /// Equal in either case, without an order.
  private struct Tag: Hashable, Sendable, CustomStringConvertible {
    let description: String

    static func == (lhs: Tag, rhs: Tag) -> Bool { lhs.description.lowercased() == rhs.description.lowercased() }
    func hash(into hasher: inout Hasher) { hasher.combine(description.lowercased()) }
  }

  @Test func `sections of keys without an order stand as in a new list, however their keys are spelled meanwhile`()
    async throws
  {
    let store = try ListStore([TestRow(1, "a"), TestRow(2, "A"), TestRow(3, "B")])
    func titles(_ list: some LiveList<TestSection, TestRow>) async -> [String] {
      await list.snapshot.sections.map { $0.content.title }
    }
    typealias Plan = Arrangement<SoleSection, TestRow, TestSection, TestRow>
    func list(_ sorted: (Plan) -> Plan = { $0 }) -> some LiveList<TestSection, TestRow> {
      store.arranged {
        sorted(
          $0.sectioned(by: { Tag(description: $0.text) }, order: []) {
            TestSection($0.description.lowercased(), $0.description)
          })
      }
    }
    let view = list()
    #expect(await titles(view) == ["B", "a"])
    try await store.edit { try $0.remove(1) }
    let found = await titles(view)
    #expect(found == ["A", "B"], "\(found)")
    #expect(await titles(list()) == ["A", "B"])
    try await store.edit { try $0.insert(TestRow(4, "a"), at: RowPath(section: 0, row: 0)) }
    #expect(await titles(view) == ["B", "a"])
    #expect(await titles(list()) == ["B", "a"])
    // The first row of an order that follows spells the key.
    #expect(await titles(list { $0.sorted(by: \.id) }) == ["A", "B"])
  }
}
