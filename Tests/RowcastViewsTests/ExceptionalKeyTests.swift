import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastViews
import RowcastTestSupport
import Testing

/// Keys that are not equal to themselves, keys that share a section, and functions that are no strict weak order.
@Suite(.watched) struct ExceptionalKeyTests {
  struct Offer: RowViewModel {
    let id: Int
    var price: Double

    // A row with a price that is none is equal to itself.
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

  private static func priced(
    _ store: Store, _ direction: SortDirection = .ascending
  ) -> ArrangedList<TestSection, Offer> {
    store.arranged { $0.sectioned(by: \.price, order: direction) { TestSection("\($0)") } }
  }

  @Test(arguments: [SortDirection.ascending, .descending])
  func `keys that are not equal to themselves have one section, after all others`(_ direction: SortDirection)
    async throws
  {
    let store = try await Self.store(.nan, 2, .nan, 1)
    let view = Self.priced(store, direction)
    let ordered = direction == .ascending ? ["1.0: 3", "2.0: 1"] : ["2.0: 1", "1.0: 3"]
    #expect(Self.content(await view.snapshot, \.id) == ordered + ["nan: 0 2"])
    #expect(
      await view.failures.mapValues { $0 as? ArrangementFailure } == [
        0: .unorderedKey("nan"), 2: .unorderedKey("nan"),
      ])
    try await store.edit { list in
      try list.upsert(Offer(id: 4, price: .nan))
      try list.upsert(Offer(id: 0, price: 3))
    }
    let changed = direction == .ascending ? ["1.0: 3", "2.0: 1", "3.0: 0"] : ["3.0: 0", "2.0: 1", "1.0: 3"]
    #expect(Self.content(await view.snapshot, \.id) == changed + ["nan: 2 4"])
    #expect(Set(await view.failures.keys) == [2, 4])
  }

  @Test func `zero has one section, whatever its sign`() async throws {
    let store = try await Self.store(-0.0, 1)
    let view = Self.priced(store)
    #expect(Self.content(await view.snapshot, \.id) == ["0.0: 0", "1.0: 1"])
    try await store.edit { list in
      try list.upsert(Offer(id: 2, price: 0))
      try list.upsert(Offer(id: 3, price: -0.0))
    }
    #expect(Self.content(await view.snapshot, \.id) == ["0.0: 0 2 3", "1.0: 1"])
    #expect(await view.failures.isEmpty)
  }

  @Test func `the section that is kept for a zero is that of all zeros`() async throws {
    let store = try await Self.store(1)
    let view = store.arranged { $0.sectioned(by: \.price, keeping: [-0.0]) { TestSection("\($0)") } }
    #expect(Self.content(await view.snapshot, \.id) == ["0.0: ", "1.0: 0"])
    try await store.edit { try $0.upsert(Offer(id: 1, price: 0)) }
    #expect(Self.content(await view.snapshot, \.id) == ["0.0: 1", "1.0: 0"])
    #expect(await view.failures.isEmpty)
  }

  @Test func `keys that give one section id share the section, which has the place and content of the first of them`()
    async throws
  {
    let store = try await Self.store(5, 11, 12)
    let view = store.arranged { $0.sectioned(by: \.price) { TestSection("\(Int($0) / 10)", "from \($0)") } }
    #expect(Self.content(await view.snapshot, \.content.title) == ["from 5.0: 0", "from 11.0: 1 2"])
    #expect(await view.failures.mapValues { $0 as? ArrangementFailure } == [2: .sharedSection(key: "12.0")])
    // The first key goes, another first one comes.
    try await store.edit { try $0.remove(1) }
    #expect(Self.content(await view.snapshot, \.content.title) == ["from 5.0: 0", "from 12.0: 2"])
    #expect(await view.failures.isEmpty)
    try await store.edit { try $0.upsert(Offer(id: 3, price: 10)) }
    #expect(Self.content(await view.snapshot, \.content.title) == ["from 5.0: 0", "from 10.0: 2 3"])
  }

