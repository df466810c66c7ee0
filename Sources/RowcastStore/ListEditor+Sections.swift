public import RowcastDiff
public import RowcastModel

extension ListEditor {
  /// Puts a section, with its rows, at the end of the list.
  ///
  /// - Throws: `duplicateSection`, `duplicateRow`.
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
  /// - Throws: `duplicateSection`, `duplicateRow`, `sectionOutOfRange`.
  @inlinable
  public mutating func insert(
    _ section: Section, rows: [Row] = [], at index: Int
  ) throws(Failure) {
    if let first = self.index(ofSection: section.id) {
      throw .duplicateSection(section.id, first: first, second: index)
    }
    guard (0...snapshot.sectionCount).contains(index) else {
      throw .sectionOutOfRange(index, count: snapshot.sectionCount)
    }
    try checkNew(rows, at: RowPath(section: index, row: 0))
    draft.insertSection(section, rows: rows, at: index)
  }

  /// Puts a section without rows at the end of the list, or gives the section with its id new content.
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
    var section = snapshot.section(at: known)
    try change(&section)
    guard section.id == id else { throw Failure.changedSectionID(from: id, to: section.id) }
    draft.replaceSection(at: known, with: section)
  }

  /// Takes a section and its rows out of the list.
  ///
  /// - Returns: The section with its rows.
  /// - Throws: `unknownSection`.
  @inlinable
  @discardableResult
  public mutating func removeSection(_ id: Section.ID) throws(Failure) -> ListSection<Section, Row> {
    draft.removeSection(at: try requiredIndex(ofSection: id))
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
    let others = snapshot.sectionCount - 1
    guard (0...others).contains(index) else { throw .sectionOutOfRange(index, count: others) }
    draft.moveSection(from: from, to: index)
  }

  /// Makes the list equal to a snapshot.
  ///
  /// The difference between both lists is made once and edited in; subscribers get it.
  ///
  /// - Complexity: O(d log n) for d operations, if the snapshot is one that the store once had. Otherwise O(n).
  @inlinable
  public mutating func replace(with snapshot: ListSnapshot<Section, Row>) { draft.replace(with: snapshot) }

  /// Takes out all sections and rows.
  @inlinable
  public mutating func removeAll() { replace(with: ListSnapshot()) }
}
