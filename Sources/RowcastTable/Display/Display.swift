/// The cells of a table: those on the screen, those kept ready near it, and those that wait for other rows.
///
/// A value of integers and cells, whatever the rows are. A change is made on a copy, which then takes the place of the
/// table's display.
struct Display {
  /// What is on the screen, from top to bottom, without gaps.
  private(set) var visible: [Slot] = []
  /// What is kept ready: first what is below the screen, from top to bottom, then what is above, from bottom to top.
  private(set) var ready: [Slot] = []
  /// How many of those are below the screen.
  private var readyBelow = 0
  /// The cells of the slots: of those on the screen, then of those kept ready.
  private(set) var cells: [Cell] = []
  /// The line of the screen at which the first visible element starts: 0, or less if it starts above.
  private(set) var firstLine = 0
  private(set) var rowPool: ReusePool
  private(set) var sectionPool: ReusePool
  /// How many times a cell was configured.
  private(set) var configurationCount = 0

  init(poolCap: Int) {
    rowPool = ReusePool(cap: poolCap)
    sectionPool = ReusePool(cap: poolCap)
  }

  /// The slot at an index: those on the screen, then those kept ready.
  subscript(index: Int) -> Slot { index < visible.count ? visible[index] : ready[index - visible.count] }

  /// The cell that shows what a token was given out for.
  func cell(for token: ReuseToken) -> Cell? { cells.indices.first { self[$0].token == token }.map { cells[$0] } }

  /// What is on the screen, with the lines that it takes.
  var visibleElements: [VisibleElement] {
    var line = firstLine
    return visible.indices.map { index in
      let slot = visible[index]
      defer { line += slot.height }
      return VisibleElement(element: slot.element, cell: cells[index], line: line, height: slot.height)
    }
  }

  /// The line of the screen at which an element on it starts.
  func line(ofSlot index: Int) -> Int { visible[..<index].reduce(firstLine) { $0 + $1.height } }

  /// Whether what is shown reaches the end of a screen.
  func fills(_ height: Int) -> Bool { visible.reduce(firstLine) { $0 + $1.height } >= height }

  /// The indexes of the slots in the order of the list.
  var order: [Int] {
    guard !ready.isEmpty else { return Array(visible.indices) }
    return (visible.count + readyBelow..<cells.count).reversed() + Array(0..<visible.count + readyBelow)
  }

  /// Sets where the elements on the screen are in another list; nothing else changes.
  mutating func setElements(_ known: [KnownElement]) {
    for element in known { visible[element.slot].element = element.element }
  }
}

// MARK: - Showing

extension Display {
  /// Brings the cells into the state that a plan asks for. Makes cells, and calls none.
  ///
  /// - Parameters:
  ///   - plan: What is to be shown.
  ///   - isReload: Whether all cells are given back first, which is not reported.
  /// - Returns: What is to be called and reported.
  /// - Complexity: O(v) for v cells in use before and after.
  mutating func show(_ plan: DisplayPlan, isReload: Bool = false) -> Transition {
    var transition = Transition()
    let former = Former(visible: visible, ready: ready, cells: cells)
    let uses = Self.uses(of: plan, count: cells.count)
    for index in visible.indices where uses[index] != .visible { transition.end(visible[index], cells[index]) }
    for index in uses.indices where uses[index] == .none {
      retire(former[index], former.cells[index], &transition)
      if !isReload { transition.note(.recycled, former[index].element, former.cells[index]) }
    }
    cells = []
    cells.reserveCapacity(plan.visible.count + plan.ready.count)
    visible = fill(plan.visible, plan, former, areVisible: true, &transition)
    ready = fill(plan.ready, plan, former, areVisible: false, &transition)
    readyBelow = plan.readyBelow
    firstLine = plan.firstLine
    transition.discarded = rowPool.trim() + sectionPool.trim()
    if !ready.isEmpty || !former.ready.isEmpty {
      rowPool.setPrefetched(ready.lazy.filter(\.isRow).map(\.stack))
      sectionPool.setPrefetched(ready.lazy.filter { !$0.isRow }.map(\.stack))
    }
    checkInvariants()
    return transition
  }

  /// The slots before a change, with their cells.
  private struct Former {
    let visible: [Slot]
    let ready: [Slot]
    let cells: [Cell]

    subscript(index: Int) -> Slot { index < visible.count ? visible[index] : ready[index - visible.count] }
  }

