/// Cells that are out of sight and wait for another row.
///
/// One last-in-first-out stack for each reuse identifier; identifiers never mix.
struct ReusePool {
  /// The most cells that one stack holds; a cell above it is discarded.
  let cap: Int
  private var stacks: [String: [Cell]] = [:]
  /// The class of the cells of each identifier.
  private var kinds: [String: Cell.Type] = [:]
  private var token = ReuseToken.first()
  private(set) var statistics: [String: PoolStatistics] = [:]

  init(cap: Int) {
    precondition(cap >= 0, "A pool cannot hold \(cap) cells; use 0 or more")
    self.cap = cap
  }

  /// The class that a reuse identifier stands for, once a cell of it was made.
  func kind(of identifier: String) -> Cell.Type? { kinds[identifier] }

  /// A cell as it was asked for: the one pooled last, prepared for reuse, or a new one. It is not configured.
  mutating func dequeue(_ request: CellRequest) -> (cell: Cell, isReused: Bool) {
    let identifier = request.reuseIdentifier
    let pooled = stacks[identifier]?.popLast()
    let cell = pooled ?? make(request)
    if pooled == nil {
      statistics[identifier, default: .init()].created += 1
    } else {
      statistics[identifier, default: .init()].hits += 1
      statistics[identifier, default: .init()].pooled -= 1
      cell.prepareForReuse()
    }
    cell.token = nextToken()
    return (cell, pooled != nil)
  }

  private mutating func make(_ request: CellRequest) -> Cell {
    let cell = request.make()
    precondition(
      cell.reuseIdentifier == request.reuseIdentifier,
      "A prototype for \(request.reuseIdentifier) made a cell with the reuse identifier \(cell.reuseIdentifier)")
    kinds[request.reuseIdentifier] = request.cellType
    return cell
  }

  /// Takes a cell that is no longer shown, also beyond the cap until ``trim()``. What was started for its row is void.
  mutating func enqueue(_ cell: Cell) {
    cell.token = nextToken()
    stacks[cell.reuseIdentifier, default: []].append(cell)
    statistics[cell.reuseIdentifier, default: .init()].pooled += 1
  }

  /// Discards what exceeds the cap, the cells pooled last.
  mutating func trim() {
    for identifier in stacks.keys { discard(identifier, keeping: cap) }
  }

  /// Discards all pooled cells.
  mutating func drain() {
    for identifier in stacks.keys { discard(identifier, keeping: 0) }
  }

  private mutating func discard(_ identifier: String, keeping count: Int) {
    guard let excess = stacks[identifier].map({ $0.count - count }), excess > 0 else { return }
    stacks[identifier]?.removeLast(excess)
    statistics[identifier, default: .init()].discarded += excess
    statistics[identifier, default: .init()].pooled -= excess
  }

  /// Notes how many cells of each identifier are prefetched; they were dequeued and are not displayed.
  mutating func setPrefetched(_ cells: some Sequence<Cell>) {
    for identifier in statistics.keys { statistics[identifier]?.prefetched = 0 }
    for cell in cells { statistics[cell.reuseIdentifier]?.prefetched += 1 }
  }

  private mutating func nextToken() -> ReuseToken {
    token = token.next
    return token
  }

  /// The pooled cells, for invariants.
  var cells: some Sequence<Cell> { stacks.values.joined() }
}
