public import RowcastDiff
import RowcastModel

extension RetainedTable {
  /// Lays out a list from an anchor. Nothing changes yet.
  func plan(
    _ anchor: ScrollAnchor?, _ geometry: TableGeometry, known: [Slot], _ list: ListSnapshot<Section, Row>,
    height: Int? = nil
  ) throws(TableError) -> Layout {
    var layout = Layout(
      geometry, height: height ?? screenHeight, pinsHeaders: pinsHeaders, known: known, pool: display.pool,
      placeholder: !showsEmptyCells
        ? nil
        : { element, error in
          let model: any ListViewModel =
            if let path = element.rowPath { list.row(at: path) } else { list.section(at: element.section) }
          return .empty(TableDiagnostic(unknown: model, error))
        }
    ) { [reader] element throws(TableError) in try reader.request(element, list) }
    try layout.fill(from: anchor, workingRange: workingRange)
    return layout
  }

  /// Commits a plan, then calls the cells. `commit` sets the other properties that change. In a reload all cells are given
  /// back first, which is not reported.
  func show(
    _ plan: Layout, changes: ListChanges = ListChanges(), isReload: Bool = false, commit: () -> Void = {}
  ) -> ApplyReport {
    var next = display
    let transition = next.show(plan, isReload: isReload)
    let former = snapshot
    display = consume next
    geometry = plan.geometry
    topLine = plan.topLine
    commit()
    if events.hasListeners {
      for path in transition.ended { events.raise(.didEndDisplaying(former.row(at: path))) }
      for path in transition.begun { events.raise(.willDisplay(snapshot.row(at: path), at: path)) }
    }
    raiseEnds()
    transition.callCells(plan.requests)
    return ApplyReport(changes: changes, cells: transition.cells, diagnostics: transition.diagnostics)
  }

  /// Commits a change of the list after which the same rows are on the screen, from a path on.
  func shift(
    to start: RowPath, _ topLine: Int, _ geometry: TableGeometry, _ changes: ListChanges, commit: () -> Void
  ) -> ApplyReport {
    display.shift(to: start)
    self.geometry = geometry
    self.topLine = topLine
    commit()
    raiseEnds()
    return ApplyReport(changes: changes, cells: [])
  }

  /// Raises an event if the start or the end of the list came onto the screen, or is another row there now.
  private func raiseEnds() {
    let start = topLine == 0 ? firstVisiblePath : nil
    let end = isAtEnd ? display.slots[display.visible].last { $0.element.rowPath != nil }?.element.rowPath : nil
    if start != nil, start != ends.start { events.raise(.reachedStart) }
    if end != nil, end != ends.end { events.raise(.reachedEnd) }
    ends = (start, end)
  }

  /// Discards all pooled cells, as after a memory warning. Inside of a cell's callback that is done after the change.
  public func drain() {
    drainsAfterChange = isChanging
    guard !isChanging else { return }
    var next = display
    let discarded = next.drain()
    display = next
    withExtendedLifetime(discarded) {}
  }

  /// Hands a late result to the cell that it was started for, if that still shows the same row.
  ///
  ///     func configure(with row: Photo) {
  ///       let token = token
  ///       loader.load(row.url) { image in try? table.deliver(to: token, as: PhotoCell.self) { $0.image = image } }
  ///     }
  ///
  /// The result may be delivered at once, while the cell is still being configured.
  ///
  /// - Parameters:
  ///   - token: The ``Cell/token`` of the cell at the time when the work was started.
  ///   - type: The class of the cell.
  ///   - body: Receives the cell. Not called if the cell was given back since.
  /// - Returns: True if the result arrived.
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

/// The effect of an update, or a scroll, on the cells of a table.
public struct ApplyReport: Hashable, Sendable {
  /// A kind of event of a cell.
  public enum Event: Hashable, Sendable {
    /// A new cell was made for the element.
    case created
    /// The pool provided a cell for the element.
    case reused
    /// The element's cell was configured again, because its content changed.
    case reconfigured
    /// The element's cell was replaced by one of another kind, new or from the pool.
    case replaced
    /// The element left the screen and its surroundings, and its cell was returned to the pool or, if that was full, released.
    case recycled
  }

  /// An event of the cell of one element.
  public struct CellEvent: Hashable, Sendable {
    /// The kind of event.
    public var event: Event
    /// The row, header or footer: its place after the update; for ``Event/recycled``, before.
    public var element: TableElement
    /// The kind of the cell.
    public var reuseIdentifier: String
  }

  /// The changes of the list.
  public var changes: ListChanges
  /// The events of cells: first those recycled, then those on the screen, from top to bottom, then those kept ready.
  public var cells: [CellEvent]
  /// Faults that stopped nothing: rows that got an empty cell.
  public var diagnostics: [TableDiagnostic] = []

  /// The number of cells that were configured.
  package var configuredCount: Int { cells.count { $0.event != .recycled } }
}
