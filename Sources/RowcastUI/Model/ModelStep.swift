public import RowcastDiff
public import RowcastModel

/// The list that a model shows, with its version.
@usableFromInline
package struct ModelBase<Section: SectionViewModel, Row: RowViewModel>: Sendable {
  @usableFromInline package private(set) var snapshot: ListSnapshot<Section, Row>
  /// Its revision; `nil` before the first list that came from the source.
  @usableFromInline package private(set) var revision: Int?
  /// The number of steps that led to it.
  @usableFromInline package private(set) var version = 0

  package init(snapshot: ListSnapshot<Section, Row>) { self.snapshot = snapshot }

  /// True if the list has a revision, or a later one.
  func isAtLeast(_ revision: Int) -> Bool { self.revision.map { $0 >= revision } ?? false }

  /// Advances by one step.
  package mutating func advance(to step: ModelStep<Section, Row>) {
    assert(step.version == version, "A step from version \(step.version) leads from version \(version)")
    snapshot = step.after
    revision = step.revision
    version += 1
  }
}

/// The effect of one update on a model, made off the main actor: values and ids in place of paths.
@usableFromInline
package struct ModelStep<Section: SectionViewModel, Row: RowViewModel>: Sendable {
  @usableFromInline package typealias Snapshot = ListSnapshot<Section, Row>

  /// The version that the step starts from.
  @usableFromInline let version: Int
  /// The list after the step, and its revision.
  @usableFromInline let after: Snapshot
  @usableFromInline let revision: Int
  @usableFromInline let sections: Changeset<Int>
  @usableFromInline let isEmpty: Bool

  /// Rows whose content changed.
  @usableFromInline var changed: [Row] = []
  /// Rows that left their place. Those that are listed as new elsewhere are in ``arrived`` as well.
  @usableFromInline var gone: [Row.ID] = []
  @usableFromInline var arrived: [Row] = []
  /// Sections whose own content changed, and those that came and went.
  @usableFromInline var headers: [Section.ID] = []
  /// Sections with rows whose content changed.
  @usableFromInline var contents: [Section.ID] = []
  /// Sections with rows that came, went or moved, and those that came and went themselves.
  @usableFromInline var orders: [Section.ID] = []

  /// Makes a step to a list that changes lead to.
  ///
  /// - Complexity: O(k log n) for k operations and the rows of sections that come and go, in a list of n.
  @inlinable
  package init(from base: ModelBase<Section, Row>, to after: Snapshot, revision: Int, _ changes: ListChanges) {
    (version, self.after, self.revision) = (base.version, after, revision)
    (sections, isEmpty) = (changes.sections, changes.isEmpty)
    let before = base.snapshot
    addSections(from: before)
    addRows(changes.rows, from: before)
  }

  @inlinable
  mutating func addSections(from before: Snapshot) {
    for index in sections.deletes {
      headers.append(before.section(at: index).id)
      orders.append(before.section(at: index).id)
      for row in before.rows(inSection: index) { gone.append(row.id) }
    }
    for index in sections.inserts {
      headers.append(after.section(at: index).id)
      orders.append(after.section(at: index).id)
      arrived += after.rows(inSection: index)
    }
    for update in sections.updates { headers.append(after.section(at: update.to).id) }
  }

  @inlinable
  mutating func addRows(_ rows: Changeset<RowPath>, from before: Snapshot) {
    gone += rows.deletes.map { before.row(at: $0).id }
    arrived += rows.inserts.map { after.row(at: $0) }
    changed = rows.updates.map { after.row(at: $0.to) }
    let left = Set(rows.deletes.map(\.section)).union(rows.moves.map(\.from.section))
    let entered = Set(rows.inserts.map(\.section)).union(rows.moves.map(\.to.section))
    orders += left.map { before.section(at: $0).id } + entered.map { after.section(at: $0).id }
    contents += Set(rows.updates.map(\.to.section)).map { after.section(at: $0).id }
  }
}

extension Dictionary {
  /// Advances the rows of a list, by their ids, by one step.
  @inlinable
  mutating func fold<Section>(_ step: ModelStep<Section, Value>) where Key == Value.ID, Value: RowViewModel {
    for id in step.gone { self[id] = nil }
    for row in step.arrived { self[row.id] = row }
    for row in step.changed { self[row.id] = row }
  }
}
