import RowcastDiff
import RowcastModel

extension RetainedTable {
  /// Makes one change, then sends its events. Throws ``TableError/changeInProgress`` while another one is being made.
  func changing(_ change: () throws(TableError) -> ApplyReport) throws(TableError) -> ApplyReport {
    guard !isChanging else { throw .changeInProgress }
    isChanging = true
    defer {
      isChanging = false
      if drainsAfterChange { drain() }
      checkInvariants()
      if events.hasListeners { events.sendWaiting() }
    }
    return try change()
  }

  /// Raises an event: it is sent now, or when the change is done that is being made.
  func send(_ event: TableEvent<Row>) {
    events.raise(event)
    if !isChanging { events.sendWaiting() }
  }

  /// What it takes to show a list from an anchor, by its heights and what is in use, in its order. It changes nothing.
  func plan(
    _ anchor: Anchor?, _ geometry: TableGeometry, known: [KnownElement], height: Int? = nil
  ) throws(TableError) -> DisplayPlan {
    var layout = Layout(
      geometry: geometry, height: height ?? screenHeight, known: known, request: reader.request
    ) { [self] in display.pool.cellType(of: $0) }
    return try layout.plan(anchor, workingRange: workingRange)
  }

  /// The height of the screen, or the most lines that sums are taken of.
  var screenHeight: Int { TableGeometry.clamped(height) }

  /// Shows the same list from another anchor.
  func scroll(to anchor: Anchor?, commit: () -> Void = {}) throws(TableError) -> ApplyReport {
    try show(plan(anchor, geometry, known: display.known), commit: commit)
  }

  /// Brings the screen into the state that a plan describes: first the state, then the calls of cells. What else changes is set by
  /// `commit`, when nothing can fail any more. With `isReload` all cells are given back first, which is not reported.
  func show(
    _ plan: DisplayPlan, changes: ListChanges = ListChanges(), isReload: Bool = false, commit: () -> Void = {}
  ) -> ApplyReport {
    var next = display
    let transition = next.show(plan, isReload: isReload)
    // Without listeners nothing is noted: what follows works with rows, whose types are not known here.
    let hasListeners = events.hasListeners
    if hasListeners { noteEnding(transition.ended) }
    display = consume next
    display.arrangeCells(transition)
    geometry = plan.geometry
    topLine = plan.top
    commit()
    if hasListeners { raiseEvents(transition.begun) }
    raiseEnds()
    transition.callCells(plan.requests)
    return ApplyReport(changes: changes, cells: transition.cells, diagnostics: transition.diagnostics)
  }

  @inline(never)
  private func noteEnding(_ paths: [RowPath]) { endingRows = reader.rows(paths) }

  @inline(never)
  private func raiseEvents(_ begun: [RowPath]) {
    for row in endingRows { events.raise(.didEndDisplaying(row)) }
    for (path, row) in zip(begun, reader.rows(begun)) { events.raise(.willDisplay(row, at: path)) }
    endingRows = []
  }

  @inline(never)
  private func raise(start: Bool, end: Bool) {
    if start { events.raise(.reachedStart) }
    if end { events.raise(.reachedEnd) }
  }

  /// Says that the start or the end of the list came onto the screen, or that it is another row now.
  func raiseEnds() {
    let first = topLine == 0 ? display.visible.lazy.compactMap(\.element.rowPath).first : nil
    let last = isAtEnd ? display.visible.last { $0.isRow }?.element.rowPath : nil
    if events.hasListeners {
      raise(start: first != nil && first != ends.start, end: last != nil && last != ends.end)
    }
    ends = (first, last)
  }

  /// Gives all cells to the pool and shows the same rows again, each in a cell that is configured anew.
  ///
  /// - Returns: What happened to which cell: none was made, unless some were missing before.
  /// - Throws: ``TableError`` if a row on the screen has no cell by now; the table is then as it was.
  @discardableResult
  public func reloadAll() throws(TableError) -> ApplyReport {
    try changing { () throws(TableError) in
      try show(plan(relativeAnchor(shiftedBy: 0), geometry, known: []), isReload: true)
    }
  }

  /// Discards all pooled cells, as after a memory warning. Inside of a cell's callback that is done after the change.
  public func drain() {
    drainsAfterChange = isChanging
    guard !isChanging else { return }
    var next = display
    let discarded = next.drain()
    withExtendedLifetime(discarded) { display = next }
  }

  /// Hands a late result to the cell that it was started for, if that still shows the same row.
  ///
  ///     func configure(with row: Photo) {
  ///       let token = token
  ///       loader.load(row.url) { image in try? table.deliver(to: token, as: PhotoCell.self) { $0.image = image } }
  ///     }
  ///
  /// The result may come at once, while the cell is still being configured.
  ///
  /// - Parameters:
  ///   - token: The ``Cell/token`` of the cell at the time when the work was started.
  ///   - type: The class of the cell.
  ///   - body: Takes the cell. Not called if the cell was given back since.
  /// - Returns: Whether the result arrived.
  /// - Throws: ``TableError/wrongCell(identifier:expected:)`` if the cell is of another class.
  /// - Complexity: O(cells in use).
  @discardableResult
  public func deliver<Content: Cell>(
    to token: ReuseToken, as type: Content.Type, _ body: (Content) -> Void
  ) throws(TableError) -> Bool {
    guard let cell = display.cell(for: token) else { return false }
    guard let content = cell as? Content else {
      throw .wrongCell(identifier: cell.reuseIdentifier, expected: String(reflecting: type))
    }
    body(content)
    return true
  }
}
