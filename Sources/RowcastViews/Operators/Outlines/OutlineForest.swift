public import RowcastDiff
public import RowcastModel

/// The children of a parent (`nil`: the top level), either the kept or the filtered-out ones.
@usableFromInline
struct OutlineGroup<ID: Hashable & Sendable>: Hashable, Sendable {
  @usableFromInline let parent: ID?
  @usableFromInline let isKept: Bool

  @inlinable
  init(parent: ID?, isKept: Bool) { (self.parent, self.isKept) = (parent, isKept) }

  // A synthesised one is not specialised elsewhere.
  @inlinable
  static func == (lhs: OutlineGroup, rhs: OutlineGroup) -> Bool { lhs.parent == rhs.parent && lhs.isKept == rhs.isKept }
}

/// A row in its group.
@usableFromInline
struct OutlineMember<ID: Hashable & Sendable>: RowViewModel {
  @usableFromInline let id: ID
  /// True if the row passes the filter itself; it may also be kept for its descendants.
  @usableFromInline let passes: Bool

  @inlinable
  init(id: ID, passes: Bool) { (self.id, self.passes) = (id, passes) }

  @usableFromInline var reuseIdentifier: String { "" }
}

/// The rows of a list as a forest: each under its parent, siblings in the order of the list.
///
/// Groups of siblings are the sections of a draft, whose index finds the group of a row and its place there. A row whose parent
/// is missing is at the top, or in no group; its descendants stay with it.
@usableFromInline
struct OutlineForest<Section: SectionViewModel, Row: RowViewModel, Value> {
  @usableFromInline typealias ID = Row.ID
  @usableFromInline typealias List = ListSnapshot<Section, Row>

  @usableFromInline typealias Group = OutlineGroup<ID>
  @usableFromInline typealias Member = OutlineMember<ID>

  @usableFromInline let parent: @Sendable (Row) -> ID?
  @usableFromInline let isIncluded: (@Sendable (Row) -> Bool)?
  @usableFromInline let policy: MissingParentPolicy
  @usableFromInline let index: SourceIndex<Section, Row>
  @usableFromInline var list = List()
  @usableFromInline var groups = ListDraft<IDOnly<Group>, Member>()
  /// The parents that the list does not have, by the rows that name them, and the reverse.
  @usableFromInline var missing: [ID: ID] = [:]
  @usableFromInline var waiting: [ID: Set<ID>] = [:]
  /// The loop of each row that is in one: rows that are each other's ancestors, except that the first of them is at the top.
  @usableFromInline var loops: [ID: [ID]] = [:]
  @usableFromInline var subtotals: Subtotals<Row, Value>

  /// Rows that were moved or hidden, and rows whose children or subtotals changed, since the last step.
  @usableFromInline var (unsettled, stale): (Set<ID>, Set<ID>) = ([], [])

  @inlinable
  init(
    parent: @escaping @Sendable (Row) -> ID?, isIncluded: (@Sendable (Row) -> Bool)?, policy: MissingParentPolicy,
    index: SourceIndex<Section, Row>, subtotals: Subtotals<Row, Value>
  ) {
    (self.parent, self.isIncluded, self.policy) = (parent, isIncluded, policy)
    (self.index, self.subtotals) = (index, subtotals)
  }

  // MARK: - Reading

  /// The place of a row in a group; `nil` if it is in none.
  @inlinable
  func place(of id: ID) -> (path: RowPath, member: Member, group: Group)? {
    guard let (path, member) = groups.find(id) else { return nil }
    return (path, member, groups.list.section(at: path.section).id)
  }

  /// The rows above a row, the nearest first. Takes O(d log n) at depth d.
  @inlinable
  func ancestors(of id: ID) -> [ID] {
    var (ancestors, next): ([ID], ID?) = ([], place(of: id)?.group.parent)
    while let id = next {
      ancestors.append(id)
      next = place(of: id)?.group.parent
    }
    return ancestors
  }

