public import RowcastDiff
import RowcastModel

extension RetainedTable {
  /// Brings a line of the content to the top of the screen, as far as the content reaches.
  ///
  /// Lines of rows that were never in view are estimated, so the row that is reached is near. The ends are always exact.
  ///
  /// - Returns: What happened to which cell.
  /// - Throws: ``TableError`` if a row that would come into view has no cell; the table is then as it was.
  @discardableResult
  public func scroll(toLine line: Int) throws(TableError) -> ApplyReport {
    try changing { () throws(TableError) in
      try scroll(to: place(ofLine: TableGeometry.clamped(line), in: geometry))
    }
  }

  /// Moves the content by a number of lines: up, showing what follows, if positive.
  ///
  /// - Returns: What happened to which cell.
  /// - Throws: ``TableError`` if a row that would come into view has no cell; the table is then as it was.
  /// - Complexity: O(v + m log n) for v elements on the screen, m that come into view and n rows.
  @discardableResult
  public func scroll(byLines lines: Int) throws(TableError) -> ApplyReport {
    let lines = TableGeometry.clamped(lines)
    // A long way is not measured row by row.
    guard abs(lines) <= 2 * screenHeight else { return try scroll(toLine: topLine + lines) }
    return try changing { () throws(TableError) in try scroll(to: relativeAnchor(shiftedBy: -lines)) }
  }

  /// Moves the content by a number of screens, each less a line that stays in view: up, showing what follows, if positive.
  ///
  /// - Returns: What happened to which cell.
  /// - Throws: ``TableError`` if a row that would come into view has no cell; the table is then as it was.
  @discardableResult
  public func scroll(byPages pages: Int) throws(TableError) -> ApplyReport {
    let (lines, isTooFar) = pages.multipliedReportingOverflow(by: max(1, height - 1))
    return try scroll(byLines: isTooFar ? (pages < 0 ? .min : .max) : lines)
  }

  /// Brings a row into view.
  ///
  /// - Parameters:
  ///   - path: The row.
  ///   - position: Where on the screen, as far as the content reaches.
  /// - Returns: What happened to which cell.
  /// - Precondition: The list has the path.
  /// - Throws: ``TableError`` if a row that would come into view has no cell; the table is then as it was.
  @discardableResult
  public func scroll(to path: RowPath, at position: ScrollPosition = .nearest) throws(TableError) -> ApplyReport {
    require(snapshot.contains(path), "The list has no row at \(path)")
    return try changing { () throws(TableError) in try scroll(to: anchor(showing: .row(path), at: position)) }
  }

  /// Brings the row with an id into view.
  ///
  /// - Parameters:
  ///   - id: The row.
  ///   - position: Where on the screen, as far as the content reaches.
  /// - Returns: What happened to which cell, or `nil` if the list does not have the row.
  /// - Throws: ``TableError`` if a row that would come into view has no cell; the table is then as it was.
  /// - Complexity: O(rows of the list) for a row that is not on the screen.
  @discardableResult
  public func scroll(to id: Row.ID, at position: ScrollPosition = .nearest) throws(TableError) -> ApplyReport? {
    guard let path = path(of: id) else { return nil }
    return try scroll(to: path, at: position)
  }

  /// Gives the table another number of lines on the screen.
  ///
  /// - Returns: What happened to which cell.
  /// - Precondition: `height` is not negative.
  /// - Throws: ``TableError`` if a row that would come into view has no cell; the table is then as it was.
  @discardableResult
  public func resize(toHeight height: Int) throws(TableError) -> ApplyReport {
    require(height >= 0, "A table cannot have \(height) lines; use 0 or more")
    return try changing { () throws(TableError) in
      let anchor = followsTail && isAtEnd ? end(of: geometry) : relativeAnchor(shiftedBy: 0)
      let plan = try plan(anchor, geometry, known: display.known, height: TableGeometry.clamped(height))
      return show(plan) { self.height = height }
    }
  }
}

// MARK: - Anchors

extension RetainedTable {
  /// Whether the last line of the content is on the screen.
  var isAtEnd: Bool { topLine >= max(0, geometry.height - screenHeight) }

  /// What is to stand where so that all moves by some lines: down if positive.
  func relativeAnchor(shiftedBy lines: Int) -> Anchor? {
    guard let first = display.visible.first else { return place(ofLine: topLine - lines, in: geometry) }
    return Anchor(element: first.element, place: .line(display.firstLine + lines))
  }

  /// What is to stand where so that the screen starts with a line, as far as the content reaches.
  func place(ofLine line: Int, in geometry: TableGeometry) -> Anchor? {
    guard geometry.height > 0 else { return nil }
    if line >= geometry.height - screenHeight, line > 0 { return end(of: geometry) }
    let element = geometry.element(atLine: max(0, line))
    return Anchor(element: element, place: .line(geometry.line(of: element) - max(0, line)))
  }

  /// The last element at the end of the screen.
  func end(of geometry: TableGeometry) -> Anchor? {
    guard geometry.height > 0 else { return nil }
    return Anchor(element: geometry.element(atLine: geometry.height - 1), place: .bottom)
  }

  /// What is to stand where so that an element is at a position.
  func anchor(showing element: TableElement, at position: ScrollPosition) -> Anchor? {
    switch position {
    case .top: return Anchor(element: element, place: .line(0))
    case .middle: return Anchor(element: element, place: .middle)
    case .bottom: return Anchor(element: element, place: .bottom)
    case .nearest:
      let line = geometry.line(of: element)
      let end = line + geometry.height(of: element)
      // What is too long for the screen is shown from its start.
      if line < topLine || end - line > screenHeight { return Anchor(element: element, place: .line(0)) }
      let isBelow = end > topLine + screenHeight
      return isBelow ? Anchor(element: element, place: .bottomFromStart) : relativeAnchor(shiftedBy: 0)
    }
  }
}

/// Where on the screen a row is brought.
public enum ScrollPosition: Hashable, Sendable {
  /// To the top.
  case top
  /// To the middle.
  case middle
  /// To the bottom.
  case bottom
  /// Wherever it is seen whole with the least scrolling; nowhere if it is already.
  case nearest
}
