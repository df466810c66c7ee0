import RowcastDiff
import RowcastModel

// Selection and focus follow the identity of rows, not their places.
extension RetainedTable {
  /// The ids of the selected rows.
  public var selection: Set<Row.ID> { Set(selectedRows.keys) }

  /// Selects a row. One that is selected already stays so, without another event.
  ///
  /// - Parameter id: The row, on the screen or not.
  /// - Returns: Whether the row is selected now: not if the list does not have it, or if the mode is
  ///   ``SelectionMode/none``.
  /// - Complexity: O(visible rows) for a row on the screen, else O(rows of the list).
  @discardableResult
  public func select(_ id: Row.ID) -> Bool {
    if selectedRows[id] != nil { return true }
    guard selectionMode != .none, let path = path(of: id) else { return false }
    if selectionMode == .single { deselectAll() }
    selectedRows[id] = snapshot.row(at: path)
    events.send(.selected(snapshot.row(at: path), at: path))
    return true
  }

  /// Takes a row out of the selection, if it is in it.
  public func deselect(_ id: Row.ID) {
    guard let row = selectedRows.removeValue(forKey: id) else { return }
    events.send(.deselected(row))
  }

  /// Takes all rows out of the selection.
  public func deselectAll() {
    for id in selectedRows.keys { deselect(id) }
  }

  /// Focuses a row: the one that keys act on.
  ///
  /// - Parameter id: The row, or `nil` for none.
  /// - Returns: Whether that is the focus now: not if the list does not have the row.
  /// - Complexity: O(visible rows) for a row on the screen, else O(rows of the list).
  @discardableResult
  public func focus(_ id: Row.ID?) -> Bool {
    guard let id else {
      focusedPath = nil
      return true
    }
    guard let path = path(of: id) else { return false }
    focusedPath = path
    return true
  }

  /// The focused row, or `nil` for none.
  public var focusedID: Row.ID? { focusedPath.map { snapshot.row(at: $0).id } }

  /// Moves the focus over a number of rows, down if positive, and brings it into view.
  ///
  /// Without a focus the first row on the screen is focused. The focus stops at the ends of the list.
  ///
  /// - Returns: What happened to which cell.
  /// - Throws: ``TableError`` if a row that would come into view has no cell; the table is then as it was.
  /// - Complexity: O(rows passed + visible rows).
  @discardableResult
  public func moveFocus(byRows rows: Int) throws(TableError) -> ApplyReport {
    guard let start = focusedPath else {
      focusedPath = display.visible.lazy.compactMap(\.element.rowPath).first
      return try scroll(byLines: 0)
    }
    var path = start
    for _ in 0..<abs(rows) {
      guard let next = rows > 0 ? snapshot.path(after: path) : snapshot.path(before: path) else { break }
      path = next
    }
    let report = try scroll(to: path)
    focusedPath = path
    return report
  }

  /// Selects the focused row, or deselects it if it is selected. Without a focus nothing happens.
  public func toggleFocusedRow() {
    guard let id = focusedID else { return }
    if selectedRows[id] != nil { deselect(id) } else { select(id) }
  }

  /// The path of a row.
  func path(of id: Row.ID) -> RowPath? {
    visibleRows.first { $0.row.id == id }?.path ?? snapshot.path(ofRow: id)
  }

  /// Keeps the focus on its row. If that is gone, the row that took its place is focused, or else the one above it.
  func followFocus(_ following: Following<Section, Row>) {
    guard let path = focusedPath, !following.changes.isEmpty else { return }
    let id = following.before.row(at: path).id
    focusedPath = following.paths(of: [id: path])[id] ?? snapshot.nearestPath(to: path)
  }

  /// Takes rows out of the selection that a change took out of the list, and takes notice of what others show now.
  ///
  /// - Complexity: O(k log n) for k rows that are listed, or whose sections are listed, and n rows.
  func dropDeletedSelection(_ following: Following<Section, Row>) {
    guard !selectedRows.isEmpty else { return }
    for update in following.changes.rows.updates {
      let row = snapshot.row(at: update.to)
      if selectedRows[row.id] != nil { selectedRows[row.id] = row }
    }
    var gone: [Row.ID: RowPath] = [:]
    for (path, row) in following.departures where selectedRows[row.id] != nil { gone[row.id] = path }
    guard !gone.isEmpty else { return }
    // A row that crosses the border of a deleted or an inserted section is still there.
    let kept = following.paths(of: gone)
    for (id, _) in gone.sorted(by: { $0.value < $1.value }) where kept[id] == nil { deselect(id) }
  }
}

extension ListSnapshot {
  /// The path itself if the list has it, or else one that is near.
  func nearestPath(to path: RowPath) -> RowPath? {
    guard path.section < sectionCount else { return self.path(before: RowPath(section: sectionCount, row: 0)) }
    if contains(path) { return path }
    let end = RowPath(section: path.section, row: rows(inSection: path.section).count)
    return self.path(before: end) ?? self.path(after: end)
  }

  /// The path of the row below another one.
  func path(after path: RowPath) -> RowPath? {
    if path.row + 1 < rows(inSection: path.section).count { return RowPath(section: path.section, row: path.row + 1) }
    return (path.section + 1..<max(path.section + 1, sectionCount)).first { !rows(inSection: $0).isEmpty }
      .map { RowPath(section: $0, row: 0) }
  }

  /// The path of the row above another one.
  func path(before path: RowPath) -> RowPath? {
    if path.row > 0 { return RowPath(section: path.section, row: path.row - 1) }
    return (0..<path.section).last { !rows(inSection: $0).isEmpty }
      .map { RowPath(section: $0, row: rows(inSection: $0).count - 1) }
  }
}
