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
    try changing { () throws(TableError) in try layOutAnew(known: [], isReload: true) }
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
    try changing { () throws(TableError) in
      let former = (reader: self.reader, estimates: estimates, display: display)
      self.reader = reader
      (estimates.header, estimates.footer) = (hasHeaders ? 1 : 0, hasFooters ? 1 : 0)
      display.reopen()
      do throws(TableError) {
        return try layOutAnew(known: [], isReload: true)
      } catch {
        (self.reader, estimates, display) = former
        throw error
      }
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
    try changing { () throws(TableError) in try layOutAnew(known: unmeasured { _ in true }) }
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
    return try changing { () throws(TableError) in
      var geometry = geometry
      geometry.measure(.row(path), estimatedHeights(path, 1, in: snapshot)[0].height)
      let anchor = followsTail && isAtEnd ? end(of: geometry) : keptAnchor(in: geometry)
      return try show(plan(anchor, geometry, known: unmeasured { $0 == .row(path) }, snapshot))
    }
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
    let ids = Set(ids)
    return try changing { () throws(TableError) in
      let known = display.slots.map { slot in
        var slot = slot
        slot.isChanged = slot.element.rowPath.map { ids.contains(snapshot.row(at: $0).id) } ?? false
        return slot
      }
      let anchor = followsTail && isAtEnd ? end(of: geometry) : keptAnchor(in: geometry)
      return try show(plan(anchor, geometry, known: known, snapshot))
    }
  }

  /// Shows the same rows with heights that are all estimated and measured anew, on a screen that may have another height.
  func layOutAnew(
    known: [Slot], isReload: Bool = false, height: Int? = nil, commit: () -> Void = {}
  ) throws(TableError) -> ApplyReport {
    let geometry = estimatedGeometry
    let anchor = followsTail && isAtEnd ? end(of: geometry) : keptAnchor(in: geometry)
    var plan = try plan(anchor, geometry, known: known, snapshot, height: height)
    if estimatesByMean, let mean = plan.meanRowHeight, mean != estimates.row, !hasEstimatingProvider {
      estimates.row = mean
      plan.estimate(by: estimatedGeometry)
    }
    return show(plan, isReload: isReload, commit: commit)
  }

  /// The slots in use, those of some elements without a height.
  func unmeasured(_ isConcerned: (TableElement) -> Bool) -> [Slot] {
    display.slots.map { slot in
      var slot = slot
      slot.isMeasured = !isConcerned(slot.element)
      return slot
    }
  }

  /// True if the provider estimates the heights of rows.
  var hasEstimatingProvider: Bool { reader.estimates(RowPath(section: 0, row: 0), 0, snapshot) != nil }

  /// The estimated heights of all elements.
  private var estimatedGeometry: TableGeometry {
    var geometry = TableGeometry()
    let all = ListChanges(sections: .init(inserts: Array(rowCounts.indices)))
    geometry.apply(
      all, PathMap(all), header: { lines(of: .header(section: $0), in: snapshot) },
      footer: { lines(of: .footer(section: $0), in: snapshot) }, rowCount: { rowCounts[$0] },
      newRows: { estimatedHeights($0, $1, in: snapshot) })
    return geometry
  }

  /// The anchor that keeps the topmost visible line in place, of the elements that exist by some heights.
  private func keptAnchor(in geometry: TableGeometry) -> ScrollAnchor? {
    guard geometry.height > 0 else { return nil }
    var line = display.firstLine
    let places = display.slots[display.visible].map { slot in
      defer { line += slot.height }
      return (start: ScrollAnchor.Start(element: slot.element, line: line), end: line + slot.height)
    }
    let starts = places.filter { !geometry.lines(of: $0.start.element).isEmpty }
    let (covered, rest) = (display.coveredLines, starts.drop { $0.end <= display.coveredLines })
    let shown = rest.isEmpty ? starts[...] : rest
    guard let first = shown.first?.start else { return place(ofLine: topLine, in: geometry) }
    return .kept(first, next: shown.dropFirst().first?.start, covered: rest.isEmpty ? 0 : covered)
  }
}
