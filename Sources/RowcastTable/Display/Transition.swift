import RowcastDiff

/// What a change of the display calls cells for, and what there is to report of it. The change itself is done by then.
struct Transition {
  /// A call of a cell, or a token that one gets.
  enum Step {
    case end(Cell)
    /// The cell is given back: what was started for its row is void.
    case retire(Cell, ReuseToken)
    case prepare(Cell)
    /// The token is that of a new use, `nil` if the cell goes on showing its row.
    case configure(Cell, ReuseToken?, request: Int)
    case begin(Cell)
  }

  var steps: [Step] = []
  /// What happened to cells: first what was recycled, then the rest, each in the order of the plan.
  var cells: [ApplyReport.CellEvent] = []
  var diagnostics: [TableDiagnostic] = []
  /// The rows that left the screen, by their paths in the list that was shown before.
  var ended: [RowPath] = []
  /// The rows that came onto the screen, by their paths in the list that is shown now.
  var begun: [RowPath] = []
  /// Where the cell of each slot comes from: the index of the slot that had it, or below 0 one of the new cells.
  var sources: [Int] = []
  /// The cells that were made or came out of the pool.
  private(set) var newCells: [Cell] = []
  /// The cells that were let go. They live until all calls are done.
  var discarded: [Cell] = []

  mutating func note(_ event: ApplyReport.Event, _ element: TableElement, _ cell: Cell) {
    cells.append(.init(event: event, element: element, reuseIdentifier: cell.reuseIdentifier))
  }

  /// Takes a new cell as that of the next slot.
  mutating func add(_ cell: Cell) {
    newCells.append(cell)
    sources.append(-newCells.count)
  }

  /// Whether cells that stay do so in order, with a few others between them.
  var keepsOrder: Bool {
    var (last, gaps) = (-1, newCells.count)
    for source in sources where source >= 0 {
      guard source > last else { return false }
      if source > last + 1 { gaps += 1 }
      last = source
    }
    return gaps <= 4
  }

  mutating func begin(_ slot: Slot, _ cell: Cell) {
    steps.append(.begin(cell))
    if let path = slot.element.rowPath { begun.append(path) }
  }

  mutating func end(_ slot: Slot, _ cell: Cell) {
    steps.append(.end(cell))
    if let path = slot.element.rowPath { ended.append(path) }
  }

  /// Calls the cells. Nothing of the table is held meanwhile.
  func callCells(_ requests: [CellRequest]) {
    for step in steps {
      switch step {
      case .end(let cell): cell.didEndDisplaying()
      case .retire(let cell, let token): cell.token = token
      case .prepare(let cell): cell.prepareForReuse()
      case .configure(let cell, let token, let index):
        if let token { cell.token = token }
        let isShown = requests[index].configure(cell)
        require(isShown, "\(cell) was asked to show a row of the kind \(requests[index].reuseIdentifier)")
      case .begin(let cell): cell.willDisplay()
      }
    }
  }
}
