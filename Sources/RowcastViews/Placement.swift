public import RowcastDiff
public import RowcastModel

/// A list whose rows are those of another one that pass, each at its place by section and order.
///
/// A row's place is found by comparing it with rows that are there, in one descent of the tree. Where the order is that
/// of the source, two rows are compared by their paths in the source, which its index finds.
@usableFromInline
struct Placement<InputSection: SectionViewModel, InputRow: RowViewModel, Section: SectionViewModel, Row: RowViewModel>
where InputRow.ID == Row.ID {
  @usableFromInline typealias Input = ListSnapshot<InputSection, InputRow>
  /// What a row becomes; nothing if it does not pass.
  @usableFromInline typealias Transform = (InputRow) throws -> Row?

  @usableFromInline let grouping: Grouping<InputSection, Section, Row>
  @usableFromInline let order: RowOrder<Row>
  /// Whether rows of different sections of the source stay apart, those of the first before those of the second.
  @usableFromInline let keepsSectionsApart: Bool
  @usableFromInline var index: SourceIndex<InputSection, InputRow>
  @usableFromInline var output = ListDraft<Section, Row>()
  @usableFromInline var failures: [Row.ID: any Error] = [:]

  @inlinable
  init(
    _ grouping: Grouping<InputSection, Section, Row>, order: RowOrder<Row>, keepsSectionsApart: Bool = false,
    index: SourceIndex<InputSection, InputRow>
  ) {
    self.grouping = grouping
    self.order = order
    self.keepsSectionsApart = keepsSectionsApart
    self.index = index
  }

  /// Whether places depend on those in a list.
  @inlinable
  func usesPaths(of list: Input) -> Bool { order.usesSource || (keepsSectionsApart && list.sectionCount > 1) }

  /// What a row becomes. Notes it if that fails.
  @inlinable
  mutating func transformed(_ row: InputRow, _ transform: Transform) -> Row? {
    do {
      let new = try transform(row)
      if let new, new.id != row.id {
        throw ListError<Section.ID, Row.ID>.changedRowID(from: row.id, to: new.id)
      }
      forget(row.id)
      return new
    } catch {
      failures[row.id] = error
      return nil
    }
  }

  @inlinable
  mutating func forget(_ id: Row.ID) {
    if !failures.isEmpty { failures[id] = nil }
  }
}

// MARK: - From nothing

extension Placement {
  /// Makes the output from nothing.
  ///
  /// - Complexity: O(n log n) for n rows.
  @inlinable
  mutating func rebuild(from list: Input, _ transform: Transform) {
    failures = [:]
    if usesPaths(of: list) { index.rebuild(from: list) }
    var material: [ListSection<Section, Row>] = []
    switch grouping {
    case .source(let section):
      for index in 0..<list.sectionCount {
        material.append(ListSection(section(list.section(at: index)), rows: passing(list, index, transform)))
        order.sort(&material[index].rows)
      }
    case .keys(let grouping):
      var all: [Row] = []
      for index in 0..<list.sectionCount {
        var rows = passing(list, index, transform)
        if keepsSectionsApart { order.sort(&rows) }
        all += rows
      }
      material = grouping.divide(all)
      if !keepsSectionsApart { for index in material.indices { order.sort(&material[index].rows) } }
    }
    output.replace(with: ListSnapshot(unchecked: material))
  }

  @inlinable
  mutating func passing(_ list: Input, _ section: Int, _ transform: Transform) -> [Row] {
    var rows: [Row] = []
    for row in list.rows(inSection: section) { if let new = transformed(row, transform) { rows.append(new) } }
    return rows
  }
}

// MARK: - From changes

extension Placement {
  /// A row that is to be placed, and its path in the source.
  @usableFromInline typealias Arrival = (row: Row, path: RowPath)

  /// Brings the index up to date. Comes before ``take(_:from:to:others:_:)``.
  @inlinable
  mutating func prepare(for changes: ListChanges, to after: Input) {
    if usesPaths(of: after) || index.own != nil { index.follow(changes, to: after) }
  }

  /// Edits into the output what changes do to it: rows that change their place are taken out, then put where they
  /// belong among those that stay.
  ///
  /// - Parameters:
  ///   - changes: The changes of the source.
  ///   - before: The source before them.
  ///   - after: The source after them.
  ///   - others: Rows to look at besides, by their paths after the change. No row that the changes touch is among them.
  ///   - transform: What a row becomes.
  /// - Complexity: O(log n) comparisons for each changed row. Comparing by source takes O(log n).
  @inlinable
  mutating func take(
    _ changes: ListChanges, from before: Input, to after: Input, others: [RowPath] = [], _ transform: Transform
  ) {
    let touched: TouchedRows
    switch grouping {
    case .source: touched = TouchedRows(changes.rows)
    case .keys: touched = TouchedRows(changes, from: before, to: after)
    }
    if touched.count + others.count > 64 + after.rowCount / 4 { return rebuild(from: after, transform) }
    var arrivals: [Arrival] = []
    for path in touched.leaving {
      let id = before.row(at: path).id
      forget(id)
      if let path = output.path(ofRow: id) { takeOut(path) }
    }
    for (path, hasMoved) in touched.staying { review(after, path, hasMoved, &arrivals, transform) }
    for path in others { review(after, path, false, &arrivals, transform) }
    if case .source(let section) = grouping {
      takeSections(changes.sections, from: before, to: after, section, transform)
    }
    for path in touched.arriving {
      if let row = transformed(after.row(at: path), transform) { arrivals.append((row, path)) }
    }
    let comparesSections = keepsSectionsApart && after.sectionCount > 1
    for arrival in arrivals { place(arrival, comparesSections: comparesSections) }
  }

