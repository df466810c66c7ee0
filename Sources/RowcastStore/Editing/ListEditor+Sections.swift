public import RowcastDiff
public import RowcastModel

extension ListEditor {
  /// Inserts a section, with its rows, at the end of the list.
  ///
  /// - Throws: `duplicateSection`, `duplicateRow`, `nonReflexiveSectionID`, `nonReflexiveRowID`.
  @inlinable
  public mutating func append(_ section: Section, rows: [Row] = []) throws(Failure) {
    try insert(section, rows: rows, at: snapshot.sectionCount)
  }

  /// Inserts a section and its rows, whose ids are new to the list, at an index.
  ///
  /// - Throws: `duplicateSection`, `duplicateRow`, `nonReflexiveSectionID`, `nonReflexiveRowID`,
  ///   `sectionOutOfRange`.
  @inlinable
  public mutating func insert(_ section: Section, rows: [Row] = [], at index: Int) throws(Failure) {
    let id = section.id
    try Failure.check(id, at: index, known: self.index(ofSection: id))
    guard (0...snapshot.sectionCount).contains(index) else {
      throw .sectionOutOfRange(index, count: snapshot.sectionCount)
    }
    try checkNew(rows, at: RowPath(section: index, row: 0))
    draft.insertSection(section, rows: rows, at: index)
  }

  /// Replaces the content of the section with the same id, or adds the section, without rows, at the end of the list.
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
  /// - Throws: `unknownSection`, `changedSectionID`, and any error of `change`.
  @inlinable
  public mutating func updateSection(_ id: Section.ID, _ change: (inout Section) throws -> Void) throws {
    let known = try requiredIndex(ofSection: id)
    guard var section = self.section(id) ?? SoleSection() as? Section else { throw Failure.unknownSection(id) }
    try change(&section)
    guard section.id == id else { throw Failure.changedSectionID(from: id, to: section.id) }
    restore(known)
    draft.replaceSection(at: known, with: section)
  }

  /// Removes a section and its rows from the list. A ``SoleSection`` stays, without rows.
  ///
  /// - Returns: The section with its rows.
  /// - Throws: `unknownSection`.
  @inlinable
  @discardableResult
  public mutating func removeSection(_ id: Section.ID) throws(Failure) -> ListSection<Section, Row> {
    let index = try requiredIndex(ofSection: id)
    restore(index)
    defer { keepSole() }
    return draft.removeSection(at: index)
  }

  /// Moves a section with its rows to an index.
  ///
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
  /// The difference between both lists is computed once and applied; subscribers get it. A ``SoleSection`` stays, also if the
  /// snapshot has no section.
  ///
  /// - Complexity: O(d log n) for d operations, if the snapshot is a former one of the store. Otherwise O(n).
  @inlinable
  public mutating func replace(with snapshot: ListSnapshot<Section, Row>) {
    draft.replace(with: snapshot)
    keepSole()
  }

  /// Applies an update of another list with the same content. Nothing is compared.
  ///
  ///     try await copy.edit { try $0.apply(update) }
  ///
  /// - Parameter update: An update that starts from this list. The first update of a stream, which is the whole list, replaces
  ///   any list.
  /// - Throws: If the update does not fit the list: `refused`, `duplicateRow`, `duplicateSection`, `changedRowID`,
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
    // The other list may lack its sole section for a while, which this one keeps.
    let listed = changes.sections
    let isTakenOut =
      !listed.inserts.isEmpty && listed.deletes.isEmpty && Section.self == SoleSection.self && snapshot.isEmpty
      && !lacksSole
    if isTakenOut { draft.removeSection(at: 0) }
    do throws(Failure) { try draft.apply(ListPatch(changes, to: after)) } catch {
      if isTakenOut { keepSole() }
      throw error
    }
    keepSole()
  }

  /// Removes all sections and rows; a ``SoleSection`` stays.
  @inlinable
  public mutating func removeAll() { replace(with: ListSnapshot()) }

  /// Inserts the ``SoleSection`` again if the operation has removed it.
  @inlinable
  mutating func keepSole() { if lacksSole { restore(0) } }
}

extension ListEditor where Section: PhasedSection {
  /// Sets the phase of a section. Its rows stay.
  ///
  /// - Throws: `unknownSection`.
  /// - Complexity: O(log n) for n sections.
  @inlinable
  public mutating func setPhase(_ phase: SectionPhase, of id: Section.ID) throws {
    try updateSection(id) { $0.phase = phase }
  }

  /// Sets the phase of a section that is up to date: `SectionPhase.loaded`, or `SectionPhase.empty` without rows.
  ///
  /// - Throws: `unknownSection`.
  /// - Complexity: O(log n) for n sections.
  @inlinable
  package mutating func markLoaded(_ id: Section.ID) throws {
    try setPhase(try end(ofSection: id).row == 0 ? .empty : .loaded, of: id)
  }
}
