import RowcastDiff
public import RowcastModel

/// Makes the nodes of an arrangement, and keeps those that the arrangement before it had in common with it.
@usableFromInline
final class ArrangementBuilder<SourceSection: SectionViewModel, SourceRow: RowViewModel> {
  /// Where an arrangement, or the beginning of one, leads to.
  private struct Station {
    /// What it stands for; held so that no other object can have the same identity.
    let stem: AnyObject
    let tail: AnyObject?
    let node: Any
    /// The stations on the way to this one.
    let way: [Station]

    func isAt(_ stem: AnyObject, _ tail: AnyObject?) -> Bool { self.stem === stem && self.tail === tail }
  }

  /// The list that is arranged.
  @usableFromInline let source: ListNode<SourceSection, SourceRow>
  private var stations: [Station] = []
  private var former: [Station] = []

  @usableFromInline
  init(source: ListNode<SourceSection, SourceRow>) {
    self.source = source
  }

  /// Makes the nodes of an arrangement in place of those of the one before.
  ///
  /// Operators that both have, because one was made from the other or both from a third, go on where they are.
  @usableFromInline
  func rebuild<Section, Row>(
    _ arrangement: Arrangement<SourceSection, SourceRow, Section, Row>
  ) -> ListNode<Section, Row> {
    former = stations
    stations = []
    defer { former = [] }
    return node(of: arrangement)
  }

  /// The node of an arrangement that another one begins with.
  @usableFromInline
  func node<Section, Row>(
    of arrangement: Arrangement<SourceSection, SourceRow, Section, Row>
  ) -> ListNode<Section, Row> {
    let (stem, tail) = (arrangement.stem, arrangement.tail.identity)
    if let known = former.first(where: { $0.isAt(stem, tail) }), let node = known.node as? ListNode<Section, Row> {
      stations += known.way + [known]
      return node
    }
    let start = stations.count
    let node = stem.make(self, arrangement.tail)
    stations.append(Station(stem: stem, tail: tail, node: node, way: Array(stations[start...])))
    return node
  }
}
