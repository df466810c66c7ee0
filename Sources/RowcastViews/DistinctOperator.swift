public import RowcastDiff
public import RowcastModel

/// Keeps the first row of each key.
///
/// All rows stand in groups by key, in the order of the source: who leads his group is in the output.
@usableFromInline
struct DistinctOperator<Section: SectionViewModel, Row: RowViewModel, Key: Hashable & Sendable>: ListOperator {
  @usableFromInline typealias InputSection = Section
  @usableFromInline typealias InputRow = Row
  @usableFromInline typealias Groups = ListDraft<Mark<Key>, Mark<Row.ID>>

  @usableFromInline let key: @Sendable (Row) -> Key
  @usableFromInline var placement: Placement<Section, Row, Section, Row>
  @usableFromInline var groups = Groups()

  @inlinable
  init(key: @escaping @Sendable (Row) -> Key, index: SourceIndex<Section, Row>) {
    self.key = key
    placement = Placement(.source { $0 }, order: RowOrder(), index: index)
  }

  @inlinable var output: ListDraft<Section, Row> {
    _read { yield placement.output }
    _modify { yield &placement.output }
  }

  @inlinable var failures: [Row.ID: any Error] { [:] }

  @inlinable
  mutating func rebuild(from list: ListSnapshot<Section, Row>) {
    var members: [Key: [Mark<Row.ID>]] = [:]
    for section in 0..<list.sectionCount {
      for row in list.rows(inSection: section) { members[key(row), default: []].append(Mark(row.id)) }
    }
    groups = Groups(ListSnapshot(unchecked: members.map { ListSection(Mark($0.key), rows: $0.value) }))
    placement.rebuild(from: list) { [groups] in groups.path(ofRow: $0.id)?.row == 0 ? $0 : nil }
  }

  @inlinable
  mutating func take(
    _ changes: ListChanges, from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>
  ) {
    let touched = TouchedRows(changes, from: before, to: after)
    if touched.count > 64 + after.rowCount / 4 { return rebuild(from: after) }
    placement.prepare(for: changes, to: after)
    let leaders = regroup(touched, from: before, to: after)
    let others = leaders.filter { !isSeen($0, by: changes) }
    placement.take(changes, from: before, to: after, others: others) { [groups] in
      groups.path(ofRow: $0.id)?.row == 0 ? $0 : nil
    }
  }

  /// Whether the placement looks at a row in any case.
  @inlinable
  func isSeen(_ path: RowPath, by changes: ListChanges) -> Bool {
    changes.sections.inserts.contains(path.section) || changes.rows.inserts.contains(path)
      || changes.rows.moves.contains { $0.to == path } || changes.rows.updates.contains { $0.to == path }
  }

  /// Puts rows into their groups.
  ///
  /// - Returns: The paths, after the change, of rows that lead their group now or did so before, but not both.
  @inlinable
  mutating func regroup(
    _ touched: TouchedRows, from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>
  ) -> [RowPath] {
    var former: [Key: Row.ID?] = [:]
    var arrivals: [(row: Row, path: RowPath)] = touched.arriving.map { (after.row(at: $0), $0) }
    for path in touched.leaving { takeOut(before.row(at: path).id, &former) }
    for (path, hasMoved) in touched.staying {
      let row = after.row(at: path)
      if !hasMoved, let known = groups.path(ofRow: row.id), groups.snapshot.section(at: known.section).id == key(row) {
        continue
      }
      takeOut(row.id, &former)
      arrivals.append((row, path))
    }
    for (row, path) in arrivals { place(row, path, &former) }
    groups.commit()
    var flipped: [RowPath] = []
    for (key, leader) in former {
      let new = groups.index(ofSection: Mark(key).id).map { groups.snapshot.row(at: RowPath(section: $0, row: 0)).id }
      if leader == new { continue }
      flipped += [leader, new].compactMap { $0.flatMap { placement.index.path(ofRow: $0) } }
    }
    return flipped
  }

  @inlinable
  mutating func note(_ group: Int, _ former: inout [Key: Row.ID?]) {
    let key = groups.snapshot.section(at: group).id
    if former[key] == nil { former[key] = .some(groups.snapshot.row(at: RowPath(section: group, row: 0)).id) }
  }

  @inlinable
  mutating func takeOut(_ id: Row.ID, _ former: inout [Key: Row.ID?]) {
    guard let path = groups.path(ofRow: id) else { return }
    note(path.section, &former)
    groups.removeRow(at: path)
    if groups.snapshot.rowCount(inSection: path.section) == 0 { groups.removeSection(at: path.section) }
  }

  @inlinable
  mutating func place(_ row: Row, _ path: RowPath, _ former: inout [Key: Row.ID?]) {
    let key = key(row)
    guard let group = groups.index(ofSection: key) else {
      if former[key] == nil { former[key] = .some(nil) }
      return groups.insertSection(Mark(key), rows: [Mark(row.id)], at: groups.snapshot.sectionCount)
    }
    note(group, &former)
    let place = groups.snapshot.partitioningRow(inSection: group) {
      path < placement.index.requiredPath(ofRow: $0.id)
    }
    groups.insertRow(Mark(row.id), at: RowPath(section: group, row: place))
  }
}

extension Arrangement {
  /// Keeps the first row of each key, in the order of the list as it is here. Sections stay, also those without rows.
  ///
  /// A key that is not equal to itself is the key of one row only: each row that has one is kept.
  ///
  /// - Parameter key: The key of a row. It is asked once or twice for each row that changed.
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: O(log n) comparisons of places, in O(log n) each, for each changed row of n.
  @inlinable
  public func distinct<Key: Hashable & Sendable>(by key: @escaping @Sendable (Row) -> Key) -> Arrangement {
    followed { builder, tail in
      let upstream = builder.node(of: self)
      let node = ListNode.applying(DistinctOperator(key: key, index: SourceIndex(shared: upstream.path)), to: upstream)
      return node.ending(with: tail)
    }
  }
}
