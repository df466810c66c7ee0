public import RowcastModel

/// Which section a row belongs to.
@usableFromInline
enum Grouping<InputSection: SectionViewModel, Section: SectionViewModel, Row: RowViewModel>: Sendable {
  /// That of its section in the source.
  case source(@Sendable (InputSection) -> Section)
  /// That of its key.
  case keys(KeyGrouping<Section, Row>)
}

/// Sections that stand for keys of rows, in the order of the keys. The type of the keys is known to the closures alone.
@usableFromInline
final class KeyGrouping<Section: SectionViewModel, Row: RowViewModel>: Sendable {
  /// How the section of one row stands to that of another.
  @usableFromInline let compare: @Sendable (Row, Row) -> RowOrdering
  /// How a section that is kept without rows stands to that of a row; nothing for other sections.
  @usableFromInline let compareKept: @Sendable (Section.ID, Row) -> RowOrdering?
  /// Makes the section of a row.
  @usableFromInline let section: @Sendable (Row) -> Section
  /// Divides rows into sections.
  @usableFromInline let divide: @Sendable ([Row]) -> [ListSection<Section, Row>]

  @inlinable
  init<Key: Hashable & Comparable & Sendable>(
    _ key: @escaping @Sendable (Row) -> Key, direction: SortDirection, keeping kept: [Key],
    _ section: @escaping @Sendable (Key) -> Section
  ) {
    let keptKeys = Dictionary(kept.map { (section($0).id, $0) }) { first, _ in first }
    let order: @Sendable (Key, Key) -> RowOrdering = {
      direction == .ascending ? RowOrdering($0, $1) : RowOrdering($1, $0)
    }
    compare = { order(key($0), key($1)) }
    compareKept = { id, row in keptKeys[id].map { order($0, key(row)) } }
    self.section = { section(key($0)) }
    divide = { rows in
      var groups = Dictionary(kept.map { ($0, [Row]()) }) { first, _ in first }
      for row in rows { groups[key(row), default: []].append(row) }
      let keys = groups.keys.sorted { order($0, $1) == .before }
      let sections = keys.map { ListSection(section($0), rows: groups[$0] ?? []) }
      precondition(
        Set(sections.map(\.model.id)).count == keys.count,
        "Different keys need sections with different ids, but the keys \(keys) have the ids \(sections.map(\.model.id))"
      )
      return sections
    }
  }
}
