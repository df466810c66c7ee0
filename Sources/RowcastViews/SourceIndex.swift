public import RowcastDiff
public import RowcastModel

/// Finds the rows of the list that an operator reads, for operators to which the order in that list matters.
///
/// It is the index of the operator before, where there is one. Otherwise it is one of its own, made of ids alone when something
/// is looked for: an order that tells all rows apart by their keys never needs it.
@usableFromInline
final class SourceIndex<Section: SectionViewModel, Row: RowViewModel> {
  @usableFromInline typealias Draft = ListDraft<Mark<Section.ID>, Mark<Row.ID>>

  @usableFromInline let shared: ((Row.ID) -> RowPath?)?
  /// The list, without an operator before.
  @usableFromInline var list = ListSnapshot<Section, Row>()
  /// The index of its own, as soon as it is needed.
  @usableFromInline var own: Draft?

  @inlinable
  init(shared: ((Row.ID) -> RowPath?)?) { self.shared = shared }

  /// Makes the index one for a list.
  @inlinable
  func rebuild(from list: ListSnapshot<Section, Row>) { if shared == nil { (self.list, own) = (list, nil) } }

  /// Makes the index of its own, unless it is there.
  ///
  /// - Complexity: O(n) for n rows.
  @inlinable
  func open() {
    if own != nil { return }
    let marks = list.material.map { ListSection(Mark($0.model.id), rows: $0.rows.map { Mark($0.id) }) }
    own = Draft(ListSnapshot(unchecked: marks))
    checkInvariants()
  }

  /// Brings the index from one list to the next.
  @inlinable
  func follow(_ changes: ListChanges, to after: ListSnapshot<Section, Row>) {
    if shared != nil { return }
    list = after
    if own == nil { return }
    // An update changes no id.
    if changes.count == changes.sections.updates.count + changes.rows.updates.count { return }
    let sections = changes.sections.inserts.map { index in
      ListSection(Mark(after.section(at: index).id), rows: after.rows(inSection: index).map { Mark($0.id) })
    }
    own?.edit(
      ListPatch(
        changes, insertedSections: sections, insertedRows: changes.rows.inserts.map { Mark(after.row(at: $0).id) }))
    own?.commit()
    checkInvariants()
  }

  /// Checks, in debug builds, that the index counts the rows and sections of the list that it is for.
  @inlinable
  func checkInvariants() {
    assert(
      own.map { $0.list.rowCount == list.rowCount && $0.list.sectionCount == list.sectionCount } ?? true,
      "The index has \(own?.list.rowCount ?? 0) rows in \(own?.list.sectionCount ?? 0) sections, and the list "
        + "\(list.rowCount) in \(list.sectionCount)")
  }

  /// Where a row is.
  ///
  /// - Complexity: O(log n).
  @inlinable
  func path(ofRow id: Row.ID) -> RowPath? {
    if let shared { return shared(id) }
    open()
    return own?.path(ofRow: id)
  }

  /// The index of a section, found in the index of its own.
  ///
  /// - Complexity: O(log n).
  @inlinable
  func index(ofSection id: Section.ID) -> Int? {
    open()
    return own?.index(ofSection: id)
  }

  /// Where a row is that the list has.
  @inlinable
  func requiredPath(ofRow id: Row.ID) -> RowPath {
    guard let path = path(ofRow: id) else { preconditionFailure("The source has no row \(id)") }
    return path
  }
}

/// A row or a section of which nothing matters but its id.
@usableFromInline
struct Mark<ID: Hashable & Sendable>: RowViewModel, SectionViewModel {
  @usableFromInline let id: ID

  @inlinable
  init(_ id: ID) { self.id = id }

  @usableFromInline var reuseIdentifier: String { "" }
}
