public import RowcastDiff
public import RowcastModel

/// The partners that a join combines rows with: one for each key, made from another list.
@usableFromInline
protocol JoinPartners<Key, Partner>: SendableMetatype {
  associatedtype Section: SectionViewModel
  associatedtype Row: RowViewModel
  associatedtype Key: Hashable & Sendable
  associatedtype Partner
  typealias List = ListSnapshot<Section, Row>

  /// Starts over with the other list. Takes O(n) for n rows.
  mutating func rebuild(from list: List)
  /// Follows the other list to its next version. Returns the keys whose partners were inserted, removed or changed.
  mutating func step(from before: List, to after: List) -> Set<Key>
  /// The partner of a key, or `nil` if it has none.
  func partner(_ key: Key) -> Partner?
}

/// Returns true if no reader can tell two versions of a row apart. An id may be equal to the former one and look different.
@inlinable
func areSame<Row: RowViewModel>(_ old: Row, _ new: Row) -> Bool {
  !areDistinguishable(old.id, new.id) && areUnchanged(old, new)
}

/// The rows of a list, by their ids.
@usableFromInline
struct RowPartners<Section: SectionViewModel, Row: RowViewModel>: JoinPartners {
  @usableFromInline var rows: [Row.ID: Row] = [:]

  @inlinable
  init() {}

  @inlinable
  mutating func rebuild(from list: ListSnapshot<Section, Row>) {
    rows = Dictionary(minimumCapacity: list.rowCount)
    for row in list.allRows { rows[row.id] = row }
  }

  @inlinable
  mutating func step(from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>) -> Set<Row.ID> {
    let touched = TouchedRows(contentOf: before.changes(to: after), from: before, to: after)
    var changed: Set<Row.ID> = []
    for path in touched.leaving {
      let id = before.row(at: path).id
      rows[id] = nil
      changed.insert(id)
    }
    for path in touched.current {
      let row = after.row(at: path)
      if let old = rows.updateValue(row, forKey: row.id), areSame(old, row) { continue }
      changed.insert(row.id)
    }
    assert(rows.count == after.rowCount, "\(rows.count) partners of \(after.rowCount) rows")
    return changed
  }

  @inlinable
  func partner(_ key: Row.ID) -> Row? { rows[key] }
}

/// A partner for each section, by the id of the section: its rows, the first of them, a summary.
@usableFromInline
struct SectionPartners<Section: SectionViewModel, Row: RowViewModel, Partner>: JoinPartners {
  /// The partner of keys without a section.
  @usableFromInline let empty: Partner?
  /// True if a partner depends on the rows of its section, and not on the section alone.
  @usableFromInline let readsRows: Bool
  /// Makes the partner of a section, by its index.
  @usableFromInline let make: (ListSnapshot<Section, Row>, Int) -> Partner
  /// Returns true if no reader can tell two partners apart.
  @usableFromInline let isSame: (Partner, Partner) -> Bool
  @usableFromInline var partners: [Section.ID: Partner] = [:]

  @inlinable
  init(
    empty: Partner?, readsRows: Bool, make: @escaping (ListSnapshot<Section, Row>, Int) -> Partner,
    isSame: @escaping (Partner, Partner) -> Bool
  ) {
    (self.empty, self.readsRows, self.make, self.isSame) = (empty, readsRows, make, isSame)
  }

  @inlinable
  mutating func rebuild(from list: ListSnapshot<Section, Row>) {
    partners = Dictionary(minimumCapacity: list.sectionCount)
    for section in 0..<list.sectionCount { partners[list.section(at: section).id] = make(list, section) }
  }

  /// Takes O(1) for each changed section and row, and the time to rebuild the partners of these.
  @inlinable
  mutating func step(
    from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>
  ) -> Set<Section.ID> {
    let changes = before.changes(to: after)
    var changed: Set<Section.ID> = []
    for index in changes.sections.deletes {
      let id = before.section(at: index).id
      let old = partners.removeValue(forKey: id)
      if let old, let empty, isSame(old, empty) { continue }
      changed.insert(id)
    }
    for index in sections(touchedBy: changes, readsRows: readsRows) {
      let (id, new) = (after.section(at: index).id, make(after, index))
      if let old = partners.updateValue(new, forKey: id) ?? empty, isSame(old, new) { continue }
      changed.insert(id)
    }
    assert(partners.count == after.sectionCount, "\(partners.count) partners of \(after.sectionCount) sections")
    return changed
  }

