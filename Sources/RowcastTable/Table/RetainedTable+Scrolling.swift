public import RowcastDiff
import RowcastModel

extension RetainedTable {
  /// Brings a line of the content to the top of the screen, as far as the content reaches.
  ///
  /// Where rows were never in view their lines are estimated, so the row that this leads to is near, not exact. The first
  /// and the last line are always exact.
  ///
  /// - Returns: What happened to which cell.
  /// - Throws: ``TableError`` if a row that would come into view has no cell; the table is then as it was.
  @discardableResult
  public func scroll(toLine line: Int) throws(TableError) -> ApplyReport {
    show(try plan(place(ofLine: line, in: geometry)))
  }

  /// Moves the content by a number of lines: up, showing what follows, if positive.
  ///
  /// - Returns: What happened to which cell.
  /// - Throws: ``TableError`` if a row that would come into view has no cell; the table is then as it was.
  /// - Complexity: O(v log n) for v elements on the screen and n rows.
  @discardableResult
  public func scroll(byLines lines: Int) throws(TableError) -> ApplyReport {
    // A long way is not measured row by row.
    guard abs(lines) <= 2 * height else { return try scroll(toLine: topLine + lines) }
    return show(try plan(relativeAnchor(shiftedBy: -lines)))
  }

  /// Moves the content by a number of screens, each less a line that stays in view: up, showing what follows, if positive.
  ///
  /// - Returns: What happened to which cell.
  /// - Throws: ``TableError`` if a row that would come into view has no cell; the table is then as it was.
  @discardableResult
  public func scroll(byPages pages: Int) throws(TableError) -> ApplyReport {
    try scroll(byLines: pages * max(1, height - 1))
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
    precondition(snapshot.contains(path), "The list has no row at \(path)")
    return show(try plan(anchor(showing: .row(path), at: position)))
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
  /// - Throws: ``TableError`` if a row that would come into view has no cell; the table then shows no more than before.
  @discardableResult
  public func resize(toHeight height: Int) throws(TableError) -> ApplyReport {
    precondition(height >= 0, "A table cannot have \(height) lines; use 0 or more")
    let anchor = followsTail && isAtEnd ? end(of: geometry) : relativeAnchor(shiftedBy: 0)
    let former = self.height
    self.height = height
    do {
      return show(try plan(anchor))
    } catch {
      self.height = former
      throw error
    }
  }
}

// MARK: - Anchors

extension RetainedTable {
  /// Whether the last line of the content is on the screen.
  var isAtEnd: Bool { topLine >= max(0, geometry.height - height) }

  /// What is to stand where so that all moves by some lines: down if positive.
  func relativeAnchor(shiftedBy lines: Int) -> Anchor? {
    guard let first = display.visible.first else { return place(ofLine: topLine - lines, in: geometry) }
    return Anchor(element: first.element, place: .line(first.line + lines))
  }

  /// What is to stand where so that the screen starts with a line, as far as the content reaches.
  func place(ofLine line: Int, in geometry: TableGeometry) -> Anchor? {
    guard geometry.height > 0 else { return nil }
    if line >= geometry.height - height, line > 0 { return end(of: geometry) }
    let element = geometry.element(atLine: max(0, line))
    return Anchor(element: element, place: .line(geometry.line(of: element) - max(0, line)))
  }

  /// The last element at the end of the screen.
  func end(of geometry: TableGeometry) -> Anchor? {
    guard geometry.height > 0 else { return nil }
    return Anchor(element: geometry.element(atLine: geometry.height - 1), place: .bottom)
  }

  /// What is to stand where so that an element is at a position.
  private func anchor(showing element: TableElement, at position: ScrollPosition) -> Anchor? {
    switch position {
    case .top: return Anchor(element: element, place: .line(0))
    case .middle: return Anchor(element: element, place: .middle)
    case .bottom: return Anchor(element: element, place: .bottom)
    case .nearest:
      let line = geometry.line(of: element)
      let end = line + geometry.height(of: element)
      // What is too long for the screen is shown from its start.
      if line < topLine || end - line > height { return Anchor(element: element, place: .line(0)) }
      return end > topLine + height ? Anchor(element: element, place: .bottomFromStart) : relativeAnchor(shiftedBy: 0)
    }
  }
}
