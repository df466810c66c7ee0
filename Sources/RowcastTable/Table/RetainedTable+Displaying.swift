import RowcastDiff
import RowcastModel

extension RetainedTable {
  /// What it takes to show the list from another anchor. Nobody is asked for the cells that are in use.
  func plan(_ anchor: Anchor?) throws(TableError) -> DisplayPlan<Section, Row> {
    try plan(anchor, snapshot, geometry, known: display.shown)
  }

  /// What it takes to show a list from an anchor. Nothing changes before that is known.
  func plan(
    _ anchor: Anchor?, _ snapshot: ListSnapshot<Section, Row>, _ geometry: TableGeometry,
    known: [ShownElement<Section, Row>] = []
  ) throws(TableError) -> DisplayPlan<Section, Row> {
    var layout = Layout(snapshot, geometry: geometry, height: height, providers: providers, known: known) { [display] in
      $1 ? display.rowPool.kind(of: $0) : display.sectionPool.kind(of: $0)
    }
    return try layout.plan(anchor, workingRange: workingRange)
  }

  /// Brings the screen into the state that a plan asks for.
  func show(_ plan: DisplayPlan<Section, Row>, changes: ListChanges = ListChanges()) -> ApplyReport {
    geometry = plan.geometry
    topLine = plan.top
    let outcome = display.show(plan)
    report(outcome)
    reportEnds()
    return ApplyReport(changes: changes, cells: outcome.cells, diagnostics: outcome.diagnostics)
  }

  private func report(_ outcome: Display<Section, Row>.Outcome) {
    for row in outcome.ended { events.send(.didEndDisplaying(row)) }
    for (row, element) in outcome.begun {
      if let path = element.rowPath { events.send(.willDisplay(row, at: path)) }
    }
  }

  /// Says that the start or the end of the list came onto the screen, or that it is another row now.
  private func reportEnds() {
    let rows = display.visible.compactMap(\.content.row)
    let first = topLine == 0 ? rows.first?.id : nil
    let last = isAtEnd ? rows.last?.id : nil
    if let first, first != ends.start { events.send(.reachedStart) }
    if let last, last != ends.end { events.send(.reachedEnd) }
    ends = (first, last)
  }

  /// Gives all cells to the pool and shows the same rows again, each in a cell that is configured anew.
  ///
  /// - Returns: What happened to which cell: none was made, unless some were missing before.
  /// - Throws: ``TableError`` if a row on the screen has no cell by now; the table is then as it was.
  @discardableResult
  public func reloadAll() throws(TableError) -> ApplyReport {
    let plan = try plan(relativeAnchor(shiftedBy: 0), snapshot, geometry)
    report(display.clear())
    return show(plan)
  }

  /// Discards all pooled cells, as after a memory warning.
  public func drain() { display.drain() }

  /// Hands a late result to the cell that it was started for, if that still shows the same row.
  ///
  ///     func configure(with row: Photo) {
  ///       let token = token
  ///       loader.load(row.url) { image in table.deliver(to: token, as: PhotoCell.self) { $0.image = image } }
  ///     }
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
    guard let cell = display.shown.first(where: { $0.cell.token == token })?.cell else { return false }
    guard let content = cell as? Content else {
      throw .wrongCell(identifier: cell.reuseIdentifier, expected: String(reflecting: type))
    }
    body(content)
    return true
  }
}
