public import RowcastModel
public import RowcastStore

/// Makes a node that reads a list, for arrangements and merges.
@usableFromInline
typealias ListOrigin<Section: SectionViewModel, Row: RowViewModel> = @Sendable (Upstreams) -> ListNode<Section, Row>

/// The state of a list that others are made of where it is made, with no stream in between.
@usableFromInline
protocol ListSource<Section, Row>: ListPublisher {
  /// Where arrangements and merges read the list.
  nonisolated var origin: ListOrigin<Section, Row> { get }
}

extension StoreCore: ListSource {
  @inlinable final nonisolated var origin: ListOrigin<Section, Row> { { .reading($0.state(of: self)) } }
}

extension StoreCore: Upstream {
  @usableFromInline final nonisolated var serializer: any Actor { space }
  @inlinable static var hasRows: Bool { true }

  @inlinable
  final func value(after revision: Int?) -> UpstreamValue<ListSnapshot<Section, Row>>? {
    if state.revision == revision, !isFinished { return nil }
    return (state.snapshot, state.revision, isFinished)
  }
}

extension ListNode {
  /// The place of a list that is read.
  @inlinable
  static func reading(_ upstream: UpstreamState<Snapshot>) -> ListNode {
    var (list, revision) = (Snapshot(), Int?.none)
    return ListNode(
      pull: {
        guard let newest = upstream.value, upstream.revision != revision else { return false }
        (list, revision) = (newest, upstream.revision)
        return true
      }, snapshot: { list })
  }
}

/// A list of this package: a store, or arranged, merged or mirrored.
@usableFromInline
protocol SourceList<Section, Row>: LiveList {
  /// What the list's streams follow, and what others are made of.
  var source: any ListSource<Section, Row> { get }
}

extension ListStore: SourceList {
  @inlinable nonisolated var source: any ListSource<Section, Row> { core }
}

extension MirroredList: SourceList {
  @inlinable var source: any ListSource<Section, Row> { store.core }
}

extension LiveList {
  /// The list as one that others are made of. One of this package is read where it is made, any other by what it must have.
  @inlinable var upstream: any ListSource<Section, Row> {
    if let list = self as? any SourceList<Section, Row> { return list.source }
    return ViewCore { .reading($0.state(of: self)) }
  }
}

extension ListNode {
  /// Where arrangements and merges read a list. A store is asked as what it is, so that the code that reads it is specialised.
  @inlinable
  static func origin(of list: any LiveList<Section, Row>) -> ListOrigin<Section, Row> {
    let source = list.upstream
    return (source as? StoreCore<Section, Row>)?.origin ?? source.origin
  }
}
