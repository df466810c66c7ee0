extension Changeset where Position == Int {
  /// The list that this changeset leads to.
  ///
  ///     Changeset(from: old, to: new).applied(to: old, inserting: new)  // == new
  ///
  /// - Parameters:
  ///   - old: The list before the change.
  ///   - new: The list after the change, which has the inserted and updated elements.
  /// - Returns: The list after the change.
  /// - Precondition: The positions of the changeset lie within both lists.
  /// - Complexity: O(n) for the n elements of both lists.
  public func applied<Element>(to old: [Element], inserting new: [Element]) -> [Element] {
    if isEmpty { return old }
    var leaving = Array(repeating: false, count: old.count)
    for index in deletes { leaving[index] = true }
    for move in moves { leaving[move.from] = true }
    var staying = old.indices.lazy.filter { !leaving[$0] }.makeIterator()

    let count = old.count - deletes.count + inserts.count
    var source = [Element?](repeating: nil, count: count)
    for index in inserts { source[index] = new[index] }
    for move in moves { source[move.to] = old[move.from] }
    var result: [Element] = []
    result.reserveCapacity(count)
    for element in source {
      if let element {
        result.append(element)
      } else {
        guard let index = staying.next() else {
          stop(
            "The changeset has \(inserts.count) inserts and \(deletes.count) deletes, "
              + "which do not lead from \(old.count) elements to \(new.count)")
        }
        result.append(old[index])
      }
    }
    for update in updates { result[update.to] = new[update.to] }
    return result
  }
}
