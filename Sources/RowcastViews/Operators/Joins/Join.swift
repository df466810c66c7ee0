public import RowcastDiff
public import RowcastModel

/// The rows of one list, each combined with the partner that its key refers to: a row of another list, or a group of rows.
@usableFromInline
struct Join<
  LeftSection: SectionViewModel, LeftRow: RowViewModel, Key: Hashable & Sendable, Partner, Row: RowViewModel
> where LeftRow.ID == Row.ID {
  @usableFromInline typealias Left = ListSnapshot<LeftSection, LeftRow>

  @usableFromInline let key: (LeftRow) -> Key?
  /// Makes a row, or none.
  @usableFromInline let combine: (LeftRow, Partner?) throws -> Row?
  @usableFromInline var placement: Placement<LeftSection, LeftRow, LeftSection, Row, Never>
  @usableFromInline let partners: JoinPartners<Key, Partner>
  /// The rows on the left by their keys; made when the right side changes for the first time.
  @usableFromInline var members: [Key: Set<LeftRow.ID>]?
  @usableFromInline var left = Left()

  @inlinable
  init(
    _ left: ListNode<LeftSection, LeftRow>, _ partners: JoinPartners<Key, Partner>, key: @escaping (LeftRow) -> Key?,
    combine: @escaping (LeftRow, Partner?) throws -> Row?
  ) {
    self.partners = partners
    // A key that is not equal to itself could not be found again: it refers to no row.
    self.key = { row in
      let key = key(row)
      return key == key ? key : nil
    }
    self.combine = combine
    placement = Placement(of: left)
  }

  /// Rebuilds the output. Takes O(n) for the n rows of both sides.
  @inlinable
  mutating func rebuild(from left: Left) {
    self.left = left
    partners.rebuild()
    placement.rebuild(from: left) { [key, partners, combine] row in
      try combine(row, key(row).flatMap { partners.partner($0) })
    }
    checkInvariants()
  }

  /// Checks, in debug builds, that there are no more groups than rows on the left.
  @inlinable
  func checkInvariants() {
    assert(
      members.map { $0.count <= left.rowCount } ?? true, "\(members?.count ?? 0) groups of \(left.rowCount) rows")
  }

  /// Brings the output up to date with both sides, all at once.
  /// Takes O(log n) for each row on the left that changed, or whose partner did.
  @inlinable
  mutating func step(to left: Left) -> Bool {
    let before = placement.output.snapshot
    let changed = partners.step()
    let changes = self.left.changes(to: left)
    if members != nil && !changes.isEmpty {
      regroup(TouchedRows(contentOf: changes, from: self.left, to: left), to: left)
    }
    if !changed.isEmpty && members == nil { group(left) }
    placement.index.follow(changes, to: left)
    let others = affectedRows(changed)
    placement.step(changes, from: self.left, to: left, others: others) { [key, partners, combine] row in
      try combine(row, key(row).flatMap { partners.partner($0) })
    }
    self.left = left
    checkInvariants()
    return placement.output.commit(from: before)
  }

  /// Groups the rows on the left by their keys.
  @inlinable
  mutating func group(_ left: Left) {
    var members: [Key: Set<LeftRow.ID>] = [:]
    for row in left.allRows { if let key = key(row) { members.insert(row.id, for: key) } }
    self.members = members
  }

  /// Brings the groups up to date.
  @inlinable
  mutating func regroup(_ touched: TouchedRows, to left: Left) {
    for path in touched.former {
      let row = self.left.row(at: path)
      if let key = key(row) { members?.remove(row.id, for: key) }
    }
    for path in touched.current {
      let row = left.row(at: path)
      if let key = key(row) { members?.insert(row.id, for: key) }
    }
  }

  /// The paths of rows on the left whose partners changed.
  @inlinable
  func affectedRows(_ changed: Set<Key>) -> [RowPath] {
    guard let members, !changed.isEmpty else { return [] }
    // A row whose `==` ignores its key may have left its group unseen.
    return changed.flatMap { members[$0] ?? [] }.compactMap { placement.index.path(ofRow: $0) }
  }
}

extension ListNode {
  /// A list whose rows are joined with partners that are made from another list.
  @inlinable
  static func joining<LeftRow, Key, Partner>(
    _ left: ListNode<Section, LeftRow>, _ partners: JoinPartners<Key, Partner>,
    key: @escaping (LeftRow) -> Key?, combine: @escaping (LeftRow, Partner?) throws -> Row?
  ) -> ListNode where LeftRow.ID == Row.ID {
    var join = Join<Section, LeftRow, Key, Partner, Row>(left, partners, key: key, combine: combine)
    let output = join.placement.output
    return derived(
      pull: {
        // Both are pulled, even if the first one changed.
        let areChanged = (left.pull(), partners.pull())
        return areChanged.0 || areChanged.1
      },
      rebuild: { join.rebuild(from: left.snapshot()) },
      step: { join.step(to: left.snapshot()) },
      snapshot: { output.snapshot }, path: { output.path(ofRow: $0) },
      failures: { left.failures().merging(join.placement.failures) { left, _ in left } })
  }
}
