import RowcastDiff
import RowcastModel

// Measured heights follow the identity of rows until they are invalidated.
extension RetainedTable {
  /// Gives all cells to the pool and shows the same rows again, each in a cell that is configured anew. Measured heights are
  /// forgotten, as by ``invalidateHeights()``.
  ///
  /// - Returns: The events of the cells: none was made, unless some were missing before.
  /// - Throws: ``TableError`` if a row on the screen has no cell by now; the table is then as it was.
  /// - Complexity: O(s + v log n) for s sections, v elements on the screen and n rows; O(n) if the provider estimates heights.
  @discardableResult
  public func reloadAll() throws(TableError) -> ApplyReport {
    try beginChange()
    defer { endChange() }
    return try layOutAnew(known: [], isReload: true)
  }

  /// Shows the rows in the cells of other providers: another look of the same list.
  ///
  /// All cells in use are given to the pool, and the new providers are asked for all that is on the screen. The topmost visible
  /// line stays in place, or the end if the table follows its tail; focus and selection stay. Measured heights are forgotten, as
  /// by ``invalidateHeights()``. A reuse identifier may be used for another class of cells from now on.
  ///
  /// - Parameters:
  ///   - cells: Chooses the cell for each row.
  ///   - headers: Chooses the cell above the rows of a section; `nil` for none.
  ///   - footers: Chooses the cell below the rows of a section; `nil` for none.
  /// - Returns: The events of the cells.
  /// - Throws: ``TableError`` if a row on the screen has no cell; the table then keeps its providers, and is as it was.
  /// - Complexity: That of ``reloadAll()``.
  @inlinable
  @discardableResult
  public func replaceCells(
    with cells: some CellProvider<Row>, headers: (any CellProvider<Section>)? = nil,
    footers: (any CellProvider<Section>)? = nil
  ) throws(TableError) -> ApplyReport {
    try replace(
      TableReader(cells, headers: headers, footers: footers), hasHeaders: headers != nil, hasFooters: footers != nil)
  }

  @usableFromInline
  func replace(
    _ reader: TableReader<Section, Row>, hasHeaders: Bool, hasFooters: Bool
  ) throws(TableError) -> ApplyReport {
    try beginChange()
    defer { endChange() }
    let former = (reader: self.reader, estimates: estimates, display: display, showsEmptyCells: showsEmptyCells)
    (self.reader, showsEmptyCells) = (reader, false)
    (estimates.header, estimates.footer) = (hasHeaders ? 1 : 0, hasFooters ? 1 : 0)
    display.reopen()
    do throws(TableError) {
      return try layOutAnew(known: [], isReload: true)
    } catch {
      (self.reader, estimates, display, showsEmptyCells) = former
      throw error
    }
  }

  /// Forgets all measured heights, because something outside of the rows has changed them, such as the size of the text.
  ///
  /// Elements on the screen are measured again, and their cells are not configured. For the other rows the provider's estimates
  /// are asked again. If it makes none, a row is estimated to have the `estimatedRowHeight` of the table; and if none was given,
  /// the mean height of the rows on the screen. The topmost visible line stays in place, or the end if the table follows its
  /// tail.
  ///
  /// - Returns: The events of the cells of elements that came onto the screen, or left it.
  /// - Throws: ``TableError`` if a row on the screen has no cell by now; the table is then as it was.
  /// - Complexity: That of ``reloadAll()``.
  @discardableResult
  public func invalidateHeights() throws(TableError) -> ApplyReport {
    try beginChange()
    defer { endChange() }
    return try layOutAnew(known: unmeasuredSlots)
  }

  /// Forgets the measured height of a row, because something outside of the row has changed it.
  ///
  /// A row on the screen is measured again, and its cell is not configured. Another one is estimated until it comes into view.
  ///
  /// - Parameter id: The row.
  /// - Returns: The events of the cells of elements that came onto the screen, or left it; `nil` if the list does not have the
  ///   row.
  /// - Throws: ``TableError`` if a row that would come into view has no cell; the table is then as it was.
  /// - Complexity: O(visible rows) for a row on the screen, else O(rows of the list).
  @discardableResult
  public func invalidateHeight(of id: Row.ID) throws(TableError) -> ApplyReport? {
    guard let path = path(of: id) else { return nil }
    try beginChange()
    defer { endChange() }
    var (geometry, known) = (geometry, display.slots)
    geometry.measure(.row(path), estimatedHeights(path, 1, in: snapshot)[0].height)
    for index in known.indices where known[index].element == .row(path) { known[index].isMeasured = false }
    return try show(plan(keptAnchor(in: geometry), geometry, known: known, snapshot))
  }

  /// Configures the cells of rows again whose look depends on what `==` ignores, such as a picture that was loaded.
  ///
  ///     let picture = await thumbnails.load(row.url)
  ///     try table.refresh([row.id])
  ///
  /// There is no update and no revision. Rows that are neither on the screen nor kept ready are configured when they appear
  /// there. The height of a row is asked for again. The topmost visible line stays in place, or the end if the table follows its
  /// tail.
  ///
  /// - Parameter ids: The rows. Those that are not in use are left out.
  /// - Returns: The events of the cells.
  /// - Throws: ``TableError`` if a row on the screen has no cell by now; the table is then as it was.
  /// - Complexity: O(v log n + k) for v elements on the screen or kept ready, n rows and k ids.
  @discardableResult
  public func refresh(_ ids: some Sequence<Row.ID>) throws(TableError) -> ApplyReport {
    try refresh(Set(ids))
  }

  private func refresh(_ ids: Set<Row.ID>) throws(TableError) -> ApplyReport {
    try beginChange()
    defer { endChange() }
    var known = display.slots
    for index in known.indices {
      guard let path = known[index].element.rowPath else { continue }
      known[index].isChanged = ids.contains(snapshot.row(at: path).id)
    }
    return try show(plan(keptAnchor(in: geometry), geometry, known: known, snapshot))
  }

  /// Shows the same rows with heights that are all estimated and measured anew, on a screen that may have another height.
  func layOutAnew(
    known: [Slot], isReload: Bool = false, height: Int? = nil, commit: () -> Void = {}
  ) throws(TableError) -> ApplyReport {
    let geometry = estimatedGeometry
    var plan = try plan(keptAnchor(in: geometry), geometry, known: known, snapshot, height: height)
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

  /// The anchor that keeps the topmost visible line in place, of the elements that exist by some heights; or the end if the table
  /// follows its tail.
  private func keptAnchor(in geometry: TableGeometry) -> ScrollAnchor? {
    if followsTail, isAtEnd { return end(of: geometry) }
    guard geometry.height > 0 else { return nil }
    let covered = display.coveredLines
    var (line, isCovered) = (display.firstLine, true)
    var (first, next): (ScrollAnchor.Start?, ScrollAnchor.Start?)
    for slot in display.slots[display.visible] {
      let start = ScrollAnchor.Start(element: slot.element, line: line)
      line += slot.height
      if geometry.lines(of: slot.element).isEmpty { continue }
      // Those that a pinned header covers are taken only if there are no others.
      if isCovered, line > covered { (first, isCovered) = (nil, false) }
      if first == nil { (first, next) = (start, nil) } else if next == nil { next = start }
    }
    guard let first else { return place(ofLine: topLine, in: geometry) }
    return .kept(first, next: next, covered: isCovered ? 0 : covered)
  }
}