  /// The kept rows under a parent, or the rows that are not kept.
  @inlinable
  func children(of parent: ID?, kept isKept: Bool = true) -> ListRows<Member> {
    guard let section = groups.index(ofSection: Group(parent: parent, isKept: isKept)) else { return ListRows() }
    return groups.list.rows(inSection: section)
  }

  /// The rows under a row, kept or not.
  @inlinable
  func allChildren(of id: ID) -> [ID] {
    children(of: id).map { $0.id } + children(of: id, kept: false).map { $0.id }
  }

  /// True if a row has children that are kept.
  @inlinable
  func hasChildren(_ id: ID) -> Bool { groups.index(ofSection: Group(parent: id, isKept: true)) != nil }

  @inlinable
  func row(_ id: ID) -> Row { list.row(at: index.requiredPath(ofRow: id)) }

  /// The id of a row of the list as the row itself has it. Others may name it by an equal id that is not the same.
  @inlinable
  func spelled(_ id: ID) -> ID { isExact(ID.self) ? id : row(id).id }

  /// The failures of rows: of rows whose parent is missing, and of the first row of each loop.
  var failures: [ID: any Error] {
    var failures = missing.mapValues { ArrangementFailure.missingParent("\($0)") as any Error }
    for (id, loop) in loops where loop.first == id {
      if let parent = parent(row(id)) { failures[id] = ArrangementFailure.cyclicParent("\(parent)") }
    }
    return failures
  }

  // MARK: - Following

  /// The rows that change their group: their parent or position changed, their parent appeared or disappeared, or their loop was
  /// cut at them.
  @inlinable
  func misplaced(by touched: TouchedRows, from before: List) -> Set<ID> {
    var ids: Set<ID> = []
    for path in touched.leaving {
      let id = before.row(at: path).id
      ids.insert(id)
      ids.formUnion(allChildren(of: id))
    }
    for path in touched.arriving {
      let id = list.row(at: path).id
      ids.insert(id)
      ids.formUnion(waiting[id] ?? [])
    }
    for (path, former, hasMoved) in touched.staying {
      let row = list.row(at: path)
      if hasMoved || former.map({ isPlacedElsewhere(before.row(at: $0), row) }) ?? false { ids.insert(row.id) }
    }
    if !loops.isEmpty { ids.formUnion(ids.compactMap { loops[$0]?.first }) }
    return ids
  }

  @inlinable
  func isPlacedElsewhere(_ old: Row, _ new: Row) -> Bool {
    if parent(old) != parent(new) { return true }
    guard let isIncluded else { return false }
    return isIncluded(old) != isIncluded(new)
  }

  /// Moves rows to their new groups, and updates the summaries.
  @inlinable
  mutating func replace(_ misplaced: Set<ID>, _ touched: TouchedRows, from before: List) {
    let edited = touched.staying.filter { $0.former != nil }
    let current = (touched.arriving + edited.map { $0.path }).map { list.row(at: $0) }
    if subtotals.isUsed { beginChange(from: touched.former.map { before.row(at: $0) }, to: current) }
    unlink(misplaced)
    for id in misplaced where index.path(ofRow: id) != nil { link(id) }
    if subtotals.isUsed { endChange(to: current) }
    stale.formUnion(current.map { $0.id })
    if !isExact(ID.self) { respell(edited, from: before) }
    groups.commit()
  }

  /// Notes that rows have, or name as their parent, an id that is equal to the former one and not the same.
  @inlinable
  mutating func respell(_ edited: [TouchedRows.Staying], from before: List) {
    for (path, former, _) in edited {
      let row = list.row(at: path)
      if missing[row.id] != nil, let parent = parent(row) { missing[row.id] = parent }
      if let former, areDistinguishable(before.row(at: former).id, row.id) {
        stale.formUnion(children(of: row.id).map { $0.id })
      }
    }
  }

  /// Removes rows, with their descendants, from their groups.
  @inlinable
  mutating func unlink(_ ids: Set<ID>) {
    var parents: Set<ID> = []
    for id in ids {
      if let parent = missing.removeValue(forKey: id) {
        waiting.remove(id, for: parent)
      }
      for member in loops[id] ?? [] { loops[member] = nil }
      if let (path, _, group) = place(of: id) {
        remove(id, at: path)
        if let parent = group.parent { parents.insert(parent) }
      }
    }
    // Only now do all groups have their order.
    for parent in parents { settle(parent) }
  }

