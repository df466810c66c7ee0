import RowcastDiff
import RowcastModel

// Selection and focus follow the identity of rows, not their places.
extension RetainedTable {
  /// The ids of the selected rows.
  public var selection: Set<Row.ID> { Set(selectedRows.keys) }

  /// Selects a row. One that is selected already stays so, without another event.
  ///
  /// - Parameter id: The row, on the screen or not.
  /// - Returns: True if the row is selected now; false if the list does not have it, or in the mode ``SelectionMode/none``.
  /// - Complexity: O(visible rows) for a row on the screen, else O(rows of the list).
  @discardableResult
  public func select(_ id: Row.ID) -> Bool {
    if selectedRows[id] != nil { return true }
    guard selectionMode != .none, let path = path(of: id) else { return false }
    if selectionMode == .single { deselectAll() }
    let row = snapshot.row(at: path)
    changeSelection { $0[id] = row }
    checkInvariants()
    send(.selected(row, at: path))
    return true
  }

  /// Takes a row out of the selection, if it is in it.
  public func deselect(_ id: Row.ID) {
    guard let row = changeSelection({ $0.removeValue(forKey: id) }) else { return }
    send(.deselected(row))
  }

  /// Takes all rows out of the selection.
  public func deselectAll() {
    for id in selectedRows.keys { deselect(id) }
  }

  /// Changes the selection. The table's own is empty meanwhile, because hashing an id runs code of the app.
  @discardableResult
  func changeSelection<Result>(_ change: (inout [Row.ID: Row]) -> Result) -> Result {
    var rows = selectedRows
    selectedRows = [:]
    defer { selectedRows = rows }
    return change(&rows)
  }

  /// Focuses a row: the one that keys act on.
  ///
  /// - Parameter id: The row, or `nil` for none.
  /// - Returns: True if the row has the focus now; false if the list does not have it.
  /// - Complexity: O(visible rows) for a row on the screen, else O(rows of the list).
  @discardableResult
  public func focus(_ id: Row.ID?) -> Bool {
    guard let id else {
      focusedPath = nil
      return true
    }
    guard let path = path(of: id) else { return false }
    focusedPath = path
    checkInvariants()
    return true
  }

  /// The focused row, or `nil` for none.
  public var focusedID: Row.ID? { focusedPath.map { snapshot.row(at: $0).id } }

  /// Moves the focus over a number of rows, down if positive, and brings it into view.
  ///
  /// Without a focus the first row on the screen is focused. The focus stops at the ends of the list.
  ///
  /// - Returns: The events of the cells.
  /// - Throws: ``TableError`` if a row that would come into view has no cell; the table is then as it was.
  /// - Complexity: O(sections passed + visible rows).
  @discardableResult
  public func moveFocus(byRows rows: Int) throws(TableError) -> ApplyReport {
    try changing { () throws(TableError) in
      guard let start = focusedPath else {
        let first = firstVisiblePath
        return try scroll(to: relativeAnchor(shiftedBy: 0)) { focusedPath = first }
      }
      let path = snapshot.path(start, movedByRows: rows)
      return try scroll(to: anchor(showing: .row(path), at: .nearest)) { focusedPath = path }
    }
  }

  /// Selects the focused row, or deselects it if it is selected. Without a focus nothing happens.
  public func toggleFocusedRow() {
    guard let id = focusedID else { return }
    if selectedRows[id] != nil { deselect(id) } else { select(id) }
  }

  /// Raises an event. It is sent now, or when the present change is done.
  private func send(_ event: TableEvent<Row>) {
    events.raise(event)
    if !isChanging { events.sendWaiting() }
  }

  func path(of id: Row.ID) -> RowPath? {
    visibleRows.first { $0.row.id == id }?.path ?? snapshot.scanForPath(ofRow: id)
  }
}

extension ListSnapshot {
  /// The path itself if the list has it, or else one that is near.
  func nearestPath(to path: RowPath) -> RowPath? {
    guard path.section < sectionCount else { return self.path(before: RowPath(section: sectionCount, row: 0)) }
    if contains(path) { return path }
    let end = RowPath(section: path.section, row: rowCount(inSection: path.section))
    return self.path(before: end) ?? self.path(after: end)
  }

  /// The path of the row some rows below another one, or above if negative; that of the last or first if there are fewer.
  func path(_ path: RowPath, movedByRows rows: Int) -> RowPath {
    var path = path
    var rest = rows.magnitude
    while rest > 0 {
      let free = UInt(rows > 0 ? rowCount(inSection: path.section) - 1 - path.row : path.row)
      let step = Int(min(rest, free))
      path.row += rows > 0 ? step : -step
      rest -= UInt(step)
      guard rest > 0, let next = rows > 0 ? self.path(after: path) : self.path(before: path) else { break }
      path = next
      rest -= 1
    }
    return path
  }

  /// The path of the row below another one.
  func path(after path: RowPath) -> RowPath? {
    if path.row + 1 < rowCount(inSection: path.section) { return RowPath(section: path.section, row: path.row + 1) }
    return (path.section + 1..<max(path.section + 1, sectionCount)).first { rowCount(inSection: $0) > 0 }
      .map { RowPath(section: $0, row: 0) }
  }

  /// The path of the row above another one.
  func path(before path: RowPath) -> RowPath? {
    if path.row > 0 { return RowPath(section: path.section, row: path.row - 1) }
    return (0..<path.section).last { rowCount(inSection: $0) > 0 }
      .map { RowPath(section: $0, row: rowCount(inSection: $0) - 1) }
  }
}

/// The number of rows of a table that can be selected at a time.
public enum SelectionMode: Hashable, Sendable {
  /// None.
  case none
  /// At most one: selecting another row deselects it.
  case single
  /// Any number.
  case multiple
}
