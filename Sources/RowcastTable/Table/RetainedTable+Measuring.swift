import RowcastDiff
import RowcastModel

// Measured heights follow the identity of rows until they are invalidated.
extension RetainedTable {
  /// Forgets all measured heights, because something outside the rows has changed them, such as the size of the text.
  ///
  /// Elements on the screen are measured again, and their cells are not configured. For other rows, the provider estimates
  /// again. If it makes no estimates, a row is estimated to have the `estimatedRowHeight` of the table or, if none was given,
  /// the mean height of the rows on the screen. The topmost visible line stays in place, or the end if the table follows its
  /// tail.
  ///
  /// - Returns: The events of the cells of elements that appeared or disappeared.
  /// - Throws: ``TableError`` if a row on the screen has no cell by now; the table is then unchanged.
  /// - Complexity: That of ``reloadAll()``.
  @discardableResult
  public func invalidateHeights() throws(TableError) -> ApplyReport {
    try beginChange()
    defer { endChange() }
    return try layOutAnew(known: unmeasuredSlots)
  }

  /// Forgets the measured height of a row, because something outside the row has changed it.
  ///
  /// A row on the screen is measured again, and its cell is not configured. Any other row is estimated until it appears.
  ///
  /// - Parameter id: The row.
  /// - Returns: The events of the cells of elements that appeared or disappeared; `nil` if the list does not have the row.
  /// - Throws: ``TableError`` if a row to be shown has no cell; the table is then unchanged.
  /// - Complexity: O(visible rows) for a row on the screen, else O(rows of the list).
  @discardableResult
  public func invalidateHeight(of id: Row.ID) throws(TableError) -> ApplyReport? {
    guard let path = path(of: id) else { return nil }
    try beginChange()
    defer { endChange() }
    var (geometry, known) = (geometry, display.slots)
    geometry.measure(.row(path), estimatedHeights(path, 1, in: snapshot)[0].height)
    for index in known.indices where known[index].element == .row(path) { known[index].isMeasured = false }
    return try show(plan(keptAnchor(in: geometry), geometry, known: known))
  }

  /// Estimates and measures all heights again, and shows the same rows, perhaps on a screen of another height.
  func layOutAnew(
    known: [Slot], isReload: Bool = false, height: Int? = nil, commit: () -> Void = {}
  ) throws(TableError) -> ApplyReport {
    let geometry = estimatedGeometry
    var plan = try plan(keptAnchor(in: geometry), geometry, known: known, height: height)
    if estimatesByMean, let mean = plan.meanRowHeight, mean != estimates.row, !hasEstimatingProvider {
      estimates.row = mean
      plan.estimate(by: estimatedGeometry)
    }
    return show(plan, isReload: isReload, commit: commit)
  }

  /// The slots in use, without their heights.
  var unmeasuredSlots: [Slot] {
    var slots = display.slots
    for index in slots.indices { slots[index].isMeasured = false }
    return slots
  }

  /// True if the provider estimates the heights of rows.
  var hasEstimatingProvider: Bool { reader.estimates(RowPath(section: 0, row: 0), 0, snapshot) != nil }

  /// The estimated heights of all elements.
  private var estimatedGeometry: TableGeometry {
    let all = ListChanges(sections: .init(inserts: Array(rowCounts.indices)))
    return heights(TableGeometry(), after: all, PathMap(all), in: snapshot, rowCounts)
  }

  /// The anchor that keeps the topmost visible line in place, among the elements that have lines in `geometry`; or the end if
  /// the table follows its tail.
  func keptAnchor(in geometry: TableGeometry) -> ScrollAnchor? {
    if followsTail, isAtEnd { return .end(of: geometry) }
    guard geometry.height > 0 else { return nil }
    let covered = display.coveredLines
    // Rows below a pinned header count only if there is nothing else.
    var (candidates, uncovered): ([ScrollAnchor.Candidate], [ScrollAnchor.Candidate]) = ([], [])
    var line = display.firstLine
    for slot in display.slots[display.visible] {
      let candidate = (slot.element, line, slot.height, 0)
      line += slot.height
      if geometry.lines(of: slot.element).isEmpty { continue }
      candidates.append(candidate)
      if line > covered { uncovered.append(candidate) }
    }
    return .keeping(uncovered.isEmpty ? candidates : uncovered, covered: covered)
      ?? .top(topLine, of: geometry, height: screenHeight)
  }
}
