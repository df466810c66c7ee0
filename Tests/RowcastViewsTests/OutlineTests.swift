import Foundation
import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

@testable import RowcastViews

/// A row that names the one above it.
private struct Node: RowViewModel {
  let id: String
  var parent: String?
  var size = 1

  init(_ id: String, _ parent: String? = nil, size: Int = 1) { (self.id, self.parent, self.size) = (id, parent, size) }
}

private struct Shown: RowViewModel {
  let id: String
  let place: OutlinePlace<String>
  var size = 0

  var line: String {
    let mark = place.hasChildren ? place.isExpanded ? "v" : ">" : "-"
    return String(repeating: "  ", count: place.depth) + "\(mark) \(id)" + (size > 0 ? " \(size)" : "")
  }
}

private typealias Outline = ArrangedList<SoleSection, Shown>

extension Outline {
  /// The rows as a person reads them.
  fileprivate var lines: [String] { get async { await snapshot.allRows.map { $0.line } } }
}

/// L1: rows with child rows.
@Suite(.watched) struct OutlineTests {
  private let expansion = OutlineExpansion<String>()

  private func store(_ rows: [Node]) throws -> ListStore<SoleSection, Node> { try ListStore(rows) }

  private func outline(
    of store: ListStore<SoleSection, Node>, _ policy: MissingParentPolicy = .top,
    where isIncluded: (@Sendable (Node) -> Bool)? = nil
  ) -> Outline {
    store.arranged { [expansion] in
      $0.sorted(by: \.id).outlined(parent: \.parent, missingParent: policy, expansion: expansion, where: isIncluded) {
        Shown(id: $0.id, place: $1)
      }
    }
  }

  private static let files = [
    Node("src"), Node("b", "src"), Node("a", "src"), Node("x", "a"), Node("doc"), Node("y", "a"), Node("d", "doc"),
  ]

  @Test func `collapsing and expanding are one update each, of the rows below and the row itself`() async throws {
    let tree = outline(of: try store(Self.files))
    var updates = tree.updates().makeAsyncIterator()
    _ = await updates.next()
    await expansion.collapse("src")
    let collapsed = try #require(await updates.next())
    #expect(collapsed.changes.rows.deletes.map { $0.row } == [3, 4, 5, 6])
    #expect(collapsed.changes.rows.updates.map { $0.from.row } == [2] && collapsed.changes.count == 5)
    #expect(await tree.lines == ["v doc", "  - d", "> src"])
    // What is below a collapsed row changes nothing that is shown.
    await expansion.collapse("a")
    await expansion.expand("src")
    let expanded = try #require(await updates.next())
    #expect(expanded.changes.rows.inserts.map { $0.row } == [3, 4] && expanded.changes.count == 3)
    #expect(await tree.lines == ["v doc", "  - d", "v src", "  > a", "  - b"])
  }

  @Test func `all rows are expanded to a depth, or all below one, and what was saved is expanded again`() async throws {
    let tree = outline(of: try store(Self.files))
    await expansion.expandAll(to: 1)
    #expect(await tree.lines == ["v doc", "  - d", "v src", "  > a", "  - b"])
    await expansion.collapseAll()
    await expansion.expand("src", descendants: true)
    #expect(await tree.lines == ["> doc", "v src", "  v a", "    - x", "    - y", "  - b"])
    await expansion.collapse("a")
    let saved = try JSONEncoder().encode(await expansion.rows)
    await expansion.expandAll()
    #expect(await tree.snapshot.rowCount == 7)
    await expansion.set(try JSONDecoder().decode(ExpandedRows<String>.self, from: saved))
    #expect(await tree.lines == ["> doc", "v src", "  > a", "  - b"])
  }

  @Test func `expanded rows from a file that nobody wrote do not stop anything`() async throws {
    let text = """
      {"depth":-9223372036854775808,"order":9223372036854775807,"rows":{"src":{"isExpanded":true,"order":-1}},
      "subtrees":{"src":{"isExpanded":true,"order":9223372036854775807}}}
      """
    await expansion.set(try JSONDecoder().decode(ExpandedRows<String>.self, from: Data(text.utf8)))
    let tree = outline(of: try store(Self.files))
    #expect(await tree.snapshot.rowCount == 6)
    await expansion.expand("doc")
    await expansion.collapse("src", descendants: true)
    _ = await tree.snapshot
  }