  @inlinable
  func partner(_ key: Section.ID) -> Partner? { partners[key] ?? empty }
}

/// The right side of a join: a list, and what makes partners of it.
@usableFromInline
typealias JoinSide<Partners: JoinPartners> = (list: ListNode<Partners.Section, Partners.Row>, partners: Partners)

extension ListNode {
  /// The rows of the list, by their ids.
  @inlinable var rowPartners: JoinSide<RowPartners<Section, Row>> { (self, RowPartners()) }

  /// All rows of each section, as one value.
  @inlinable var rowsOfSections: JoinSide<SectionPartners<Section, Row, ListRows<Row>>> {
    let partners = SectionPartners<Section, Row, ListRows<Row>>(
      empty: ListRows(), readsRows: true, make: { $0.rows(inSection: $1) }, isSame: { _, _ in false })
    return (self, partners)
  }

  /// The first row of each section.
  @inlinable var firstRowsOfSections: JoinSide<SectionPartners<Section, Row, Row>> {
    let partners = SectionPartners<Section, Row, Row>(
      empty: nil, readsRows: true, make: { $0.row(at: RowPath(section: $1, row: 0)) }, isSame: { areSame($0, $1) })
    return (self, partners)
  }

  /// True for each section that exists.
  @inlinable var presenceOfSections: JoinSide<SectionPartners<Section, Row, Bool>> {
    (self, SectionPartners(empty: false, readsRows: false, make: { _, _ in true }, isSame: { $0 == $1 }))
  }

  /// The values of the sections' summaries. `state` is a summary without rows.
  @inlinable
  func valuesOfSections<ID, Value>(
    like state: SummaryState<Row, Value>
  ) -> JoinSide<SectionPartners<Section, Row, Value>> where Section == Labelled<ID, Value> {
    let partners = SectionPartners<Section, Row, Value>(
      empty: state.value(), readsRows: false, make: { $0.section(at: $1).label }, isSame: state.isSame)
    return (self, partners)
  }
}

/// The sections that changes affect, by their indexes after; with `readsRows` also sections whose rows are affected.
@inlinable
func sections(touchedBy changes: ListChanges, readsRows: Bool) -> Set<Int> {
  var touched = Set(changes.sections.inserts + changes.sections.updates.map { $0.to })
  if !readsRows { return touched }
  let rows = TouchedRows(changes.rows)
  for path in rows.current { touched.insert(path.section) }
  let left = rows.leaving + rows.staying.compactMap { $0.hasMoved ? $0.former : nil }
  // A section that rows have left may have another index now, or may have been removed.
  let places = left.isEmpty || !changes.sections.hasStructure ? nil : PathMap(changes)
  for section in Set(left.map { $0.section }) {
    if let places {
      if let section = places.destination(ofSection: section) { touched.insert(section) }
    } else {
      touched.insert(section)
    }
  }
  return touched
}

extension ListNode {
  /// The rows that have a key, in a section for each key.
  @inlinable
  func grouped<Key: Hashable & Sendable>(
    by key: @escaping @Sendable (Row) -> Key?, _ order: [SortKey<Row>]
  ) -> ListNode<IDOnly<Key>, Row> {
    // Groups are found by their keys; their order means nothing, and equal keys are one.
    let grouping = KeyGrouping<IDOnly<Key>, Row, Key?>(
      key, order: { $0.hashValue.precedes($1.hashValue) }, keeping: [], isExact: true
    ) { key in
      guard let key else { stop("A row without a key has no group") }
      return IDOnly(key)
    }
    let order = order.reversed().reduce(SortKey<Row>?.none) { $1.then($0) }
    return ListNode<IDOnly<Key>, Row>.arranging(
      self, Placement(by: grouping, order: order, of: self),
      transform: { row -> Row? in
        guard let key = key(row), key == key else { return nil }
        return row
      })
  }

  /// The rows that have a key, in a section for each key, with a summary of its rows.
  @inlinable
  func grouped<Key: Hashable & Sendable, Value: Sendable>(
    by key: @escaping @Sendable (Row) -> Key?, _ makeState: @escaping MakeSummary<Row, Value>
  ) -> ListNode<Labelled<Key, Value>, Row> {
    .summarizing(grouped(by: key, []), makeState) { Labelled(id: $0.id, $1) }
  }
}
