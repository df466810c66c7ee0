extension TableGeometry {
  /// The runs of some elements.
  ///
  /// - Complexity: O(log r) for r runs.
  subscript(range: Range<Int>) -> TableGeometry {
    TableGeometry(root: Self.split(Self.split(root, at: range.upperBound).0, at: range.lowerBound).1)
  }

  /// Replaces elements, or inserts where the range is empty.
  ///
  /// - Complexity: O(log r) for r runs.
  mutating func replace(_ range: Range<Int>, with runs: TableGeometry = TableGeometry()) {
    let expected = extent.elements - range.count + runs.extent.elements
    root = Self.replacing(range, in: root, with: runs.root)
    assert(extent.elements == expected, "\(extent.elements) elements, not \(expected)")
  }

  /// Adds a run at the end.
  mutating func append(_ run: HeightRun) { insert(TableGeometry(run), at: extent.elements) }

  /// Inserts elements before the one with an index.
  mutating func insert(_ elements: TableGeometry, at index: Int) { replace(index..<index, with: elements) }

  /// Descends to the smallest subtree that contains the range and the elements beside it, and cuts only that one.
  private static func replacing(_ range: Range<Int>, in node: Node?, with runs: Node?) -> Node? {
    if let node {
      let start = Self.extent(node.left).elements
      let end = start + node.run.count
      if range.upperBound < start { return join(replacing(range, in: node.left, with: runs), node.run, node.right) }
      if range.lowerBound > end {
        let rest = range.lowerBound - end..<range.upperBound - end
        return join(node.left, node.run, replacing(rest, in: node.right, with: runs))
      }
    }
    let (head, rest) = split(node, at: range.lowerBound)
    return concatenate(concatenate(head, runs), split(rest, at: range.count).1)
  }

  private static func split(_ node: Node?, at index: Int) -> (Node?, Node?) {
    guard let node else { return (nil, nil) }
    let offset = index - Self.extent(node.left).elements
    if offset <= 0 {
      let (head, tail) = split(node.left, at: index)
      return (head, join(tail, node.run, node.right))
    }
    if offset >= node.run.count {
      let (head, tail) = split(node.right, at: offset - node.run.count)
      return (join(node.left, node.run, head), tail)
    }
    var (first, second) = (node.run, node.run)
    (first.count, second.count) = (offset, second.count - offset)
    return (join(node.left, first, nil), join(nil, second, node.right))
  }

  /// Concatenates both sequences. The runs where they meet are merged if they have the same height.
  private static func concatenate(_ left: Node?, _ right: Node?) -> Node? {
    guard let left else { return right }
    guard let right else { return left }
    let (first, rest) = popFirst(right)
    let (others, last) = popLast(left)
    guard let run = last.merged(with: first) else { return join(left, first, rest) }
    return join(others, run, rest)
  }

  private static func popFirst(_ node: Node) -> (HeightRun, Node?) {
    guard let left = node.left else { return (node.run, node.right) }
    let (run, rest) = popFirst(left)
    return (run, join(rest, node.run, node.right))
  }

  private static func popLast(_ node: Node) -> (Node?, HeightRun) {
    guard let right = node.right else { return (node.left, node.run) }
    let (rest, run) = popLast(right)
    return (join(node.left, node.run, rest), run)
  }

  // MARK: Balance: the depths of siblings differ by at most two.

  private static func join(_ left: Node?, _ run: HeightRun, _ right: Node?) -> Node {
    if let left, left.depth > depth(right) + 2 { return balanced(left.left, left.run, join(left.right, run, right)) }
    if let right, right.depth > depth(left) + 2 { return balanced(join(left, run, right.left), right.run, right.right) }
    return Node(left, run, right)
  }

  /// Makes a node of children whose depths may differ by three.
  private static func balanced(_ left: Node?, _ run: HeightRun, _ right: Node?) -> Node {
    if let left, left.depth > depth(right) + 2 {
      guard let inner = left.right, inner.depth > depth(left.left) else {
        return Node(left.left, left.run, Node(left.right, run, right))
      }
      return Node(Node(left.left, left.run, inner.left), inner.run, Node(inner.right, run, right))
    }
    if let right, right.depth > depth(left) + 2 {
      guard let inner = right.left, inner.depth > depth(right.right) else {
        return Node(Node(left, run, right.left), right.run, right.right)
      }
      return Node(Node(left, run, inner.left), inner.run, Node(inner.right, right.run, right.right))
    }
    return Node(left, run, right)
  }
}
