public import RowcastStore
public import RowcastStore

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
    ArrangedList(ListOrigin(of: self), arrangement)
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
