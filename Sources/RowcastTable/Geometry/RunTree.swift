/// A stretch of a list: some elements and the lines that they take.
protocol LineRun: SendableMetatype {
  /// The number of elements.
  var count: Int { get }
  /// The number of lines of all elements.
  var lines: Int { get }
  /// The stretch cut in two after some of its elements.
  func split(at offset: Int) -> (Self, Self)
  /// Both stretches as one, if one can stand for them.
  func merged(with next: Self) -> Self?
}

/// A persistent sequence of runs that finds elements by their index or by a line.
///
/// A balanced tree whose every change is made of two operations, splitting at an index and joining (G. Blelloch,
/// D. Ferizovic and Y. Sun, "Just Join for Parallel Ordered Sets", 2016). Nodes are never changed, so a copy costs
/// nothing, and what is tried on a copy and refused leaves no trace.
struct RunTree<Run: LineRun> {
  private(set) var root: Node?

  final class Node {
    let left: Node?
    let right: Node?
    let run: Run
    let depth: Int
    /// The number of elements below, those of the own run included.
    let count: Int
    /// The lines of those.
    let lines: Int

    init(_ left: Node?, _ run: Run, _ right: Node?) {
      self.left = left
      self.run = run
      self.right = right
      depth = max(RunTree.depth(left), RunTree.depth(right)) + 1
      count = RunTree.count(left) + run.count + RunTree.count(right)
      lines = RunTree.lines(left) + run.lines + RunTree.lines(right)
    }
  }

  /// A run with what stands before it.
  struct Place {
    var run: Run
    /// The index of the first element of the run.
    var index: Int
    /// The first line of the run.
    var line: Int
  }

  private static func depth(_ node: Node?) -> Int { node?.depth ?? 0 }
  private static func count(_ node: Node?) -> Int { node?.count ?? 0 }
  private static func lines(_ node: Node?) -> Int { node?.lines ?? 0 }

  init() {}

  init(_ run: Run) { root = run.count > 0 ? Node(nil, run, nil) : nil }

  private init(root: Node?) { self.root = root }

  /// The number of elements.
  var count: Int { Self.count(root) }
  /// The number of lines of all elements.
  var lines: Int { Self.lines(root) }
}

// MARK: - Finding

extension RunTree {
  /// The run that has the element at an index.
  ///
  /// - Complexity: O(log r) for r runs.
  func place(ofIndex index: Int) -> Place {
    precondition(index >= 0 && index < count, "Index \(index) is out of range 0..<\(count)")
    return place(index, isLine: false)
  }

  /// The run that a line belongs to.
  ///
  /// - Complexity: O(log r) for r runs.
  func place(ofLine line: Int) -> Place {
    precondition(line >= 0 && line < lines, "Line \(line) is out of range 0..<\(lines)")
    return place(line, isLine: true)
  }

  private func place(_ offset: Int, isLine: Bool) -> Place {
    var rest = offset
    var (index, line) = (0, 0)
    var node = root
    while let current = node {
      let before = isLine ? Self.lines(current.left) : Self.count(current.left)
      if rest < before {
        node = current.left
        continue
      }
      rest -= before
      index += Self.count(current.left)
      line += Self.lines(current.left)
      let own = isLine ? current.run.lines : current.run.count
      if rest < own { return Place(run: current.run, index: index, line: line) }
      rest -= own
      index += current.run.count
      line += current.run.lines
      node = current.right
    }
    preconditionFailure("Offset \(offset) is in no run")
  }
}

// MARK: - Changing

extension RunTree {
  /// Puts runs in front of the element at an index, or at the end.
  ///
  /// - Complexity: O(log r) for r runs.
  mutating func insert(_ runs: RunTree, at index: Int) {
    let (head, tail) = Self.split(root, at: index)
    root = Self.concatenate(Self.concatenate(head, runs.root), tail)
  }

  /// Takes elements out.
  ///
  /// - Complexity: O(log r) for r runs.
  mutating func remove(_ range: Range<Int>) {
    let (head, rest) = Self.split(root, at: range.lowerBound)
    root = Self.concatenate(head, Self.split(rest, at: range.count).1)
  }

  /// Puts another run in the place of as many elements.
  mutating func replace(at index: Int, with run: Run) {
    let (head, rest) = Self.split(root, at: index)
    root = Self.concatenate(Self.concatenate(head, RunTree(run).root), Self.split(rest, at: run.count).1)
  }

  /// Puts runs at the end.
  mutating func append(_ run: Run) { root = Self.concatenate(root, RunTree(run).root) }

  private static func split(_ node: Node?, at index: Int) -> (Node?, Node?) {
    guard let node else { return (nil, nil) }
    let offset = index - count(node.left)
    if offset <= 0 {
      let (head, tail) = split(node.left, at: index)
      return (head, join(tail, node.run, node.right))
    }
    if offset >= node.run.count {
      let (head, tail) = split(node.right, at: offset - node.run.count)
      return (join(node.left, node.run, head), tail)
    }
    let (first, second) = node.run.split(at: offset)
    return (join(node.left, first, nil), join(nil, second, node.right))
  }

  /// Both sequences as one. Runs that meet and can be one become one.
  private static func concatenate(_ left: Node?, _ right: Node?) -> Node? {
    guard let left else { return right }
    guard let right else { return left }
    let (first, rest) = popFirst(right)
    let (others, last) = popLast(left)
    guard let run = last.merged(with: first) else { return join(left, first, rest) }
    return join(others, run, rest)
  }

  private static func popFirst(_ node: Node) -> (Run, Node?) {
    guard let left = node.left else { return (node.run, node.right) }
    let (run, rest) = popFirst(left)
    return (run, join(rest, node.run, node.right))
  }

  private static func popLast(_ node: Node) -> (Node?, Run) {
    guard let right = node.right else { return (node.left, node.run) }
    let (rest, run) = popLast(right)
    return (join(node.left, node.run, rest), run)
  }

  // MARK: Balance: the depths of siblings differ by two at most.

  private static func join(_ left: Node?, _ run: Run, _ right: Node?) -> Node {
    if let left, left.depth > depth(right) + 2 { return balanced(left.left, left.run, join(left.right, run, right)) }
    if let right, right.depth > depth(left) + 2 { return balanced(join(left, run, right.left), right.run, right.right) }
    return Node(left, run, right)
  }

  /// A node whose children may differ by three.
  private static func balanced(_ left: Node?, _ run: Run, _ right: Node?) -> Node {
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

// MARK: - Checks

extension RunTree {
  /// The runs, from first to last.
  var runs: [Run] {
    func list(_ node: Node?) -> [Run] { node.map { list($0.left) + [$0.run] + list($0.right) } ?? [] }
    return list(root)
  }

  /// The nodes, for those who count them.
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

  /// Checks the balance. For tests.
  func checkInvariants() {
    func check(_ node: Node?) {
      guard let node else { return }
      check(node.left)
      check(node.right)
      precondition(
        abs(Self.depth(node.left) - Self.depth(node.right)) <= 2,
        "Depths \(Self.depth(node.left)) and \(Self.depth(node.right)) side by side")
      precondition(node.run.count > 0, "An empty run")
    }
    check(root)
  }
}
