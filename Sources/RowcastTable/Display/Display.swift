import RowcastDiff

/// The cells of a table: those on the screen, those kept ready near it, and those in the pool.
///
/// A value that does not depend on the types of rows. A change is made on a copy, which then replaces the original.
struct Display {
  /// The elements in use, in the order of the list.
  private(set) var slots: [Slot] = []
  /// The indexes of the slots on the screen, which have no gaps between them.
  private(set) var visible = 0..<0
  /// The line of the screen at which the first visible element starts: 0, or less if it starts above.
  private(set) var firstLine = 0
  /// The header that is shown at the top instead of in its place: the index of its slot, and its line on the screen.
  private(set) var pinned: (index: Int, line: Int)?
  private(set) var pool: ReusePool
  /// The number of times that a cell was configured.
  private(set) var configurationCount = 0

  init(poolCap: Int) { pool = ReusePool(cap: poolCap) }

  /// The indexes of the slots kept ready: below the screen from top to bottom, then above it from bottom to top.
  var ready: [Int] {
    visible.count == slots.count
      ? []
      : Array(visible.upperBound..<slots.count) + (0..<visible.lowerBound).reversed().filter { $0 != pinned?.index }
  }

  /// The slots on the screen, from top to bottom: a pinned header first.
  var shown: [Int] {
    guard let pinned, !visible.contains(pinned.index) else { return Array(visible) }
    return [pinned.index] + Array(visible)
  }

  /// The lines at the top of the screen that a pinned header covers.
  var coveredLines: Int { pinned.map { $0.line + slots[$0.index].height } ?? 0 }

  /// The cell whose current use a token names.
  func cell(for token: ReuseToken) -> Cell? { slots.first { $0.token == token }?.cell.map { pool[$0] } }

  /// The rows in some slots, and their cells.
  func rows(of indexes: [Int]) -> ([RowPath], [Cell]) {
    var (paths, cells): ([RowPath], [Cell]) = ([], [])
    for index in indexes {
      guard let path = slots[index].element.rowPath, let cell = slots[index].cell else { continue }
      paths.append(path)
      cells.append(pool[cell])
    }
    return (paths, cells)
  }

  /// The elements on the screen, with their cells and lines.
  var visibleElements: [VisibleElement] {
    var line = firstLine
    return shown.compactMap { index in
      let slot = slots[index]
      defer { if visible.contains(index) { line += slot.height } }
      return slot.cell.map {
        VisibleElement(
          element: slot.element, cell: pool[$0], line: pinned?.index == index ? pinned?.line ?? 0 : line,
          height: slot.height)
      }
    }
  }

  /// The statistics of the cells of rows, or of headers and footers, for each reuse identifier.
  func statistics(ofRows isRow: Bool) -> [String: PoolStatistics] {
    var stacks = pool.stacks
    for index in ready { if let cell = slots[index].cell { stacks[pool.stackIndexes[cell]].counts.prefetched += 1 } }
    var statistics: [String: PoolStatistics] = [:]
    for stack in stacks where stack.isRow == isRow { statistics[stack.identifier] = stack.counts }
    return statistics
  }

  /// Discards all pooled cells, and returns them.
  mutating func drain() -> [Cell] {
    let discarded = pool.drain()
    checkInvariants()
    return discarded
  }

  /// Allows other classes of cells to use the reuse identifiers.
  mutating func reopen() { pool.reopen() }

