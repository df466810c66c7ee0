public import RowcastModel

/// A list that changes and can be watched: a store, or what is arranged or merged from others.
///
///     func show(_ list: some LiveList<Channel, Message>) async throws {
///       for await update in list.updates() { try table.apply(update) }
///     }
///
/// Any type may conform. What is arranged, merged or joined of such a list holds it, reads ``revision`` and then ``snapshot``,
/// and waits for ``updates()``. All that is made of one object or actor reads it at one revision; each copy of a structure is a
/// list of its own.
public protocol LiveList<Section, Row>: Sendable {
  /// What the sections show.
  associatedtype Section: SectionViewModel
  /// What the rows show.
  associatedtype Row: RowViewModel

  /// The newest list.
  var snapshot: ListSnapshot<Section, Row> { get async }
  /// A number that rises with each change of the list; the same as in its newest update. A snapshot that is read after it is not
  /// older.
  var revision: Int { get async }
  /// Watches the list: the whole of it first, then what changes; see ``ListStore/updates()``.
  func updates() -> AsyncStream<ListUpdate<Section, Row>>
}

extension ListStore: LiveList {}
