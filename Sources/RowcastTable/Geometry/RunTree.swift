/// A stretch of a list: some elements and the lines that they take.
protocol LineRun: SendableMetatype {
  /// The number of elements.
  var count: Int { get }
  /// The number of lines of all elements.
  var lines: Int { get }
  /// The stretch cut in two after some of its elements.
  func split(at offset: Int) -> (Self, Self)
  /// The stretch with some elements less, if it stays one that has any.
  func shrunk(by elements: Int) -> Self?
  /// Both stretches as one, if one can stand for them.
  func merged(with next: Self) -> Self?
}

/// A persistent sequence of runs that finds elements by their index or by a line.
///
/// A balanced tree whose every change is made of two operations, splitting at an index and joining (G. Blelloch,
/// D. Ferizovic and Y. Sun, "Just Join for Parallel Ordered Sets", 2016). Nodes are never changed, so a copy costs
/// nothing, and what is tried on a copy and refused leaves no trace.
struct RunTree<Run: LineRun> {
  var root: Node?

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
      // Every change is made of new nodes, so this is all that can be wrong.
      assert(run.count > 0, "an empty run")
      assert(
        abs(RunTree.depth(left) - RunTree.depth(right)) <= 2,
        "depths \(RunTree.depth(left)) and \(RunTree.depth(right)) side by side")
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

  static func depth(_ node: Node?) -> Int { node?.depth ?? 0 }
  static func count(_ node: Node?) -> Int { node?.count ?? 0 }
  static func lines(_ node: Node?) -> Int { node?.lines ?? 0 }

  init() {}

  init(_ run: Run) { root = run.count > 0 ? Node(nil, run, nil) : nil }

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
