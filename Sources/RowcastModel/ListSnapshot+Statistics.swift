import RowcastDiff

extension ListSnapshot {
  /// The number of nodes of some lists, each counted once.
  package static func nodeCount(of lists: [ListSnapshot]) -> Int {
    var addresses: Set<UInt> = []
    for list in lists {
      list.tree.collectAddresses(&addresses)
      for entry in list.tree { entry.rows.collectAddresses(&addresses) }
    }
    return addresses.count
  }

  /// The number of nodes that this list does not share with another one.
  package func nodeCount(besides other: ListSnapshot) -> Int {
    Self.nodeCount(of: [self, other]) - Self.nodeCount(of: [other])
  }
}

extension Tree {
  package func collectAddresses(_ addresses: inout Set<UInt>) {
    func collect(_ child: Child) {
      if child.count > 0 { addresses.insert(child.node.address) }
      if case .inner(let children) = child.node { children.forEach(collect) }
    }
    collect(root)
  }
}
