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
public typealias MergedList = ArrangedList

extension ArrangedList {
  /// Merges lists.
  ///
  /// - Parameters:
  ///   - lists: Stores, or lists that are made of them, in their order.
  ///   - policy: The list that wins if several have one row or section.
  /// - Complexity: O(k log n) for each changed row of n in k lists.
  @inlinable
  public convenience init(_ lists: [any LiveList<Section, Row>], preferring policy: MergePolicy = .first) {
    let makers = lists.map { ListNode.maker(of: $0) }
    self.init(core: ViewCore { upstreams in .merging(makers.map { $0(upstreams) }, preferring: policy) })
  }

  /// Merges lists.
  ///
  /// - Parameters:
  ///   - lists: Stores, or lists that are made of them, in their order.
  ///   - policy: The list that wins if several have one row or section.
  @inlinable
  public convenience init(_ lists: any LiveList<Section, Row>..., preferring policy: MergePolicy = .first) {
    self.init(lists, preferring: policy)
  }

  /// Merges the lists that a parameter names: the folders that a person has ticked.
  ///
  ///     let chosen = Parameter<[any LiveList<SoleSection, Message>]>([inbox])
  ///     let messages = MergedList(of: chosen)
  ///     chosen.set([inbox, archive])
  ///
  /// Another set is one update with the least difference. Lists that are not in it are released. Lists that stay keep their
  /// operators, unless an added list is made from the same store: then they are rebuilt here, so that the store is read at one
  /// revision. A list that is named twice is merged once, at the first place; with `.last`, at the last.
  ///
  /// - Parameters:
  ///   - lists: The lists in their order. The merged list ends when the parameter and all lists that it named last have ended. A
  ///     list of an app's own type blocks all others until its first answer. One that is a structure is rebuilt with each set.
  ///   - policy: The list that wins if several have one row or section.
  /// - Precondition: None of the lists is made from this one, or from the parameter.
  /// - Complexity: O(k log² n) for each row of n in an added or removed list, with k lists; O(n) if lists change their order.
  @inlinable
  public convenience init(
    of lists: Parameter<[any LiveList<Section, Row>]>, preferring policy: MergePolicy = .first
  ) {
    // The core: lists do not keep the parameter alive.
    self.init(core: ViewCore { [core = lists.core] in .merging(by: core, preferring: policy, upstreams: $0) })
  }
}

extension ListNode {
  /// Several lists, one after the other.
  @inlinable
  static func merging(_ nodes: [ListNode], preferring policy: MergePolicy = .first) -> ListNode {
    var input: Merge<Section, Row>.Input = (
      nodes.map { $0.snapshot() }, nodes.map { ObjectIdentifier($0) }, nodes.map { _ in 0 }
    )
    return ListNode(
      Merge<Section, Row>(policy),
      pull: {
        var isChanged = false
        // Every list is pulled, even if an earlier one changed; and read the first time, if others have pulled it before.
        for (index, node) in nodes.enumerated() where node.pull() || input.versions[index] == 0 {
          input.lists[index] = node.snapshot()
          input.versions[index] += 1
          isChanged = true
        }
        return isChanged
      }, input: { input },
      failures: { nodes.reduce(into: [:]) { all, node in all.merge(node.failures()) { first, _ in first } } })
  }

  /// The lists that are the value of a parameter, one after the other.
  @inlinable
  static func merging(
    by parameter: ParameterCore<[any LiveList<Section, Row>]>, preferring policy: MergePolicy, upstreams: Upstreams
  ) -> ListNode {
    let value = upstreams.state(of: parameter)
    /// The lists, with the objects that they are recognised by.
    var parts: [(list: AnyObject, node: ListNode)] = []
    /// Their versions, once all of them have one, and the number of the last pull that found another.
    var (shown, version): (Merge<Section, Row>.Input, Int) = (([], [], []), 0)
    var revision: Int?
    /// True if the lists of a value are not shown yet.
    var isWaiting = false
    return ListNode(
      Merge<Section, Row>(policy),
      pull: {
        guard let newest = value.revision, let (lists, lifetime) = value.value else { return false }
        if revision != newest {
          // Nothing may read the list again before the app releases the stores that the parameter names.
          value.replace(with: (ParameterCore.heldByLists(lists), lifetime))
          let lists = distinct(lists, preferring: policy)
          // States that are read already stay: the former operators are released after the new ones are made, which share the
          // states.
          upstreams.replaceOperators {
            parts = lists.map { list, object in (object, maker(of: list, in: parameter)(upstreams)) }
          }
          (revision, isWaiting) = (newest, true)
        }
        if isWaiting {
          guard upstreams.complete({ for part in parts { _ = part.node.pull() } }) else { return false }
          isWaiting = false
          version += 1
          shown = (
            parts.map { $0.node.snapshot() }, parts.map { ObjectIdentifier($0.list) }, parts.map { _ in version }
          )
          return true
        }
        let changed = parts.indices.filter { parts[$0].node.pull() }
        version += 1
        for index in changed {
          (shown.lists[index], shown.versions[index]) = (parts[index].node.snapshot(), version)
        }
        return !changed.isEmpty
      }, input: { shown },
      failures: { parts.reduce(into: [:]) { all, part in all.merge(part.node.failures()) { first, _ in first } } })
  }

  /// The lists without repetitions, with their identities: each where it wins.
  @inlinable
  static func distinct(
    _ lists: [any LiveList<Section, Row>], preferring policy: MergePolicy
  ) -> [(list: any LiveList<Section, Row>, identity: AnyObject)] {
    var seen: Set<ObjectIdentifier> = []
    // A value gets an object here.
    let all = lists.map { list -> (any LiveList<Section, Row>, AnyObject) in
      (list, (list as? any SourceList<Section, Row>)?.source as AnyObject? ?? list as AnyObject)
    }
    let distinct = (policy == .first ? all : all.reversed()).filter { seen.insert(ObjectIdentifier($0.1)).inserted }
    return policy == .first ? distinct : distinct.reversed()
  }
}
