/// Cells that are out of sight and wait for another row.
///
/// One last-in-first-out stack for each reuse identifier; identifiers never mix.
struct ReusePool {
  /// The most cells that one stack holds; a cell above it is discarded.
  let cap: Int
  private var stacks: [String: [Cell]] = [:]
  private(set) var statistics: [String: PoolStatistics] = [:]

  init(cap: Int) {
    precondition(cap >= 0, "A pool cannot hold \(cap) cells; use 0 or more")
    self.cap = cap
  }

  /// A cell of a kind: the one pooled last, prepared for reuse, or a new one.
  mutating func dequeue(_ identifier: String, make: (String) -> Cell) -> (cell: Cell, isReused: Bool) {
    if let cell = stacks[identifier]?.popLast() {
      statistics[identifier, default: .init()].hits += 1
      statistics[identifier, default: .init()].pooled -= 1
      cell.prepareForReuse()
      return (cell, true)
    }
    statistics[identifier, default: .init()].created += 1
    let cell = make(identifier)
    precondition(
      cell.reuseIdentifier == identifier,
      "A prototype for \(identifier) made a cell with the reuse identifier \(cell.reuseIdentifier)")
    return (cell, false)
  }

  /// Takes a cell that is no longer shown.
  mutating func enqueue(_ cell: Cell) {
    let identifier = cell.reuseIdentifier
    guard stacks[identifier, default: []].count < cap else {
      statistics[identifier, default: .init()].discarded += 1
      return
    }
    stacks[identifier, default: []].append(cell)
    statistics[identifier, default: .init()].pooled += 1
  }

  /// Discards all pooled cells.
  mutating func drain() {
    for (identifier, stack) in stacks {
      statistics[identifier, default: .init()].discarded += stack.count
      statistics[identifier, default: .init()].pooled = 0
    }
    stacks = [:]
  }

  /// The pooled cells, for invariants.
  var cells: some Sequence<Cell> { stacks.values.joined() }
}