  /// Discards all pooled cells, and returns them.
  mutating func drain() -> [Cell] {
    let discarded = rowPool.drain() + sectionPool.drain()
    checkInvariants()
    return discarded
  }

  /// What a plan does with the slots that there are.
  private enum Use: UInt8 { case none, ready, visible }

  private static func uses(of plan: DisplayPlan, count: Int) -> [Use] {
    var uses = [Use](repeating: .none, count: count)
    for item in plan.ready { if let slot = item.slot { uses[slot] = .ready } }
    for item in plan.visible { if let slot = item.slot { uses[slot] = .visible } }
    return uses
  }

  /// The slots for some elements; their cells become the next ones.
  private mutating func fill(
    _ items: [DisplayPlan.Item], _ plan: DisplayPlan, _ former: Former, areVisible: Bool,
    _ transition: inout Transition
  ) -> [Slot] {
    var slots: [Slot] = []
    slots.reserveCapacity(items.count)
    let (visible, all) = (former.visible, former.cells)
    for item in items {
      // What stays on the screen, as most does.
      if areVisible, item.request == nil, let index = item.slot, index < visible.count {
        slots.append(visible[index])
        slots[slots.count - 1].element = item.element
        cells.append(all[index])
      } else {
        slots.append(fill(item, plan, former, isVisible: areVisible, &transition))
      }
    }
    return slots
  }

  /// The slot for an element; its cell becomes the next one.
  private mutating func fill(
    _ item: DisplayPlan.Item, _ plan: DisplayPlan, _ former: Former, isVisible: Bool, _ transition: inout Transition
  ) -> Slot {
    let before = item.slot.map { (slot: former[$0], cell: former.cells[$0]) }
    let wasVisible = item.slot.map { $0 < former.visible.count } ?? false
    var slot: Slot
    if let index = item.request {
      // What leaves the screen has ended by now.
      slot = fill(item, plan.requests[index], index, before, ends: wasVisible && isVisible, &transition)
    } else {
      guard let before else { preconditionFailure("\(item.element) has neither a cell nor a request for one") }
      slot = before.slot
      slot.element = item.element
      cells.append(before.cell)
    }
    let cell = cells[cells.count - 1]
    if isVisible, !wasVisible || cell !== before?.cell { transition.begin(slot, cell) }
    return slot
  }

  /// The slot for an element that is to be configured: in the cell that shows it, if that is of the right kind, or in
  /// another one.
  private mutating func fill(
    _ item: DisplayPlan.Item, _ request: CellRequest, _ index: Int, _ former: (slot: Slot, cell: Cell)?, ends: Bool,
    _ transition: inout Transition
  ) -> Slot {
    configurationCount += 1
    if let diagnostic = request.diagnostic { transition.diagnostics.append(diagnostic) }
    if let former, former.cell.reuseIdentifier == request.reuseIdentifier {
      var slot = former.slot
      slot.element = item.element
      slot.height = item.height
      cells.append(former.cell)
      transition.steps.append(.configure(former.cell, nil, request: index))
      transition.note(.reconfigured, slot.element, former.cell)
      return slot
    }
    let slot = dequeue(item, request, index, &transition)
    if let former {
      if ends { transition.end(former.slot, former.cell) }
      retire(former.slot, former.cell, &transition)
      transition.note(.replaced, slot.element, cells[cells.count - 1])
    }
    return slot
  }

  private mutating func dequeue(
    _ item: DisplayPlan.Item, _ request: CellRequest, _ index: Int, _ transition: inout Transition
  ) -> Slot {
    let isRow = item.element.rowPath != nil
    let (cell, stack, isReused) = isRow ? rowPool.dequeue(request) : sectionPool.dequeue(request)
    let token = isRow ? rowPool.makeToken() : sectionPool.makeToken()
    cells.append(cell)
    if isReused { transition.steps.append(.prepare(cell)) }
    transition.steps.append(.configure(cell, token, request: index))
    if item.slot == nil { transition.note(isReused ? .reused : .created, item.element, cell) }
    return Slot(element: item.element, height: item.height, stack: stack, token: token)
  }

  private mutating func retire(_ slot: Slot, _ cell: Cell, _ transition: inout Transition) {
    let token = slot.isRow ? rowPool.makeToken() : sectionPool.makeToken()
    transition.steps.append(.retire(cell, token))
    if slot.isRow { rowPool.enqueue(cell, stack: slot.stack) } else { sectionPool.enqueue(cell, stack: slot.stack) }
  }
}
