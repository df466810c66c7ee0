import Testing

@testable import RowcastTable

/// The tree of heights beside plain arrays.
@Suite(.watched) struct GeometryTests {
  @Test func `random changes and measurements lead to the heights that arrays lead to`() throws {
    var random = SeededGenerator.forFuzzing("geometry")
    for _ in 0..<SeededGenerator.rounds(20, long: 5_000) {
      var list = TestSnapshot()
      var geometry = TableGeometry()
      // Heights by id; a row that was never measured has the estimate of its id.
      var heights: [Int: Int] = [:]
      for _ in 0..<12 {
        let after = try TestSnapshot.random(sections: 4, rows: 20, using: &random)
        let changes = list.changes(to: after)
        let ids = Set(after.allRows.map(\.id))
        heights = heights.filter { ids.contains($0.key) }
        geometry.apply(
          changes, PathMap(changes, from: list, to: after),
          rowCounts: after.sections.indices.map { after.rows(inSection: $0).count },
          lines: { if case .header = $0 { 1 } else { 2 } },
          newRows: { start, count in
            var runs: [HeightRun] = []
            for row in start.row..<start.row + count {
              let id = after.row(at: RowPath(section: start.section, row: row)).id
              runs.add([HeightRun(count: 1, height: 1 + id % 3)])
            }
            return runs
          })
        list = after
        for section in 0..<after.sectionCount {
          for (row, model) in after.rows(inSection: section).enumerated()
          where Int.random(in: 0..<4, using: &random) == 0 {
            let height = Int.random(in: 1...5, using: &random)
            heights[model.id] = height
            geometry.measure(.row(RowPath(section: section, row: row)), height)
          }
        }
        // The element on each line.
        let lines = (0..<after.sectionCount).flatMap { section -> [TableElement] in
          let rows = after.rows(inSection: section).enumerated().flatMap { row, model in
            let element = TableElement.row(RowPath(section: section, row: row))
            return Array(repeating: element, count: heights[model.id] ?? 1 + model.id % 3)
          }
          return [.header(section: section)] + rows + [.footer(section: section), .footer(section: section)]
        }
        check(geometry, lines, "seed \(random.seed): \(changes) lead to \(after)")
      }
    }
  }

  private func check(_ geometry: TableGeometry, _ lines: [TableElement], _ note: Comment) {
    #expect(geometry.height == lines.count, note)
    #expect((0..<geometry.height).map { geometry.element(atLine: $0) } == lines, note)
    for element in Set(lines) {
      let (first, last) = (lines.firstIndex(of: element) ?? 0, lines.lastIndex(of: element) ?? 0)
      #expect(geometry.lines(of: element) == first..<last + 1, note)
      #expect(geometry.element(after: element) == lines[last...].first { $0 != element }, note)
      #expect(geometry.element(before: element) == lines[..<first].last, note)
    }
    geometry.checkInvariants()
    // Neighbours of one height are one run.
    let runs = geometry.list
    #expect(zip(runs, runs.dropFirst()).allSatisfy { $0.merged(with: $1) == nil }, note)
  }

  @Test func `a tree of many runs stays shallow`() {
    var tree = TableGeometry()
    for index in 0..<3_000 { tree.append(HeightRun(count: 1, height: 1 + index % 2)) }
    tree.checkInvariants()
    #expect(tree.extent.elements == 3_000 && tree.extent.lines == 4_500)
    #expect((tree.root?.depth ?? 0) <= 20)
    for _ in 0..<1_000 { tree.replace(500..<501) }
    tree.checkInvariants()
    #expect(tree.extent.elements == 2_000)
  }

  @Test func `R4 a million rows that were never seen are one run, and a change copies a few nodes`() {
    var geometry = TableGeometry()
    func apply(_ changes: ListChanges) {
      geometry.apply(changes, PathMap(changes), rowCounts: [1_000_000], lines: { _ in 0 }) {
        [HeightRun(count: $1, height: 1)]
      }
    }
    apply(ListChanges(sections: .init(inserts: [0])))
    // Header, rows, footer.
    #expect(geometry.list.map(\.count) == [1, 1_000_000, 1])
    for row in stride(from: 0, to: 1_000_000, by: 500) {
      geometry.measure(.row(RowPath(section: 0, row: row)), 2)
    }
    let before = geometry
    apply(ListChanges(rows: .init(deletes: [RowPath(section: 0, row: 444_444)])))
    let after = geometry
    #expect(before.list.count > 3_000 && geometry.height == 999_999 + 2_000)
    #expect(after.nodes.subtracting(before.nodes).count < 60)
  }
}

extension TableGeometry {
  /// The runs, from first to last.
  fileprivate var list: [HeightRun] {
    func list(_ node: Node?) -> [HeightRun] { node.map { list($0.left) + [$0.run] + list($0.right) } ?? [] }
    return list(root)
  }

  /// The nodes, to be counted.
  fileprivate var nodes: Set<ObjectIdentifier> {
    func collect(_ node: Node?, _ nodes: inout Set<ObjectIdentifier>) {
      guard let node else { return }
      nodes.insert(ObjectIdentifier(node))
      collect(node.left, &nodes)
      collect(node.right, &nodes)
    }
    var nodes: Set<ObjectIdentifier> = []
    collect(root, &nodes)
    return nodes
  }

  /// Checks the balance.
  fileprivate func checkInvariants() {
    func check(_ node: Node?) {
      guard let node else { return }
      check(node.left)
      check(node.right)
      precondition(
        abs((node.left?.depth ?? 0) - (node.right?.depth ?? 0)) <= 2,
        "Depths \(node.left?.depth ?? 0) and \(node.right?.depth ?? 0) side by side")
      precondition(node.run.count > 0, "An empty run")
    }
    check(root)
  }

  @Test func `the element of the lowest rank keeps its place, one behind a pinned header only if there is no other`() {
    let elements = (0..<3).map { TableElement.row(RowPath(section: 0, row: $0)) }
    let candidates: [ScrollAnchor.Candidate] = [(elements[0], 0, 2, 1), (elements[1], 2, 3, 0), (elements[2], 5, 3, 2)]
    for (covered, best, next) in [(0, 1, nil), (2, 1, nil), (5, 2, 1), (8, 1, nil)] as [(Int, Int, Int?)] {
      let anchor = ScrollAnchor.keeping(candidates, covered: covered)
      #expect(
        anchor?.element == elements[best] && anchor?.next?.element == next.map { elements[$0] }, "\(covered) lines")
    }
    #expect(ScrollAnchor.keeping([], covered: 0) == nil)
  }
}
