public import RowcastDiff
public import RowcastModel

/// A list inside a transaction: what the body of ``ListStore/edit(_:)`` changes.
///
/// Each operation is checked, and throws a `ListError` that carries the offending values without having changed
/// anything. If that error leaves the body of the transaction, the whole transaction is undone.
///
/// Rows and sections are named by id; places are indexes *after* the operation. Finding one by its id takes O(log n),
/// and so does changing it.
public struct ListEditor<Section: SectionViewModel, Row: RowViewModel>: ~Copyable, Sendable {
  /// The errors of the operations.
  public typealias Failure = ListError<Section.ID, Row.ID>

  @usableFromInline package var draft: ListDraft<Section, Row>

  @inlinable
  package init(draft: ListDraft<Section, Row>) {
    self.draft = draft
  }

  /// The list as edited so far.
  @inlinable public var snapshot: ListSnapshot<Section, Row> { draft.snapshot }
}

// MARK: - Finding

extension ListEditor {
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
  public func sectionID(ofRow id: Row.ID) -> Section.ID? {
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

  /// The index of a section. That of ``SoleSection`` is found in a list that has lost it, too: ``restore(_:)`` puts it in as
  /// soon as nothing can fail any more.
  @inlinable
  package func requiredIndex(ofSection id: Section.ID) throws(Failure) -> Int {
    if let index = index(ofSection: id) { return index }
    guard lacksSole, (SoleSection() as? Section)?.id == id else { throw .unknownSection(id) }
    return 0
  }

  /// Whether the list has lost the one section that is always there.
  @inlinable var lacksSole: Bool { snapshot.sectionCount == 0 && Section.self == SoleSection.self }

  /// Puts the section in that is always there, if it was found in a list that has lost it.
  @inlinable
  mutating func restore(_ section: Int) {
    if section == snapshot.sectionCount, let sole = SoleSection() as? Section { draft.insertSection(sole, at: section) }
  }

  @inlinable
  func rowCount(inSection index: Int) -> Int { lacksSole ? 0 : snapshot.rowCount(inSection: index) }
}