  @Test func `rows whose parents are not there, or that are their own ancestors, are reported as long as they are`()
    async throws
  {
    let store = try store([Node("x", "a"), Node("c", "b"), Node("b", "c"), Node("d", "b"), Node("e", "e")])
    let tree = outline(of: store)
    func failures() async -> [String: ArrangementFailure?] {
      await tree.failures.mapValues { $0 as? ArrangementFailure }
    }
    #expect(await failures() == ["x": .missingParent("a"), "b": .cyclicParent("c"), "e": .cyclicParent("e")])
    #expect(await tree.lines == ["v b", "  - c", "  - d", "- e", "- x"])
    try await store.edit {
      try $0.upsert(Node("a"))
      try $0.update("b") { $0.parent = nil }
    }
    #expect(await failures() == ["e": .cyclicParent("e")])
  }

  @Test func `a filter that keeps no ancestors brings what it finds to the top`() async throws {
    let tree = try store(Self.files).arranged {
      $0.outlined(parent: \.parent, where: { $0.id == "x" || $0.id == "doc" }, keepingAncestors: false) {
        Shown(id: $0.id, place: $1)
      }
    }
    #expect(await tree.lines == ["- x", "- doc"])
  }

  @Test func `an outline may be as deep as it is long`() async throws {
    let count = 20_000
    let store = try store((0..<count).map { Node("\($0)", $0 == 0 ? nil : "\($0 - 1)") })
    let tree = store.arranged { [expansion] in
      $0.outlined(parent: \.parent, expansion: expansion) { Shown(id: $0.id, place: $1) }
    }
    #expect(await tree.snapshot.row(at: RowPath(section: 0, row: count - 1)).place.depth == count - 1)
    await expansion.collapse("10")
    #expect(await tree.snapshot.rowCount == 11)
    try await store.edit { try $0.update("0") { $0.parent = "\(count - 1)" } }
    #expect(await tree.failures.count == 1)
    #expect(await tree.snapshot.rowCount == 11)
  }

  @Test func `the newest command to a row or one above it decides whether the row is expanded`() {
    var random = SeededGenerator.forFuzzing("expanded rows")
    for _ in 0..<SeededGenerator.rounds(60, long: 100_000) {
      // Row 2n + 1 and row 2n + 2 are under row n.
      var expanded = ExpandedRows<Int>(depth: [0, 1, 2, 3, .max].randomElement(using: &random) ?? 0)
      var commands: [(id: Int, isExpanded: Bool, descendants: Bool)] = []
      for _ in 0..<12 {
        commands.append((.random(in: 0..<15, using: &random), .random(using: &random), .random(using: &random)))
        expanded.set(
          commands[commands.count - 1].id, isExpanded: commands[commands.count - 1].isExpanded,
          descendants: commands[commands.count - 1].descendants)
        for row in 0..<15 {
          var (path, next) = ([row], row)
          while next > 0 {
            next = (next - 1) / 2
            path.append(next)
          }
          let newest = commands.last { $0.id == row || ($0.descendants && path.contains($0.id)) }
          let level = path.dropFirst().reversed().reduce(ExpandedRows<Int>.topLevel) {
            expanded.level(below: $1, at: $0)
          }
          #expect(
            expanded.isExpanded(row, at: level)
              == newest?.isExpanded ?? (path.count - 1 < expanded.depth),
            "seed \(random.seed): row \(row) after \(commands)")
        }
      }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `an event looks at the rows above the changed one, and collapsing at no row that it hides`() async throws {
    // Each row has ten below it: 10,000 rows at four levels.
    let rows = (0..<10_000).map { Node("\($0)", $0 == 0 ? nil : "\(($0 - 1) / 10)") }
    let store = try store(rows)
    let (parents, shown) = (CallCount(), CallCount())
    let tree = store.arranged { [expansion] in
      $0.outlined(parent: { parents.note($0.parent) }, summary: .sum(\.size), expansion: expansion) {
        shown.note(Shown(id: $0.id, place: $1, size: $2))
      }
    }
    #expect(await tree.snapshot.rowCount == 10_000)
    func calls(_ event: () async throws -> Void) async rethrows -> (parents: Int, shown: Int) {
      let before = (parents.value, shown.value)
      try await event()
      _ = await tree.snapshot
      return (parents.value - before.0, shown.value - before.1)
    }
    let edited = try await calls { try await store.edit { try $0.update("9999") { $0.size = 7 } } }
    #expect(edited.parents <= 2 && edited.shown == 5)
    let moved = try await calls { try await store.edit { try $0.update("9999") { $0.parent = "1" } } }
    #expect(moved.parents <= 3 && moved.shown <= 7)
    let collapsed = await calls { await expansion.collapse("1") }
    #expect(await tree.snapshot.rowCount < 9_000)
    #expect(collapsed.parents == 0 && collapsed.shown == 1)
    let hidden = 10_000 - (await tree.snapshot.rowCount)
    let expanded = await calls { await expansion.expand("1") }
    #expect(expanded.parents == 0 && expanded.shown == hidden + 1)
  }
}
