public import RowcastDiff
public import RowcastModel

/// The one section of a store that is used as a set of rows, where an arrangement gives sections and order.
///
///     let chores = ListStore<SoleSection, Chore>()
///     try await chores.edit { try $0.upsert(Chore(id: 7, title: "Water the plants", day: .monday)) }
///     let week = chores.arranged { $0.sectioned(by: \.day) { DaySection(id: $0) }.sorted(by: .ascending(\.title)) }
public struct SoleSection: SectionViewModel, Hashable {
  /// Always the same: there is one.
  public var id: Int { 0 }

  /// Creates the section.
  public init() {}
}

extension ListEditor {
  /// Gives the row with this id new content where it stands, or else puts the row at the end of the last section.
  ///
  /// - Throws: `sectionOutOfRange` if the row is new and the list has no section, `rowIDUnequalToItself`.
  /// - Complexity: O(log n).
  @inlinable
  public mutating func upsert(_ row: Row) throws(Failure) {
    if let (path, old) = draft.find(row.id) { return draft.replaceRow(old, at: path, with: row) }
    let last = snapshot.sectionCount - 1
    guard last >= 0 else { throw .sectionOutOfRange(0, count: 0) }
    try insert(row, at: RowPath(section: last, row: snapshot.rowCount(inSection: last)))
  }
}

extension ListEditor where Section == SoleSection {
  /// Gives the row with this id new content where it stands, or else adds the row. The section is made when the first
  /// row comes.
  ///
  /// - Throws: `rowIDUnequalToItself`.
  /// - Complexity: O(log n).
  @inlinable
  public mutating func upsert(_ row: Row) throws(Failure) {
    if let (path, old) = draft.find(row.id) { return draft.replaceRow(old, at: path, with: row) }
    let isNew = snapshot.isEmpty
    let path = RowPath(section: 0, row: isNew ? 0 : snapshot.rowCount(inSection: 0))
    try checkNew(row.id, at: path)
    if isNew { draft.insertSection(SoleSection(), at: 0) }
    draft.insertRow(row, at: path)
  }
}
