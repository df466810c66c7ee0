import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastTable

/// The tree of heights beside plain arrays.
@Suite(.watched) struct GeometryTests {
  /// What the geometry stands for, spelled out: sections of row heights, with header and footer.
  private struct Naive: Equatable {
    var sections: [(header: Int, rows: [Int], footer: Int)] = []

    static func == (lhs: Naive, rhs: Naive) -> Bool {
      lhs.sections.elementsEqual(rhs.sections) { $0 == $1 }
    }

    var lines: [TableElement] {
      sections.enumerated().flatMap { index, section in
        Array(repeating: .header(section: index), count: section.header)
          + section.rows.enumerated().flatMap { row, height in
            Array(repeating: TableElement.row(RowPath(section: index, row: row)), count: height)
          } + Array(repeating: .footer(section: index), count: section.footer)
      }
    }
  }

  private func naive(_ geometry: TableGeometry) -> Naive {
    var sections: [[Int]] = []
    for run in geometry.list {
      if run.isHeader { sections.append([]) }
      sections[sections.count - 1] += Array(repeating: run.height, count: run.count)
    }
    return Naive(sections: sections.map { ($0[0], Array($0.dropFirst().dropLast()), $0[$0.count - 1]) })
  }

  @Test func `random changes and measurements lead to the heights that arrays lead to`() throws {
    var random = SeededGenerator.forFuzzing("geometry")
    for _ in 0..<SeededGenerator.rounds(100, long: 5_000) {
      var list = TestSnapshot()
      var geometry = TableGeometry()
      // Heights by id; a row that was never measured has the estimate of its id.
      var heights: [Int: Int] = [:]
      for _ in 0..<12 {
        let after = try TestSnapshot.random(sections: 4, rows: 20, using: &random)
        let changes = list.changes(to: after)
        for id in Set(list.ids).subtracting(after.ids) { heights[id] = nil }
        geometry.apply(
          changes, PathMap(changes, from: list, to: after), header: { _ in 1 }, footer: { _ in 2 },
          rowCount: { after.rows(inSection: $0).count },
          newRows: { start, count in
            var runs: [HeightRun] = []
            for row in start.row..<start.row + count {
              let id = after.row(at: RowPath(section: start.section, row: row)).id
              runs.add([HeightRun(count: 1, height: 1 + id % 3)])
            }
            return runs
          })
        list = after
        for path in after.paths where Int.random(in: 0..<4, using: &random) == 0 {
          let height = Int.random(in: 1...5, using: &random)
          heights[after.row(at: path).id] = height
          geometry.measure(.row(path), height)
        }
        let expected = Naive(
          sections: (0..<after.sectionCount).map { section in
            (1, after.rows(inSection: section).map { heights[$0.id] ?? 1 + $0.id % 3 }, 2)
          })
        #expect(naive(geometry) == expected, "seed \(random.seed): \(changes) lead to \(after)")
        check(geometry, expected)
      }
    }
  }

  private func check(_ geometry: TableGeometry, _ expected: Naive) {
    let lines = expected.lines
    #expect(geometry.height == lines.count)
    #expect((0..<geometry.height).map { geometry.element(atLine: $0) } == lines)
    for element in Set(lines) {
      #expect(geometry.lines(of: element).lowerBound == lines.firstIndex(of: element))
      #expect(geometry.lines(of: element).count == lines.count { $0 == element })
      #expect(
        geometry.element(after: element) == lines[(lines.lastIndex(of: element) ?? 0)...].first { $0 != element })
      #expect(geometry.element(before: element) == lines[..<(lines.firstIndex(of: element) ?? 0)].last)
    }
    geometry.checkInvariants()
    // Neighbours of one height are one run.
    let runs = geometry.list
    #expect(zip(runs, runs.dropFirst()).allSatisfy { $0.merged(with: $1) == nil })
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
      geometry.apply(changes, PathMap(changes), header: { _ in 0 }, footer: { _ in 0 }, rowCount: { _ in 1_000_000 }) {
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

extension ListSnapshot {
  fileprivate var paths: [RowPath] {
    (0..<sectionCount).flatMap { section in
      rows(inSection: section).indices.map { RowPath(section: section, row: $0) }
    }
  }

  fileprivate var ids: [Row.ID] { paths.map { row(at: $0).id } }
}
