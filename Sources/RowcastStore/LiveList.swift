public import RowcastModel

/// A list that changes and can be watched: a store, a mirror, or a list made of others.
///
///     func show(_ list: some LiveList<Channel, Message>) async throws {
///       for await update in list.updates() { try table.apply(update) }
///     }
///
/// Any type may conform. A list that arranges, merges or joins it holds it, reads ``revision`` and then ``snapshot``, and waits
/// for ``updates()``. An operator chain that names one object or actor several times reads it at one revision; each copy of a
/// structure counts as another list.
public protocol LiveList<Section, Row>: Sendable {
  /// The view model of a section.
  associatedtype Section: SectionViewModel
  /// The view model of a row.
  associatedtype Row: RowViewModel

  /// The newest list.
  var snapshot: ListSnapshot<Section, Row> { get async }
  /// A number that rises with each change of the list, as its newest update has it. A snapshot that is read afterwards is not
  /// older.
  var revision: Int { get async }
  /// Watches the list: the whole of it first, then what changes; see ``ListStore/updates()``.
  func updates() -> AsyncStream<ListUpdate<Section, Row>>
}

extension ListStore: LiveList {}

/// A list that knows former positions.
package protocol ResumableList<Section, Row>: LiveList {
  /// Watches the list from a position on, without keeping it alive; see ``ListStore/updates(since:)``.
  var resumption: @Sendable (ListPosition?) -> AsyncStream<ListUpdate<Section, Row>> { get }
}

extension ListStore: ResumableList {
  package nonisolated var resumption: @Sendable (ListPosition?) -> AsyncStream<ListUpdate<Section, Row>> {
    { [core] in core.updates(since: $0) }
  }
}

extension MirroredList: ResumableList {
  package var resumption: @Sendable (ListPosition?) -> AsyncStream<ListUpdate<Section, Row>> { store.resumption }
}
