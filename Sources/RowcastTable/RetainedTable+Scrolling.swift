public import RowcastDiff
import RowcastModel

extension RetainedTable {
  /// Brings a line of the content to the top of the screen, as far as the content reaches.
  ///
  /// - Returns: What happened to which cell.
  /// - Throws: ``TableError`` if a row that would come into view has no cell; the table is then as it was.
  @discardableResult
  public func scroll(toLine line: Int) throws(TableError) -> ApplyReport {
    let top = min(max(0, line), max(0, geometry.height - height))
    return commit(try plan(snapshot, geometry: geometry, top: top), changes: ListChanges())
  }

  /// Moves the content by a number of lines: up, showing what follows, if positive.
  ///
  /// - Returns: What happened to which cell.
  /// - Throws: ``TableError`` if a row that would come into view has no cell; the table is then as it was.
  @discardableResult
  public func scroll(byLines lines: Int) throws(TableError) -> ApplyReport {
    try scroll(toLine: topLine + lines)
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
    let line = geometry.line(of: path)
    return try scroll(toLine: position.top(showing: line..<line + 1, from: topLine, height: height))
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
    let followed = followsTail && topLine >= max(0, geometry.height - self.height)
    let top = followed ? geometry.height : topLine
    let former = self.height
    self.height = height
    do {
      return try scroll(toLine: top)
    } catch {
      self.height = former
      throw error
    }
  }
}
