public import RowcastDiff
public import RowcastModel

/// Keeps the first row of each key.
///
/// The first row of each key is known. Keys with several rows have a group of them, in the order of the source.
@usableFromInline
struct DistinctOperator<Section: SectionViewModel, Row: RowViewModel, Key: Hashable & Sendable> {
  @usableFromInline typealias Groups = ListDraft<Mark<Key>, Mark<Row.ID>>

  @usableFromInline let key: @Sendable (Row) -> Key
  @usableFromInline var placement: Placement<Section, Row, Section, Row, Never>
  /// The first row of each key that is equal to itself.
  @usableFromInline var leaders: [Key: Row.ID] = [:]
  /// The keys of the rows that the output was made of, in their order; empty once the rows are in groups.
  @usableFromInline var keys: [Key] = []
  @usableFromInline var groups = Groups()

  @inlinable
  init(key: @escaping @Sendable (Row) -> Key, index: SourceIndex<Section, Row>) {
    self.key = key
    placement = Placement(.unchanged, index: index)
  }

  @inlinable
  mutating func rebuild(from list: ListSnapshot<Section, Row>) {
    var keys: [Key] = []
    keys.reserveCapacity(list.rowCount)
    var seen: Set<Key> = []
    placement.rebuild(from: list) { [key] _, section in
      list.rows(inSection: section).filter { row in
        let key = key(row)
        keys.append(key)
        return key != key || seen.insert(key).inserted
      }
    }
    (self.keys, leaders, groups) = (keys, [:], Groups())
    checkInvariants(list)
  }

  /// Makes the groups of the rows that the output was made of.
  @inlinable
  mutating func group(_ list: ListSnapshot<Section, Row>) {
    if keys.isEmpty { return }
    var indexes: [Key: Int] = [:]
    var members: [ListSection<Mark<Key>, Mark<Row.ID>>] = []
    for (row, key) in zip(list.allRows, keys) where key == key {
      guard let leader = leaders[key] else {
        leaders[key] = row.id
        continue
      }
      if let index = indexes[key] {
        members[index].rows.append(Mark(row.id))
      } else {
        indexes[key] = members.count
        members.append(ListSection(Mark(key), rows: [Mark(leader), Mark(row.id)]))
      }
    }
    groups = Groups(ListSnapshot(numbered: members))
    keys = []
  }

  /// Brings the output from one list to the next. Returns true if that changed it.
  @inlinable
  mutating func step(from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>) -> Bool {
    let list = placement.output.snapshot
    let changes = before.changes(to: after)
    let touched = TouchedRows(changes, from: before, to: after)
    if touched.count > 64 + after.rowCount / 4 {
      rebuild(from: after)
      return placement.output.commit(from: list)
    }
    group(before)
    placement.index.follow(changes, to: after)
    var regrouping: Regrouping = ([:], [:])
    regroup(touched, from: before, to: after, &regrouping)
    let others = flippedRows(&regrouping).notSeen(by: changes)
    placement.take(changes, from: before, to: after, others: others) { [key, leaders, regrouping] row in
      let key = regrouping.keys[row.id] ?? key(row)
      return key != key || leaders[key] == row.id ? row : nil
    }
    checkInvariants(after)
    return placement.output.commit(from: list)
  }

  /// Checks, in debug builds, that rows are in groups or their keys are known, and that each key shows one row.
  @inlinable
  func checkInvariants(_ list: ListSnapshot<Section, Row>) {
    assert(
      keys.isEmpty || (keys.count == list.rowCount && leaders.isEmpty && groups.list.isEmpty),
      "\(keys.count) keys of \(list.rowCount) rows, \(leaders.count) of them with a first row")
    assert(
      groups.list.sectionCount <= leaders.count && leaders.count <= placement.output.snapshot.rowCount,
      "\(groups.list.sectionCount) groups, \(leaders.count) keys and \(placement.output.snapshot.rowCount) rows")
  }
}

// MARK: - Groups

extension DistinctOperator {
  /// What changes do to groups: the keys of rows that were looked at, as a key is taken once, and the rows that were the first of
  /// keys whose groups have changed.
  @usableFromInline typealias Regrouping = (keys: [Row.ID: Key], leaders: [Key: Row.ID?])

  /// Puts rows into their groups.
  @inlinable
  mutating func regroup(
    _ touched: TouchedRows, from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>,
    _ regrouping: inout Regrouping
  ) {
    var arrivals: [(id: Row.ID, path: RowPath, key: Key)] = []
    for path in touched.leaving {
      let row = before.row(at: path)
      takeOut(row.id, key(row), &regrouping)
    }
    for touch in touched.staying {
      let row = after.row(at: touch.path)
      let new = key(row)
      let old = touch.former.map { key(before.row(at: $0)) } ?? new
      regrouping.keys[row.id] = new
      if !touch.hasMoved, old == new { continue }
      takeOut(row.id, old, &regrouping)
      arrivals.append((row.id, touch.path, new))
    }
    for path in touched.arriving {
      let row = after.row(at: path)
      arrivals.append((row.id, path, key(row)))
    }
    for (id, path, key) in arrivals {
      regrouping.keys[id] = key
      place(id, path, key, &regrouping)
    }
    groups.commit()
  }

  /// The paths, after the change, of rows that are the first of their key now or were so before, but not both.
  @inlinable
  func flippedRows(_ regrouping: inout Regrouping) -> [RowPath] {
    var flipped: [RowPath] = []
    for (key, leader) in regrouping.leaders where leader != leaders[key] {
      for id in [leader, leaders[key]] {
        guard let id, let path = placement.index.path(ofRow: id) else { continue }
        if regrouping.keys[id] == nil { regrouping.keys[id] = key }
        flipped.append(path)
      }
    }
    return flipped
  }

  @inlinable
  mutating func takeOut(_ id: Row.ID, _ key: Key, _ regrouping: inout Regrouping) {
    guard key == key else { return }
    if regrouping.leaders[key] == nil { regrouping.leaders[key] = .some(leaders[key]) }
    guard let group = groups.index(ofSection: key), let path = groups.path(ofRow: id) else {
      leaders[key] = nil
      return
    }
    groups.removeRow(at: path)
    leaders[key] = groups.list.rows(inSection: group).first?.id
    if leaders[key] == nil { groups.removeSection(at: group) }
  }

  @inlinable
  mutating func place(_ id: Row.ID, _ path: RowPath, _ key: Key, _ regrouping: inout Regrouping) {
    guard key == key else { return }
    if regrouping.leaders[key] == nil { regrouping.leaders[key] = .some(leaders[key]) }
    guard let leader = leaders[key] else {
      leaders[key] = id
      return
    }
    let group = groups.index(ofSection: key) ?? groups.list.sectionCount
    if group == groups.list.sectionCount { groups.insertSection(Mark(key), rows: [Mark(leader)], at: group) }
    let place = groups.list.partitioningRow(inSection: group) { path < placement.index.requiredPath(ofRow: $0.id) }
    groups.insertRow(Mark(id), at: RowPath(section: group, row: place))
    if place == 0 { leaders[key] = id }
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
    .init { builder, tail in
      let upstream = builder.node(of: self)
      var operation = DistinctOperator<Section, Row, Key>(key: key, index: SourceIndex(shared: upstream.path))
      return ListNode.following(
        upstream, rebuild: { operation.rebuild(from: $0) }, step: { operation.step(from: $0, to: $1) },
        snapshot: { operation.placement.output.snapshot }, path: { operation.placement.output.path(ofRow: $0) },
        failures: upstream.failures
      ).ending(with: tail)
    }
  }
}
