import RowcastDiff

/// Neighbouring elements of one height: the header of a section, or any of its rows and its footer.
struct HeightRun: Equatable {
  var count: Int
  /// The lines of each element.
  var height: Int
  /// True for a header, which is a run of its own: it marks where a section begins.
  var isHeader = false

  var extent: RunTree.Extent {
    RunTree.Extent(sections: isHeader ? 1 : 0, elements: count, lines: count * height)
  }

  /// Both runs as one, if one can stand for them.
  func merged(with next: HeightRun) -> HeightRun? {
    guard height == next.height, !isHeader, !next.isHeader else { return nil }
    return HeightRun(count: count + next.count, height: height)
  }
}

/// A persistent sequence of runs in which elements are found by section, by index or by line.
///
/// A balanced tree. Every change is made of splitting and joining (G. Blelloch, D. Ferizovic and Y. Sun, "Just Join for
/// Parallel Ordered Sets", 2016). Nodes are immutable, so a copy costs nothing and a change of a copy can be dropped.
struct RunTree {
  /// How much a part of the sequence holds.
  struct Extent {
    var sections = 0
    var elements = 0
    var lines = 0

    static func + (lhs: Extent, rhs: Extent) -> Extent {
      Extent(
        sections: lhs.sections + rhs.sections, elements: lhs.elements + rhs.elements, lines: lhs.lines + rhs.lines)
    }
  }

  final class Node {
    let left: Node?
    let right: Node?
    let run: HeightRun
    let depth: Int
    /// The extent of both subtrees and the node's own run.
    let extent: Extent

    init(_ left: Node?, _ run: HeightRun, _ right: Node?) {
      self.left = left
      self.run = run
      self.right = right
      let depths = (left: RunTree.depth(left), right: RunTree.depth(right))
      depth = max(depths.left, depths.right) + 1
      extent = RunTree.extent(left) + run.extent + RunTree.extent(right)
      assert(run.count > 0, "an empty run")
      assert(abs(depths.left - depths.right) <= 2, "depths \(depths.left) and \(depths.right) side by side")
    }
  }

  private(set) var root: Node?

  init(_ run: HeightRun? = nil) {
    if let run, run.count > 0 { root = Node(nil, run, nil) }
  }

  private init(root: Node?) { self.root = root }

  private static func depth(_ node: Node?) -> Int { node?.depth ?? 0 }
  private static func extent(_ node: Node?) -> Extent { node?.extent ?? Extent() }

  /// The extent of the whole sequence.
  var extent: Extent { Self.extent(root) }

  /// Finds the run with a section, element or line, and the extent of everything before that run.
  ///
  /// - Complexity: O(log r) for r runs.
  func find(_ offset: Int, by measure: (Extent) -> Int) -> (run: HeightRun, before: Extent) {
    var before = Extent()
    var node = root
    while let current = node {
      let start = before + Self.extent(current.left)
      let end = start + current.run.extent
      if offset < measure(start) {
        node = current.left
      } else if offset < measure(end) {
        return (current.run, start)
      } else {
        before = end
        node = current.right
      }
    }
    stop("\(offset) is out of range 0..<\(measure(extent))")
  }

  /// The runs of some elements.
  ///
  /// - Complexity: O(log r) for r runs.
  subscript(range: Range<Int>) -> RunTree {
    RunTree(root: Self.split(Self.split(root, at: range.upperBound).0, at: range.lowerBound).1)
  }
}

// MARK: - Changing

extension RunTree {
  /// Replaces elements, or inserts where the range is empty.
  ///
  /// - Complexity: O(log r) for r runs.
  mutating func replace(_ range: Range<Int>, with runs: RunTree = RunTree()) {
    let expected = extent.elements - range.count + runs.extent.elements
    root = Self.replacing(range, in: root, with: runs.root)
    assert(extent.elements == expected, "\(extent.elements) elements, not \(expected)")
  }

  /// Adds a run at the end.
  mutating func append(_ run: HeightRun) { replace(extent.elements..<extent.elements, with: RunTree(run)) }

  /// Descends to the smallest subtree that holds the range and the elements beside it, and cuts only that one.
  private static func replacing(_ range: Range<Int>, in node: Node?, with runs: Node?) -> Node? {
    if let node {
      let start = extent(node.left).elements
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
    let offset = index - extent(node.left).elements
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

  /// Both sequences as one. The runs where they meet are merged if they have one height.
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
