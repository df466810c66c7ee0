public import RowcastDiff

/// The rows of one section of a snapshot, in order: a view that shares them with the snapshot.
///
/// Reading one row by its index is O(log n); reading all of them in order is O(n).
public struct ListRows<Row: RowViewModel>: RandomAccessCollection, Sendable {
  @usableFromInline let base: Tree<RowKind<Row>>

  @inlinable
  init(base: Tree<RowKind<Row>>) { self.base = base }

  /// No rows.
  @inlinable
  public init() { self.init(base: Tree(flat: [], shape: .rows)) }

  /// The position of the first row, always 0.
  @inlinable public var startIndex: Int { 0 }

  /// The number of rows.
  @inlinable public var endIndex: Int { base.count }

  /// The row at an index.
  ///
  /// - Precondition: The index lies within the section.
  /// - Complexity: O(log n).
  @inlinable
  public subscript(index: Int) -> Row {
    require(index >= 0 && index < base.count, "Row \(index) is out of range 0..<\(base.count)")
    return base.element(at: index)
  }

  /// Reads the rows in order, faster than by their indexes.
  @inlinable
  public func makeIterator() -> some IteratorProtocol<Row> { base.makeIterator() }

  /// Transforms all rows, in order. The default of other collections reads by index, which takes O(log n) a row here.
  ///
  /// - Parameter transform: Gets each row once.
  /// - Returns: The results of the closure, in the order of the rows.
  /// - Throws: Any error of the closure.
  /// - Complexity: O(n).
  @inlinable
  public func map<Result, Failure: Error>(_ transform: (Row) throws(Failure) -> Result) throws(Failure) -> [Result] {
    var results: [Result] = []
    results.reserveCapacity(count)
    for row in self { results.append(try transform(row)) }
    return results
  }
}

extension ListRows: Equatable {
  /// Returns `true` if both have equal rows in the same order. Shared rows are not compared. Rows that are unequal to themselves
  /// are equal if they have the same content; see ``RowViewModel``.
  ///
  /// - Complexity: O(d log n) for d rows that are not shared.
  @inlinable
  public static func == (lhs: ListRows, rhs: ListRows) -> Bool { lhs.base.hasSameRows(as: rhs.base) }
}

extension Tree {
  /// Calls the body with the elements at each position of two trees of one count, except for nodes that both trees have there,
  /// until it returns `false`. Nothing is copied, and nothing after that is read.
  ///
  /// - Returns: `false` if the body did.
  /// - Complexity: O(d log n) for d elements that are not shared, or are shared at other positions.
  @inlinable
  func forEachPair(with other: Tree, _ body: (_ position: Int, Element, Element) -> Bool) -> Bool {
    unsafe withUnsafePointer(to: root) { root in
      unsafe withUnsafePointer(to: other.root) { otherRoot in
        var position = 0
        while position < count {
          var (node, otherNode, offset, otherOffset) = unsafe (root, otherRoot, position, position)
          // Descends to the position, on the side with more elements first, so that both sides are at a shared node together.
          while unsafe offset != otherOffset || node.pointee.node.address != otherNode.pointee.node.address {
            if let children = unsafe node.pointee.node.children,
              unsafe node.pointee.count >= otherNode.pointee.count || otherNode.pointee.isLeaf
            {
              unsafe node = children.baseAddress.unsafelyUnwrapped + Self.child(of: children, at: &offset)
            } else if let children = unsafe otherNode.pointee.node.children {
              unsafe otherNode = children.baseAddress.unsafelyUnwrapped + Self.child(of: children, at: &otherOffset)
            } else {
              break
            }
          }
          let end = unsafe position + Swift.min(node.pointee.count - offset, otherNode.pointee.count - otherOffset)
          if unsafe node.pointee.node.address == otherNode.pointee.node.address, offset == otherOffset {
            position = end
            continue
          }
          let (elements, others) = unsafe (node.pointee.node.elements, otherNode.pointee.node.elements)
          while position < end {
            if unsafe !body(position, elements[offset], others[otherOffset]) { return false }
            (position, offset, otherOffset) = (position + 1, offset + 1, otherOffset + 1)
          }
        }
        return true
      }
    }
  }

  /// Returns `true` if both trees have equal elements in the same order. No id occurs twice: a row that is shared at another
  /// position is not at this one.
  @inlinable
  func isSame(as other: Tree, _ areEqual: (Element, Element) -> Bool) -> Bool {
    count == other.count && forEachPair(with: other) { areEqual($1, $2) }
  }

  @inlinable
  func hasSameRows<Row: Equatable>(as other: Tree) -> Bool where Kind == RowKind<Row> {
    isSame(as: other) { areUnchanged($0, $1) }
  }
}
