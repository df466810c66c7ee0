import RowcastDiff
import RowcastModel
import RowcastTable

/// An action of a key or the mouse on a table: scrolling, focusing or selecting.
enum TableStep<RowID: Hashable & Sendable>: Sendable {
  case scrollLines(Int)
  case scrollPages(Int)
  case scrollToFirst, scrollToLast
  case focus(RowID?)
  case moveFocus(byRows: Int)
  /// Focuses the row of a path. A row out of view is scrolled to the middle.
  case show(RowPath)
  /// Selects the focused row, or deselects it.
  case toggleFocusedRow
  /// Starts or stops following the end of the list.
  case toggleFollowing
}

extension RetainedTable {
  func perform(_ step: TableStep<Row.ID>) throws(TableError) {
    switch step {
    case .scrollLines(let lines): try scroll(byLines: lines)
    case .scrollPages(let pages): try page(pages)
    case .scrollToFirst:
      try scroll(toLine: 0)
      moveFocus(to: uncoveredRows.first)
    case .scrollToLast:
      try scroll(toLine: contentHeight)
      moveFocus(to: visibleRows.last)
    case .focus(let id): focus(id)
    case .moveFocus(byRows: let rows): try moveFocus(byRows: rows)
    case .show(let path):
      let isVisible = uncoveredRows.contains { $0.path == path }
      // The list has the row. Without a cell for it the screen stays as it is.
      _ = try? scroll(to: path, at: isVisible ? .nearest : .middle)
      focus(snapshot.row(at: path).id)
    case .toggleFocusedRow: toggleFocusedRow()
    case .toggleFollowing:
      followsTail.toggle()
      if followsTail { try scroll(toLine: contentHeight) }
    }
  }

  /// Moves the list and the focus by pages.
  private func page(_ pages: Int) throws(TableError) {
    let line = uncoveredRows.firstIndex { $0.path == focusedPath }
    let top = topLine
    try scroll(byPages: pages)
    let rows = uncoveredRows
    guard let line, !rows.isEmpty else { return }
    // At an end of the list, without a further page, the focus moves to the outermost row.
    let index = topLine == top ? (pages > 0 ? rows.count - 1 : 0) : min(line, rows.count - 1)
    moveFocus(to: rows[index])
  }

  /// Moves the focus to a visible row, if there is a focus.
  private func moveFocus(to row: VisibleRow?) {
    if focusedPath != nil, let row { focus(row.row.id) }
  }
}
