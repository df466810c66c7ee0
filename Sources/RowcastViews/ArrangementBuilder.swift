import RowcastDiff
public import RowcastModel

/// Makes the nodes of an arrangement. Nodes that the arrangement before it has in common with it are kept.
@usableFromInline
final class ArrangementBuilder<SourceSection: SectionViewModel, SourceRow: RowViewModel> {
  /// The node of an arrangement, after those that were made for it. The identities are held so that no other object has them.
  private typealias CachedNode = (stem: ArrangementIdentity, tail: ArrangementIdentity?, node: Any, prefixCount: Int)

  /// The list that is arranged.
  @usableFromInline let source: ListNode<SourceSection, SourceRow>
  /// The nodes of the newest arrangement.
  private var nodes: [CachedNode] = []
  /// The nodes of the arrangement before, while the newest is built.
  private var former: [CachedNode] = []

  @usableFromInline
  init(source: ListNode<SourceSection, SourceRow>) { self.source = source }

  /// Makes the nodes of an arrangement in place of those of the one before.
  ///
  /// Operators that both have, because one was made from the other or both from a third, go on where they are.
  @usableFromInline
  func rebuild<Section, Row>(
    _ arrangement: Arrangement<SourceSection, SourceRow, Section, Row>
  ) -> ListNode<Section, Row> {
    former = nodes
    nodes = []
    defer { former = [] }
    return node(of: arrangement)
  }

  /// The node of the newest arrangement, or of one that it begins with.
  @usableFromInline
  func node<Section, Row>(
    of arrangement: Arrangement<SourceSection, SourceRow, Section, Row>
  ) -> ListNode<Section, Row> {
    let (stem, tail) = (arrangement.identity, arrangement.tail.identity)
    if let index = former.firstIndex(where: { $0.stem === stem && $0.tail === tail }),
      let node = former[index].node as? ListNode<Section, Row>
    {
      nodes += former[index - former[index].prefixCount...index]
      return node
    }
    let start = nodes.count
    let node = arrangement.make(self, arrangement.tail)
    nodes.append((stem, tail, node, nodes.count - start))
    return node
  }
}
