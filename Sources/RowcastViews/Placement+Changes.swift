public import RowcastDiff
public import RowcastModel

extension Placement {
  /// A row that is to be placed, and its path in the source.
  @usableFromInline typealias Arrival = (row: Row, path: RowPath)

  /// Brings the index up to date. Comes before ``take(_:from:to:others:_:)``.
  @inlinable
  func prepare(for changes: ListChanges, to after: Input) { index.follow(changes, to: after) }

  /// Edits into the output what changes do to it: rows that change their place are taken out, then put where they
  /// belong among those that stay. Others are rows to look at that no change touches, by their paths after the change.
  ///
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
    output.open()
    var departures: Departures = ([], [])
    var arrivals: [Arrival] = []
    for path in touched.leaving {
      let id = before.row(at: path).id
      forget(id)
      guard let old = output.draft.find(id) else { continue }
      if keepsLast { departed[id] = old.row }
      takeOut(old.path, &departures)
    }
    for touch in touched.staying { review(after, touch.path, touch.hasMoved, &arrivals, &departures, transform) }
    for path in others { review(after, path, false, &arrivals, &departures, transform) }
    if case .source(let section) = grouping {
      takeSections(changes.sections, from: before, to: after, section, transform)
    }
    settle(departures)
    for path in touched.arriving {
      if let row = transformed(after.row(at: path), transform) { arrivals.append((row, path)) }
    }
    for (row, path) in arrivals { place(row, path) }
    departed = [:]
    checkInvariants(after)
  }

  /// Looks at a row that stays in the source.
  @inlinable
  mutating func review(
    _ after: Input, _ path: RowPath, _ hasMoved: Bool, _ arrivals: inout [Arrival], _ departures: inout Departures,
    _ transform: Transform
  ) {
    let row = after.row(at: path)
    let old = output.draft.find(row.id)
    let new = transformed(row, transform)
    if let old, let new, !hasMoved, isAtOnePlace(old.row, new) {
      return output.draft.replaceRow(old.row, at: old.path, with: new)
    }
    if let old { takeOut(old.path, &departures) }
    if let new { arrivals.append((new, path)) }
  }

  /// Whether two versions of a row belong at the same place, wherever all others are.
  @inlinable
  func isAtOnePlace(_ old: Row, _ new: Row) -> Bool {
    if case .keys(let grouping) = grouping, !grouping.haveEqualKeys(old, new) { return false }
    return isOrderConsistent && order.compare(old, new) == .same
  }

  @inlinable
  mutating func takeSections(
    _ changes: Changeset<Int>, from before: Input, to after: Input, _ section: (InputSection) -> Section,
    _ transform: Transform
  ) {
    if changes.isEmpty { return }
    for index in changes.deletes {
      for row in before.rows(inSection: index) where keepsLast || !failed.isEmpty {
        forget(row.id)
        if keepsLast { departed[row.id] = output.draft.find(row.id)?.row }
      }
      pivots[section(before.section(at: index)).id] = nil
    }
    var arriving: [Int: [Row]] = [:]
    for index in changes.inserts {
      arriving[index] = sorted(
        passing(after.rows(inSection: index), transform), in: section(after.section(at: index)).id)
    }
    output.draft.apply(changes) { ListSection(section(after.section(at: $0)), rows: arriving[$0] ?? []) }
    for update in changes.updates {
      output.draft.replaceSection(at: update.to, with: section(after.section(at: update.to)))
    }
  }
}

// MARK: - Rows that leave

extension Placement {
  /// What rows that were taken out leave to be done when all of them are gone: for the sections that have lost the row whose key
  /// decides their places, and for those whose rows may have another order now.
  @usableFromInline typealias Departures = (unsettled: Set<Section.ID>, loose: Set<Section.ID>)