  /// Inserts a row that is in no group where it belongs.
  @inlinable
  mutating func link(_ id: ID) {
    let path = index.requiredPath(ofRow: id)
    let row = list.row(at: path)
    let member = Member(id: id, passes: isIncluded?(row) ?? true)
    var parent = parent(row)
    if let named = parent, index.path(ofRow: named) == nil {
      noteMissing(named, of: id)
      if policy == .hidden { return }
      parent = nil
    }
    if let named = parent, let loop = loop(from: named, to: id) {
      for member in loop { loops[member] = loop }
      if loop[0] == id { parent = nil } else { cut(loop[0]) }
    }
    insert(member, under: parent, path)
  }

  /// Notes that the list does not have the parent that a row names.
  @inlinable
  mutating func noteMissing(_ parent: ID, of id: ID) {
    missing[id] = parent
    // A parent that is not equal to itself is never found.
    if parent == parent { waiting.insert(id, for: parent) }
  }

  /// The loop that a row closes when it gets a parent.
  @inlinable
  func loop(from parent: ID, to id: ID) -> [ID]? {
    var members = [id]
    var next = Optional(parent)
    while let id = next, id != members[0] {
      members.append(id)
      next = place(of: id)?.group.parent
    }
    if next == nil { return nil }
    let paths = members.map { index.requiredPath(ofRow: $0) }
    if let first = paths.indices.min(by: { paths[$0] < paths[$1] }) { members.swapAt(0, first) }
    return members
  }

  /// Moves a row to the top.
  @inlinable
  mutating func cut(_ id: ID) {
    guard let (path, member, group) = place(of: id) else { stop("The row \(id), in a loop, is under no other") }
    remove(id, at: path)
    if let parent = group.parent { settle(parent) }
    insert(member, under: nil, index.requiredPath(ofRow: id))
  }

  @inlinable
  mutating func insert(_ member: Member, under parent: ID?, _ path: RowPath) {
    put(member, in: Group(parent: parent, isKept: member.passes || hasChildren(member.id)), path)
    if subtotals.isUsed { add(member.id, sign: 1) }
    unsettled.insert(member.id)
    if let parent { settle(parent) }
  }

  @inlinable
  mutating func remove(_ id: ID, at path: RowPath) {
    if subtotals.isUsed { add(id, sign: -1) }
    removeMember(at: path)
    unsettled.insert(id)
  }

  /// Updates a row whose children changed, which may decide whether it and its ancestors are kept.
  @inlinable
  mutating func settle(_ id: ID) {
    var next = Optional(id)
    while let id = next {
      stale.insert(id)
      guard let (path, member, group) = place(of: id) else { return }
      let isKept = member.passes || hasChildren(id)
      if group.isKept == isKept { return }
      removeMember(at: path)
      put(member, in: Group(parent: group.parent, isKept: isKept), index.requiredPath(ofRow: id))
      unsettled.insert(id)
      next = group.parent
    }
  }

  // MARK: - Groups

  /// Inserts a row into a group, by its path in the list.
  @inlinable
  mutating func put(_ member: Member, in group: Group, _ path: RowPath) {
    guard let section = groups.index(ofSection: group) else {
      return groups.insertSection(IDOnly(group), rows: [member], at: groups.list.sectionCount)
    }
    let rows = groups.list.rows(inSection: section)
    let isBehind: (Member) -> Bool = { [index] in index.requiredPath(ofRow: $0.id) > path }
    var row = rows.count
    if let last = rows.last, isBehind(last) { row = groups.list.partitioningRow(inSection: section, where: isBehind) }
    groups.insertRow(member, at: RowPath(section: section, row: row))
  }

  @inlinable
  mutating func removeMember(at path: RowPath) {
    if groups.list.rowCount(inSection: path.section) == 1 {
      groups.removeSection(at: path.section)
    } else {
      groups.removeRow(at: path)
    }
  }
}
