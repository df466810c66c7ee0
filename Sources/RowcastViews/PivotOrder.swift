public import RowcastModel

/// The rows of a section in the order of a comparison that may contradict itself.
///
/// The order is the one of a quicksort whose pivot is always the row with the greatest hash of its id. It depends on the
/// rows alone and not on the changes that led to them, even if the comparison puts rows in a circle; where it does not,
/// this is its order. The tree of the pivots is a treap (C. R. Aragon and R. G. Seidel, "Randomized search trees", 1989),
/// so that a change concerns O(log n) rows on average.
@usableFromInline
struct PivotOrder<Row: RowViewModel> {
  @usableFromInline typealias Precedes = (Row, Row) -> Bool

  /// A row with its rank among those that become pivots.
  @usableFromInline
  struct Item {
    @usableFromInline let row: Row
    @usableFromInline let rank: Int

    @inlinable
    init(_ row: Row) {
      self.row = row
      rank = row.id.hashValue
    }

    @inlinable
    func outranks(_ other: Item) -> Bool {
      rank == other.rank ? "\(row.id)" > "\(other.row.id)" : rank > other.rank
    }
  }

  @usableFromInline
  indirect enum Node {
    /// Rows whose order is to be made anew, as they stand; no rows at all are in order.
    case loose([Item])
    /// A pivot, with the rows before and behind it. It is in order if nothing below it is loose.
    case pivot(Item, Node, Node, count: Int, isInOrder: Bool)

    /// A pivot above others. Every change is made of new nodes, so this is all that can be wrong.
    @inlinable
    init(_ pivot: Item, _ before: Node, _ behind: Node, isInOrder: Bool = true) {
      assert(
        ![before, behind].contains { $0.top?.outranks(pivot) ?? false },
        "\(pivot.rank) stands above \(before.top?.rank ?? 0) and \(behind.top?.rank ?? 0)")
      self = .pivot(pivot, before, behind, count: before.count + behind.count + 1, isInOrder: isInOrder)
    }
  }

  /// Rows that stand next to each other, and the index of the first in the section.
  @usableFromInline typealias Stretch = (start: Int, rows: [Row])

  @usableFromInline var root = Node.loose([])

  @inlinable
  init() {}

  /// Puts rows in order.
  ///
  /// - Complexity: O(n log n) comparisons on average.
  @inlinable
  init(_ rows: [Row], _ precedes: Precedes) { root = Self.inOrder(rows.map { Item($0) }, precedes) }

  /// The rows, in order.
  @inlinable var rows: [Row] { root.items.map { $0.row } }

  /// Takes out the row at an index, without a comparison. Ends with ``restoreOrder(_:)``, after others.
  @inlinable
  mutating func remove(at index: Int) { root = root.removing(at: index) }

  /// Puts the rows in order after some were taken out. Returns the stretches whose order was made anew.
  @inlinable
  mutating func restoreOrder(_ precedes: Precedes) -> [Stretch] {
    var stretches: [Stretch] = []
    root = Self.restored(root, 0, precedes, &stretches)
    return stretches
  }

  /// Puts a row in. Returns the stretch whose order was made anew; the row is in it.
  ///
  /// - Complexity: O(log n) comparisons on average, and O(log² n) in the stretch.
  @inlinable
  mutating func insert(_ row: Row, _ precedes: Precedes) -> Stretch {
    var stretch: Stretch = (0, [])
    root = Self.inserting(Item(row), root, 0, precedes, &stretch)
    return stretch
  }
}

extension PivotOrder.Node {
  @inlinable var count: Int {
    switch self {
    case .loose(let items): items.count
    case .pivot(_, _, _, let count, _): count
    }
  }

  @inlinable var top: PivotOrder.Item? { if case .pivot(let pivot, _, _, _, _) = self { pivot } else { nil } }

  /// The rows, as they stand.
  @inlinable var items: [PivotOrder.Item] {
    var items: [PivotOrder.Item] = []
    collect(into: &items)
    return items
  }

  @inlinable
  func collect(into items: inout [PivotOrder.Item]) {
    switch self {
    case .loose(let loose): items += loose
    case .pivot(let pivot, let before, let behind, _, _):
      before.collect(into: &items)
      items.append(pivot)
      behind.collect(into: &items)
    }
  }

  @inlinable
  func removing(at index: Int) -> Self {
    switch self {
    case .loose(var items):
      items.remove(at: index)
      return .loose(items)
    case .pivot(let pivot, let before, let behind, _, _):
      // Rows that the pivot kept apart were never compared with each other.
      if index == before.count { return .loose(before.items + behind.items) }
      return index < before.count
        ? Self(pivot, before.removing(at: index), behind, isInOrder: false)
        : Self(pivot, before, behind.removing(at: index - before.count - 1), isInOrder: false)
    }
  }
}

extension PivotOrder {
  @inlinable
  static func inOrder(_ items: [Item], _ precedes: Precedes) -> Node {
    guard let highest = items.indices.max(by: { items[$1].outranks(items[$0]) }) else { return .loose([]) }
    var (before, behind): ([Item], [Item]) = ([], [])
    for index in items.indices where index != highest {
      if precedes(items[index].row, items[highest].row) {
        before.append(items[index])
      } else {
        behind.append(items[index])
      }
    }
    return Node(items[highest], inOrder(before, precedes), inOrder(behind, precedes))
  }

  @inlinable
  static func restored(_ node: Node, _ start: Int, _ precedes: Precedes, _ stretches: inout [Stretch]) -> Node {
    switch node {
    case .loose(let items):
      let node = inOrder(items, precedes)
      if !items.isEmpty { stretches.append((start, node.items.map { $0.row })) }
      return node
    case .pivot(let pivot, let before, let behind, _, let isInOrder):
      if isInOrder { return node }
      return Node(
        pivot, restored(before, start, precedes, &stretches),
        restored(behind, start + before.count + 1, precedes, &stretches))
    }
  }

  @inlinable
  static func inserting(
    _ new: Item, _ node: Node, _ start: Int, _ precedes: Precedes, _ stretch: inout Stretch
  ) -> Node {
    if case .pivot(let pivot, let before, let behind, _, _) = node, !new.outranks(pivot) {
      return precedes(new.row, pivot.row)
        ? Node(pivot, inserting(new, before, start, precedes, &stretch), behind)
        : Node(pivot, before, inserting(new, behind, start + before.count + 1, precedes, &stretch))
    }
    let node = inOrder(node.items + [new], precedes)
    stretch = (start, node.items.map { $0.row })
    return node
  }
}
