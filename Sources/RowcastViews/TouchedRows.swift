public import RowcastDiff
public import RowcastModel

/// The rows that an operator has to look at after changes of the list that it reads.
@usableFromInline
struct TouchedRows {
  /// Paths before the change.
  @usableFromInline var leaving: [RowPath]
  /// Paths after the change, of rows that are in both lists.
  @usableFromInline var staying: [(path: RowPath, hasMoved: Bool)]
  /// Paths after the change.
  @usableFromInline var arriving: [RowPath]

  @inlinable var count: Int { leaving.count + staying.count + arriving.count }

  /// The rows that are listed in changes.
  @inlinable
  init(_ changes: Changeset<RowPath>) {
    leaving = changes.deletes
    arriving = changes.inserts
    staying = changes.moves.map { ($0.to, true) }
    if staying.isEmpty {
      staying = changes.updates.map { ($0.to, false) }
    } else {
      let moved = Set(changes.moves.map { $0.to })
      for update in changes.updates where !moved.contains(update.to) { staying.append((update.to, false)) }
    }
  }

  /// The rows that are listed in changes, and those that come, go and move with their sections.
  @inlinable
  init<Section, Row>(
    _ changes: ListChanges, from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>
  ) {
    self.init(changes.rows)
    for section in changes.sections.deletes { leaving += Self.paths(before, section) }
    for section in changes.sections.inserts { arriving += Self.paths(after, section) }
    if changes.sections.moves.isEmpty { return }
    let sections = Set(changes.sections.moves.map { $0.to })
    let here = Set(arriving)
    staying.removeAll { sections.contains($0.path.section) }
    for section in sections {
      for path in Self.paths(after, section) where !here.contains(path) { staying.append((path, true)) }
    }
  }

  @inlinable
  static func paths<Section, Row>(_ list: ListSnapshot<Section, Row>, _ section: Int) -> [RowPath] {
    (0..<list.rowCount(inSection: section)).map { RowPath(section: section, row: $0) }
  }
}
