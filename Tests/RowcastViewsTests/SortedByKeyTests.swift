import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastViews
import RowcastTestSupport
import Testing

/// Rows whose keys are equal stand as they stood, whatever the compiler knows of their types.
@Suite(.watched) struct SortedByKeyTests {
  private static func ids<Section>(_ list: ListSnapshot<Section, TestRow>) -> [[Int]] {
    NaiveList(list).parts.map { $0.rows.map(\.id) }
  }

  /// Knows nothing of the ids of rows.
  private static func sortedGenerically<Section: SectionViewModel, Row: RowViewModel>(
    _ list: some LiveList<Section, Row>, by key: SortKey<Row>
  ) async -> ListSnapshot<Section, Row> {
    await list.arranged { $0.sorted(by: key) }.snapshot
  }

  @Test func `rows are sorted by a key path, and stand as they stood where the keys are equal`() async throws {
    let store = try ListStore([TestRow(3, "b"), TestRow(2, "a"), TestRow(1, "b")])
    let list = store.arranged { $0.sorted(by: \.text) }
    #expect(await Self.ids(list.snapshot) == [[2, 3, 1]])
    #expect(await Self.ids(Self.sortedGenerically(store, by: .ascending(\.text))) == [[2, 3, 1]])
    // Rows that come, move and change stand as they stand in the store, too.
    try await store.edit { list in
      try list.insert(TestRow(0, "b"), at: RowPath(section: 0, row: 1))
      try list.move(1, to: RowPath(section: 0, row: 0))
      try list.update(2) { $0.text = "b" }
    }
    #expect(await Self.ids(store.snapshot) == [[1, 3, 0, 2]])
    #expect(await Self.ids(list.snapshot) == [[1, 3, 0, 2]])
  }

  @Test func `an earlier order decides where the keys are equal, also through sections`() async throws {
    let store = try ListStore([TestRow(1, "b"), TestRow(2, "a"), TestRow(3, "b"), TestRow(4, "a")])
    let once = store.arranged { $0.sorted(by: .descending(\.id)).sorted(by: \.text) }
    #expect(await Self.ids(once.snapshot) == [[4, 2, 3, 1]])
    let sectioned = store.arranged { plan in
      plan.sorted(by: .descending(\.id)).sectioned(by: { $0.id / 4 }) { TestSection("\($0)") }.sorted(by: \.text)
    }
    #expect(await Self.ids(sectioned.snapshot) == [[2, 3, 1], [4]])
    try await store.edit { try $0.update(1) { $0.text = "a" } }
    #expect(await Self.ids(once.snapshot) == [[4, 2, 1, 3]])
    #expect(await Self.ids(sectioned.snapshot) == [[2, 1, 3], [4]])
  }

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
  }

  /// A key without an order.
  private enum Level: CaseIterable, Hashable {
    case high, low, none
  }

  @Test func `sections are in the order of a list of keys, then of the texts of other keys, and NaN is last`()
    async throws
  {
    let store = try ListStore([TestRow(1, "b"), TestRow(2, "c"), TestRow(3, "nan"), TestRow(4, "a"), TestRow(5, "x")])
    let value: @Sendable (TestRow) -> Double = { ["a": 30, "b": -0.0, "c": 4, "nan": .nan][$0.text] ?? 100 }
    let sections = store.arranged {
      $0.sectioned(by: value, order: [4, 0, 4, 7, .nan], keeping: [7]) { TestSection("\($0)") }
    }
    #expect(await sections.snapshot.sections.map(\.id) == ["4.0", "0.0", "7.0", "100.0", "30.0", "nan"])
    #expect(await Array(sections.failures.keys) == [3])
    // The first row of an unlisted key is now the first of all: its section stays where it was.
    try await store.edit { try $0.move(4, to: RowPath(section: 0, row: 0)) }
    #expect(await sections.snapshot.sections.map(\.id) == ["4.0", "0.0", "7.0", "100.0", "30.0", "nan"])
  }

  @Test func `rows are sorted by a list of keys without an order of their own, those of no key of the list last`()
    async throws
  {
    let store = try ListStore([TestRow(1, "?"), TestRow(2, "low"), TestRow(3, "high"), TestRow(4, "low")])
    let level: @Sendable (TestRow) -> Level = { $0.text == "high" ? .high : $0.text == "low" ? .low : .none }
    let order: [Level] = [.high, .low]
    #expect(
      await Self.ids(store.arranged { $0.sorted(by: .ascending(level, order: order)) }.snapshot) == [[3, 2, 4, 1]])
    #expect(
      await Self.ids(store.arranged { $0.sorted(by: .descending(level, order: order)) }.snapshot) == [[2, 4, 3, 1]])
    #expect(
      await Self.ids(store.arranged { $0.sorted(by: .descending(level, order: Level.allCases)) }.snapshot)
        == [[1, 2, 4, 3]])
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
    #expect(texts == (0..<1_000).map { "\($0 * 7 % 100)" }.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) })
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
    func list() -> some LiveList<TestSection, TestRow> {
      store.arranged {
        $0.sectioned(by: { Tag(description: $0.text) }, order: []) {
          TestSection($0.description.lowercased(), $0.description)
        }
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
  }

  @Test func `rows whose listed keys are not equal to themselves are named`() async throws {
    let store = try ListStore([TestRow(1, "b"), TestRow(2, "a")])
    let list = store.arranged { $0.sorted(by: .ascending({ $0.id == 1 ? Double.nan : 1 }, order: [1.0, 2.0])) }
    #expect(await list.snapshot.allRows.map(\.id) == [2, 1])
    #expect(await list.failures.keys.map { $0 } == [1])
  }
}
