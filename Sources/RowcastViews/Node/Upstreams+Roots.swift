import RowcastDiff
import RowcastModel
import RowcastStore

/// A list reads each of its roots on one path: lists that are made of a root which another path reads, too, are made anew in it.
extension Upstreams {
  /// True if a list that is made of others is read as it is, and its operators are not made anew.
  @usableFromInline
  func isReadAsItIs<Section, Row>(_ view: ViewCore<Section, Row>) -> Bool {
    if trace != nil { return false }
    return contested.isEmpty
      || contested.isDisjoint(with: linksOfObjects[ObjectIdentifier(view)]?.roots ?? view.roots)
  }

  /// The roots of all values.
  var roots: Set<ObjectIdentifier> {
    if let knownRoots { return knownRoots }
    let roots = links.reduce(into: Set()) { $0.formUnion($1.roots) }
    knownRoots = roots
    return roots
  }

  /// Finds roots that are read on several paths: the next pull makes the lists that are made of them anew. Returns true if there
  /// are others than before.
  func findContested() -> Bool {
    guard links.contains(where: \.areRootsNew) else { return false }
    for link in links { link.areRootsNew = false }
    knownRoots = nil
    for root in contested where !roots.contains(root) { contested.remove(root) }
    let (shared, former) = (sharedRoots, contested)
    contested.formUnion(shared)
    return !shared.isSubset(of: former)
  }

  /// The objects whose identities are roots, which are not kept alive. No other ones get their places in memory, and so their
  /// identities.
  var rootObjects: [() -> AnyObject] { links.map(\.path).map { object in { [unowned object] in object } } }

  /// The roots that are read on several paths: the root itself, or lists that are made of it.
  var sharedRoots: Set<ObjectIdentifier> {
    var paths: [ObjectIdentifier: UpstreamLink] = [:]
    var shared: Set<ObjectIdentifier> = []
    for link in links {
      for root in link.roots {
        if let other = paths.updateValue(link, forKey: root), other.path !== link.path { shared.insert(root) }
      }
    }
    return shared
  }

  /// Makes operators for other sources, anew if they read a root on several paths.
  @usableFromInline
  func replaceOperators(_ make: () -> Void) {
    repeat {
      make()
      dropUnread()
    } while findContested()
  }

  /// A node that reads a list that is made of others, of which the operators are made anew for this list.
  @usableFromInline
  func reader<Section, Row>(of view: ViewCore<Section, Row>) -> ListNode<Section, Row> {
    if let known = nodes[ObjectIdentifier(view)]?.node() as? ListNode<Section, Row> { return known.reader(in: self) }
    let node = noting(view.makeNode(self), view.refusal)
    nodes[ObjectIdentifier(view)] = (view, { [weak node] in node })
    return node.reader(in: self)
  }
}
