public import RowcastDiff

/// One step of a change that was cut for strict views: a batch, and the list that it leads to.
public struct ListStage<Section: SectionViewModel, Row: RowViewModel>: Equatable, Sendable {
  /// What this step changes, relative to the list of the step before it.
  public var changes: ListChanges
  /// The list after this step.
  public var snapshot: ListSnapshot<Section, Row>

  /// Creates a stage from its changes and the list that they lead to.
  public init(changes: ListChanges, snapshot: ListSnapshot<Section, Row>) {
    self.changes = changes
    self.snapshot = snapshot
  }
}

extension ListChanges {
  /// The same changes, cut into batches that a view accepts which refuses row operations inside a moved section.
  ///
  /// UIKit's and AppKit's collection views are such views. Each stage is a valid batch against the list of the stage
  /// before it, and the last one ends at `after`. Content updates are applied after the batch, so they do not count as
  /// operations inside a section.
  ///
  /// The first of two stages deletes sections and brings the rows of the surviving ones into their final order; the
  /// second inserts and moves whole sections. No row ever stands in two places.
  ///
  /// - Parameters:
  ///   - before: The list that these changes start from.
  ///   - after: The list that they lead to.
  /// - Returns: Nothing for no change; two stages if a moved section has row operations inside; else one.
  /// - Precondition: These changes lead from `before` to `after`.
  /// - Complexity: O(number of sections + number of operations).
  public func stages<Section, Row>(
    from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>
  ) -> [ListStage<Section, Row>] {
    requireFit(from: before, to: after)
    if isEmpty { return [] }
    guard hasRowOperationsInMovedSections else { return [ListStage(changes: self, snapshot: after)] }

    let between = SectionsBetween(sections, beforeCount: before.sectionCount, afterCount: after.sectionCount)
    let first = ListChanges(
      sections: Changeset(deletes: sections.deletes),
      rows: Changeset(
        deletes: rows.deletes,
        inserts: rows.inserts.map(between.path(ofAfter:)).sorted(),
        moves: rows.moves.map(between.transition).sorted { $0.to < $1.to },
        updates: rows.updates.map(between.transition).sorted { $0.to < $1.to }))
    let second = ListChanges(
      sections: Changeset(
        inserts: sections.inserts,
        moves: sections.moves.map { .init(from: between.ofBefore[$0.from], to: $0.to) },
        updates: sections.updates.map { .init(from: between.ofBefore[$0.from], to: $0.to) }))
    let middle = between.pairs.map { pair in
      SectionEntry(before.section(at: pair.from), rows: after.entry(at: pair.to).rows)
    }
    return [
      ListStage(changes: first, snapshot: ListSnapshot(combining: middle)),
      ListStage(changes: second, snapshot: after),
    ]
  }

  /// Stops if the operations lie outside of the lists that they are said to stand between.
  private func requireFit<Section, Row>(from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>) {
    let sectionCount = before.sectionCount - sections.deletes.count + sections.inserts.count
    precondition(
      after.sectionCount == sectionCount,
      """
      These changes lead from a list of \(before.sectionCount) sections to one of \(sectionCount), and the list after \
      them has \(after.sectionCount): take the list that they were made from and the one that they were made to
      """)
    for index in sections.deletes + sections.moves.map(\.from) + sections.updates.map(\.from) {
      precondition(
        index >= 0 && index < before.sectionCount,
        "These changes concern section \(index), and the list before them has \(before.sectionCount) sections")
    }
    for index in sections.inserts + sections.moves.map(\.to) + sections.updates.map(\.to) {
      precondition(
        index >= 0 && index < after.sectionCount,
        "These changes lead to section \(index), and the list after them has \(after.sectionCount) sections")
    }
    for path in rows.deletes + rows.moves.map(\.from) + rows.updates.map(\.from) {
      precondition(
        before.contains(path), "These changes concern row \(path), which the list before them lacks: \(before.extent)")
    }
    for path in rows.inserts + rows.moves.map(\.to) + rows.updates.map(\.to) {
      precondition(
        after.contains(path), "These changes lead to row \(path), which the list after them lacks: \(after.extent)")
    }
  }

  private var hasRowOperationsInMovedSections: Bool {
    if sections.moves.isEmpty { return false }
    let sources = Set(sections.moves.map(\.from))
    let destinations = Set(sections.moves.map(\.to))
    return rows.deletes.contains { sources.contains($0.section) }
      || rows.inserts.contains { destinations.contains($0.section) }
      || rows.moves.contains { sources.contains($0.from.section) || destinations.contains($0.to.section) }
  }
}

extension ListSnapshot {
  /// The row counts of the first sections, in words.
  fileprivate var extent: String {
    let counts = (0..<Swift.min(sectionCount, 20)).map { rowCount(inSection: $0) }
    return "\(sectionCount) sections with \(counts)\(sectionCount > 20 ? "…" : "") rows"
  }
}

/// The surviving sections in their old order: the list of sections between the two stages.
private struct SectionsBetween {
  typealias Transition = Changeset<RowPath>.Transition

  /// The surviving sections' indexes before and after the whole change.
  let pairs: [Changeset<Int>.Transition]
  /// From an index before the change to the one between the stages; -1 for deleted sections.
  let ofBefore: [Int]
  /// From an index after the change to the one between the stages; -1 for inserted sections.
  let ofAfter: [Int]

  init(_ sections: Changeset<Int>, beforeCount: Int, afterCount: Int) {
    // Where each section of the new list stood: that is the change applied to the old indexes.
    let origins = sections.applied(to: Array(0..<beforeCount), inserting: Array(repeating: -1, count: afterCount))
    let updated = Dictionary(sections.updates.map { ($0.to, $0.from) }) { first, _ in first }
    pairs = origins.enumerated()
      .map { .init(from: updated[$0.offset] ?? $0.element, to: $0.offset) }
      .filter { $0.from >= 0 }
      .sorted { $0.from < $1.from }
    var ofBefore = Array(repeating: -1, count: beforeCount)
    var ofAfter = Array(repeating: -1, count: afterCount)
    for (index, pair) in pairs.enumerated() {
      ofBefore[pair.from] = index
      ofAfter[pair.to] = index
    }
    self.ofBefore = ofBefore
    self.ofAfter = ofAfter
  }

  func path(ofAfter path: RowPath) -> RowPath { RowPath(section: ofAfter[path.section], row: path.row) }

  func transition(_ whole: Transition) -> Transition {
    Transition(from: whole.from, to: path(ofAfter: whole.to))
  }
}
