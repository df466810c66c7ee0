public import RowcastDiff
public import RowcastModel

/// Finds rows of the list that an operator reads.
///
/// If the operator before has an index, that one is used. Otherwise it is an index of ids, made when it is needed first: an order
/// without equal keys never needs it.
@usableFromInline
final class SourceIndex<Section: SectionViewModel, Row: RowViewModel> {
  @usableFromInline typealias Draft = ListDraft<IDOnly<Section.ID>, IDOnly<Row.ID>>

  @usableFromInline let shared: ((Row.ID) -> RowPath?)?
  /// The list, if no operator before has an index.
  @usableFromInline var list = ListSnapshot<Section, Row>()
  /// The index of ids.
  @usableFromInline var own: Draft?

  @_alwaysEmitIntoClient
  init(shared: ((Row.ID) -> RowPath?)?) { self.shared = shared }

  /// Begins anew with a list.
  @_alwaysEmitIntoClient
  func rebuild(from list: ListSnapshot<Section, Row>) { if shared == nil { (self.list, own) = (list, nil) } }

  /// Makes the index of ids, unless it is there. Takes O(n) for n rows.
  @_alwaysEmitIntoClient
  func open() {
    if own != nil { return }
    let ids = list.material.map { ListSection(IDOnly($0.model.id), rows: $0.rows.map { IDOnly($0.id) }) }
    own = Draft(ListSnapshot(unchecked: ids))
    checkInvariants()
  }

  /// Brings the index from one list to the next.
  @_alwaysEmitIntoClient
  func follow(_ changes: ListChanges, to after: ListSnapshot<Section, Row>) {
    if shared != nil { return }
    list = after
    if own == nil { return }
    // An update changes no id.
    if changes.count == changes.sections.updates.count + changes.rows.updates.count { return }
    let sections = changes.sections.inserts.map { index in
      ListSection(IDOnly(after.section(at: index).id), rows: after.rows(inSection: index).map { IDOnly($0.id) })
    }
    own?.edit(
      ListPatch(
        changes, insertedSections: sections, insertedRows: changes.rows.inserts.map { IDOnly(after.row(at: $0).id) }))
    own?.commit()
    checkInvariants()
  }

  /// Checks, in debug builds, that the index has as many rows and sections as the list.
  @_alwaysEmitIntoClient
  func checkInvariants() {
    assert(
      own.map { $0.list.rowCount == list.rowCount && $0.list.sectionCount == list.sectionCount } ?? true,
      "The index has \(own?.list.rowCount ?? 0) rows in \(own?.list.sectionCount ?? 0) sections, and the list "
        + "\(list.rowCount) in \(list.sectionCount)")
  }

  /// The path of a row, or `nil` if the list does not have it. Takes O(log n).
  @_alwaysEmitIntoClient
  func path(ofRow id: Row.ID) -> RowPath? {
    if let shared { return shared(id) }
    open()
    return own?.locate(id)?.path
  }

  /// The index of a section, found in the index of ids. Takes O(log n).
  @_alwaysEmitIntoClient
  func index(ofSection id: Section.ID) -> Int? {
    open()
    return own?.index(ofSection: id)
  }

  /// The path of a row that the list has.
  @_alwaysEmitIntoClient
  func requiredPath(ofRow id: Row.ID) -> RowPath {
    guard let path = path(ofRow: id) else { stop("The source has no row \(id)") }
    return path
  }
}

/// A row or a section that is nothing but its id.
@usableFromInline
struct IDOnly<ID: Hashable & Sendable>: RowViewModel, SectionViewModel {
  @usableFromInline let id: ID

  @_alwaysEmitIntoClient
  init(_ id: ID) { self.id = id }

  @usableFromInline var reuseIdentifier: String { "" }
}
