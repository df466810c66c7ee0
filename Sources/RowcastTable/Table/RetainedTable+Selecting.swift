import RowcastDiff
import RowcastModel

// Selection and focus follow the identity of rows, not their places.
extension RetainedTable {
  /// The ids of the selected rows.
  public var selection: Set<Row.ID> { Set(selectedRows.keys) }

  /// Selects a row. A selected row stays selected, without another event.
  ///
  /// - Parameter id: The row, on the screen or not.
  /// - Returns: True if the row is selected now; false if the list does not have it, or in the mode ``SelectionMode/none``.
  /// - Complexity: O(1); O(rows of the list) for the first two calls for rows off the screen since rows or sections were
  ///   inserted, removed or moved.
  @discardableResult
  public func select(_ id: Row.ID) -> Bool {
    if isSelected(id) { return true }
    guard selectionMode != .none, let path = path(of: id) else { return false }
    if selectionMode == .single { deselectAll() }
    let row = snapshot.row(at: path)
    changeSelection { _ = $0.updateValue(row, forKey: id) }
    checkInvariants()
    if events.hasListeners { send(.selected(row, at: path)) }
    return true
  }

  /// Selects some rows, one after the other: in the mode ``SelectionMode/single`` the last one stays selected.
  ///
  /// - Parameter ids: The rows, on the screen or not. Those that the list does not have are left out.
  /// - Complexity: O(rows of the list + number of ids).
  public func select(_ ids: some Sequence<Row.ID>) { for id in ids { select(id) } }

  /// Selects all rows, in the mode ``SelectionMode/multiple``; otherwise nothing happens.
  ///
  /// - Complexity: O(rows of the list).
  public func selectAll() {
    guard selectionMode == .multiple else { return }
    var selected = selectedRows
    selected.reserveCapacity(snapshot.rowCount)
    forEachRow { path, row in
      if selected.updateValue(row, forKey: row.id) == nil { events.raise(.selected(row, at: path)) }
    }
    selectedRows = selected
    checkInvariants()
    if !isChanging { events.sendWaiting() }
  }

  /// True if a row is selected.
  func isSelected(_ id: Row.ID) -> Bool { selectedRows.index(forKey: id) != nil }

  private func forEachRow(_ body: (RowPath, Row) -> Void) {
    for section in rowCounts.indices {
      var path = RowPath(section: section, row: 0)
      for row in snapshot.rows(inSection: section) {
        body(path, row)
        path.row += 1
      }
    }
  }

  /// Deselects a row, if it is selected.
  public func deselect(_ id: Row.ID) {
    guard let row = changeSelection({ $0.removeValue(forKey: id) }) else { return }
    if events.hasListeners { send(.deselected(row)) }
  }

  /// Deselects all rows.
  ///
  /// - Complexity: O(selected rows).
  package func deselectAll() {
    for id in selectedRows.keys { deselect(id) }
  }

  /// Changes the selection. The table's own selection is empty during the change, because hashing an id runs code of the app.
  @discardableResult
  func changeSelection<Result>(_ change: (inout [Row.ID: Row]) -> Result) -> Result {
    var rows = selectedRows
    selectedRows = Dictionary()
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

  /// Moves the focus over a number of rows, down if positive, and scrolls to it.
  ///
  /// Without a focus the first row on the screen is focused. The focus stops at the ends of the list.
  ///
  /// - Returns: The events of the cells.
  /// - Throws: ``TableError`` if a row to be shown has no cell; the table is then unchanged.
  /// - Complexity: O(sections passed + visible rows).
  @discardableResult
  public func moveFocus(byRows rows: Int) throws(TableError) -> ApplyReport {
    try beginChange()
    defer { endChange() }
    guard let start = focusedPath else {
      let first = firstVisiblePath
      return try scroll(to: relativeAnchor(shiftedBy: 0)) { focusedPath = first }
    }
    let path = snapshot.path(start, movedByRows: rows)
    return try scroll(to: anchor(showing: .row(path), at: .nearest)) { focusedPath = path }
  }

  /// Selects the focused row, or deselects it if it is selected. Without a focus nothing happens.
  package func toggleFocusedRow() {
    guard let id = focusedID else { return }
    if isSelected(id) { deselect(id) } else { select(id) }
  }

  /// Raises an event. It is sent now, or when the present change is done.
  private func send(_ event: TableEvent<Row>) {
    events.raise(event)
    if !isChanging { events.sendWaiting() }
  }

  func path(of id: Row.ID) -> RowPath? {
    if let paths { return paths[id] }
    for slot in display.slots[display.visible] {
      if let path = slot.element.rowPath, snapshot.row(at: path).id == id { return path }
    }
    guard hasScanned else {
      hasScanned = true
      return snapshot.scanForPath(ofRow: id)
    }
    // A single row is looked for now and then. Whoever looks for a second one will look for many.
    var index = [Row.ID: RowPath](minimumCapacity: snapshot.rowCount)
    forEachRow { path, row in index.updateValue(path, forKey: row.id) }
    paths = index
    return index[id]
  }

  /// Forgets the paths of rows if changes insert, remove or move rows or sections.
  func forgetPaths(after changes: ListChanges) {
    if changes.sections.hasStructure || changes.rows.hasStructure { (paths, hasScanned) = (nil, false) }
  }
}

extension ListSnapshot {
  /// The path of the row some rows below another one, or above if negative; of the last or first row if there are fewer.
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
