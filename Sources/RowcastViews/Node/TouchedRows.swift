public import RowcastDiff
public import RowcastModel

/// The rows that an operator looks at after changes of the list that it reads.
@usableFromInline
struct TouchedRows {
  /// A row in both lists: its path after the change, and its path before; `nil` if it only moved with its section.
  @usableFromInline typealias Staying = (path: RowPath, former: RowPath?, hasMoved: Bool)

  /// Paths before the change.
  @usableFromInline var leaving: [RowPath]
  @usableFromInline var staying: [Staying]
  /// Paths after the change.
  @usableFromInline var arriving: [RowPath]

  @_alwaysEmitIntoClient var count: Int { leaving.count + staying.count + arriving.count }
  /// The paths before the change, except for rows that only moved with their sections.
  @_alwaysEmitIntoClient var former: [RowPath] { leaving + staying.compactMap { $0.former } }
  /// The paths after the change.
  @_alwaysEmitIntoClient var current: [RowPath] { arriving + staying.map { $0.path } }

  /// The rows that are listed in changes.
  @_alwaysEmitIntoClient
  init(_ changes: borrowing Changeset<RowPath>) {
    leaving = changes.deletes
    arriving = changes.inserts
    staying = changes.moves.map { ($0.to, $0.from, hasMoved: true) }
    let moved = staying.isEmpty ? [] : Set(changes.moves.map { $0.to })
    for update in changes.updates where !moved.contains(update.to) {
      staying.append((update.to, update.from, hasMoved: false))
    }
  }

  /// The rows that are listed in changes, and those that are inserted and removed with their sections.
  @_alwaysEmitIntoClient
  init<Section, Row>(
    contentOf changes: borrowing ListChanges, from before: ListSnapshot<Section, Row>,
    to after: ListSnapshot<Section, Row>
  ) {
    self.init(changes.rows)
    for section in changes.sections.deletes { leaving += Self.paths(before, section) }
    for section in changes.sections.inserts { arriving += Self.paths(after, section) }
  }

  /// The rows that are listed in changes, and those that are inserted, removed and moved with their sections.
  @_alwaysEmitIntoClient
  init<Section, Row>(
    _ changes: borrowing ListChanges, from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>
  ) {
    self.init(contentOf: changes, from: before, to: after)
    if changes.sections.moves.isEmpty { return }
    let sections = Set(changes.sections.moves.map { $0.to })
    var seen = Set(arriving)
    for index in staying.indices where sections.contains(staying[index].path.section) {
      staying[index].hasMoved = true
      seen.insert(staying[index].path)
    }
    for section in sections {
      for path in Self.paths(after, section) where !seen.contains(path) {
        staying.append((path, nil, hasMoved: true))
      }
    }
  }

  @_alwaysEmitIntoClient
  static func paths<Section, Row>(_ list: ListSnapshot<Section, Row>, _ section: Int) -> [RowPath] {
    (0..<list.rowCount(inSection: section)).map { RowPath(section: section, row: $0) }
  }
}
