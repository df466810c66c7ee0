public import RowcastDiff
public import RowcastModel

extension ListEditor {
  /// Puts a section, with its rows, at the end of the list.
  ///
  /// - Throws: `duplicateSection`, `duplicateRow`, `nonReflexiveSectionID`, `nonReflexiveRowID`.
  @inlinable
  public mutating func append(_ section: Section, rows: [Row] = []) throws(Failure) {
    try insert(section, rows: rows, at: snapshot.sectionCount)
  }

  /// Puts a section, with its rows, at an index.
  ///
  /// - Parameters:
  ///   - section: A section whose id is new to the list.
  ///   - rows: Its rows, whose ids are new to the list.
  ///   - index: Where the section stands afterwards.
  /// - Throws: `duplicateSection`, `duplicateRow`, `nonReflexiveSectionID`, `nonReflexiveRowID`,
  ///   `sectionOutOfRange`.
  @inlinable
  public mutating func insert(
    _ section: Section, rows: [Row] = [], at index: Int
  ) throws(Failure) {
    let id = section.id
    if id != id { throw .nonReflexiveSectionID("\(id)", at: index) }
    if let first = self.index(ofSection: id) { throw .duplicateSection(id, first: first, second: index) }
    guard (0...snapshot.sectionCount).contains(index) else {
      throw .sectionOutOfRange(index, count: snapshot.sectionCount)
    }
    try checkNew(rows, at: RowPath(section: index, row: 0))
    draft.insertSection(section, rows: rows, at: index)
  }

  /// Gives the section with this id new content where it stands, or else puts the section, without rows, at the end of the
  /// list.
  ///
  /// - Throws: `nonReflexiveSectionID`.
  /// - Complexity: O(log n) for n sections.
  @inlinable
  public mutating func upsert(_ section: Section) throws(Failure) {
    if let known = index(ofSection: section.id) {
      draft.replaceSection(at: known, with: section)
    } else {
      try append(section)
    }
  }

  /// Changes the content of a section, not its rows.
  ///
  /// - Throws: `unknownSection`, `changedSectionID`, and what `change` throws.
  @inlinable
  public mutating func updateSection(_ id: Section.ID, _ change: (inout Section) throws -> Void) throws {
    let known = try requiredIndex(ofSection: id)
    guard var section = self.section(id) ?? SoleSection() as? Section else { throw Failure.unknownSection(id) }
    try change(&section)
    guard section.id == id else { throw Failure.changedSectionID(from: id, to: section.id) }
    restore(known)
    draft.replaceSection(at: known, with: section)
  }

  /// Takes a section and its rows out of the list.
  ///
  /// - Returns: The section with its rows.
  /// - Throws: `unknownSection`.
  @inlinable
  @discardableResult
  public mutating func removeSection(_ id: Section.ID) throws(Failure) -> ListSection<Section, Row> {
    let index = try requiredIndex(ofSection: id)
    restore(index)
    return draft.removeSection(at: index)
  }

  /// Moves a section with its rows.
  ///
  /// - Parameters:
  ///   - id: The section.
  ///   - index: Where the section stands afterwards.
  /// - Throws: `unknownSection`, `sectionOutOfRange`.
  @inlinable
  public mutating func moveSection(_ id: Section.ID, to index: Int) throws(Failure) {
    let from = try requiredIndex(ofSection: id)
    let others = max(0, snapshot.sectionCount - 1)
    guard (0...others).contains(index) else { throw .sectionOutOfRange(index, count: others) }
    restore(from)
    draft.moveSection(from: from, to: index)
  }

  /// Makes the list equal to a snapshot.
  ///
  /// The difference between both lists is made once and edited in; subscribers get it.
  ///
  /// - Complexity: O(d log n) for d operations, if the snapshot is one that the store once had. Otherwise O(n).
  @inlinable
  public mutating func replace(with snapshot: ListSnapshot<Section, Row>) { draft.replace(with: snapshot) }

  /// Does to the list what an update of another list with the same content says. Changes are applied as they stand, and
  /// nothing is compared.
  ///
  ///     try await copy.edit { try $0.apply(update) }
  ///
  /// - Parameter update: An update that starts from the list as it is. The first update of a stream, which is the whole
  ///   list, replaces any other.
  /// - Throws: What does not fit the list: `refused`, `duplicateRow`, `duplicateSection`, `changedRowID`,
  ///   `changedSectionID`; `sectionOutOfRange` and `rowOutOfRange` for places that the list of the update does not have.
  /// - Complexity: O(k log n) for k operations on n rows, those of inserted and deleted sections included; that of
  ///   ``replace(with:)`` for the first update.
  @inlinable
  public mutating func apply(_ update: ListUpdate<Section, Row>) throws(Failure) {
    if update.previous == nil { return replace(with: update.snapshot) }
    let (changes, after) = (update.changes, update.snapshot)
    for index in changes.sections.inserts + changes.sections.updates.map({ $0.to })
    where !(0..<after.sectionCount).contains(index) {
      throw .sectionOutOfRange(index, count: after.sectionCount)
    }
    for path in changes.rows.inserts + changes.rows.updates.map({ $0.to }) where !after.contains(path) {
      guard (0..<after.sectionCount).contains(path.section) else {
        throw .sectionOutOfRange(path.section, count: after.sectionCount)
      }
      throw .rowOutOfRange(path, count: after.rowCount(inSection: path.section))
    }
    try draft.apply(ListPatch(changes, to: after))
  }

  /// Takes out all sections and rows.
  @inlinable
  public mutating func removeAll() { replace(with: ListSnapshot()) }
}
