public import RowcastModel

/// A list that changes and can be watched: a store, a mirror, or a list made of others.
///
///     func show(_ list: some LiveList<Channel, Message>) async throws {
///       for await update in list.updates() { try table.apply(update) }
///     }
///
/// Any type may conform. A list that arranges, merges or joins it keeps it alive, reads ``revision`` and then ``snapshot``, and
/// waits for ``updates()``. An operator chain that names one object or actor several times reads it at one revision; each copy of
/// a structure counts as another list.
public protocol LiveList<Section, Row>: Sendable {
  /// The view model of a section.
  associatedtype Section: SectionViewModel
  /// The view model of a row.
  associatedtype Row: RowViewModel

  /// The newest list.
  var snapshot: ListSnapshot<Section, Row> { get async }
  /// A number that rises with each change of the list: the revision of its newest update. A snapshot that is read afterwards is
  /// not older.
  var revision: Int { get async }
  /// Watches the list: the whole of it first, then its changes; see ``ListStore/updates()``.
  func updates() -> AsyncStream<ListUpdate<Section, Row>>
}

extension ListStore: LiveList {}

/// A list that knows former positions.
package protocol ResumableList<Section, Row>: LiveList {
  /// Watches the list from a position on, without keeping it alive; see ``ListStore/updates(since:)``.
  var resumption: @Sendable (ListPosition?) -> Resumption<Section, Row> { get }
}

/// The updates of a list since a position. An update without changes says that the position is the newest.
package struct Resumption<Section: SectionViewModel, Row: RowViewModel>: Sendable {
  /// The next update, as soon as there is one; `nil` if there will be none here, or the task is cancelled.
  package let next: @Sendable () async -> ListUpdate<Section, Row>?
  /// The state at the position; `nil` if the list does not have it any more.
  package let start: @Sendable () async -> ListState<Section, Row>?
  /// True if the list has ended, so that no updates follow elsewhere either.
  package let isEnded: @Sendable () async -> Bool

  /// Creates the updates of a list since the state that `start` finds.
  package init(
    to publisher: some ListPublisher<Section, Row>,
    startingAt start: @escaping @Sendable () async -> ListState<Section, Row>?,
    isEnded: @escaping @Sendable () async -> Bool
  ) {
    next = Subscription(to: publisher, yieldingEmpty: true, startingAt: start).next
    self.start = start
    self.isEnded = isEnded
  }

  /// Creates the updates of a list that knows no former positions.
  fileprivate init(of updates: AsyncStream<ListUpdate<Section, Row>>) {
    next = {
      // All iterators of a stream share one state.
      var iterator = updates.makeAsyncIterator()
      return await iterator.next()
    }
    start = { nil }
    isEnded = { true }
  }
}

extension LiveList {
  /// Makes the updates of the list since a position; all of it, if the list does not know former positions. A store is not kept alive.
  package var updatesSincePosition: @Sendable (ListPosition?) -> Resumption<Section, Row> {
    if let list = self as? any ResumableList<Section, Row> { return list.resumption }
    return { _ in Resumption(of: updates()) }
  }
}

extension ListStore: ResumableList {
  package nonisolated var resumption: @Sendable (ListPosition?) -> Resumption<Section, Row> {
    { [core] in core.resumption($0) }
  }
}

extension MirroredList: ResumableList {
  package var resumption: @Sendable (ListPosition?) -> Resumption<Section, Row> { store.resumption }
}
