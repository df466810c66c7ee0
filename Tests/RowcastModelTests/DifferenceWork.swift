import RowcastDiff

@testable import RowcastModel

/// The parts of two lists that their difference looks at.
struct DifferenceWork: Equatable {
  /// The nodes, of both lists, that are looked into.
  var nodes = 0
  /// The leaves, of both lists, whose rows are compared.
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
          let indexes = IndexPair(old: before.row.old + index.old, new: after.row.new + index.new)
          let known = rows.gaps.count
          rows.compare(old.rows, new.rows, section: indexes, isRelated: isRelated)
          for index in known..<rows.gaps.count {
            let gap = rows.gaps[index]
            work.rows += gap.old.count + gap.new.count
            work.leaves += leaves(old.rows, from: gap.row.old, gap.old.count)
            work.leaves += leaves(new.rows, from: gap.row.new, gap.new.count)
          }
        }
        work.nodes = sections.visited + rows.visited
        return work
      }
    }
  }
}
