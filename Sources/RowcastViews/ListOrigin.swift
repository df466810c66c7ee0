public import RowcastModel
public import RowcastStore

/// Where arrangements and merges read a list.
@usableFromInline
package struct ListOrigin<Section: SectionViewModel, Row: RowViewModel>: Sendable {
  /// Makes a node that reads the list.
  @usableFromInline let makeNode: @Sendable (Upstreams) -> ListNode<Section, Row>

  @inlinable
  init(makeNode: @escaping @Sendable (Upstreams) -> ListNode<Section, Row>) {
    self.makeNode = makeNode
  }

  /// The list of a store.
  @inlinable
  init(core: StoreCore<Section, Row>) {
    self.init { .reading($0.state(of: core)) }
  }
}

extension ListNode {
  /// The place of a list that is read.
  @inlinable
  static func reading(_ upstream: UpstreamState<Snapshot>) -> ListNode {
    var last: ListState<Section, Row>?
    return ListNode(
      pull: {
        guard let revision = upstream.revision, revision != last?.revision, let snapshot = upstream.value else {
          return nil
        }
        let before = last?.snapshot
        last = ListState(snapshot: snapshot, revision: revision)
        return ListStep(before: before, after: snapshot)
      },
      snapshot: { last?.snapshot ?? ListSnapshot() },
      failures: { [:] })
  }
}

extension StoreCore: Upstream {
  @inlinable static var hasRows: Bool { true }

  @inlinable
  final func value(after revision: Int?) -> UpstreamValue<ListSnapshot<Section, Row>>? {
    if state.revision == revision, !isFinished { return nil }
    return UpstreamValue(state.snapshot, revision: state.revision, isFinal: isFinished)
  }
}

/// A list that others are made of where it is made, with no stream in between.
@usableFromInline
package protocol UpstreamList<Section, Row>: LiveList {
  /// Where arrangements and merges read the list.
  var origin: ListOrigin<Section, Row> { get }
  /// What the list's streams follow.
  var publisher: any ListPublisher<Section, Row> { get }
}

extension ListStore: UpstreamList {
  @inlinable package nonisolated var origin: ListOrigin<Section, Row> { ListOrigin(core: core) }
  @inlinable package nonisolated var publisher: any ListPublisher<Section, Row> { core }
}

extension MirroredList: UpstreamList {
  @inlinable package var origin: ListOrigin<Section, Row> { store.origin }
  @inlinable package var publisher: any ListPublisher<Section, Row> { store.core }
}

extension LiveList {
  /// The list as one that others are made of.
  ///
  /// - Precondition: The list is one of this package: a store, or arranged, merged or mirrored.
  @inlinable var upstream: any UpstreamList<Section, Row> {
    guard let list = self as? any UpstreamList<Section, Row> else {
      preconditionFailure(
        "Lists of the type \(type(of: self)) cannot be arranged or merged; put their rows into a store")
    }
    return list
  }
}

extension ListOrigin {
  /// Where a list is read.
  ///
  /// - Precondition: The list is one of this package: a store, or arranged, merged or mirrored.
  @inlinable
  init(of list: any LiveList<Section, Row>) { self = list.upstream.origin }
}
