public import RowcastDiff
public import RowcastModel

extension ListEditor {
  /// Inserts a row at the end of a section.
  ///
  /// - Throws: `duplicateRow` if the list has a row with this id, `nonReflexiveRowID`, `unknownSection`.
  /// - Complexity: O(log n).
  @inlinable
  public mutating func append(_ row: Row, to sectionID: Section.ID) throws(Failure) {
    try insert(row, at: try end(ofSection: sectionID))
  }

  /// Inserts rows at the end of a section, in their order.
  ///
  /// - Parameters:
  ///   - rows: Rows whose ids are new to the list. The sequence is read once.
  ///   - sectionID: The section.
  /// - Throws: `duplicateRow` if the list or the new rows have an id twice, `nonReflexiveRowID`, `unknownSection`.
  /// - Complexity: O(m log n) for m rows.
  @inlinable
  public mutating func append(contentsOf rows: any Sequence<Row>, to sectionID: Section.ID) throws(Failure) {
    try insert(contentsOf: rows, at: try end(ofSection: sectionID))
  }

  /// Inserts a row, whose id is new to the list, at a path.
  ///
  /// - Throws: `duplicateRow`, `nonReflexiveRowID`, `sectionOutOfRange`, `rowOutOfRange`.
  /// - Complexity: O(log n).
  @inlinable
  public mutating func insert(_ row: Row, at path: RowPath) throws(Failure) {
    try checkInsertion(at: path)
    let id = row.id
    if id != id { throw .nonReflexiveRowID("\(id)", at: path) }
    if let first = self.path(ofRow: id) { throw .duplicateRow(id, first: first, second: path) }
    restore(path.section)
    draft.insertRow(row, at: path)
  }

  /// Inserts rows at a path, in their order.
  ///
  /// - Parameters:
  ///   - rows: Rows whose ids are new to the list. The sequence is read once.
  ///   - path: The path of the first of them afterwards.
  /// - Throws: `duplicateRow` if the list or the new rows have an id twice, `nonReflexiveRowID`, `sectionOutOfRange`,
  ///   `rowOutOfRange`.
  /// - Complexity: O(m log n) for m rows.
  @inlinable
  public mutating func insert(contentsOf rows: any Sequence<Row>, at path: RowPath) throws(Failure) {
    try checkInsertion(at: path)
    let rows = Array(rows)
    try checkNew(rows, at: path)
    restore(path.section)
    draft.insertRows(rows, at: path)
  }

  /// Inserts a row, whose id is new to the list, at an index of a section.
  ///
  /// - Throws: `duplicateRow`, `unknownSection`, `rowOutOfRange`.
  @inlinable
  public mutating func insert(_ row: Row, at index: Int, in sectionID: Section.ID) throws(Failure) {
    try insert(row, at: RowPath(section: try requiredIndex(ofSection: sectionID), row: index))
  }

  /// Replaces the row with the same id, or adds the row at the end of a section.
  ///
  /// - Parameters:
  ///   - row: The new row.
  ///   - sectionID: The section of the row afterwards. A row of this section keeps its place; one of another section moves to
  ///     the end of this one.
  /// - Throws: `unknownSection`, `nonReflexiveRowID`.
  /// - Complexity: O(log n).
  @inlinable
  public mutating func upsert(_ row: Row, to sectionID: Section.ID) throws(Failure) {
    guard let (known, old) = draft.find(row.id) else { return try append(row, to: sectionID) }
    var path = known
    if known.section != (try requiredIndex(ofSection: sectionID)) {
      path = try end(ofSection: sectionID)
      draft.moveRow(from: known, to: path)
    }
    draft.replaceRow(old, at: path, with: row)
  }

  /// Changes the content of a row.
  ///
  ///     try list.update(id) { $0.text = "hello" }
  ///
  /// - Throws: `unknownRow`, `changedRowID`, and any error of `change`.
  @inlinable
  public mutating func update(_ id: Row.ID, _ change: (inout Row) throws -> Void) throws {
    guard let (path, old) = draft.find(id) else { throw Failure.unknownRow(id) }
    var row = old
    try change(&row)
    guard row.id == id else { throw Failure.changedRowID(from: id, to: row.id) }
    draft.replaceRow(old, at: path, with: row)
  }

