import RowcastDiff

/// The calls of cells that a change of the display leads to, and its report. The change itself is already made.
struct CellTransition {
  /// A call of a cell, or a token for one.
  enum Step {
    case end(Cell)
    /// The cell was given back. The new token voids the work that was started for its row.
    case retire(Cell, ReuseToken)
    case configure(Cell, ReuseToken, request: Int, isReused: Bool)
    case begin(Cell)
  }

  var steps: [Step] = []
  /// The events of cells: first of those recycled, then of the others in the order of the display.
  var cells: [ApplyReport.CellEvent] = []
  var diagnostics: [TableDiagnostic] = []
  /// The rows that left the screen, by their paths in the list that was shown before.
  var ended: [RowPath] = []
  /// The rows that appeared on the screen, by their paths in the list that is shown now.
  var begun: [RowPath] = []
  /// The cells that were discarded. They live until all calls are done.
  var discarded: [Cell] = []
  /// The elements in the list that was shown before, by the numbers of their cells.
  private var elements: [TableElement?]

  init(_ former: [Slot], cellCount: Int) {
    elements = Array(repeating: nil, count: cellCount)
    for slot in former { if let cell = slot.cell { elements[cell] = slot.element } }
  }

  mutating func note(_ event: ApplyReport.Event, _ element: TableElement, _ cell: Cell) {
    cells.append(.init(event: event, element: element, reuseIdentifier: cell.reuseIdentifier))
  }

  mutating func begin(_ element: TableElement, _ cell: Cell) {
    steps.append(.begin(cell))
    if let path = element.rowPath { begun.append(path) }
  }

  mutating func end(_ number: Int, _ cell: Cell) {
    steps.append(.end(cell))
    if let path = elements[number]?.rowPath { ended.append(path) }
  }

  /// Calls the cells, while nothing of the table is accessed.
  func callCells(_ requests: [CellRequest]) {
    for step in steps {
      switch step {
      case .end(let cell): cell.didEndDisplaying()
      case .retire(let cell, let token): cell.token = token
      case .configure(let cell, let token, let index, let isReused):
        if isReused { cell.prepareForReuse() }
        cell.token = token
        let isShown = requests[index].configure(cell)
        require(isShown, "\(cell) was asked to show a row of the kind \(requests[index].reuseIdentifier)")
      case .begin(let cell): cell.willDisplay()
      }
    }
  }
}