  @Test func `a shared section moves to where the first of its keys belongs`() async throws {
    let store = try await Self.store(1, 2, 3)
    // Odd and even prices.
    let view = store.arranged { $0.sectioned(by: \.price) { TestSection("\(Int($0) % 2)") } }
    #expect(Self.content(await view.snapshot, \.id) == ["1: 0 2", "0: 1"])
    try await store.edit { try $0.remove(0) }
    #expect(Self.content(await view.snapshot, \.id) == ["0: 1", "1: 2"])
    try await store.edit { try $0.upsert(Offer(id: 4, price: -7)) }
    #expect(Self.content(await view.snapshot, \.id) == ["-1: 4", "0: 1", "1: 2"])
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

  @Test func `rows are sorted with keys that are not equal to themselves last, in both directions`() async throws {
    let store = try await Self.store(.nan, 2, .nan, 1)
    let (up, down) = (
      store.arranged { $0.sorted(by: .ascending(\.price)) }, store.arranged { $0.sorted(by: .descending(\.price)) }
    )
    #expect(await up.snapshot.rows(inSection: 0).map(\.id) == [3, 1, 0, 2])
    #expect(await down.snapshot.rows(inSection: 0).map(\.id) == [1, 3, 0, 2])
    #expect(Set(await up.failures.keys) == [0, 2])
    try await store.edit { list in
      try list.upsert(Offer(id: 1, price: .nan))
      try list.upsert(Offer(id: 0, price: 0))
    }
    #expect(await up.snapshot.rows(inSection: 0).map(\.id) == [0, 3, 1, 2])
    #expect(await down.snapshot.rows(inSection: 0).map(\.id) == [3, 0, 1, 2])
  }

  @Test func `rows that a function puts before each other count as equal`() async throws {
    let store = try await Self.store(2, 1, 2, 1)
    let view = store.arranged { $0.sorted(by: .by { $0.price <= $1.price }) }
    #expect(await view.snapshot.rows(inSection: 0).map(\.id) == [1, 3, 0, 2])
    try await store.edit { try $0.remove(1) }
    try await store.edit { try $0.upsert(Offer(id: 1, price: 2)) }
    #expect(await view.snapshot.rows(inSection: 0).map(\.id) == [3, 0, 2, 1])
    #expect(await view.failures.isEmpty)
  }

  @Test(arguments: [0, 1, 2])
  func `a function that is no strict weak order loses no row and stops nothing`(_ kind: Int) async throws {
    // Scissors cut paper, which wraps the rock; a price that is none is the same as all others; any row is before any other.
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

  @Test func `distinct keeps each row whose key is not equal to itself`() async throws {
    let store = try await Self.store(.nan, 1, .nan, 1)
    let view = store.arranged { $0.distinct(by: \.price) }
    #expect(await view.snapshot.rows(inSection: 0).map(\.id) == [0, 1, 2])
    try await store.edit { list in
      try list.remove(0)
      try list.remove(1)
      try list.upsert(Offer(id: 4, price: .nan))
    }
    #expect(await view.snapshot.rows(inSection: 0).map(\.id) == [2, 3, 4])
  }

  struct Reading: RowViewModel {
    let id: Double
  }

  @Test func `a mapping to an id that is not equal to itself is a failure of that row`() async throws {
    let store = ListStore<SoleSection, Reading>()
    try await store.edit { list in for id in [1.0, 2] { try list.upsert(Reading(id: id)) } }
    let view = store.arranged { $0.map { $0.id == 1 ? Reading(id: .nan) : $0 } }
    #expect(await view.snapshot.rows(inSection: 0).map(\.id) == [2])
    let failure = try #require(await view.failures[1] as? ListError<Int, Double>)
    #expect(failure.description.contains("nan"))
  }

  @Test(arguments: [
    (RowWindow<Int>.last(-1), [Int]()), (.last(.min), []), (.last(.max), [0, 1, 2]), (.rows(-5..<2), [0, 1]),
    (.rows(-5 ..< -2), []), (.rows(.min ..< .max), [0, 1, 2]), (.around(1, count: -1), []),
    (.around(1, count: .min), []),
    (.around(1, count: .max), [0, 1, 2]), (.around(7, count: -1), []), (.around(7, count: .max), [0, 1, 2]),
    (.around(2, count: 2), [1, 2]), (.after(0), [1, 2]), (.after(0, count: 1), [1]), (.after(2), []),
    (.after(1, count: .min), []), (.after(1, count: .max), [2]), (.after(7, count: -1), []), (.after(7), [0, 1, 2]),
  ])
  func `a window takes any numbers: what the list does not have shows nothing`(_ window: RowWindow<Int>, _ ids: [Int])
    async throws
  {
    let list = try await Self.store(0, 0, 0).arranged { $0.window(window) }.snapshot
    #expect(NaiveList(list).parts.flatMap(\.rows).map(\.id) == ids)
  }

  @Test(arguments: [(-3, [Int]()), (.min, []), (0, []), (2, [0, 1]), (.max, [0, 1, 2])])
  func `a window of the first rows takes any number of them`(_ count: Int, _ ids: [Int]) async throws {
    let list = try await Self.store(0, 0, 0).arranged { $0.window(.first(count)) }.snapshot
    #expect(NaiveList(list).parts.flatMap(\.rows).map(\.id) == ids)
  }
}
