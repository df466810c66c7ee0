public import RowcastStore
public import RowcastStore

extension LiveList {
  /// Arranges the list: filters, maps, sections, sorts it, or cuts it to a window.
  ///
  /// When the arranged list is read it follows what changed in its source since the last time; it is not made anew. A list
  /// that nothing watches costs nothing. One revision of the source gives at most one update. It does not keep a store
  /// alive.
  ///
  /// - Parameter arrangement: How to arrange the list.
  /// - Returns: The arranged list, which can be watched and arranged in its turn.
  @inlinable
  public func arranged<NewSection, NewRow>(
    by arrangement: Arrangement<Section, Row, NewSection, NewRow>
  ) -> ArrangedList<Section, Row, NewSection, NewRow> {
    ArrangedList(upstream.origin, arrangement)
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
