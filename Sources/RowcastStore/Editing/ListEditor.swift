public import RowcastDiff
public import RowcastModel

/// The list inside a transaction, for the body of ``ListStore/edit(_:)`` to change.
///
/// An operation that cannot be performed throws a `ListError` with the offending values, and changes nothing. If that error
/// leaves the body of the transaction, the whole transaction is undone.
///
/// Rows and sections are named by id; indexes and paths are those *after* the operation. Finding a row or section by its id takes
/// O(log n), and so does changing it.
public struct ListEditor<Section: SectionViewModel, Row: RowViewModel>: ~Copyable, Sendable {
  /// The errors of the operations.
  public typealias Failure = ListError<Section.ID, Row.ID>

  @usableFromInline package var draft: ListDraft<Section, Row>
  /// The place among the editors of a transaction of several stores.
  @usableFromInline var place = 0

  @inlinable
  package init(draft: ListDraft<Section, Row>) {
    self.draft = draft
  }

  /// The list with the edits up to now.
  @inlinable public var snapshot: ListSnapshot<Section, Row> { draft.snapshot }

  // MARK: - Finding

  /// The index of a section, or `nil` if the list does not have it.
  ///
  /// - Complexity: O(log n) for n sections.
  @inlinable
  public func index(ofSection id: Section.ID) -> Int? { draft.index(ofSection: id) }

  /// The section with an id, or `nil` if the list does not have it.
  ///
  /// - Complexity: O(log n) for n sections.
  @inlinable
  public func section(_ id: Section.ID) -> Section? { index(ofSection: id).map { draft.snapshot.section(at: $0) } }

  /// The section that a row is in, or `nil` if the list does not have the row.
  ///
  /// - Complexity: O(log n).
  @inlinable
  package func sectionID(ofRow id: Row.ID) -> Section.ID? {
    path(ofRow: id).map { draft.snapshot.section(at: $0.section).id }
  }

  /// The path of a row, or `nil` if the list does not have it.
  ///
  /// - Complexity: O(log n).
  @inlinable
  public func path(ofRow id: Row.ID) -> RowPath? { draft.path(ofRow: id) }

  /// The row with an id, or `nil` if the list does not have it.
  ///
  /// - Complexity: O(log n).
  @inlinable
  public func row(_ id: Row.ID) -> Row? { draft.find(id)?.row }

  @inlinable
  package func requiredPath(ofRow id: Row.ID) throws(Failure) -> RowPath {
    guard let path = path(ofRow: id) else { throw .unknownRow(id) }
    return path
  }

  /// The index of a section. A list that lacks its ``SoleSection``, as one that was read from elsewhere may, still finds it:
  /// ``restore(_:)`` inserts it once nothing can fail any more.
  @inlinable
  package func requiredIndex(ofSection id: Section.ID) throws(Failure) -> Int {
    if let index = index(ofSection: id) { return index }
    guard lacksSole, (SoleSection() as? Section)?.id == id else { throw .unknownSection(id) }
    return 0
  }

  /// True if the list lacks its ``SoleSection``.
  @inlinable var lacksSole: Bool { snapshot.sectionCount == 0 && Section.self == SoleSection.self }

  /// Inserts the ``SoleSection`` that ``requiredIndex(ofSection:)`` found in a list that lacks it, or that an operation has removed.
  @inlinable
  mutating func restore(_ section: Int) {
    if section == snapshot.sectionCount, let sole = SoleSection() as? Section { draft.insertSection(sole, at: section) }
  }

  @inlinable
  func rowCount(inSection index: Int) -> Int { lacksSole ? 0 : snapshot.rowCount(inSection: index) }
}

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
    try Failure.check(id, at: path, known: self.path(ofRow: id))
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
