import RowcastModel

/// The cells of a table: those on the screen, those kept ready near it, and those that wait for other rows.
struct Display<Section: SectionViewModel, Row: RowViewModel> {
  typealias Shown = ShownElement<Section, Row>
  typealias Plan = DisplayPlan<Section, Row>
  typealias ID = TableContent<Section, Row>.ID

  /// What is on the screen, from top to bottom.
  private(set) var visible: [Shown] = []
  /// What is kept ready: first what is below the screen, from top to bottom, then what is above, from bottom to top.
  private(set) var prefetched: [Shown] = []
  private(set) var rowPool: ReusePool
  private(set) var sectionPool: ReusePool
  /// How many times a cell was configured.
  private(set) var configurationCount = 0

  init(poolCap: Int) {
    rowPool = ReusePool(cap: poolCap)
    sectionPool = ReusePool(cap: poolCap)
  }

  /// The cells in use.
  var shown: [Shown] { visible + prefetched }
}

// MARK: - Showing

extension Display {
  /// What a plan did to the cells.
  struct Outcome {
    /// What happened to cells: first what was recycled, then the rest, each in the order of the plan.
    var cells: [ApplyReport.CellEvent] = []
    var diagnostics: [TableDiagnostic] = []
    /// The rows that left the screen, as they were shown.
    var ended: [Row] = []
    /// The rows that came onto the screen.
    var begun: [(row: Row, element: TableElement)] = []

    mutating func note(_ event: ApplyReport.Event, _ element: TableElement, _ cell: Cell) {
      cells.append(.init(event: event, element: element, reuseIdentifier: cell.reuseIdentifier))
    }
  }

  /// Brings the cells into the state that a plan asks for.
  ///
  /// Contents are found by id, so that a row that moved, even out of a deleted section, keeps its cell.
  ///
  /// - Complexity: O(v) for v cells in use before and after.
  mutating func show(_ plan: Plan) -> Outcome {
    var outcome = Outcome()
    var former: [ID: (shown: Shown, wasVisible: Bool)] = [:]
    for shown in visible { former[shown.content.id] = (shown, true) }
    for shown in prefetched { former[shown.content.id] = (shown, false) }
    // Whether what is planned is to be visible.
    var planned: [ID: Bool] = [:]
    for item in plan.prefetched { planned[item.content.id] = false }
    for item in plan.visible { planned[item.content.id] = true }
    for shown in visible where planned[shown.content.id] != true { end(shown, &outcome) }
    for shown in shown where planned[shown.content.id] == nil { recycle(shown, &outcome) }
    visible = plan.visible.map { item in
      let before = former[item.content.id]
      let shown = fill(item, before?.shown, &outcome)
      if before?.wasVisible != true { begin(shown, &outcome) }
      return shown
    }
    prefetched = plan.prefetched.map { fill($0, former[$0.content.id]?.shown, &outcome) }
    rowPool.trim()
    sectionPool.trim()
    rowPool.setPrefetched(prefetched.filter { $0.content.row != nil }.map(\.cell))
    sectionPool.setPrefetched(prefetched.filter { $0.content.row == nil }.map(\.cell))
    checkInvariants()
    return outcome
  }

  /// Takes all cells off the screen, and gives them to the pool regardless of its cap.
  mutating func clear() -> Outcome {
    var outcome = Outcome()
    for shown in visible { end(shown, &outcome) }
    for shown in shown { recycle(shown, &outcome) }
    visible = []
    prefetched = []
    return outcome
  }

  /// Discards all pooled cells.
  mutating func drain() {
    rowPool.drain()
    sectionPool.drain()
    checkInvariants()
  }

  private func begin(_ shown: Shown, _ outcome: inout Outcome) {
    shown.cell.willDisplay()
    if let row = shown.content.row { outcome.begun.append((row, shown.element)) }
  }

  private func end(_ shown: Shown, _ outcome: inout Outcome) {
    shown.cell.didEndDisplaying()
    if let row = shown.content.row { outcome.ended.append(row) }
  }

  private mutating func recycle(_ shown: Shown, _ outcome: inout Outcome) {
    pool(shown.cell, of: shown.content)
    outcome.note(.recycled, shown.element, shown.cell)
  }

  private mutating func pool(_ cell: Cell, of content: TableContent<Section, Row>) {
    if content.row == nil { sectionPool.enqueue(cell) } else { rowPool.enqueue(cell) }
  }

  /// The cell for an element, filled: the one that shows it, if it is of the right kind, or another one.
  private mutating func fill(_ item: Plan.Item, _ former: Shown?, _ outcome: inout Outcome) -> Shown {
    func shown(in cell: Cell) -> Shown {
      Shown(
        element: item.element, content: item.content, request: item.request, cell: cell, line: item.line)
    }
    if let former, former.cell.reuseIdentifier == item.request.reuseIdentifier {
      if former.content != item.content {
        configure(former.cell, item, &outcome)
        outcome.note(.reconfigured, item.element, former.cell)
      }
      return shown(in: former.cell)
    }
    let (cell, isReused) =
      item.content.row == nil ? sectionPool.dequeue(item.request) : rowPool.dequeue(item.request)
    configure(cell, item, &outcome)
    if let former {
      pool(former.cell, of: former.content)
      outcome.note(.replaced, item.element, cell)
    } else {
      outcome.note(isReused ? .reused : .created, item.element, cell)
    }
    return shown(in: cell)
  }

  private mutating func configure(_ cell: Cell, _ item: Plan.Item, _ outcome: inout Outcome) {
    let isShown = item.request.configure(cell)
    precondition(isShown, "\(cell) was asked to show \(item.content), which it cannot")
    configurationCount += 1
    if let diagnostic = item.request.diagnostic { outcome.diagnostics.append(diagnostic) }
  }
}

// MARK: - Checks

extension Display {
  /// Every cell is in one place, and all that were made are somewhere; of each kind.
  func checkInvariants() {
    assert(isConserved(rowPool, inUse: shown.filter { $0.content.row != nil }), "\(rowPool.statistics)")
    assert(isConserved(sectionPool, inUse: shown.filter { $0.content.row == nil }), "\(sectionPool.statistics)")
  }

  private func isConserved(_ pool: ReusePool, inUse: [Shown]) -> Bool {
    let used = Dictionary(grouping: inUse, by: \.cell.reuseIdentifier)
    let pooled = Dictionary(grouping: pool.cells, by: \.reuseIdentifier)
    let cells = inUse.map(\.cell) + pool.cells
    return Set(used.keys).union(pooled.keys).isSubset(of: pool.statistics.keys)
      && Set(cells.map(ObjectIdentifier.init)).count == cells.count
      && pool.statistics.allSatisfy { identifier, counts in
        let (used, pooled) = (used[identifier]?.count ?? 0, pooled[identifier]?.count ?? 0)
        return counts.created == used + pooled + counts.discarded && counts.pooled == pooled
          && counts.visible + counts.prefetched == used && counts.dequeues == counts.hits + counts.created
      }
  }
}