  /// Takes a row out, and its section if that has no other one and is not kept.
  @inlinable
  mutating func takeOut(_ path: RowPath, _ departures: inout Departures) {
    let row = output.draft.removeRow(at: path)
    if isOrderConsistent, case .source = grouping { return }
    let id = output.draft.list.section(at: path.section).id
    if !isOrderConsistent {
      pivots[id]?.remove(at: path.row)
      departures.loose.insert(id)
    }
    guard case .keys(let grouping) = grouping else { return }
    if shared.remove(row.id) { departures.unsettled.insert(id) }
    guard output.draft.list.rowCount(inSection: path.section) == 0 else { return }
    if let kept = grouping.kept[id] {
      if grouping.compare(.kept(kept), .row(row)) != .same { departures.unsettled.insert(id) }
    } else {
      output.draft.removeSection(at: path.section)
      pivots[id] = nil
    }
  }

  /// Puts in order what rows that were taken out had kept in order.
  @inlinable
  mutating func settle(_ departures: Departures) {
    for id in departures.loose {
      guard var order = pivots.removeValue(forKey: id), let section = output.draft.index(ofSection: id) else {
        continue
      }
      for stretch in order.restoreOrder({ precedes($0, $1) }) { reorder(stretch, inSection: section) }
      pivots[id] = order
    }
    if case .keys(let grouping) = grouping { refit(departures.unsettled, grouping) }
  }

  /// Gives rows of a section, which has them, another order.
  @inlinable
  mutating func reorder(_ stretch: PivotOrder<Row>.Stretch, inSection section: Int) {
    let old = output.draft.list.rows(inSection: section, stretch.start..<stretch.start + stretch.rows.count)
    if zip(old, stretch.rows).allSatisfy({ $0.id == $1.id }) { return }
    let start = RowPath(section: section, row: stretch.start)
    for _ in old { output.draft.removeRow(at: start) }
    output.draft.insertRows(stretch.rows, at: start)
  }
}

// MARK: - Rows that arrive

extension Placement {
  /// Puts a row where it belongs, by its path in the source.
  @inlinable
  mutating func place(_ row: Row, _ path: RowPath) {
    guard case .keys(let grouping) = grouping else { return insert(row, path, inSection: path.section) }
    guard let (section, isUnsettled) = openSection(for: row, grouping) else { return }
    insert(row, path, inSection: section)
    if isUnsettled { refit([output.draft.list.section(at: section).id], grouping) }
  }

  /// Puts a row where in its section it belongs.
  @inlinable
  mutating func insert(_ row: Row, _ path: RowPath, inSection section: Int) {
    if isOrderConsistent {
      return output.draft.insertRow(
        row, at: RowPath(section: section, row: index(of: row, path, inSection: section)))
    }
    let id = output.draft.list.section(at: section).id
    var order = pivots.removeValue(forKey: id) ?? PivotOrder()
    let (start, rows) = order.insert(row) { precedes($0, $1) }
    pivots[id] = order
    let place = rows.firstIndex { $0.id == row.id } ?? 0
    var others = rows
    others.remove(at: place)
    reorder((start, others), inSection: section)
    output.draft.insertRow(row, at: RowPath(section: section, row: start + place))
  }

  /// Where in its section a row belongs.
  @inlinable
  func index(of row: Row, _ path: RowPath, inSection section: Int) -> Int {
    let list = output.draft.list
    let rows = list.rows(inSection: section)
    // As the source has them, most rows arrive at the end.
    if order.isSource, rows.last.map({ precedes($0, row, path) }) ?? true { return rows.count }
    return list.partitioningRow(inSection: section) { !precedes($0, row, path) }
  }

  /// Whether a row that is there belongs before one that arrives, whose path in the source is known.
  @inlinable
  func precedes(_ row: Row, _ arrival: Row, _ path: RowPath) -> Bool {
    switch order.compare(row, arrival) {
    case .before: return true
    case .after: return false
    case .same: return index.requiredPath(ofRow: row.id) < path
    }
  }
}
