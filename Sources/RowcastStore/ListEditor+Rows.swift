public import RowcastDiff
public import RowcastModel

extension ListEditor {
  /// Puts a row at the end of a section.
  ///
  /// - Throws: `duplicateRow` if the list has a row with this id, `nonReflexiveRowID`, `unknownSection`.
  /// - Complexity: O(log n).
  @inlinable
  public mutating func append(_ row: Row, to sectionID: Section.ID) throws(Failure) {
    try insert(row, at: try end(ofSection: sectionID))
  }

  /// Puts rows at the end of a section, in their order.
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

  /// Puts a row at a path.
  ///
  /// - Parameters:
  ///   - row: A row whose id is new to the list.
  ///   - path: Where the row stands afterwards.
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

  /// Puts rows at a path, in their order.
  ///
  /// - Parameters:
  ///   - rows: Rows whose ids are new to the list. The sequence is read once.
  ///   - path: Where the first of them stands afterwards.
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

  /// Puts a row into a section.
  ///
  /// - Parameters:
  ///   - row: A row whose id is new to the list.
  ///   - index: Where the row stands in the section afterwards.
  ///   - sectionID: The section.
  /// - Throws: `duplicateRow`, `unknownSection`, `rowOutOfRange`.
  @inlinable
  public mutating func insert(_ row: Row, at index: Int, in sectionID: Section.ID) throws(Failure) {
    try insert(row, at: RowPath(section: try requiredIndex(ofSection: sectionID), row: index))
  }

  /// Gives the row with this id new content, or else puts the row at the end of a section.
  ///
  /// - Parameters:
  ///   - row: The row as it is to be.
  ///   - sectionID: The section that the row is in afterwards. A row that is in it stays where it is; one that is in
  ///     another section moves to the end of this one.
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
  /// - Throws: `unknownRow`, `changedRowID`, and what `change` throws.
  @inlinable
  public mutating func update(_ id: Row.ID, _ change: (inout Row) throws -> Void) throws {
    guard let (path, old) = draft.find(id) else { throw Failure.unknownRow(id) }
    var row = old
    try change(&row)
    guard row.id == id else { throw Failure.changedRowID(from: id, to: row.id) }
    draft.replaceRow(old, at: path, with: row)
  }

  /// Takes a row out of the list.
  ///
  /// - Returns: The row.
  /// - Throws: `unknownRow`.
  @inlinable
  @discardableResult
  public mutating func remove(_ id: Row.ID) throws(Failure) -> Row {
    draft.removeRow(at: try requiredPath(ofRow: id))
  }

  /// Moves a row, within its section or to another one.
  ///
  /// - Parameters:
  ///   - id: The row.
  ///   - path: Where the row stands afterwards.
  /// - Throws: `unknownRow`, `sectionOutOfRange`, `rowOutOfRange`.
  @inlinable
  public mutating func move(_ id: Row.ID, to path: RowPath) throws(Failure) {
    let from = try requiredPath(ofRow: id)
    try checkInsertion(at: path, leaving: from)
    draft.moveRow(from: from, to: path)
  }

  /// Moves a row within its section or to another one.
  ///
  /// - Parameters:
  ///   - id: The row.
  ///   - index: Where the row stands in the section afterwards.
  ///   - sectionID: The section.
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

  /// Gives a section other rows.
  ///
  /// Subscribers get the difference to the rows it had: rows with known ids are moved and updated, not replaced.
  ///
  /// - Parameters:
  ///   - sectionID: The section.
  ///   - rows: All rows that it has afterwards. The sequence is read once.
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

  /// Whether a row can be put at a path, counting without the row that `leaving` names. Inlined, as a call would copy the draft.
  @inlinable
  @inline(__always)
  func checkInsertion(at path: RowPath, leaving: RowPath? = nil) throws(Failure) {
    guard (0..<snapshot.sectionCount).contains(path.section) || (lacksSole && path.section == 0) else {
      throw .sectionOutOfRange(path.section, count: snapshot.sectionCount)
    }
    let count = rowCount(inSection: path.section) - (leaving?.section == path.section ? 1 : 0)
    guard (0...count).contains(path.row) else { throw .rowOutOfRange(path, count: count) }
  }

  /// Whether each id of the rows is equal to itself, not in the list, apart from one section, and occurs once among them.
  @inlinable
  func checkNew(_ rows: [Row], at path: RowPath, except section: Int? = nil) throws(Failure) {
    var seen: [Row.ID: RowPath] = Dictionary(minimumCapacity: rows.count)
    for (offset, row) in rows.enumerated() {
      let here = RowPath(section: path.section, row: path.row + offset)
      try draft.checkArrival(of: row.id, at: here, &seen) { $0.section == section }
    }
  }

  /// The path behind the last row of a section.
  @inlinable
  func end(ofSection id: Section.ID) throws(Failure) -> RowPath {
    let section = try requiredIndex(ofSection: id)
    return RowPath(section: section, row: rowCount(inSection: section))
  }
}
