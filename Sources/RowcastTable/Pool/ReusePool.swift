import RowcastDiff

/// The cells of a table by number: those in use, and those that are pooled for another row.
///
/// Each reuse identifier has a last-in-first-out stack of waiting cells; identifiers never mix. A pool is a value: a
/// change is made on a copy, because making and releasing cells runs code of the app that may read the table.
struct ReusePool {
  /// The cells of one kind: those of a reuse identifier. Rows have a namespace of their own, apart from headers and footers.
  struct Stack {
    let identifier: String
    let isRow: Bool
    var cellType: Cell.Type
    /// True if its next cell may be of another class.
    var isOpen = false
    /// The numbers of the pooled cells.
    var waiting: [Int] = []
    var counts = PoolStatistics()
  }

  /// The maximum number of pooled cells in one stack.
  private let cap: Int
  /// A stack for each kind that a cell was ever made for.
  private(set) var stacks: [Stack] = []
  /// The cells that were discarded because their kind has another class now.
  private var replaced: [Cell] = []
  /// All cells that exist, by number; `nil` where a number is free.
  private(set) var cells: [Cell?] = []
  /// The index of the stack of each cell.
  private(set) var stackIndexes: [Int] = []
  private var token = ReuseToken(pool: .random(in: 1...UInt64.max))

  init(cap: Int) {
    require(cap >= 0, "A pool cannot hold \(cap) cells; use 0 or more")
    self.cap = cap
  }

  /// The cell with a number.
  subscript(number: Int) -> Cell {
    if let cell = cells[number] { return cell }
    stop("No cell has the number \(number)")
  }

  /// The class of the cells of a kind. A kind without cells, or one that was reopened, gets the requested class.
  mutating func cellType(for request: CellRequest, of element: TableElement) -> Cell.Type {
    let index = stackIndex(for: request, of: element)
    if stacks[index].isOpen { (stacks[index].isOpen, stacks[index].cellType) = (false, request.cellType) }
    return stacks[index].cellType
  }

  /// The index of the stack of a kind, which is added if the kind is new.
  private mutating func stackIndex(for request: CellRequest, of element: TableElement) -> Int {
    let (identifier, isRow) = (request.reuseIdentifier, element.rowPath != nil)
    if let index = stacks.firstIndex(where: { $0.isRow == isRow && $0.identifier == identifier }) { return index }
    stacks.append(Stack(identifier: identifier, isRow: isRow, cellType: request.cellType))
    return stacks.count - 1
  }

  /// Allows the next cell of each kind to be of another class. Until then no existing cell may be in use.
  mutating func reopen() {
    for index in stacks.indices { stacks[index].isOpen = true }
  }

  /// Takes the cell that was pooled last, or makes one. The cell is neither prepared nor configured.
  mutating func dequeue(_ request: CellRequest, of element: TableElement) -> (number: Int, isReused: Bool) {
    let stack = stackIndex(for: request, of: element)
    if stacks[stack].isOpen {
      // Cells of another class are no longer of use.
      if stacks[stack].cellType != request.cellType { replaced += discard(from: stack, keeping: 0) }
      (stacks[stack].isOpen, stacks[stack].cellType) = (false, request.cellType)
    }
    if let number = stacks[stack].waiting.popLast() {
      stacks[stack].counts.hits += 1
      stacks[stack].counts.pooled -= 1
      return (number, true)
    }
    let cell = request.make()
    stacks[stack].counts.created += 1
    let number = cells.firstIndex { $0 == nil } ?? cells.count
    if number == cells.count {
      cells.append(cell)
      stackIndexes.append(stack)
    } else {
      (cells[number], stackIndexes[number]) = (cell, stack)
    }
    return (number, false)
  }

  /// Returns a cell to the pool, even beyond the cap until ``trim()``.
  mutating func enqueue(_ number: Int) {
    let stack = stackIndexes[number]
    stacks[stack].waiting.append(number)
    stacks[stack].counts.pooled += 1
  }

  /// Discards the most recently pooled cells beyond the cap. Returns them, with the cells that were replaced since the last
  /// call.
  mutating func trim() -> [Cell] {
    defer { replaced = [] }
    return replaced + discard(keeping: cap)
  }

  /// Discards all pooled cells, and returns them.
  mutating func drain() -> [Cell] { discard(keeping: 0) }

  private mutating func discard(keeping count: Int) -> [Cell] {
    var discarded: [Cell] = []
    for index in stacks.indices where stacks[index].waiting.count > count {
      discarded += discard(from: index, keeping: count)
    }
    return discarded
  }

  private mutating func discard(from index: Int, keeping count: Int) -> [Cell] {
    let excess = stacks[index].waiting.suffix(stacks[index].waiting.count - count)
    let discarded = excess.map { self[$0] }
    for number in excess { cells[number] = nil }
    stacks[index].counts.discarded += excess.count
    stacks[index].counts.pooled -= excess.count
    stacks[index].waiting.removeLast(excess.count)
    return discarded
  }

  /// Returns a token that no other use of a cell has.
  mutating func makeToken() -> ReuseToken {
    token.use += 1
    return token
  }
}

/// Counts the cells of one reuse identifier, or of all.
///
/// Always `created == visible + prefetched + pooled + discarded`: a cell is in exactly one place.
public struct PoolStatistics: Hashable, Sendable, Codable {
  /// Cells that were made because the pool was empty: the misses.
  public internal(set) var created = 0
  /// Cells that the pool provided.
  public internal(set) var hits = 0
  /// Cells that are configured for rows near the screen.
  public internal(set) var prefetched = 0
  /// Cells that are in the pool.
  public internal(set) var pooled = 0
  /// Cells that were released because the pool was full or drained.
  public internal(set) var discarded = 0

  /// Cells that were requested: hits and misses.
  package var dequeues: Int { hits + created }
  /// Cells that are on the screen.
  public var visible: Int { created - prefetched - pooled - discarded }

  /// Creates empty statistics.
  package init() {}

  /// The sums of two statistics.
  package static func + (lhs: PoolStatistics, rhs: PoolStatistics) -> PoolStatistics {
    var sum = lhs
    sum.created += rhs.created
    sum.hits += rhs.hits
    sum.prefetched += rhs.prefetched
    sum.pooled += rhs.pooled
    sum.discarded += rhs.discarded
    return sum
  }
}
