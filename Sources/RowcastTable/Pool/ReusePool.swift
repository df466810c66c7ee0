import RowcastDiff

/// Cells that are out of sight and wait for another row.
///
/// One last-in-first-out stack for each reuse identifier; identifiers never mix. A pool is a value: a change is tried on
/// a copy, so that making a cell and letting one go, which run code of the app, happen while no table is being written.
struct ReusePool {
  /// A reuse identifier: of rows, or of headers and footers, which may have the same ones.
  struct Kind: Hashable {
    let identifier: String
    let isRow: Bool

    init(_ identifier: String, of element: TableElement) {
      self.identifier = identifier
      isRow = element.rowPath != nil
    }
  }

  /// The cells of one kind.
  struct Stack {
    let kind: Kind
    /// The class of the cells.
    let cellType: Cell.Type
    var cells: [Cell] = []
    var counts = PoolStatistics()
  }

  /// The most cells that one stack holds; a cell above it is discarded.
  let cap: Int
  /// A stack for each kind that a cell was ever made for.
  private(set) var stacks: [Stack] = []
  private var indexes: [Kind: Int] = [:]
  private var token = ReuseToken.first()

  init(cap: Int) {
    require(cap >= 0, "A pool cannot hold \(cap) cells; use 0 or more")
    self.cap = cap
  }

  /// The class of the cells of a kind, once one was made.
  func cellType(of kind: Kind) -> Cell.Type? { indexes[kind].map { stacks[$0].cellType } }

  /// A cell for a request, neither prepared nor configured, and its stack: the cell pooled last, or a new one.
  mutating func dequeue(
    _ request: CellRequest, for element: TableElement
  ) -> (cell: Cell, stack: Int, isReused: Bool) {
    let kind = Kind(request.reuseIdentifier, of: element)
    let index = indexes[kind]
    if let index, let cell = stacks[index].cells.popLast() {
      stacks[index].counts.hits += 1
      stacks[index].counts.pooled -= 1
      checkStack(index)
      return (cell, index, true)
    }
    let cell = request.make()
    let stack = index ?? stacks.count
    if index == nil {
      stacks.append(Stack(kind: kind, cellType: request.cellType))
      indexes[kind] = stack
    }
    stacks[stack].counts.created += 1
    checkStack(stack)
    return (cell, stack, false)
  }

  /// Takes a cell that is no longer shown, also beyond the cap until ``trim()``.
  mutating func enqueue(_ cell: Cell, stack: Int) {
    stacks[stack].cells.append(cell)
    stacks[stack].counts.pooled += 1
    checkStack(stack)
  }

  /// Discards what exceeds the cap, the cells pooled last, and returns it.
  mutating func trim() -> [Cell] { discard(keeping: cap) }

  /// Discards all pooled cells, and returns them.
  mutating func drain() -> [Cell] { discard(keeping: 0) }

  private mutating func discard(keeping count: Int) -> [Cell] {
    var discarded: [Cell] = []
    for index in stacks.indices where stacks[index].cells.count > count {
      let excess = stacks[index].cells.count - count
      discarded += stacks[index].cells.suffix(excess)
      stacks[index].cells.removeLast(excess)
      stacks[index].counts.discarded += excess
      stacks[index].counts.pooled -= excess
      checkStack(index)
    }
    return discarded
  }

  /// Checks, in debug builds, that a stack is the one of its kind and counts its cells. ``Display`` checks what is shown.
  private func checkStack(_ index: Int) {
    assert(
      stacks[index].counts.pooled == stacks[index].cells.count && indexes[stacks[index].kind] == index,
      "\(stacks[index].kind) has \(stacks[index].cells.count) cells and counts \(stacks[index].counts)")
  }

  /// Notes of which stacks cells are prefetched; they were dequeued and are not displayed.
  mutating func setPrefetched(_ used: some Sequence<Int>) {
    for index in stacks.indices where stacks[index].counts.prefetched > 0 { stacks[index].counts.prefetched = 0 }
    for index in used { stacks[index].counts.prefetched += 1 }
  }

  /// A token that no other use of a cell has.
  mutating func makeToken() -> ReuseToken {
    token = token.next
    return token
  }

  /// What became of the cells of each identifier: of rows, or of headers and footers.
  func statistics(ofRows isRow: Bool) -> [String: PoolStatistics] {
    let chosen = stacks.lazy.filter { $0.kind.isRow == isRow }
    return Dictionary(uniqueKeysWithValues: chosen.map { ($0.kind.identifier, $0.counts) })
  }
}