  /// Moves the elements in use along with changes.
  ///
  /// - Parameters:
  ///   - map: The places after the changes.
  ///   - updatedRows: The rows listed as changed, by their paths after the changes, ascending.
  ///   - updatedSections: The sections listed as changed, by their indexes after the changes, ascending.
  ///   - isChanged: Returns true if the content of an element differs between its place before and its place after the
  ///     changes.
  /// - Returns: The slots of the remaining elements, in their places after the changes, and the elements that can keep the
  ///   screen in place.
  func slots(
    after map: PathMap, updatedRows: [RowPath], updatedSections: [Int],
    isChanged: (_ before: TableElement, _ after: TableElement) -> Bool
  ) -> (slots: [Slot], candidates: [ScrollAnchor.Candidate]) {
    var (left, candidates): ([Slot], [ScrollAnchor.Candidate]) = ([], [])
    left.reserveCapacity(slots.count)
    candidates.reserveCapacity(visible.count)
    var line = firstLine
    for (index, former) in slots.enumerated() {
      // A pinned header is shown away from its own lines.
      let isInPlace = visible.contains(index)
      defer { if isInPlace { line += former.height } }
      var (slot, isListed) = (former, false)
      switch former.element {
      case .row(let before):
        guard let path = map.destination(of: before) else { continue }
        let rank = map.rank(of: before)
        // A row that crosses to another section is not listed as changed.
        (slot.element, isListed) = (.row(path), rank == 1 || updatedRows.containsAscending(path))
        if isInPlace { candidates.append((slot.element, line, slot.height, rank)) }
      case .header(let section):
        guard let section = map.destination(ofSection: section) else { continue }
        (slot.element, isListed) = (.header(section: section), updatedSections.containsAscending(section))
      case .footer(let section):
        guard let section = map.destination(ofSection: section) else { continue }
        (slot.element, isListed) = (.footer(section: section), updatedSections.containsAscending(section))
      }
      slot.isChanged = isListed && isChanged(former.element, slot.element)
      left.append(slot)
    }
    if !map.keepsOrder || !map.crossings.isEmpty { left = left.inOrder { $0.element.precedes($1.element) } }
    return (left, candidates)
  }

  // MARK: - Showing

  /// Shows a layout. Cells are made here, and called later by the returned transition.
  ///
  /// - Complexity: O(v) for v cells in use before and after, and as much for each cell that is replaced by one of another
  ///   kind.
  mutating func show(_ layout: borrowing Layout, isReload: Bool) -> CellTransition {
    let former = slots
    var transition = CellTransition(former: former)
    transition.steps.reserveCapacity(3 * layout.requests.count)
    (slots, visible, firstLine, pinned) = (layout.slots, layout.visible, layout.firstLine, layout.pinned)
    if layout.keepsScreen { return transition }
    // For each cell: true if it stays on the screen, false if it is only kept ready, `nil` if it returns to the pool.
    var uses = [Bool?](repeating: nil, count: pool.cells.count)
    for slot in slots { if let cell = slot.cell { uses[cell] = false } }
    let shown = shown
    for index in shown { if let cell = slots[index].cell { uses[cell] = true } }
    for slot in former where slot.isVisible {
      if let cell = slot.cell, uses[cell] != true { transition.end(pool[cell], slot.element) }
    }
    for slot in former {
      guard let cell = slot.cell, uses[cell] == nil else { continue }
      retire(cell, &transition)
      if !isReload { transition.note(.recycled, slot.element, pool[cell]) }
    }
    for index in shown { fill(index, isVisible: true, layout.requests, &transition) }
    for index in ready { fill(index, isVisible: false, layout.requests, &transition) }
    transition.discarded = pool.trim()
    checkInvariants()
    return transition
  }

  /// Gives a slot the cell that it needs: its current one, unless a request asks for another kind.
  private mutating func fill(
    _ index: Int, isVisible: Bool, _ requests: [CellRequest], _ transition: inout CellTransition
  ) {
    let former = slots[index]
    if former.request == nil, former.isVisible == isVisible { return }
    var slot = former
    if let request = slot.request { configure(&slot, by: requests[request], request, isVisible, &transition) }
    (slot.isVisible, slot.isChanged, slot.request) = (isVisible, false, nil)
    if isVisible, let cell = slot.cell, !former.isVisible || cell != former.cell {
      transition.begin(pool[cell], slot.element)
    }
    slots[index] = slot
  }

