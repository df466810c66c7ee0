public import RowcastDiff

/// The difference of two snapshots, made by skipping what they share.
///
/// Both trees of sections, and then the trees of rows of each surviving section, are walked down to the stretches that
/// are not shared. The differ gets these; what is shared between them counts for the choice of what moves.
@usableFromInline
struct SnapshotComparison<Section: SectionViewModel, Row: RowViewModel> {
  @usableFromInline typealias Snapshot = ListSnapshot<Section, Row>
  @usableFromInline typealias Entry = SectionEntry<Section, Row>

  /// What was looked at. For tests.
  @usableFromInline var work = DifferenceWork()

  @inlinable
  init() {}

  /// The changes from one list to another.
  @inlinable
  mutating func changes(from before: Snapshot, to after: Snapshot) -> ListChanges {
    // Lists of different lineages share nothing, and need not be searched for it.
    let isRelated = before.lineage == after.lineage
    var sections = TreeComparison<SectionKind<Section, Row>>(section: IndexPair(old: 0, new: 0))
    sections.compare(before.tree, after.tree, isRelated: isRelated)
    work.nodes += sections.visited
    if sections.stretches.isEmpty { return ListChanges() }
    return ListChanges(comparing: sections.stretches, SectionIdentification<Section, Row>()) {
      old, new, section, rows in
      var comparison = TreeComparison<RowKind<Row>>(section: section, appendingTo: rows)
      rows = []
      comparison.compare(old.rows, new.rows, isRelated: isRelated)
      work.nodes += comparison.visited
      work.leaves += comparison.leafCount
      work.rows += comparison.elementCount
      rows = comparison.stretches
    }
  }
}

/// Sections are compared with one another, and not with their rows.
@usableFromInline
struct SectionIdentification<Section: SectionViewModel, Row: RowViewModel>: Identification {
  @inlinable
  init() {}

  @inlinable
  @inline(__always)
  func id(of element: SectionEntry<Section, Row>) -> Section.ID { element.model.id }

  @inlinable
  @inline(__always)
  func hasSameContent(_ old: SectionEntry<Section, Row>, _ new: SectionEntry<Section, Row>) -> Bool {
    old.model == new.model || showSame(old.model, new.model)
  }
}

/// What a difference had to look at.
@usableFromInline
package struct DifferenceWork: Equatable, Sendable {
  /// The nodes, of both lists, that were looked into.
  @usableFromInline package var nodes = 0
  /// The leaves, of both lists, whose rows were compared.
  @usableFromInline package var leaves = 0
  /// The rows, of both lists, in those leaves.
  @usableFromInline package var rows = 0

  @usableFromInline
  init() {}
}
