package import RowcastModel

extension ListSnapshot {
  /// Checks all trees; with a draft, also that it finds everything.
  package func checkInvariants(_ nodeIndex: NodeIndex? = nil) {
    tree.checkInvariants(nodeIndex)
    var rows = 0
    for entry in tree {
      entry.rows.checkInvariants(nodeIndex)
      rows += entry.rows.count
    }
    precondition(rows == rowCount, "The list counts \(rowCount) rows and has \(rows)")
  }
}
