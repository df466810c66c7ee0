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

  /// The slot that shows what a token was given out for.
  func slot(for token: ReuseToken) -> Slot? {
    visible.first { $0.token == token } ?? ready.first { $0.token == token }
  }

  /// The line of the screen at which an element on it starts.
  func line(ofSlot index: Int) -> Int { visible[..<index].reduce(firstLine) { $0 + $1.height } }

  /// Whether what is shown reaches the end of a screen.
  func fills(_ height: Int) -> Bool { visible.reduce(firstLine) { $0 + $1.height } >= height }

  /// Visits the slots in the order of the list, each with its index.
  func forEachInOrder(_ body: (_ index: Int, _ slot: Slot) -> Void) {
    for index in (readyBelow..<ready.count).reversed() { body(visible.count + index, ready[index]) }
    for index in visible.indices { body(index, visible[index]) }
    for index in 0..<readyBelow { body(visible.count + index, ready[index]) }
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
    let former = self
    let uses = Self.uses(of: plan, count: visible.count + ready.count)
    for index in visible.indices where uses[index] != .visible { transition.end(former.visible[index]) }
    for index in uses.indices where uses[index] == .none {
      retire(former[index], &transition)
      if !isReload { transition.note(.recycled, former[index].element, former[index].cell) }
    }
    visible = slots(for: plan.visible, plan, former, areVisible: true, &transition)
    ready = slots(for: plan.ready, plan, former, areVisible: false, &transition)
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

  private mutating func slots(
    for items: [DisplayPlan.Item], _ plan: DisplayPlan, _ former: Display, areVisible: Bool,
    _ transition: inout Transition
  ) -> [Slot] {
    var slots: [Slot] = []
    slots.reserveCapacity(items.count)
    for item in items {
      let before = item.slot.map { former[$0] }
      let wasVisible = item.slot.map { $0 < former.visible.count } ?? false
      if let index = item.request {
        // What leaves the screen has ended by now.
        let ends = wasVisible && areVisible
        let slot = fill(item, plan.requests[index], index, before, ends: ends, &transition)
        slots.append(slot)
        if areVisible, !wasVisible || slot.cell !== before?.cell { transition.begin(slot) }
      } else if var slot = before {
        slot.element = item.element
        slots.append(slot)
        if areVisible, !wasVisible { transition.begin(slot) }
      }
    }
    return slots
  }

  /// The slot for an element that is to be configured: in the cell that shows it, if that is of the right kind, or in
  /// another one.
  private mutating func fill(
    _ item: DisplayPlan.Item, _ request: CellRequest, _ index: Int, _ former: Slot?, ends: Bool,
    _ transition: inout Transition
  ) -> Slot {
    configurationCount += 1
    if let diagnostic = request.diagnostic { transition.diagnostics.append(diagnostic) }
    if var slot = former, slot.cell.reuseIdentifier == request.reuseIdentifier {
      slot.element = item.element
      slot.height = item.height
      transition.steps.append(.configure(slot.cell, nil, request: index))
      transition.note(.reconfigured, slot.element, slot.cell)
      return slot
    }
    let slot = dequeue(item, request, index, &transition)
    if let former {
      if ends { transition.end(former) }
      retire(former, &transition)
      transition.note(.replaced, slot.element, slot.cell)
    }
    return slot
  }

  private mutating func dequeue(
    _ item: DisplayPlan.Item, _ request: CellRequest, _ index: Int, _ transition: inout Transition
  ) -> Slot {
    let isRow = item.element.rowPath != nil
    let (cell, stack, isReused) = isRow ? rowPool.dequeue(request) : sectionPool.dequeue(request)
    let token = isRow ? rowPool.makeToken() : sectionPool.makeToken()
    if isReused { transition.steps.append(.prepare(cell)) }
    transition.steps.append(.configure(cell, token, request: index))
    if item.slot == nil { transition.note(isReused ? .reused : .created, item.element, cell) }
    return Slot(element: item.element, height: item.height, stack: stack, cell: cell, token: token)
  }

  private mutating func retire(_ slot: Slot, _ transition: inout Transition) {
    let token = slot.isRow ? rowPool.makeToken() : sectionPool.makeToken()
    transition.steps.append(.retire(slot.cell, token))
    if slot.isRow {
      rowPool.enqueue(slot.cell, stack: slot.stack)
    } else {
      sectionPool.enqueue(slot.cell, stack: slot.stack)
    }
  }
}
