import RowcastDiff
public import RowcastModel

/// Moves and removals as people make them by hand: of several rows at once, by the offsets that SwiftUI gives.
extension ListEditor {
  /// Moves rows, in the order given, to the place before another row.
  ///
  /// Rows are named by id, so the edit keeps its meaning if other rows are inserted or removed before it is made.
  ///
  /// - Parameters:
  ///   - ids: Rows of any section, each once.
  ///   - anchor: The row before which they are afterwards; `nil` for the end of the section.
  ///   - sectionID: The section of the rows afterwards.
  /// - Throws: `unknownSection`; `unknownRow` if the list does not have one of the rows, if `anchor` is not in the section, or
  ///   if it is one of the rows that move.
  /// - Complexity: O(m log n) for m rows.
  public mutating func moveRows(
    _ ids: some Sequence<Row.ID>, before anchor: Row.ID?, in sectionID: Section.ID
  ) throws(Failure) {
    let ids = Array(ids)
    let section = try requiredIndex(ofSection: sectionID)
    for id in ids { _ = try requiredPath(ofRow: id) }
    if let anchor, ids.contains(anchor) || path(ofRow: anchor)?.section != section { throw .unknownRow(anchor) }
    for id in ids {
      let from = try requiredPath(ofRow: id)
      let end = anchor.flatMap { path(ofRow: $0)?.row } ?? rowCount(inSection: section)
      let isBefore = from.section == section && from.row < end
      try move(id, to: RowPath(section: section, row: isBefore ? end - 1 : end))
    }
  }

  /// Moves rows within a section, as the `onMove` of SwiftUI describes it.
  ///
  ///     .onMove { source, destination in
  ///       Task { try await store.edit { try $0.moveRows(fromOffsets: source, toOffset: destination, in: "inbox") } }
  ///     }
  ///
  /// - Parameters:
  ///   - source: The indexes of the rows, before the move: an `IndexSet`, or any ascending sequence.
  ///   - destination: The index *before* the move of the row in front of which they are put; the number of rows for the end.
  ///   - sectionID: The section.
  /// - Throws: `unknownSection`, `rowOutOfRange`.
  /// - Complexity: O(m log n) for m rows, and O(m) for those that follow the destination and move.
  public mutating func moveRows(
    fromOffsets source: some Sequence<Int>, toOffset destination: Int, in sectionID: Section.ID
  ) throws(Failure) {
    let section = try requiredIndex(ofSection: sectionID)
    let source = Array(source)
    let ids = try rowIDs(atOffsets: source, inSection: section)
    let count = rowCount(inSection: section)
    guard (0...count).contains(destination) else {
      throw .rowOutOfRange(RowPath(section: section, row: destination), count: count)
    }
    let moving = Set(source)
    let anchor = (destination..<count).first { !moving.contains($0) }
    try moveRows(
      ids, before: anchor.map { snapshot.row(at: RowPath(section: section, row: $0)).id }, in: sectionID)
  }

  /// Removes rows from a section, as the `onDelete` of SwiftUI describes it.
  ///
  /// - Parameters:
  ///   - offsets: The indexes of the rows, before the removal: an `IndexSet`, or any ascending sequence.
  ///   - sectionID: The section.
  /// - Throws: `unknownSection`, `rowOutOfRange`.
  /// - Complexity: O(m log n) for m rows.
  public mutating func removeRows(atOffsets offsets: some Sequence<Int>, in sectionID: Section.ID) throws(Failure) {
    let offsets = Array(offsets)
    let ids = try rowIDs(atOffsets: offsets, inSection: try requiredIndex(ofSection: sectionID))
    var removed: Set<Int> = []
    for index in ids.indices where removed.insert(offsets[index]).inserted { try remove(ids[index]) }
  }

  /// The ids of the rows of a section at some indexes.
  package func rowIDs(atOffsets offsets: some Sequence<Int>, inSection section: Int) throws(Failure) -> [Row.ID] {
    let count = rowCount(inSection: section)
    var ids: [Row.ID] = []
    for offset in offsets {
      let path = RowPath(section: section, row: offset)
      guard (0..<count).contains(offset) else { throw .rowOutOfRange(path, count: count) }
      ids.append(snapshot.row(at: path).id)
    }
    return ids
  }
}
