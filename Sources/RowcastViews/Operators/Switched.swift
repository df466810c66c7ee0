public import RowcastDiff
import RowcastModel
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
    var revision: Int?
    return exchanging(in: upstreams) {
      guard value.revision != revision, let (newest, lifetime) = value.value else { return nil }
      revision = value.revision
      // Nothing may read the list again before the app releases the store that the parameter names.
      value.replace(with: (ParameterCore.heldByLists(newest), lifetime))
      return maker(of: newest, in: parameter)(upstreams)
    }
  }
}

extension ArrangedList {
  /// A list that shows the list that a person has chosen: a channel, a folder, a mirror of another server.
  ///
  ///     let channel = Parameter<any LiveList<SoleSection, Message>>(general)
  ///     let messages = Switched(channel)
  ///     channel.set(random)
  ///
  /// An exchange is one update with the least difference, and the former list is released. A selection and a place on the screen
  /// stay where ids are shared. `MergedList(of:)` shows a set of lists that changes.
  ///
  /// - Parameter list: The list to show. This list ends when the parameter and the last list that it named have ended. A first
  ///   list of an app's own type that does not answer delays the next choice.
  /// - Precondition: The list that is chosen is not made from this one, or from the parameter.
  /// - Complexity: O(n) for the n rows of both lists when another is chosen; O(1) for a change otherwise.
  @inlinable
  public convenience init(_ list: Parameter<any LiveList<Section, Row>>) {
    // The core: lists do not keep the parameter alive.
    self.init(core: ViewCore { [core = list.core] in .switched(by: core, upstreams: $0) })
  }
}