  /// Looks at a row that stays in the source.
  @inlinable
  mutating func review(
    _ after: Input, _ path: RowPath, _ hasMoved: Bool, _ arrivals: inout [Arrival], _ transform: Transform
  ) {
    let row = after.row(at: path)
    let old = output.find(row.id)
    let new = transformed(row, transform)
    if let old, let new, !hasMoved, isAtOnePlace(old.row, new) {
      return output.replaceRow(old.row, at: old.path, with: new)
    }
    if let old { takeOut(old.path) }
    if let new { arrivals.append((new, path)) }
  }

  /// Whether two versions of a row belong at the same place, wherever all others are.
  @inlinable
  func isAtOnePlace(_ old: Row, _ new: Row) -> Bool {
    if case .keys(let grouping) = grouping, grouping.compare(old, new) != .same { return false }
    return order.compare(old, new) == .same
  }

  @inlinable
  mutating func takeSections(
    _ changes: Changeset<Int>, from before: Input, to after: Input, _ section: (InputSection) -> Section,
    _ transform: Transform
  ) {
    if changes.isEmpty { return }
    for index in changes.deletes where !failures.isEmpty {
      for row in before.rows(inSection: index) { forget(row.id) }
    }
    var arriving: [Int: [Row]] = [:]
    for index in changes.inserts {
      arriving[index] = passing(after, index, transform)
      order.sort(&arriving[index, default: []])
    }
    output.apply(changes) { ListSection(section(after.section(at: $0)), rows: arriving[$0] ?? []) }
    for update in changes.updates {
      output.replaceSection(at: update.to, with: section(after.section(at: update.to)))
    }
  }

  /// Takes a row out, and its section if that has no other one and is not kept.
  @inlinable
  mutating func takeOut(_ path: RowPath) {
    let row = output.removeRow(at: path)
    guard case .keys(let grouping) = grouping, output.snapshot.rowCount(inSection: path.section) == 0 else { return }
    if grouping.compareKept(output.snapshot.section(at: path.section).id, row) == nil {
      output.removeSection(at: path.section)
    }
  }

  /// Puts a row where it belongs.
  @inlinable
  mutating func place(_ arrival: Arrival, comparesSections: Bool) {
    var section = arrival.path.section
    if case .keys(let grouping) = grouping {
      let found = self.section(of: arrival.row, grouping)
      section = found.index
      if !found.exists {
        let model = grouping.section(arrival.row)
        precondition(
          output.index(ofSection: model.id) == nil,
          "Different keys need sections with different ids, but two have the id \(model.id)")
        output.insertSection(model, at: section)
      }
    }
    let row = self.index(of: arrival, inSection: section, comparesSections)
    output.insertRow(arrival.row, at: RowPath(section: section, row: row))
  }

  /// Where in its section a row belongs.
  @inlinable
  func index(of arrival: Arrival, inSection section: Int, _ comparesSections: Bool) -> Int {
    let list = output.snapshot
    let rows = list.rows(inSection: section)
    // As the source has them, most rows arrive at the end.
    if order.isSource, rows.last.map({ precedes($0, arrival, comparesSections) }) ?? true { return rows.count }
    return list.partitioningRow(inSection: section) { !precedes($0, arrival, comparesSections) }
  }

  /// Whether a row that is there belongs before one that arrives.
  @inlinable
  func precedes(_ row: Row, _ arrival: Arrival, _ comparesSections: Bool) -> Bool {
    if comparesSections {
      let section = index.requiredPath(ofRow: row.id).section
      if section != arrival.path.section { return section < arrival.path.section }
    }
    switch order.compare(row, arrival.row) {
    case .before: return true
    case .after: return false
    case .same: return !order.usesSource || index.requiredPath(ofRow: row.id) < arrival.path
    }
  }

  /// Which section a row belongs to by its key, or where that is to be made.
  @inlinable
  func section(of row: Row, _ grouping: KeyGrouping<Section, Row>) -> (index: Int, exists: Bool) {
    let list = output.snapshot
    var exists = false
    let index = list.partitioningSection { section, rows in
      let ordering = rows.first.map { grouping.compare($0, row) } ?? grouping.compareKept(section.id, row)
      // The search ends with the section itself, if there is one.
      if ordering == .same { exists = true }
      return ordering != .before
    }
    return (index, exists)
  }
}
