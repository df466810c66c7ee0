public import RowcastModel
public import RowcastStore

/// Several lists as one: the sections of the first, then those of the second, and so on.
///
///     let pinned = store.arranged { $0.filter(\.isPinned).sectioned(by: { _ in "Pinned" }) { Group(id: $0) } }
///     let others = store.arranged { $0.filter { !$0.isPinned }.sectioned(by: \.kind) { Group(id: $0) } }
///     for await update in MergedList(pinned, others).updates() { try table.apply(update) }
///
/// A store is read at one revision: a row that an edit takes from one view to another is never in both, and never in none. So is
/// a row that a transaction takes from one store of a `ListSpace` to another. One revision of a store gives one update at most.
///
/// A row that several lists have is shown once, by a ``MergePolicy``. A section that several lists have is one section with
/// the rows of all of them, in the order of the lists: stores of one section each give one. The list ends when all have ended.
public typealias MergedList = DerivedList

extension DerivedList {
  /// Merges lists.
  ///
  /// - Parameters:
  ///   - lists: Stores, or lists that are made of them, in their order.
  ///   - policy: The list that wins if several have one row or section.
  /// - Complexity: O(k log n) for each changed row of n in k lists.
  @_alwaysEmitIntoClient
  public convenience init(_ lists: [any LiveList<Section, Row>], preferring policy: MergePolicy = .first) {
    let makers = lists.map { ListNode.maker(of: $0) }
    self.init(core: ViewCore { upstreams in .merging(makers.map { $0(upstreams) }, preferring: policy) })
  }

  /// Merges lists.
  ///
  /// - Parameters:
  ///   - lists: Stores, or lists that are made of them, in their order.
  ///   - policy: The list that wins if several have one row or section.
  @_alwaysEmitIntoClient
  public convenience init(_ lists: any LiveList<Section, Row>..., preferring policy: MergePolicy = .first) {
    self.init(lists, preferring: policy)
  }
}

extension ListNode {
  /// Several lists, one after the other.
  @_alwaysEmitIntoClient
  static func merging(_ nodes: [ListNode], preferring policy: MergePolicy = .first) -> ListNode {
    var merge = Merge<Section, Row>(policy)
    let pulls = nodes.map { $0.pull }
    var changed: [Int] = []
    return derived(
      pull: {
        // Each of them, also if another one changed.
        changed = pulls.indices.filter { pulls[$0]() }
        return !changed.isEmpty
      },
      rebuild: { merge.rebuild(from: nodes.map { $0.snapshot() }) },
      step: { merge.step(changed) { nodes[$0].snapshot() } },
      snapshot: { merge.output.snapshot }, path: { merge.output.path(ofRow: $0) },
      failures: { nodes.reduce(into: [:]) { all, node in all.merge(node.failures()) { first, _ in first } } })
  }
}
