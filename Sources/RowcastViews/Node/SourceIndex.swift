public import RowcastDiff
public import RowcastModel

/// Finds rows of the list that an operator reads.
///
/// If the operator before has an index, that index is used. Otherwise an index of ids is made when it is first needed: an order
/// without equal keys never needs it.
@usableFromInline
final class SourceIndex<Section: SectionViewModel, Row: RowViewModel> {
  @usableFromInline typealias Draft = ListDraft<IDOnly<Section.ID>, IDOnly<Row.ID>>

  @usableFromInline let shared: ((Row.ID) -> RowPath?)?
  /// The list, if no operator before has an index.
  @usableFromInline var list = ListSnapshot<Section, Row>()
  /// The index of ids.
  @usableFromInline var own: Draft?

  @inlinable
  init(shared: ((Row.ID) -> RowPath?)?) { self.shared = shared }

  /// Starts over with a list.
  @inlinable
  func rebuild(from list: ListSnapshot<Section, Row>) { if shared == nil { (self.list, own) = (list, nil) } }

  /// Makes the index of ids, unless it exists. Takes O(n) for n rows.
  @inlinable
  func open() {
    if own != nil { return }
    let ids = list.material.map { ListSection(IDOnly($0.model.id), rows: $0.rows.map { IDOnly($0.id) }) }
    own = Draft(ListSnapshot(unchecked: ids))
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
      ListSection(IDOnly(after.section(at: index).id), rows: after.rows(inSection: index).map { IDOnly($0.id) })
    }
    own?.edit(
      ListPatch(
        changes, insertedSections: sections, insertedRows: changes.rows.inserts.map { IDOnly(after.row(at: $0).id) }))
    own?.commit()
    checkInvariants()
  }

  /// Checks, in debug builds, that the index has as many rows and sections as the list.
  @inlinable
  func checkInvariants() {
    assert(
      own.map { $0.list.rowCount == list.rowCount && $0.list.sectionCount == list.sectionCount } ?? true,
      "The index has \(own?.list.rowCount ?? 0) rows in \(own?.list.sectionCount ?? 0) sections, and the list "
        + "\(list.rowCount) in \(list.sectionCount)")
  }

  /// The path of a row, or `nil` if the list does not have it. Takes O(log n).
  @inlinable
  func path(ofRow id: Row.ID) -> RowPath? {
    if let shared { return shared(id) }
    open()
    return own?.locate(id)?.path
  }

  /// The index of a section, found in the index of ids. Takes O(log n).
  @inlinable
  func index(ofSection id: Section.ID) -> Int? {
    open()
    return own?.index(ofSection: id)
  }

  /// The path of a row that the list has.
  @inlinable
  func requiredPath(ofRow id: Row.ID) -> RowPath {
    guard let path = path(ofRow: id) else { stop("The source has no row \(id)") }
    return path
  }
}

/// A row or a section that consists of its id alone.
@usableFromInline
struct IDOnly<ID: Hashable & Sendable>: RowViewModel, SectionViewModel {
  @usableFromInline let id: ID

  @inlinable
  init(_ id: ID) { self.id = id }

  @usableFromInline var reuseIdentifier: String { "" }
}

/// A row or a section that consists of an id and a label: a key, the value of a summary, a loaded value.
@usableFromInline
final class Labelled<ID: Hashable & Sendable, Label: Sendable>: RowViewModel, SectionViewModel {
  @usableFromInline let id: ID
  @usableFromInline let label: Label

  @inlinable
  init(id: ID, _ label: Label) { (self.id, self.label) = (id, label) }

  @usableFromInline var reuseIdentifier: String { "" }

  /// Two are equal if their labels are known to be the same in every respect. Where that is not known, readers compare the rows
  /// that they make from them.
  @inlinable
  static func == (lhs: Labelled, rhs: Labelled) -> Bool {
    lhs === rhs || lhs.id == rhs.id && areIdentical(lhs.label, rhs.label)
  }
}

/// The rows that an operator looks at after changes of the list that it reads.
@usableFromInline
struct TouchedRows {
  /// A row in both lists: its path after the change, and its path before; `nil` if it only moved with its section.
  @usableFromInline typealias Staying = (path: RowPath, former: RowPath?, hasMoved: Bool)

  /// Paths before the change.
  @usableFromInline var leaving: [RowPath]
  @usableFromInline var staying: [Staying]
  /// Paths after the change.
  @usableFromInline var arriving: [RowPath]

  @inlinable var count: Int { leaving.count + staying.count + arriving.count }
  /// The paths before the change, except for rows that only moved with their sections.
  @inlinable var former: [RowPath] { leaving + staying.compactMap { $0.former } }
  /// The paths after the change.
  @inlinable var current: [RowPath] { arriving + staying.map { $0.path } }

  /// The rows that are listed in changes.
  @inlinable
  init(_ changes: borrowing Changeset<RowPath>) {
    leaving = changes.deletes
    arriving = changes.inserts
    staying = changes.moves.map { ($0.to, $0.from, hasMoved: true) }
    let moved = staying.isEmpty ? [] : Set(changes.moves.map { $0.to })
    for update in changes.updates where !moved.contains(update.to) {
      staying.append((update.to, update.from, hasMoved: false))
    }
  }

  /// The rows that are listed in changes, and those that are inserted and removed with their sections.
  @inlinable
  init<Section, Row>(
    contentOf changes: borrowing ListChanges, from before: ListSnapshot<Section, Row>,
    to after: ListSnapshot<Section, Row>
  ) {
    self.init(changes.rows)
    for section in changes.sections.deletes { leaving += Self.paths(before, section) }
    for section in changes.sections.inserts { arriving += Self.paths(after, section) }
  }

  /// The rows that are listed in changes, and those that are inserted, removed and moved with their sections.
  @inlinable
  init<Section, Row>(
    _ changes: borrowing ListChanges, from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>
  ) {
    self.init(contentOf: changes, from: before, to: after)
    if changes.sections.moves.isEmpty { return }
    let sections = Set(changes.sections.moves.map { $0.to })
    var seen = Set(arriving)
    for index in staying.indices where sections.contains(staying[index].path.section) {
      staying[index].hasMoved = true
      seen.insert(staying[index].path)
    }
    for section in sections {
      for path in Self.paths(after, section) where !seen.contains(path) {
        staying.append((path, nil, hasMoved: true))
      }
    }
  }

  @inlinable
  static func paths<Section, Row>(_ list: ListSnapshot<Section, Row>, _ section: Int) -> [RowPath] {
    (0..<list.rowCount(inSection: section)).map { RowPath(section: section, row: $0) }
  }
}
