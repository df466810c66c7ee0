public import RowcastDiff
public import RowcastModel

/// The partners that a join combines rows with: one for each key, made of another list.
@usableFromInline
protocol JoinPartners: SendableMetatype {
  associatedtype Section: SectionViewModel
  associatedtype Row: RowViewModel
  associatedtype Key: Hashable & Sendable
  associatedtype Partner

  /// The partner of a key, or `nil` if it has none.
  func partner(of key: Key) -> Partner?
  /// Begins anew with a list. Takes O(n) for n rows.
  mutating func rebuild(from list: ListSnapshot<Section, Row>)
  /// Follows the list to its next version. Returns the keys whose partners were inserted, removed or changed.
  mutating func step(to after: ListSnapshot<Section, Row>) -> Set<Key>
}

/// The rows of a list, by their ids.
@usableFromInline
struct RowPartners<Section: SectionViewModel, Row: RowViewModel>: JoinPartners {
  @usableFromInline var rows: [Row.ID: Row] = [:]
  @usableFromInline var list = ListSnapshot<Section, Row>()

  @_alwaysEmitIntoClient
  init() {}

  @_alwaysEmitIntoClient
  func partner(of key: Row.ID) -> Row? { rows[key] }

  @_alwaysEmitIntoClient
  mutating func rebuild(from list: ListSnapshot<Section, Row>) {
    self.list = list
    rows = Dictionary(minimumCapacity: list.rowCount)
    for row in list.allRows { rows[row.id] = row }
  }

  @_alwaysEmitIntoClient
  mutating func step(to after: ListSnapshot<Section, Row>) -> Set<Row.ID> {
    let touched = TouchedRows(contentOf: list.changes(to: after), from: list, to: after)
    var changed: Set<Row.ID> = []
    for path in touched.leaving {
      let id = list.row(at: path).id
      rows[id] = nil
      changed.insert(id)
    }
    for path in touched.current {
      let row = after.row(at: path)
      let old = rows.updateValue(row, forKey: row.id)
      if !(old.map { areSame($0, row) } ?? false) { changed.insert(row.id) }
    }
    list = after
    assert(rows.count == after.rowCount, "\(rows.count) partners of \(after.rowCount) rows")
    return changed
  }
}

/// Returns true if two versions of a row are one to those who see it. An id may be equal to the former one and look different.
@_alwaysEmitIntoClient
func areSame<Row: RowViewModel>(_ old: Row, _ new: Row) -> Bool {
  !areDistinguishable(old.id, new.id) && (old == new || isUnchanged(unequal: old, new))
}

/// Something that is made of each section of a list, by the ids of the sections: its rows, the first of them, a summary.
@usableFromInline
final class SectionPartners<Section: SectionViewModel, Row: RowViewModel, Partner>: JoinPartners {
  /// Makes the partner of a section, by its index.
  @usableFromInline let make: (ListSnapshot<Section, Row>, Int) -> Partner
  /// Returns true if two partners are one to those who see them.
  @usableFromInline let isSame: (Partner, Partner) -> Bool
  /// The partner of keys without a section.
  @usableFromInline let empty: Partner?
  /// True if a partner depends on the rows of its section, and not on the section alone.
  @usableFromInline let readsRows: Bool
  @usableFromInline var partners: [Section.ID: Partner] = [:]
  @usableFromInline var list = ListSnapshot<Section, Row>()

  @_alwaysEmitIntoClient
  init(
    empty: Partner?, readsRows: Bool, make: @escaping (ListSnapshot<Section, Row>, Int) -> Partner,
    isSame: @escaping (Partner, Partner) -> Bool
  ) {
    (self.empty, self.readsRows, self.make, self.isSame) = (empty, readsRows, make, isSame)
  }

  @_alwaysEmitIntoClient
  func partner(of key: Section.ID) -> Partner? { partners[key] ?? empty }

  @_alwaysEmitIntoClient
  func rebuild(from list: ListSnapshot<Section, Row>) {
    self.list = list
    partners = Dictionary(minimumCapacity: list.sectionCount)
    for section in 0..<list.sectionCount { partners[list.section(at: section).id] = make(list, section) }
  }

  /// Takes O(1) for each changed section and row, beside the partners that are made anew.
  @_alwaysEmitIntoClient
  func step(to after: ListSnapshot<Section, Row>) -> Set<Section.ID> {
    let changes = list.changes(to: after)
    var changed: Set<Section.ID> = []
    for index in changes.sections.deletes {
      let id = list.section(at: index).id
      let old = partners.removeValue(forKey: id)
      if let old, let empty, isSame(old, empty) { continue }
      changed.insert(id)
    }
    var touched = Set(changes.sections.inserts + changes.sections.updates.map { $0.to })
    if readsRows {
      let rows = changes.rows
      let left = Set((rows.deletes + rows.moves.map { $0.from }).map { $0.section })
      // A section that rows have left may have another index now, or be gone.
      let places = left.isEmpty || !changes.sections.hasStructure ? nil : PathMap(changes)
      touched.formUnion(left.compactMap { section in places.map { $0.destination(ofSection: section) } ?? section })
      for path in rows.inserts + rows.moves.map({ $0.to }) + rows.updates.map({ $0.to }) {
        touched.insert(path.section)
      }
    }
    for index in touched {
      let (id, new) = (after.section(at: index).id, make(after, index))
      let old = partners.updateValue(new, forKey: id) ?? empty
      if !(old.map { isSame($0, new) } ?? false) { changed.insert(id) }
    }
    list = after
    assert(partners.count == after.sectionCount, "\(partners.count) partners of \(after.sectionCount) sections")
    return changed
  }
}

extension SectionPartners where Partner == ListRows<Row> {
  /// All rows of a section, which are one value.
  @_alwaysEmitIntoClient static var rows: SectionPartners {
    SectionPartners(
      empty: ListRows(), readsRows: true, make: { $0.rows(inSection: $1) }, isSame: { _, _ in false })
  }
}

extension SectionPartners where Partner == Row {
  /// The first row of a section.
  @_alwaysEmitIntoClient static var firstRows: SectionPartners {
    SectionPartners(
      empty: nil, readsRows: true, make: { $0.row(at: RowPath(section: $1, row: 0)) }, isSame: { areSame($0, $1) })
  }
}

extension SectionPartners where Partner == Bool {
  /// True for a section that is there.
  @_alwaysEmitIntoClient static var presence: SectionPartners {
    SectionPartners(empty: false, readsRows: false, make: { _, _ in true }, isSame: { $0 == $1 })
  }
}

extension SectionPartners {
  /// The value of a section's summary, of which `state` is one without rows.
  @_alwaysEmitIntoClient
  static func values<ID>(like state: SummaryState<Row, Partner>) -> SectionPartners
  where Section == SummarizedGroup<ID, Partner> {
    SectionPartners(
      empty: state.value(), readsRows: false, make: { $0.section(at: $1).value }, isSame: state.isSame)
  }
}
