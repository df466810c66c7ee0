import RowcastDiff

/// The cells of a table by number: those in use, and those that wait for another row.
///
/// Each reuse identifier has a last-in-first-out stack of waiting cells; identifiers never mix. A pool is a value: a
/// change is made on a copy, because making and releasing cells runs code of the app that may read the table.
struct ReusePool {
  /// A reuse identifier. Those of rows are apart from those of headers and footers, which may be the same.
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
    var cellType: Cell.Type
    /// True if its next cell may be of another class.
    var isOpen = false
    /// The numbers of the cells that wait.
    var waiting: [Int] = []
    var counts = PoolStatistics()
  }

  /// The most cells that wait in one stack.
  private let cap: Int
  /// A stack for each kind that a cell was ever made for.
  private(set) var stacks: [Stack] = []
  private var indexes: [Kind: Int] = [:]
  /// The cells that were discarded because their kind is of another class now.
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
    guard let cell = cells[number] else { stop("No cell has the number \(number)") }
    return cell
  }

  /// The class of the cells of a kind, or `nil` if none was made yet, or another may be.
  func cellType(of kind: Kind) -> Cell.Type? {
    indexes[kind].flatMap { stacks[$0].isOpen ? nil : stacks[$0].cellType }
  }

  /// Lets each kind be of another class with its next cell. Until then no cell that exists may be in use.
  mutating func reopen() {
    for index in stacks.indices { stacks[index].isOpen = true }
  }

  /// Takes the cell that was pooled last, or makes one. The cell is neither prepared nor configured.
  mutating func dequeue(_ request: CellRequest, for element: TableElement) -> (number: Int, isReused: Bool) {
    let kind = Kind(request.reuseIdentifier, of: element)
    let known = indexes[kind]
    if let known, stacks[known].isOpen { close(known, for: request.cellType) }
    if let index = known, let number = stacks[index].waiting.popLast() {
      stacks[index].counts.hits += 1
      stacks[index].counts.pooled -= 1
      return (number, true)
    }
    let cell = request.make()
    let stack = known ?? stacks.count
    if known == nil {
      stacks.append(Stack(kind: kind, cellType: request.cellType))
      indexes[kind] = stack
    }
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

  /// Gives a stack a class, and discards the cells of another one.
  private mutating func close(_ index: Int, for type: Cell.Type) {
    stacks[index].isOpen = false
    if stacks[index].cellType == type { return }
    stacks[index].cellType = type
    replaced += discard(from: index, keeping: 0)
  }

  /// Takes back a cell that is no longer shown, also beyond the cap until ``trim()``.
  mutating func enqueue(_ number: Int) {
    let stack = stackIndexes[number]
    stacks[stack].waiting.append(number)
    stacks[stack].counts.pooled += 1
  }

  /// Discards the cells pooled last that exceed the cap, and returns them, with those that are of no use since the last time.
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
