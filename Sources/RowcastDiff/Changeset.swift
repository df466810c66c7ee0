/// The difference of two lists: deletions, insertions, moves and content updates.
///
/// `Position` is `Int` for a flat list and ``RowPath`` for the rows of a sectioned one. Two index spaces meet here:
/// deletions and the sources of moves and updates are positions *before* the change; insertions and the destinations
/// of moves and updates are positions *after* it. An element that moved and whose content changed is in both ``moves`` and
/// ``updates``.
///
/// To apply a changeset, remove deletions and move sources from high to low, then insert insertions and move destinations from
/// low to high, then set the content of the updates.
public struct Changeset<Position: Hashable & Comparable & Sendable>: Hashable, Sendable {
  /// An element that is in both lists, at its place in each.
  public struct Transition: Hashable, Sendable {
    /// The position before the change.
    public var from: Position
    /// The position after the change.
    public var to: Position

    /// Creates a transition between a position before and a position after the change.
    @inlinable
    public init(from: Position, to: Position) {
      self.from = from
      self.to = to
    }
  }

  /// The elements that are deleted: positions before the change, ascending.
  public var deletes: [Position]
  /// The elements that are inserted: positions after the change, ascending.
  public var inserts: [Position]
  /// The elements that changed their place, in ascending order of destination.
  ///
  /// As few as possible: an element whose index shifted because of its neighbours is not a move.
  public var moves: [Transition]
  /// The elements whose content changed, in ascending order of their position after the change.
  public var updates: [Transition]

  /// Creates a changeset from its operations, which must be sorted as the properties say.
  @inlinable
  public init(
    deletes: [Position] = [], inserts: [Position] = [], moves: [Transition] = [], updates: [Transition] = []
  ) {
    self.deletes = deletes
    self.inserts = inserts
    self.moves = moves
    self.updates = updates
  }

  /// A Boolean value that tells if nothing changes.
  @inlinable
  public var isEmpty: Bool { deletes.isEmpty && inserts.isEmpty && moves.isEmpty && updates.isEmpty }

  /// The number of operations.
  @inlinable
  public var count: Int { deletes.count + inserts.count + moves.count + updates.count }
}

extension Changeset.Transition: CustomStringConvertible {
  /// Both positions, as in `3→0`.
  public var description: String { "\(from)→\(to)" }
}

extension Changeset: CustomStringConvertible {
  /// The operations, as in `deletes [1], moves [3→0]`.
  public var description: String {
    func part(_ name: String, _ operations: [some CustomStringConvertible]) -> String? {
      operations.isEmpty ? nil : "\(name) [\(operations.map { "\($0)" }.joined(separator: ", "))]"
    }
    let parts = [
      part("deletes", deletes.map { "\($0)" }), part("inserts", inserts.map { "\($0)" }), part("moves", moves),
      part("updates", updates),
    ].compactMap { $0 }
    return parts.isEmpty ? "no changes" : parts.joined(separator: ", ")
  }
}

extension Changeset where Position == Int {
  /// The list after the changes of this changeset.
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
