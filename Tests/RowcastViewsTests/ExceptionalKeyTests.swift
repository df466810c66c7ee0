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
    (.first(-3), []), (.first(.min), []), (.first(2), [0, 1]), (.first(.max), [0, 1, 2]),
  ])
  func `a window takes any numbers: what the list does not have shows nothing`(_ window: RowWindow<Int>, _ ids: [Int])
    async throws
  {
    let list = try await Self.store(0, 0, 0).arranged { $0.window(window) }.snapshot
    #expect(NaiveList(list).parts.flatMap(\.rows).map(\.id) == ids)
  }
}
