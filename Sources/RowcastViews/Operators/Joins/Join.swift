public import RowcastDiff
public import RowcastModel

/// The rows of one list, each combined with the partner that its key refers to: a row of another list, or a group of rows.
@usableFromInline
struct Join<Section: SectionViewModel, LeftRow: RowViewModel, Partners: JoinPartners, Row: RowViewModel>: ListOperator
where LeftRow.ID == Row.ID {
  @usableFromInline typealias Left = ListSnapshot<Section, LeftRow>
  /// The list of rows, and the list that partners are made of.
  @usableFromInline typealias Input = (left: Left, right: Partners.List)
  @usableFromInline typealias Key = Partners.Key
  @usableFromInline typealias Partner = Partners.Partner

  @usableFromInline let key: (LeftRow) -> Key?
  /// Makes a row, or none.
  @usableFromInline let combine: (LeftRow, Partner?) throws -> Row?
  @usableFromInline var placement: Placement<Section, LeftRow, Section, Row, Never>
  @usableFromInline var partners: Partners
  /// The rows on the left by their keys; made when the right side changes for the first time.
  @usableFromInline var members: [Key: Set<LeftRow.ID>]?

  @inlinable
  init(
    _ left: ListNode<Section, LeftRow>, _ partners: Partners, key: @escaping (LeftRow) -> Key?,
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

  @inlinable var output: ListOutput<Section, Row> { placement.output }
  @usableFromInline var failures: [Row.ID: any Error] { placement.failures }

  /// Takes O(n) for the n rows of both sides.
  @inlinable
  mutating func rebuild(from input: Input) {
    partners.rebuild(from: input.right)
    members = nil
    placement.rebuild(from: input.left) { [key, partners, combine] row in
      try combine(row, key(row).flatMap { partners.partner($0) })
    }
  }

  /// The changes of the rows. Those of the other list are the partners' own.
  @inlinable
  func change(from before: Input, to after: Input) -> ListChanges { before.left.changes(to: after.left) }

  /// Takes O(log n) for each row on the left that changed, or whose partner did.
  @inlinable
  mutating func step(_ changes: ListChanges, from before: Input, to after: Input) {
    let changed = partners.step(from: before.right, to: after.right)
    if members != nil && !changes.isEmpty { regroup(changes, from: before.left, to: after.left) }
    if !changed.isEmpty && members == nil { group(after.left) }
    placement.index.follow(changes, to: after.left)
    let others = affectedRows(changed)
    placement.follow(changes, from: before.left, to: after.left, others: others) { [key, partners, combine] row in
      try combine(row, key(row).flatMap { partners.partner($0) })
    }
  }

  @inlinable
  func checkInvariants(for input: Input) {
    placement.checkInvariants(input.left)
    assert(
      members.map { $0.count <= input.left.rowCount } ?? true,
      "\(members?.count ?? 0) groups of \(input.left.rowCount) rows")
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
  mutating func regroup(_ changes: ListChanges, from before: Left, to after: Left) {
    let touched = TouchedRows(contentOf: changes, from: before, to: after)
    for path in touched.former {
      let row = before.row(at: path)
      if let key = key(row) { members?.remove(row.id, for: key) }
    }
    for path in touched.current {
      let row = after.row(at: path)
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
  static func joining<LeftRow, Partners: JoinPartners>(
    _ left: ListNode<Section, LeftRow>, _ right: JoinSide<Partners>,
    key: @escaping (LeftRow) -> Partners.Key?, combine: @escaping (LeftRow, Partners.Partner?) throws -> Row?
  ) -> ListNode where LeftRow.ID == Row.ID {
    ListNode(
      Join<Section, LeftRow, Partners, Row>(left, right.partners, key: key, combine: combine),
      pull: {
        // Both are pulled, even if the first one changed.
        let areChanged = (left.pull(), right.list.pull())
        return areChanged.0 || areChanged.1
      }, input: { (left.snapshot(), right.list.snapshot()) }, failures: left.failures)
  }
}
