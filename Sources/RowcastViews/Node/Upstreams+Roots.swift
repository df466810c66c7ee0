import RowcastDiff
import RowcastModel
import RowcastStore

/// A list reads each of its roots on one path: lists made from a root that another path reads, too, are rebuilt inside it.
extension Upstreams {
  /// True if a derived list is read as it is, and its operators are not rebuilt here.
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

  /// Finds roots that are read on several paths: the next pull rebuilds the lists that are made from them. Returns true if there
  /// are new ones.
  func findContested() -> Bool {
    guard links.contains(where: \.areRootsNew) else { return false }
    for link in links { link.areRootsNew = false }
    knownRoots = nil
    for root in contested where !roots.contains(root) { contested.remove(root) }
    let (shared, former) = (sharedRoots, contested)
    contested.formUnion(shared)
    return !shared.isSubset(of: former)
  }

  /// The objects whose identities are roots. They are not kept alive, but their places in memory, and so their identities, are
  /// not used again.
  var rootObjects: [() -> AnyObject] { links.map(\.path).map { object in { [unowned object] in object } } }

  /// The roots that are read on several paths: the root itself, or lists that are made from it.
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

  /// Makes operators for other sources, once more if they read a root on several paths.
  @usableFromInline
  func replaceOperators(_ make: () -> Void) {
    repeat {
      make()
      dropUnread()
    } while findContested()
  }

  /// A node for a derived list whose operators are rebuilt here.
  @usableFromInline
  func reader<Section, Row>(of view: ViewCore<Section, Row>) -> ListNode<Section, Row> {
    if let known = nodes[ObjectIdentifier(view)]?.node() as? ListNode<Section, Row> { return known.reader(in: self) }
    let node = noting(view.makeNode(self), view.refusal)
    nodes[ObjectIdentifier(view)] = (view, { [weak node] in node })
    return node.reader(in: self)
  }
}
