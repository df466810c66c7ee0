public import RowcastDiff
public import RowcastModel

/// The lists of a table: the one that it shows, and during a change the one that it is about to show.
@usableFromInline
final class TableLists<Section: SectionViewModel, Row: RowViewModel> {
  /// What is shown.
  @usableFromInline var shown = ListSnapshot<Section, Row>()
  /// What is to be shown; the same but during a change, while cells are asked for and nothing is done yet. After that, and
  /// until the change is done, what was shown before: letting go of rows may run code of the app.
  @usableFromInline var next = ListSnapshot<Section, Row>()

  @inlinable
  init() {}
}

/// What the table reads from its lists and its cell providers.
///
/// By closures that are made where the types of rows are known, so that they are compiled for these types; what calls them
/// works on integers, whatever the rows are.
@usableFromInline
struct TableReader<Section: SectionViewModel, Row: RowViewModel> {
  /// Makes a list the one that is to be shown.
  @usableFromInline let begin: (ListUpdate<Section, Row>) -> Void
  /// Makes the list that is to be shown the one that is shown.
  @usableFromInline let commit: () -> Void
  /// Ends a change, whether it was committed or not.
  @usableFromInline let end: () -> Void
  /// The cell for an element of the list that is to be shown.
  @usableFromInline let request: (TableElement) throws(TableError) -> CellRequest
  /// Whether an element of the list that is shown has other content in the list that is to be shown.
  @usableFromInline let isChanged: (_ shown: TableElement, _ next: TableElement) -> Bool
  /// The number of rows of each section of the list that is to be shown, from those of the list that is shown.
  @usableFromInline let rowCounts: ([Int]) -> [Int]
  /// Gives the estimated lines of some neighbouring rows of the list that is to be shown.
  ///
  /// Returns whether the provider of the rows has estimates of its own.
  @usableFromInline let estimate: (_ start: RowPath, _ count: Int, _ body: (Int) -> Void) -> Bool
  /// The rows at some paths of the list that is shown.
  @usableFromInline let rows: ([RowPath]) -> [Row]
  /// The same, each with one of as many cells.
  @usableFromInline let visibleRows: ([RowPath], [Cell]) -> [VisibleRow<Row>]

  @inlinable
  init(
    _ lists: TableLists<Section, Row>, _ cells: some CellProvider<Row>, headers: (any CellProvider<Section>)?,
    footers: (any CellProvider<Section>)?
  ) {
    begin = { lists.next = $0.snapshot }
    commit = { swap(&lists.shown, &lists.next) }
    end = { lists.next = lists.shown }
    request = { (element: TableElement) throws(TableError) -> CellRequest in
      switch element {
      case .row(let path): return try cells.request(for: lists.next.row(at: path))
      case .header(let index): return try Self.request(lists.next.section(at: index), headers)
      case .footer(let index): return try Self.request(lists.next.section(at: index), footers)
      }
    }
    isChanged = { shown, next in
      if let before = shown.rowPath, let after = next.rowPath {
        return lists.shown.row(at: before) != lists.next.row(at: after)
      }
      return lists.shown.section(at: shown.section) != lists.next.section(at: next.section)
    }
    rowCounts = { lists.next.rowCounts(startingFrom: lists.shown, $0) }
    estimate = { start, count, body in
      guard let estimate = cells.estimatedHeight else { return false }
      for row in start.row..<start.row + count {
        body(estimate(lists.next.row(at: RowPath(section: start.section, row: row))))
      }
      return true
    }
    rows = { paths in paths.map { lists.shown.row(at: $0) } }
    visibleRows = { paths, cells in
      zip(paths, cells).map { VisibleRow(path: $0, row: lists.shown.row(at: $0), cell: $1) }
    }
  }

  @inlinable
  static func request(
    _ section: Section, _ provider: (any CellProvider<Section>)?
  ) throws(TableError) -> CellRequest {
    guard let provider else { throw .unregistered(identifier: section.reuseIdentifier) }
    return try provider.request(for: section)
  }
}
