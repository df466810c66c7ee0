public import RowcastDiff
public import RowcastModel

/// Keeps the first row of each key.
@usableFromInline
struct DistinctOperator<Section: SectionViewModel, Row: RowViewModel, Key: Hashable & Sendable>: ListOperator {
  @usableFromInline typealias Input = ListSnapshot<Section, Row>

  @usableFromInline let key: @Sendable (Row) -> Key
  @usableFromInline var placement: Placement<Section, Row, Section, Row, Never>
  /// The first row of each key that is equal to itself.
  @usableFromInline var leaders: [Key: Row.ID] = [:]
  /// The keys of the rows that the output was made from, in their order; empty once the rows are in groups.
  @usableFromInline var keys: [Key] = []
  /// The rows of each key that has several, merged to the first of them.
  @usableFromInline var groups: [Key: MergeTree<Row.ID, Row.ID>] = [:]

  @inlinable
  init(_ upstream: ListNode<Section, Row>, key: @escaping @Sendable (Row) -> Key) {
    self.key = key
    placement = Placement(of: upstream)
  }

  @inlinable var output: ListOutput<Section, Row> { placement.output }

  @inlinable
  mutating func rebuild(from list: Input) {
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
    (self.keys, leaders, groups) = (keys, [:], [:])
  }

  /// Groups the rows that the output was made from.
  @inlinable
  mutating func group(_ list: Input) {
    if keys.isEmpty { return }
    var members: [Key: [Row.ID]] = [:]
    for (row, key) in zip(list.allRows, keys) where key == key {
      if let leader = leaders[key] { members[key, default: [leader]].append(row.id) } else { leaders[key] = row.id }
    }
    for (key, ids) in members { groups[key] = group(of: ids) }
    keys = []
  }

  @inlinable
  func group(of ids: [Row.ID]) -> MergeTree<Row.ID, Row.ID> {
    let group = MergeTree<Row.ID, Row.ID> { [index = placement.index] first, second in
      // Rows that are about to leave the group may have left the source.
      guard let other = index.path(ofRow: second) else { return first }
      return index.path(ofRow: first).map { $0 < other } ?? false ? first : second
    }
    group.rebuild(ids, ids)
    return group
  }

  @inlinable
  func change(from before: Input, to after: Input) -> TouchingChanges {
    let changes = before.changes(to: after)
    return (changes, TouchedRows(changes, from: before, to: after))
  }

  @inlinable
  mutating func step(_ change: TouchingChanges, from before: Input, to after: Input) {
    group(before)
    placement.index.follow(change.all, to: after)
    var regrouping: Regrouping = ([:], [])
    regroup(change.rows, from: before, to: after, &regrouping)
    let others = regrouping.flipped.compactMap { placement.index.path(ofRow: $0) }
    placement.follow(change.all, from: before, to: after, others: others) {
      [key, leaders, keys = regrouping.keys] row in
      let key = keys[row.id] ?? key(row)
      return key != key || leaders[key] == row.id ? row : nil
    }
  }

  /// Rows are in groups or their keys are known, and each key shows one row.
  @inlinable
  func checkInvariants(for list: Input) {
    placement.checkInvariants(list)
    assert(
      keys.isEmpty || (keys.count == list.rowCount && leaders.isEmpty && groups.isEmpty),
      "\(keys.count) keys of \(list.rowCount) rows, \(leaders.count) of them with a first row")
    assert(
      groups.count <= leaders.count && leaders.count <= placement.output.snapshot.rowCount,
      "\(groups.count) groups, \(leaders.count) keys and \(placement.output.snapshot.rowCount) rows")
  }

  // MARK: - Groups

  /// The keys of rows that were looked at, so that each is asked for once, and the rows that became or ceased to be the first of
  /// their key at some moment of the step.
  @usableFromInline typealias Regrouping = (keys: [Row.ID: Key], flipped: Set<Row.ID>)

  /// Moves rows to their groups.
  @inlinable
  mutating func regroup(
    _ touched: TouchedRows, from before: Input, to after: Input,
    _ regrouping: inout Regrouping
  ) {
    var arrivals: [(id: Row.ID, key: Key)] = []
    for path in touched.leaving {
      let row = before.row(at: path)
      ungroup(row.id, key(row), &regrouping)
    }
    for touch in touched.staying {
      let row = after.row(at: touch.path)
      let new = key(row)
      let old = touch.former.map { key(before.row(at: $0)) } ?? new
      regrouping.keys[row.id] = new
      if !touch.hasMoved, old == new { continue }
      ungroup(row.id, old, &regrouping)
      arrivals.append((row.id, new))
    }
    for path in touched.arriving {
      let row = after.row(at: path)
      arrivals.append((row.id, key(row)))
    }
    for (id, key) in arrivals {
      regrouping.keys[id] = key
      place(id, key, &regrouping)
    }
  }

  @inlinable
  mutating func ungroup(_ id: Row.ID, _ key: Key, _ regrouping: inout Regrouping) {
    guard key == key else { return }
    let group = groups[key]
    group?.remove(id)
    lead(group?.root, key, &regrouping)
  }

  @inlinable
  mutating func place(_ id: Row.ID, _ key: Key, _ regrouping: inout Regrouping) {
    guard key == key else { return }
    guard let leader = leaders[key] else { return lead(id, key, &regrouping) }
    let group = groups[key] ?? group(of: [leader])
    group.set(id, for: id)
    groups[key] = group
    lead(group.root, key, &regrouping)
  }

  /// Makes a row the first of its key; without one, no row has that key any more.
  @inlinable
  mutating func lead(_ id: Row.ID?, _ key: Key, _ regrouping: inout Regrouping) {
    func flip(_ id: Row.ID) {
      if regrouping.keys[id] == nil { regrouping.keys[id] = key }
      regrouping.flipped.insert(id)
    }
    let former = leaders[key]
    if former == id { return }
    leaders[key] = id
    if let former { flip(former) }
    if let id { flip(id) } else { groups[key] = nil }
  }
}

extension Arrangement {
  /// Keeps the first row of each key, in the order of the list at this point. Sections stay, also empty ones.
  ///
  /// A key that is not equal to itself is the key of one row only: each row that has one is kept.
  ///
  /// - Parameter key: The key of a row. It is asked once or twice for each row that changed, and for all rows if more than about
  ///   a quarter of them did.
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: O(log n) comparisons of places, in O(log n) each, for each changed row of n.
  @inlinable
  public func distinct<Key: Hashable & Sendable>(by key: @escaping @Sendable (Row) -> Key) -> Arrangement {
    .init("a row before it has the same key") { builder, tail in
      .distinct(builder.node(of: self), by: key).ending(with: tail)
    }
  }
}

extension ListNode {
  /// The first row of each key.
  @inlinable
  static func distinct<Key: Hashable & Sendable>(
    _ upstream: ListNode, by key: @escaping @Sendable (Row) -> Key
  ) -> ListNode {
    ListNode(DistinctOperator<Section, Row, Key>(upstream, key: key), reading: upstream)
  }
}
