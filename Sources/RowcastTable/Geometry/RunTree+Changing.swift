extension RunTree {
  /// Puts runs in front of the element at an index, or at the end.
  ///
  /// - Complexity: O(log r) for r runs.
  mutating func insert(_ runs: RunTree, at index: Int) {
    let expected = count + runs.count
    defer { checkCount(expected) }
    if let root, let run = runs.onlyRun, let grown = Self.growing(root, at: index, by: run) {
      self.root = grown
      return
    }
    let (head, tail) = Self.split(root, at: index)
    root = Self.concatenate(Self.concatenate(head, runs.root), tail)
  }

  /// Takes elements out.
  ///
  /// - Complexity: O(log r) for r runs.
  mutating func remove(_ range: Range<Int>) {
    let expected = count - range.count
    defer { checkCount(expected) }
    if let root, let shrunk = Self.shrinking(root, range) {
      self.root = shrunk
      return
    }
    let (head, rest) = Self.split(root, at: range.lowerBound)
    root = Self.concatenate(head, Self.split(rest, at: range.count).1)
  }

  /// Puts another run in the place of as many elements.
  mutating func replace(at index: Int, with run: Run) {
    let expected = count
    defer { checkCount(expected) }
    let (head, rest) = Self.split(root, at: index)
    root = Self.concatenate(Self.concatenate(head, RunTree(run).root), Self.split(rest, at: run.count).1)
  }

  /// Puts runs in front of elements, in order: each index is the one that the run's first element has in the end.
  ///
  /// - Complexity: O(k) for k runs if all elements are alike, else O(k log r) for r runs.
  mutating func insert(_ runs: [(index: Int, runs: RunTree)]) {
    if let run = onlyRun, let merged = Self.merging(run, runs) {
      root = Node(nil, merged, nil)
    } else {
      for (index, runs) in runs { insert(runs, at: index) }
    }
  }

  /// One run that stands for others put into it.
  private static func merging(_ run: Run, _ others: [(index: Int, runs: RunTree)]) -> Run? {
    var run = run
    for (_, other) in others {
      guard let next = other.onlyRun, let merged = run.merged(with: next) else { return nil }
      run = merged
    }
    return run
  }

  /// Takes elements out: ranges before that, ascending.
  ///
  /// - Complexity: O(k) for k ranges if all elements are alike, else O(k log r) for r runs.
  mutating func remove(_ ranges: [Range<Int>]) {
    if let shrunk = onlyRun?.shrunk(by: ranges.reduce(0) { $0 + $1.count }) {
      root = Node(nil, shrunk, nil)
    } else {
      for range in ranges.reversed() { remove(range) }
    }
  }

  /// Puts another run in the place of one that has as many elements and cannot be one with its neighbours.
  mutating func set(_ run: Run, at index: Int) {
    func setting(_ node: Node?, _ index: Int) -> Node? {
      guard let node else { return nil }
      let offset = index - Self.count(node.left)
      if offset < 0 { return Node(setting(node.left, index), node.run, node.right) }
      if offset == 0 { return Node(node.left, run, node.right) }
      return Node(node.left, node.run, setting(node.right, offset - node.run.count))
    }
    let expected = count
    root = setting(root, index)
    checkCount(expected)
  }

  /// Checks, in debug builds, that a change left as many elements as it was to. Each node checks itself when it is made.
  private func checkCount(_ expected: Int) { assert(count == expected, "\(count) elements, not \(expected)") }

  /// Puts runs at the end.
  mutating func append(_ run: Run) {
    let expected = count + run.count
    root = Self.concatenate(root, RunTree(run).root)
    checkCount(expected)
  }

  /// The run of a sequence that has one.
  private var onlyRun: Run? { root?.left == nil && root?.right == nil ? root?.run : nil }

  /// A run that takes others in: only the path to it is new. With a thousand heights measured, an update of a million rows
  /// takes 2.4 µs so, and 3.8 µs if the tree is cut and joined.
  private static func growing(_ node: Node, at index: Int, by run: Run) -> Node? {
    let offset = index - count(node.left)
    if offset <= 0, let left = node.left, let grown = growing(left, at: index, by: run) {
      return Node(grown, node.run, node.right)
    }
    if offset >= node.run.count, let right = node.right,
      let grown = growing(right, at: offset - node.run.count, by: run)
    {
      return Node(node.left, node.run, grown)
    }
    guard offset >= 0, offset <= node.run.count else { return nil }
    return node.run.merged(with: run).map { Node(node.left, $0, node.right) }
  }

  /// A run that loses elements and keeps some.
  private static func shrinking(_ node: Node, _ range: Range<Int>) -> Node? {
    let start = count(node.left)
    let end = start + node.run.count
    if range.upperBound <= start {
      return node.left.flatMap { shrinking($0, range) }.map { Node($0, node.run, node.right) }
    }
    if range.lowerBound >= end {
      let rest = range.lowerBound - end..<range.upperBound - end
      return node.right.flatMap { shrinking($0, rest) }.map { Node(node.left, node.run, $0) }
    }
    guard start <= range.lowerBound, range.upperBound <= end else { return nil }
    return node.run.shrunk(by: range.count).map { Node(node.left, $0, node.right) }
  }

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
