public import RowcastDiff
import RowcastModel

extension RetainedTable {
  /// Scrolls a line of the content to the top of the screen, as far as the content reaches.
  ///
  /// Rows that never appeared have estimated heights, so the row that is reached is approximate. The ends are always exact.
  ///
  /// - Returns: The events of the cells.
  /// - Throws: ``TableError`` if a row to be shown has no cell; the table is then unchanged.
  @discardableResult
  public func scroll(toLine line: Int) throws(TableError) -> ApplyReport {
    try beginChange()
    defer { endChange() }
    return try scroll(to: .top(TableGeometry.clamped(line), of: geometry, height: screenHeight))
  }

  /// Moves the content by a number of lines: up, showing what follows, if positive.
  ///
  /// Beyond two screens, rows that never appeared have estimated heights, unless the first row stays on the screen.
  ///
  /// - Returns: The events of the cells.
  /// - Throws: ``TableError`` if a row to be shown has no cell; the table is then unchanged.
  /// - Complexity: O(v + m log n) for v elements on the screen, m elements that appear and n rows.
  @discardableResult
  public func scroll(byLines lines: Int) throws(TableError) -> ApplyReport {
    let lines = TableGeometry.clamped(lines)
    // A long way is not measured row by row, unless the first row is so long that it stays on the screen.
    if abs(lines) > 2 * screenHeight {
      let top = display.firstLine - lines
      let height = display.slots[display.visible].first.map { geometry.lines(of: $0.element).count } ?? 0
      if top >= screenHeight || top + height <= 0 { return try scroll(toLine: topLine + lines) }
    }
    try beginChange()
    defer { endChange() }
    return try scroll(to: relativeAnchor(shiftedBy: -lines))
  }

  /// Moves the content by a number of screens, each less a line that stays visible: up, showing what follows, if positive.
  ///
  /// - Returns: The events of the cells.
  /// - Throws: ``TableError`` if a row to be shown has no cell; the table is then unchanged.
  @discardableResult
  public func scroll(byPages pages: Int) throws(TableError) -> ApplyReport {
    let (lines, isTooFar) = pages.multipliedReportingOverflow(by: max(1, height - 1))
    return try scroll(byLines: isTooFar ? (pages < 0 ? .min : .max) : lines)
  }

  /// Scrolls to a row.
  ///
  /// - Parameters:
  ///   - path: The row.
  ///   - position: The position on the screen, as far as the content reaches.
  /// - Returns: The events of the cells.
  /// - Precondition: The list has the path.
  /// - Throws: ``TableError`` if a row to be shown has no cell; the table is then unchanged.
  @discardableResult
  public func scroll(to path: RowPath, at position: ScrollPosition = .nearest) throws(TableError) -> ApplyReport {
    require(snapshot.contains(path), "The list has no row at \(path)")
    try beginChange()
    defer { endChange() }
    return try scroll(to: anchor(showing: .row(path), at: position))
  }

  /// Scrolls to the row with an id.
  ///
  /// - Parameters:
  ///   - id: The row.
  ///   - position: The position on the screen, as far as the content reaches.
  /// - Returns: The events of the cells, or `nil` if the list does not have the row.
  /// - Throws: ``TableError`` if a row to be shown has no cell; the table is then unchanged.
  /// - Complexity: O(rows of the list) for a row that is not on the screen.
  @discardableResult
  public func scroll(to id: Row.ID, at position: ScrollPosition = .nearest) throws(TableError) -> ApplyReport? {
    guard let path = path(of: id) else { return nil }
    return try scroll(to: path, at: position)
  }

  /// Gives the table another number of lines on the screen, and tells it the width of its rows.
  ///
  /// The table has no use for the width itself, so any unit will do. But rows may have other heights in another width:
  /// measured heights are then forgotten, as by ``invalidateHeights()``.
  ///
  /// - Parameters:
  ///   - height: The number of lines that the screen has for the table.
  ///   - width: The width of the rows; `nil` to keep the last one.
  /// - Returns: The events of the cells.
  /// - Precondition: `height` is not negative.
  /// - Throws: ``TableError`` if a row to be shown has no cell; the table is then unchanged.
  /// - Complexity: O(v log n) for v elements on the screen and n rows; that of ``reloadAll()`` for another width.
  @discardableResult
  public func resize(toHeight height: Int, width: Int? = nil) throws(TableError) -> ApplyReport {
    require(height >= 0, "A table cannot have \(height) lines; use 0 or more")
    try beginChange()
    defer { endChange() }
    let screenHeight = TableGeometry.clamped(height)
    if let width, width != self.width {
      return try layOutAnew(known: unmeasuredSlots, height: screenHeight) {
        (self.height, self.width) = (height, width)
      }
    }
    let anchor = followsTail && isAtEnd ? .end(of: geometry) : relativeAnchor(shiftedBy: 0)
    let plan = try plan(anchor, geometry, known: display.slots, height: screenHeight)
    return show(plan) { self.height = height }
  }

  // MARK: - Anchors

  /// Shows the same list from another anchor.
  func scroll(to anchor: ScrollAnchor?, commit: () -> Void = {}) throws(TableError) -> ApplyReport {
    try show(plan(anchor, geometry, known: display.slots), commit: commit)
  }

  /// The anchor that moves everything by some lines: down if positive.
  func relativeAnchor(shiftedBy lines: Int) -> ScrollAnchor? {
    guard let first = display.slots[display.visible].first else {
      return .top(topLine - lines, of: geometry, height: screenHeight)
    }
    return .line(display.firstLine + lines, first.element)
  }

  /// The anchor that shows an element at a position. An element that is too long for the screen is shown from its start.
  func anchor(showing element: TableElement, at position: ScrollPosition) -> ScrollAnchor? {
    switch position {
    case .top: return .line(0, element).belowHeader()
    case .middle: return ScrollAnchor(element: element, place: .middle).belowHeader()
    case .bottom: return ScrollAnchor(element: element, place: .end())
    case .nearest:
      let lines = geometry.lines(of: element)
      if lines.lowerBound < topLine + coveredLines(above: element) { return .line(0, element).belowHeader() }
      if lines.upperBound <= topLine + screenHeight { return relativeAnchor(shiftedBy: 0) }
      return ScrollAnchor(element: element, place: .end(fromStart: true)).belowHeader()
    }
  }

  /// The lines at the top of the screen that a pinned header covers, for an element that must be visible.
  private func coveredLines(above element: TableElement) -> Int {
    guard pinsHeaders else { return 0 }
    let lines = geometry.lines(of: .header(section: element.section)).count
    return lines < screenHeight ? lines : 0
  }
}

/// The position on the screen to which a row is scrolled.
public enum ScrollPosition: Hashable, Sendable {
  /// The top of the screen.
  case top
  /// The middle of the screen.
  case middle
  /// The bottom of the screen.
  case bottom
  /// The position nearest to the present one that shows the whole row. A fully visible row stays in place.
  case nearest
}