  private mutating func configure(
    _ slot: inout Slot, by request: CellRequest, _ index: Int, _ isVisible: Bool, _ transition: inout CellTransition
  ) {
    configurationCount += 1
    if let diagnostic = request.diagnostic { transition.diagnostics.append(diagnostic) }
    let former = slot.cell
    var (event, isReused) = (ApplyReport.Event.reconfigured, false)
    if former.map({ pool[$0].reuseIdentifier }) != request.reuseIdentifier {
      let cell = pool.dequeue(request, of: slot.element)
      (slot.cell, slot.token, isReused) = (cell.number, pool.makeToken(), cell.isReused)
      event = former != nil ? .replaced : isReused ? .reused : .created
    }
    guard let number = slot.cell else { return }
    transition.steps.append(.configure(pool[number], slot.token, request: index, isReused: isReused))
    transition.note(event, slot.element, pool[number])
    guard let former, former != number else { return }
    if slot.isVisible, isVisible { transition.end(pool[former], transition.formerElement(of: former)) }
    retire(former, &transition)
  }

  private mutating func retire(_ cell: Int, _ transition: inout CellTransition) {
    transition.steps.append(.retire(pool[cell], pool.makeToken()))
    pool.enqueue(cell)
  }

  // MARK: - Checking

  /// Checks, in debug builds, that every cell is in exactly one place, and that none is lost.
  private func checkInvariants() {
    #if DEBUG
      let used = slots.compactMap(\.cell)
      let numbers = (used + pool.stacks.flatMap(\.waiting)).ascending
      assert(numbers == pool.cells.indices.filter { pool.cells[$0] != nil }, "\(numbers) of \(pool.cells)")
      let shown = Set(shown)
      assert(slots.indices.allSatisfy { slots[$0].isVisible == shown.contains($0) }, "\(slots) are not on \(shown)")
      for (index, stack) in pool.stacks.enumerated() {
        let count = used.count { pool.stackIndexes[$0] == index } + stack.waiting.count
        assert(
          stack.counts.created == count + stack.counts.discarded && stack.counts.pooled == stack.waiting.count
            && stack.waiting.allSatisfy { pool[$0].reuseIdentifier == stack.identifier },
          "\(stack.identifier) has \(count) cells and counts \(stack.counts)")
      }
    #endif
  }
}

/// An element in use: on the screen, or kept ready near it.
///
/// Consists of integers, so that iteration does no reference counting.
struct Slot {
  var element: TableElement
  /// The number of lines.
  var height: Int
  /// The number of the cell in the pool; `nil` until one is dequeued.
  var cell: Int?
  /// Names this use of the cell. The cell receives it just before it is configured.
  var token = ReuseToken()
  var isVisible = false
  /// True if the content differs from what the cell shows.
  var isChanged = false
  /// False if the height was invalidated, so that it must be measured again.
  var isMeasured = true
  /// The index of the request that configures the cell, if any.
  var request: Int?
}

/// The calls to cells that follow from a change of the display, and its report. The change itself is already made.
struct CellTransition: ~Copyable {
  /// A call to a cell, or a token for one.
  enum Step {
    case end(Cell)
    /// The cell was returned to the pool. The new token voids the work that was started for its row.
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
  /// The slots in use before.
  private let former: [Slot]

  init(former: [Slot]) { self.former = former }

  /// The element that a cell showed before, by the number of the cell.
  func formerElement(of cell: Int) -> TableElement? { former.first { $0.cell == cell }?.element }

  mutating func note(_ event: ApplyReport.Event, _ element: TableElement, _ cell: Cell) {
    cells.append(.init(event: event, element: element, reuseIdentifier: cell.reuseIdentifier))
  }

  mutating func begin(_ cell: Cell, _ element: TableElement) {
    steps.append(.begin(cell))
    if let path = element.rowPath { begun.append(path) }
  }

  mutating func end(_ cell: Cell, _ formerElement: TableElement?) {
    steps.append(.end(cell))
    if let path = formerElement?.rowPath { ended.append(path) }
  }

  /// Calls the cells. The table is not accessed during these calls.
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
