import RowcastDiff
import RowcastModel

// The cells of rows: returned to the pool, configured again, and given late results.
extension RetainedTable {
  /// Returns all cells to the pool and shows the same rows again, each in a newly configured cell. Measured heights are
  /// forgotten, as by ``invalidateHeights()``.
  ///
  /// - Returns: The events of the cells: none was made, unless some were missing before.
  /// - Throws: ``TableError`` if a row on the screen has no cell by now; the table is then unchanged.
  /// - Complexity: O(s + v log n) for s sections, v elements on the screen and n rows; O(n) if the provider estimates heights.
  @discardableResult
  public func reloadAll() throws(TableError) -> ApplyReport {
    try beginChange()
    defer { endChange() }
    return try layOutAnew(known: [], isReload: true)
  }

  /// Shows the rows in the cells of other providers: another look of the same list.
  ///
  /// All cells in use are returned to the pool, and the new providers are asked for everything on the screen. The topmost
  /// visible line stays in place, or the end if the table follows its tail; focus and selection stay. Measured heights are
  /// forgotten, as by ``invalidateHeights()``. A reuse identifier may be used for another class of cells from now on.
  ///
  /// - Parameters:
  ///   - cells: Chooses the cell for each row.
  ///   - headers: Chooses the cell above the rows of a section; `nil` for none.
  ///   - footers: Chooses the cell below the rows of a section; `nil` for none.
  /// - Returns: The events of the cells.
  /// - Throws: ``TableError`` if a row on the screen has no cell; the table then keeps its providers, and is unchanged.
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

  /// Configures again the cells of rows whose look depends on what `==` ignores, such as a picture that was loaded.
  ///
  ///     let picture = await thumbnails.load(row.url)
  ///     try table.refresh([row.id])
  ///
  /// There is no update and no revision. Rows that are neither on the screen nor kept ready are configured when they appear
  /// there. The heights of the given rows are measured again. The topmost visible line stays in place, or the end if the table
  /// follows its tail.
  ///
  /// - Parameter ids: The rows. Those that are not in use are left out.
  /// - Returns: The events of the cells.
  /// - Throws: ``TableError`` if a row on the screen has no cell by now; the table is then unchanged.
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
    return try show(plan(keptAnchor(in: geometry), geometry, known: known))
  }

  /// Discards all pooled cells, as after a memory warning. Inside a cell's callback, this happens after the change.
  public func drain() {
    drainsAfterChange = isChanging
    guard !isChanging else { return }
    var next = display
    let discarded = next.drain()
    display = next
    withExtendedLifetime(discarded) {}
  }

  /// Delivers a late result to the cell for which the work was started, if that still shows the same row.
  ///
  ///     func configure(with row: Photo) {
  ///       let token = token
  ///       loader.load(row.url) { image in try? table.deliver(to: token, as: PhotoCell.self) { $0.image = image } }
  ///     }
  ///
  /// The result may be delivered at once, while the cell is still being configured.
  ///
  /// - Parameters:
  ///   - token: The ``Cell/token`` of the cell at the time when the work was started.
  ///   - type: The class of the cell.
  ///   - body: Receives the cell. Not called if the cell has returned to the pool since.
  /// - Returns: True if the result was delivered.
  /// - Throws: ``TableError/wrongCell(identifier:expected:)`` if the cell is of another class.
  /// - Complexity: O(cells in use).
  @discardableResult
  public func deliver<Content: Cell>(
    to token: ReuseToken, as type: Content.Type, _ body: (Content) -> Void
  ) throws(TableError) -> Bool {
    guard let cell = display.cell(for: token) else { return false }
    guard let content = cell as? Content else {
      throw .wrongCell(identifier: cell.reuseIdentifier, expected: String(reflecting: type))
    }
    body(content)
    return true
  }
}
