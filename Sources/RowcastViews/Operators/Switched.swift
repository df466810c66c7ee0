public import RowcastDiff
public import RowcastModel
public import RowcastStore

/// A list that shows one of several lists, which a person chooses.
public typealias Switched = ArrangedList

extension ListNode {
  /// Makes nodes that read a list that a parameter names.
  @inlinable
  static func maker(of list: any LiveList<Section, Row>, in parameter: AnyObject) -> MakeNode<Section, Row> {
    let view = (list as? any SourceList<Section, Row>)?.source as? ViewCore<Section, Row>
    require(
      !(view?.roots.contains(ObjectIdentifier(parameter)) ?? false),
      "A parameter names a list that is made of the parameter: a list cannot show itself")
    return maker(of: list)
  }

  /// The list that is the value of a parameter.
  @inlinable
  static func switched(
    by parameter: ParameterCore<any LiveList<Section, Row>>, upstreams: Upstreams
  ) -> ListNode {
    let value = upstreams.state(of: parameter)
    var source: (node: ListNode, revision: Int)?
    // The list before values whose sources were not read yet.
    var shown: Snapshot?
    return ListNode(
      pull: {
        guard let revision = value.revision, let (newest, _) = value.value else { return false }
        if let source, source.revision == revision, shown == nil { return source.node.pull() }
        let before = shown ?? source?.node.snapshot() ?? Snapshot()
        if source?.revision != revision {
          source = (maker(of: newest, in: parameter)(upstreams), revision)
        }
        guard upstreams.hasAllValues, let source else {
          shown = before
          upstreams.dropUnread()
          return false
        }
        let givenUp = upstreams.givenUp
        _ = source.node.pull()
        // Operators of the source may have given up, or have added sources.
        if upstreams.givenUp > givenUp || !upstreams.hasAllValues {
          shown = before
          return false
        }
        shown = nil
        upstreams.dropUnread()
        return source.node.snapshot() != before
      },
      snapshot: { shown ?? source?.node.snapshot() ?? Snapshot() },
      failures: { shown == nil ? source?.node.failures() ?? [:] : [:] })
  }
}

extension ArrangedList {
  /// A list that shows the list that a person has chosen: a channel, a folder, a mirror of another server.
  ///
  ///     let channel = Parameter<any LiveList<SoleSection, Message>>(general)
  ///     let messages = Switched(channel)
  ///     channel.set(random)
  ///
  /// An exchange is one update with the least difference, and the former list is let go. A selection and a place on the screen
  /// stay where ids are shared. `MergedList(of:)` shows a set of lists that changes.
  ///
  /// - Parameter list: The list to show. This list ends when the parameter has ended, and the last list that it named. Lists
  ///   that are made of this one and of the chosen one, or of another store of its space, read these at two moments. The first list
  ///   of an app's own type that does not answer holds up the next choice.
  /// - Precondition: The list that is chosen is not made of this one, or of the parameter.
  /// - Complexity: O(n) for the n rows of both lists when they are exchanged; O(1) for a change otherwise.
  @inlinable
  public convenience init(_ list: Parameter<any LiveList<Section, Row>>) {
    // The core: lists do not keep the parameter alive.
    self.init(core: ViewCore { [core = list.core] in .switched(by: core, upstreams: $0) })
  }
}
