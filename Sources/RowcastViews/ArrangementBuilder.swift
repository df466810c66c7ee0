import RowcastDiff
public import RowcastModel

/// Makes the nodes of an arrangement, and keeps those that the arrangement before it had in common with it.
@usableFromInline
final class ArrangementBuilder<SourceSection: SectionViewModel, SourceRow: RowViewModel> {
  /// The node of an arrangement, or of the beginning of one.
  private struct CachedNode {
    /// Tell the arrangement; held so that no other object can have the same identity.
    let stem: ArrangementIdentity
    let tail: ArrangementIdentity?
    let node: Any
    /// The nodes that were made for this one.
    let prefixes: [CachedNode]

    func isNode(of stem: ArrangementIdentity, _ tail: ArrangementIdentity?) -> Bool {
      self.stem === stem && self.tail === tail
    }
  }

  /// The list that is arranged.
  @usableFromInline let source: ListNode<SourceSection, SourceRow>
  /// The nodes of the arrangement that is or was built last.
  private var nodes: [CachedNode] = []
  /// While an arrangement is built: the nodes of the one before.
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

  /// The node of an arrangement that another one begins with.
  @usableFromInline
  func node<Section, Row>(
    of arrangement: Arrangement<SourceSection, SourceRow, Section, Row>
  ) -> ListNode<Section, Row> {
    let (stem, tail) = (arrangement.identity, arrangement.tail.identity)
    if let known = former.first(where: { $0.isNode(of: stem, tail) }), let node = known.node as? ListNode<Section, Row>
    {
      nodes += known.prefixes + [known]
      return node
    }
    let start = nodes.count
    let node = arrangement.make(self, arrangement.tail)
    assert(!nodes.contains { $0.isNode(of: stem, tail) }, "two nodes of one arrangement, beside \(nodes.count) others")
    nodes.append(CachedNode(stem: stem, tail: tail, node: node, prefixes: Array(nodes[start...])))
    return node
  }
}
