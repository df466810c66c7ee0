public import RowcastModel

/// A list that changes and can be watched: a store, or what is arranged or merged from others.
///
///     func show(_ list: some LiveList<Channel, Message>) async throws {
///       for await update in list.updates() { try table.apply(update) }
///     }
public protocol LiveList<Section, Row>: Sendable {
  /// What the sections show.
  associatedtype Section: SectionViewModel
  /// What the rows show.
  associatedtype Row: RowViewModel

  /// The newest list.
  var snapshot: ListSnapshot<Section, Row> { get async }
  /// A number that rises with each change of the list; the same as in its newest update.
  var revision: Int { get async }
  /// Watches the list: the whole of it first, then what changes; see ``ListStore/updates()``.
  func updates() -> AsyncStream<ListUpdate<Section, Row>>
}

extension ListStore: LiveList {}
