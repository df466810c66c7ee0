import RowcastDiff

/// The rows of an outline by their parents, as tree views read them. Such views keep the items of collapsed rows themselves.
package struct OutlineTree<ID: Hashable & Sendable>: Sendable {
  /// The calls that lead a view from one tree to another, in this order. Indexes count among the children of a parent, `nil`
  /// at the top: for removals before all calls, for insertions after them.
  package struct Steps: Equatable, Sendable {
    package struct Children: Equatable, Sendable {
      package var parent: ID?
      package var indexes: [Int]
    }

    package var collapsed: [ID] = []
    package var removals: [Children] = []
    package var insertions: [Children] = []
    /// Each after its parent.
    package var expanded: [ID] = []
  }

  private var items: [ID?: [ID]] = [:]
  private var expanded: Set<ID> = []

  /// Takes the rows of an outline, each after its parent.
  ///
  /// - Parameter rows: The rows, with their depths. A row that is more than one level deeper than the previous row is a child
  ///   of that row.
  package init(_ rows: some Sequence<(id: ID, depth: Int, isExpanded: Bool)>) {
    var ancestors: [ID] = []
    for row in rows {
      ancestors.removeLast(max(0, ancestors.count - max(0, row.depth)))
      items[ancestors.last, default: []].append(row.id)
      if row.isExpanded { expanded.insert(row.id) }
      ancestors.append(row.id)
    }
  }

  package init() {}

  /// The shown children of a row, or the rows at the top.
  package func children(of id: ID?) -> [ID] { items[id] ?? [] }

  /// The steps to another tree. A row that moves is removed and inserted, with its descendants.
  ///
  /// - Complexity: O(n) for n rows of both, and that of `Changeset` for the children that changed.
  package func steps(to after: OutlineTree) -> Steps {
    var steps = Steps()
    // Rows that both trees show in the same place, and rows that are new there.
    var open: [(parent: ID?, isNew: Bool)] = [(nil, false)]
    while let (parent, isNew) = open.popLast() {
      let (before, now) = (isNew ? [] : children(of: parent), after.children(of: parent))
      var inserted: Set<ID> = []
      if !isNew, before != now {
        let changes = Changeset(fromIDs: before, toIDs: now)
        let removals = (changes.deletes + changes.moves.map(\.from)).ascending
        let insertions = (changes.inserts + changes.moves.map(\.to)).ascending
        if !removals.isEmpty { steps.removals.append(.init(parent: parent, indexes: removals)) }
        if !insertions.isEmpty { steps.insertions.append(.init(parent: parent, indexes: insertions)) }
        inserted = Set(insertions.map { now[$0] })
      }
      for id in now.reversed() {
        let isNew = isNew || inserted.contains(id)
        switch (!isNew && expanded.contains(id), after.expanded.contains(id)) {
        case (true, true): open.append((id, false))
        case (true, false): steps.collapsed.append(id)
        case (false, true): open.append((id, true))
        case (false, false): break
        }
      }
      if isNew, let parent { steps.expanded.append(parent) }
    }
    return steps
  }
}
