public import RowcastModel
public import RowcastStore

/// Several lists as one: the sections of the first, then those of the second, and so on.
///
///     let pinned = store.arranged { $0.filter(\.isPinned).sectioned(by: { _ in "Pinned" }) { Group(id: $0) } }
///     let others = store.arranged { $0.filter { !$0.isPinned }.sectioned(by: \.kind) { Group(id: $0) } }
///     for await update in MergedList(pinned, others).updates() { try table.apply(update) }
///
/// All that is read of one store is read at one revision: a row that an edit takes from one view to another is never
/// in both, and never in none. One revision of a store gives one update at most.
///
/// An id that occurs twice, of a row or of a section, is kept where it comes first; a section that is dropped drops its
/// rows. The list ends when all the others have ended.
public final class MergedList<Section: SectionViewModel, Row: RowViewModel>: UpstreamList {
  /// Where arrangements and merges read the list.
  @usableFromInline package let origin: ListOrigin<Section, Row>
  @usableFromInline let core: ViewCore<Section, Row>

  /// Merges lists.
  ///
  /// - Parameter lists: Stores and what was arranged or merged of them, in their order.
  /// - Complexity: O(log n) for each changed row of n; O(n) as long as ids occur twice.
  @inlinable
  public init(_ lists: [any LiveList<Section, Row>]) {
    let origins = lists.map { ListOrigin(of: $0) }
    origin = ListOrigin { upstreams in .merging(origins.map { $0.makeNode(upstreams) }) }
    core = ViewCore(origin)
  }

  /// Merges lists.
  ///
  /// - Parameter lists: Stores and what was arranged or merged of them, in their order.
  @inlinable
  public convenience init(_ lists: any LiveList<Section, Row>...) { self.init(lists) }

  /// The newest list.
  public var snapshot: ListSnapshot<Section, Row> {
    get async { await onSharedExecutor { [core] in await core.state().snapshot } }
  }

  /// The sum of the revisions of the sources at the last change, as an ``ArrangedList`` counts them.
  public var revision: Int { get async { await onSharedExecutor { [core] in await core.state().revision } } }

  /// Watches the list: the whole of it first, then what changes; see ``ListStore/updates()``.
  @inlinable
  public func updates() -> AsyncStream<ListUpdate<Section, Row>> {
    Subscription(to: core).stream
  }
}

extension ListNode {
  /// The place behind several others, whose lists follow each other.
  @inlinable
  static func merging(_ nodes: [ListNode]) -> ListNode {
    var merge = Merge<Section, Row>()
    return ListNode(
      pull: {
        let steps = nodes.map { $0.pull() }
        let lists = nodes.map { $0.snapshot() }
        guard let former = merge.lists else {
          merge.rebuild(from: lists)
          merge.output.commit()
          return ListStep(before: nil, after: merge.output.snapshot)
        }
        if steps.allSatisfy({ $0 == nil }) { return nil }
        let output = merge.output.snapshot
        merge.take(zip(steps, former).map { $0?.before ?? $1 }, lists, steps.map { $0 != nil })
        return merge.output.commitStep(from: output)
      },
      snapshot: { merge.output.snapshot },
      path: { merge.output.path(ofRow: $0) },
      failures: { nodes.reduce(into: [:]) { all, node in all.merge(node.failures()) { first, _ in first } } })
  }
}
