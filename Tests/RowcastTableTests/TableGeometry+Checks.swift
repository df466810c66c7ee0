@testable import RowcastTable

extension TableGeometry {
  /// The runs, from first to last.
  var list: [HeightRun] {
    func list(_ node: Node?) -> [HeightRun] { node.map { list($0.left) + [$0.run] + list($0.right) } ?? [] }
    return list(root)
  }

  /// The nodes, to be counted.
  var nodes: Set<ObjectIdentifier> {
    func collect(_ node: Node?, _ nodes: inout Set<ObjectIdentifier>) {
      guard let node else { return }
      nodes.insert(ObjectIdentifier(node))
      collect(node.left, &nodes)
      collect(node.right, &nodes)
    }
    var nodes: Set<ObjectIdentifier> = []
    collect(root, &nodes)
    return nodes
  }

  /// Checks the balance.
  func checkInvariants() {
    func check(_ node: Node?) {
      guard let node else { return }
      check(node.left)
      check(node.right)
      precondition(
        abs((node.left?.depth ?? 0) - (node.right?.depth ?? 0)) <= 2,
        "Depths \(node.left?.depth ?? 0) and \(node.right?.depth ?? 0) side by side")
      precondition(node.run.count > 0, "An empty run")
    }
    check(root)
  }
}
