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

  /// The index of a section. A list that has lost its ``SoleSection`` still finds it: ``restore(_:)`` inserts it again once
  /// nothing can fail any more.
  @inlinable
  package func requiredIndex(ofSection id: Section.ID) throws(Failure) -> Int {
    if let index = index(ofSection: id) { return index }
    guard lacksSole, (SoleSection() as? Section)?.id == id else { throw .unknownSection(id) }
    return 0
  }

  /// True if the list has lost its ``SoleSection``.
  @inlinable var lacksSole: Bool { snapshot.sectionCount == 0 && Section.self == SoleSection.self }

  /// Restores the ``SoleSection`` that ``requiredIndex(ofSection:)`` found in a list that has lost it.
  @inlinable
  mutating func restore(_ section: Int) {
    if section == snapshot.sectionCount, let sole = SoleSection() as? Section { draft.insertSection(sole, at: section) }
  }

  @inlinable
  func rowCount(inSection index: Int) -> Int { lacksSole ? 0 : snapshot.rowCount(inSection: index) }
}
