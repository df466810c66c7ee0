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
  /// Where arrangements and merges read the list.
  var origin: ListOrigin<Section, Row> { get }

  /// Watches the list: the whole of it first, then what changes; see ``ListStore/updates()``.
  func updates() -> AsyncStream<ListUpdate<Section, Row>>
}

extension ListStore: LiveList {
  /// Where arrangements and merges read the list.
  @inlinable public nonisolated var origin: ListOrigin<Section, Row> { ListOrigin(core: core) }
}

extension LiveList {
  /// Arranges the list: filters, maps, sections, sorts it, or cuts it to a window.
  ///
  /// The arranged list is kept up with changes, not made anew, when somebody asks for it; nobody does work for one that
  /// nobody watches. One revision of the source gives one update of it at most. It does not keep a store alive.
  ///
  /// - Parameter arrangement: How to arrange the list.
  /// - Returns: The arranged list, which can be watched and arranged in its turn.
  @inlinable
  public func arranged<NewSection, NewRow>(
    by arrangement: Arrangement<Section, Row, NewSection, NewRow>
  ) -> ArrangedList<Section, Row, NewSection, NewRow> {
    ArrangedList(origin, arrangement)
  }

  /// Arranges the list as a function declares it.
  ///
  ///     let open = store.arranged { $0.filter { !$0.isDone }.sorted(by: .ascending(\.title)) }
  ///
  /// - Parameter declare: Makes the arrangement, starting with the one that leaves the list as it is.
  /// - Returns: The arranged list, which can be watched and arranged in its turn.
  @inlinable
  public func arranged<NewSection, NewRow>(
    by declare: (Arrangement<Section, Row, Section, Row>) -> Arrangement<Section, Row, NewSection, NewRow>
  ) -> ArrangedList<Section, Row, NewSection, NewRow> {
    arranged(by: declare(Arrangement()))
  }
}
