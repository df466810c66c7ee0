public import RowcastModel

/// Operators without the actors around them, for measuring a step alone. Each function brings the operators to another version of
/// their source, and returns the list that they make.
extension ListNode {
  @inlinable
  static func steps<SourceSection, SourceRow>(
    of make: (ListNode<SourceSection, SourceRow>) -> ListNode
  ) -> (ListSnapshot<SourceSection, SourceRow>) -> Snapshot {
    let upstream = UpstreamState<ListSnapshot<SourceSection, SourceRow>>()
    let node = make(.reading(upstream, list: { $0 }))
    return { list in
      upstream.receive((list, (upstream.revision ?? 0) + 1, false))
      _ = node.pull()
      return node.snapshot()
    }
  }
}

extension Arrangement {
  @inlinable
  package func steps() -> (ListSnapshot<SourceSection, SourceRow>) -> ListSnapshot<Section, Row> {
    ListNode.steps { ArrangementBuilder(source: $0, upstreams: Upstreams()).rebuild(self) }
  }
}

extension ArrangedList {
  /// The steps of the list on the left.
  @inlinable
  package static func steps<LeftRow: RowViewModel, RightSection: SectionViewModel, RightRow: RowViewModel>(
    with right: ListSnapshot<RightSection, RightRow>, on key: @escaping (LeftRow) -> RightRow.ID?,
    _ combine: @escaping (LeftRow, RightRow) -> Row
  ) -> (ListSnapshot<Section, LeftRow>) -> ListSnapshot<Section, Row> where LeftRow.ID == Row.ID {
    let partners = UpstreamState<ListSnapshot<RightSection, RightRow>>()
    partners.receive((right, 0, true))
    return ListNode.steps {
      .joining($0, ListNode<RightSection, RightRow>.reading(partners, list: { $0 }).rowPartners, key: key) {
        row, partner in
        partner.map { combine(row, $0) }
      }
    }
  }
}
