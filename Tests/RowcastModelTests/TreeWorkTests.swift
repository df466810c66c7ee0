import Testing

@testable import RowcastModel

/// What edits and differences cost, counted.
@Suite(.watched) struct TreeWorkTests {
  static func draft(sections: Int = 1, rows: Int) -> Draft {
    Draft(
      ListSnapshot(
        unchecked: (0..<sections).map { section in
          ListSection(TestSection("s\(section)"), rows: (0..<rows).map { TestRow(section * rows + $0) })
        }))
  }

  /// More than the levels of a tree with nodes at their narrowest.
  static func logarithm(_ count: Int) -> Int { (Int.bitWidth - count.leadingZeroBitCount) / 3 + 2 }

  /// The number of nodes from the root to a row of the first section.
  static func levels(of list: TestSnapshot) -> Int {
    Int(list.tree.height + 1 + list.tree.element(at: 0).rows.height + 1)
  }

  @Test(arguments: [1_000, 10_000, 100_000])
  func `an event on a list of any age copies a path of nodes, and its difference compares two leaves`(_ count: Int) {
    var random = SeededGenerator.forFuzzing("work")
    var draft = Self.draft(rows: count)
    for step in 0..<1_000 {
      Event.allCases[step % 4].apply(to: &draft, inserting: TestRow(count + step), &random) { $0.text += "x" }
      draft.commit()
    }
    var (copied, expected) = (0, 0)
    let levels = Self.levels(of: draft.snapshot)
    #expect(levels <= Self.logarithm(count) + 1)
    for step in 0..<60 {
      let event = Event.allCases[step % 4]
      let note = "seed \(random.seed), \(event) of step \(step)"
      let before = draft.snapshot
      event.apply(to: &draft, inserting: TestRow(2 * count + step), &random) { $0.text += "x" }
      draft.commit()
      let work = before.work(to: draft.snapshot)
      // A split copies one node more on each level.
      #expect(work.nodes <= event.paths * (3 * Self.logarithm(count) + 4), "\(note): \(work)")
      #expect(work.leaves <= event.paths * 4 && work.rows <= event.paths * 4 * 33, "\(note): \(work)")
      let copies = draft.snapshot.nodeCount(besides: before)
      if event == .update { #expect(copies == Self.levels(of: draft.snapshot), "\(note)") }
      #expect(copies <= event.paths * 2 * levels + 1, "\(note): \(copies) nodes copied")
      copied += copies
      // The root and the leaf of the section are on both paths of a move.
      expected += event.paths * levels - (event == .move ? 2 : 0)
    }
    // Splits and merges are rare.
    #expect(copied <= expected + 15, "seed \(random.seed): \(copied) nodes copied, not \(expected)")
  }

  @Test func `leaves that stay between long runs of removed ones are not looked into`() {
    var draft = Self.draft(rows: 60_000)
    let before = draft.snapshot
    for block in 0..<60 {
      for _ in 0..<500 { draft.removeRow(at: RowPath(section: 0, row: block * 500)) }
    }
    let work = before.work(to: draft.snapshot)
    #expect(work.rows <= 30_000 + 60 * 4 * 33, "\(work)")
  }

  @Test(arguments: Event.allCases) func `the difference of k changes visits k paths`(_ event: Event) {
    var random = SeededGenerator.forFuzzing("work")
    for changes in [1, 10, 100, 1_000] {
      var draft = Self.draft(rows: 60_000)
      let before = draft.snapshot
      for step in 0..<changes {
        event.apply(to: &draft, inserting: TestRow(60_000 + step), &random) { $0.text += "x" }
      }
      let work = before.work(to: draft.snapshot)
      let paths = changes * event.paths
      // A split or a merge has one node more on each level, and one leaf.
      let width = event == .update ? 2 : 3
      #expect(work.nodes <= paths * width * Self.logarithm(60_000), "seed \(random.seed), \(changes): \(work)")
      #expect(work.rows <= paths * width * 33, "seed \(random.seed), \(changes): \(work)")
    }
  }

  @Test(arguments: [1_000, 10_000, 100_000])
  func `fifty rows at once, and a section that goes, cost paths of nodes`(_ count: Int) {
    var draft = Self.draft(sections: 2, rows: count / 2)
    let before = draft.snapshot
    draft.insertRows((0..<50).map { TestRow(count + $0) }, at: RowPath(section: 0, row: count / 4))
    let filled = draft.snapshot
    #expect(filled.nodeCount(besides: before) <= Self.logarithm(count) + 5)
    draft.removeSection(at: 1)
    #expect(draft.snapshot.nodeCount(besides: filled) <= 1)
  }

  @Test(arguments: [1_000, 10_000, 100_000])
  func `cutting a tree in two and joining it again cost paths of nodes`(_ count: Int) {
    typealias Rows = Tree<RowKind<TestRow>>
    func addresses(_ trees: Rows...) -> Set<Int> { trees.reduce(into: []) { $1.collectAddresses(&$0) } }
    var nodeIndex = NodeIndex(minimumCapacity: count)
    let whole = Rows((0..<count).map { TestRow($0) }, shape: .rows, &nodeIndex)
    nodeIndex.commit()
    let path = Self.logarithm(count)
    for position in [1, 33, count / 3, count / 2, count - 1] {
      let parts = whole.split(at: position, &nodeIndex)
      #expect(addresses(parts.head, parts.tail).subtracting(addresses(whole)).count <= 2 * path)
      var joined = parts.head
      joined.append(parts.tail, &nodeIndex)
      #expect(addresses(joined).subtracting(addresses(parts.head, parts.tail)).count <= path)
      #expect(joined.elements == whole.elements)
      nodeIndex.rollBack()
    }
  }

  @Test func `a change in one of a thousand sections costs no look at the others`() {
    var draft = Self.draft(sections: 1_000, rows: 30)
    let before = draft.snapshot
    let path = RowPath(section: 777, row: 7)
    draft.replaceRow(at: path, with: TestRow(before.row(at: path).id, "new"))
    let work = before.work(to: draft.snapshot)
    #expect(work.nodes <= 14 && work.leaves <= 4, "\(work)")
    #expect(draft.snapshot.nodeCount(besides: before) <= 7)
    draft.moveSection(from: 5, to: 900)
    #expect(draft.snapshot.nodeCount(besides: before) <= 24)
    let changes = before.changes(to: draft.snapshot)
    #expect(changes.sections.moves == [.init(from: 5, to: 900)] && changes.rows.count == 1)
  }

  /// A row that shows, by its token, whether anybody still has it.
  private struct TrackedRow: RowViewModel {
    final class Token: Sendable {}
    struct Trace { weak let token: Token? }

    let id: Int
    let token = Token()

    static func == (lhs: TrackedRow, rhs: TrackedRow) -> Bool { lhs.token === rhs.token }
  }

  @Test func `the rows in memory are those of the snapshots that are held, and no others`() {
    typealias List = ListSnapshot<TestSection, TrackedRow>
    var random = SeededGenerator.forFuzzing("memory")
    let (count, steps) = (2_000, 200)
    var traces: [TrackedRow.Trace] = []
    func row(_ id: Int) -> TrackedRow {
      let row = TrackedRow(id: id)
      traces.append(.init(token: row.token))
      return row
    }
    var draft = ListDraft(List(unchecked: [ListSection(TestSection("a"), rows: (0..<count).map(row))]))
    var held = [draft.snapshot]
    let alone = List.nodeCount(of: held)
    for step in 1...steps {
      let path = RowPath(section: 0, row: Int.random(in: 0..<count, using: &random))
      if step % 5 == 0 {
        draft.removeRow(at: path)
        draft.insertRow(row(path.row), at: path)
      } else {
        draft.replaceRow(at: path, with: row(path.row))
      }
      draft.commit()
      held.append(draft.snapshot)
    }
    func alive() -> Int { traces.count { $0.token != nil } }
    #expect(alive() == count + steps, "seed \(random.seed)")
    #expect(List.nodeCount(of: held) <= alone + steps * (Self.logarithm(count) + 1), "seed \(random.seed)")
    // One after the other, in any order; the draft has the newest.
    held.shuffle(using: &random)
    while !held.isEmpty {
      held.removeLast()
      guard held.count % 25 == 0 else { continue }
      let tokens = (held + [draft.snapshot]).flatMap { $0.allRows.map { ObjectIdentifier($0.token) } }
      #expect(alive() == Set(tokens).count, "seed \(random.seed), \(held.count) lists held")
    }
    #expect(alive() == count && List.nodeCount(of: [draft.snapshot]) == alone, "seed \(random.seed)")
  }
}

/// The parts of two lists that their difference looks at.
struct DifferenceWork: Equatable {
  /// The nodes, of both lists, that are looked into.
  var nodes = 0
  /// The leaves of both lists whose rows are compared.
  var leaves = 0
  /// The rows, of both lists, in those leaves.
  var rows = 0
}

extension ListSnapshot {
  /// Goes the way of ``changes(to:)`` and counts.
  func work(to after: ListSnapshot) -> DifferenceWork {
    func leaves(_ tree: Rows, from start: Int, _ count: Int) -> Int {
      Set((start..<start + count).map { tree.leafNumber(at: $0) }).count
    }
    return withExtendedLifetime((self, after)) {
      withScratch { scratch in
        let isRelated = lineage == after.lineage
        var work = DifferenceWork()
        var sections = TreeComparison<SectionKind<Section, Row>>(&scratch)
        sections.compare(tree, after.tree, isRelated: isRelated)
        if sections.gaps.isEmpty { return DifferenceWork(nodes: sections.visited) }
        var rows = TreeComparison<RowKind<Row>>(&scratch)
        _ = Changeset<Int>(comparing: sections.gaps, SectionKind<Section, Row>()) { before, after, index in
          let (old, new) = (before.old[index.old], after.new[index.new])
          let indexes = IndexPair(old: before.offset.row.old + index.old, new: after.offset.row.new + index.new)
          let known = rows.gaps.count
          rows.compare(old.rows, new.rows, section: indexes, isRelated: isRelated)
          for index in known..<rows.gaps.count {
            let gap = rows.gaps[index]
            work.rows += gap.old.count + gap.new.count
            work.leaves += leaves(old.rows, from: gap.offset.row.old, gap.old.count)
            work.leaves += leaves(new.rows, from: gap.offset.row.new, gap.new.count)
          }
        }
        work.nodes = sections.visited + rows.visited
        return work
      }
    }
  }
}