  /// Removes a row from the list.
  ///
  /// - Returns: The row.
  /// - Throws: `unknownRow`.
  @inlinable
  @discardableResult
  public mutating func remove(_ id: Row.ID) throws(Failure) -> Row {
    draft.removeRow(at: try requiredPath(ofRow: id))
  }

  /// Moves a row to a path, within its section or in another one.
  ///
  /// - Throws: `unknownRow`, `sectionOutOfRange`, `rowOutOfRange`.
  @inlinable
  public mutating func move(_ id: Row.ID, to path: RowPath) throws(Failure) {
    let from = try requiredPath(ofRow: id)
    try checkInsertion(at: path, leaving: from)
    draft.moveRow(from: from, to: path)
  }

  /// Moves a row to an index of a section, its own or another one.
  ///
  /// - Throws: `unknownRow`, `unknownSection`, `rowOutOfRange`.
  @inlinable
  public mutating func move(_ id: Row.ID, to index: Int, in sectionID: Section.ID) throws(Failure) {
    try move(id, to: RowPath(section: try requiredIndex(ofSection: sectionID), row: index))
  }

  /// Moves a row to the end of a section, its own or another one.
  ///
  /// - Throws: `unknownRow`, `unknownSection`.
  @inlinable
  public mutating func move(_ id: Row.ID, toEndOf sectionID: Section.ID) throws(Failure) {
    let from = try requiredPath(ofRow: id)
    let section = try requiredIndex(ofSection: sectionID)
    let count = rowCount(inSection: section)
    try move(id, to: RowPath(section: section, row: from.section == section ? count - 1 : count))
  }

  /// Replaces the rows of a section.
  ///
  /// Subscribers get the difference between the old and the new rows: rows with known ids are moved and updated, not replaced.
  ///
  /// - Parameters:
  ///   - sectionID: The section.
  ///   - rows: All rows of the section afterwards. The sequence is read once.
  /// - Throws: `unknownSection`, `nonReflexiveRowID`; `duplicateRow` if an id is twice among the rows or in another
  ///   section.
  /// - Complexity: O(m log n) for the m rows of the section before and after.
  @inlinable
  public mutating func replaceRows(in sectionID: Section.ID, with rows: any Sequence<Row>) throws(Failure) {
    let section = try requiredIndex(ofSection: sectionID)
    let rows = Array(rows)
    try checkNew(rows, at: RowPath(section: section, row: 0), except: section)
    restore(section)
    draft.replaceRows(inSection: section, with: rows)
  }

  // MARK: Checks

  /// Checks that a row can be inserted at a path, once the row at `leaving` is removed. Inlined, as a call would copy the draft.
  @inlinable
  func checkInsertion(at path: RowPath, leaving: RowPath? = nil) throws(Failure) {
    guard (0..<snapshot.sectionCount).contains(path.section) || (lacksSole && path.section == 0) else {
      throw .sectionOutOfRange(path.section, count: snapshot.sectionCount)
    }
    let count = rowCount(inSection: path.section) - (leaving?.section == path.section ? 1 : 0)
    guard (0...count).contains(path.row) else { throw .rowOutOfRange(path, count: count) }
  }

  /// Checks that the ids of the rows equal themselves, occur once, and are in no section of the list other than `section`.
  @inlinable
  func checkNew(_ rows: [Row], at path: RowPath, except section: Int? = nil) throws(Failure) {
    var seen: [Row.ID: RowPath] = Dictionary(minimumCapacity: rows.count)
    for (offset, row) in rows.enumerated() {
      let here = RowPath(section: path.section, row: path.row + offset)
      try draft.checkArrival(of: row.id, at: here, &seen) { $0.section == section }
    }
  }

  /// The path after the last row of a section.
  @inlinable
  func end(ofSection id: Section.ID) throws(Failure) -> RowPath {
    let section = try requiredIndex(ofSection: id)
    return RowPath(section: section, row: rowCount(inSection: section))
  }
}
