import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastViews
import RowcastTestSupport
import Testing

/// Rows whose keys are equal stand as they stood, whatever the compiler knows of their types.
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
