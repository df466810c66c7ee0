public import RowcastModel
public import RowcastTable

/// Records the calls that a table makes on its cells, with UIKit's names.
///
///     let recorder = TableRecorder<Message>()
///     let table = RetainedTable<Channel, Message>(cells: recorder, height: 2)
///     try table.apply(update)
///     recorder.take()      // [init cell 0, configure cell 0 with 7, willDisplay cell 0, …]
///
/// Each row gets a cell that has the reuse identifier of the row. Calls that a table must not make are noted in ``violations``.
///
/// If a table exchanges recorders with `replaceCells(with:)`, the new one gets the cells of the former one. It records each cell
/// once it has configured it; earlier calls, such as `prepareForReuse`, are in the former recorder.
public final class TableRecorder<Row: RowViewModel>: CellProvider {
  /// A call that a cell got. Cells are numbered in the order in which they were made, or taken over from another recorder.
  public enum Call: Hashable {
    /// The cell was made.
    case initialize(cell: Int)
    /// The cell left the pool for another row.
    case prepareForReuse(cell: Int)
    /// The cell was given a row to show.
    case configure(cell: Int, row: Row.ID)
    /// The cell appears.
    case willDisplay(cell: Int)
    /// The cell has disappeared.
    case didEndDisplaying(cell: Int)
  }

  /// A cell that notes its calls.
  package final class RecordedCell: Cell, RowCell {
    fileprivate weak var recorder: TableRecorder?
    fileprivate var number = -1
    fileprivate var isDisplayed = false
    fileprivate var isConfigured = false

    /// Notes the row.
    package func configure(with row: Row) {
      isConfigured = true
      recorder?.calls.append(.configure(cell: number, row: row.id))
    }

    package override func prepareForReuse() {
      if isDisplayed { recorder?.violations.append("prepareForReuse while cell \(number) is on the screen") }
      isConfigured = false
      recorder?.calls.append(.prepareForReuse(cell: number))
    }

    package override func willDisplay() {
      if isDisplayed { recorder?.violations.append("willDisplay twice for cell \(number)") }
      if !isConfigured { recorder?.violations.append("willDisplay before configure for cell \(number)") }
      isDisplayed = true
      recorder?.calls.append(.willDisplay(cell: number))
    }

    package override func didEndDisplaying() {
      if !isDisplayed { recorder?.violations.append("didEndDisplaying without willDisplay for cell \(number)") }
      isDisplayed = false
      recorder?.calls.append(.didEndDisplaying(cell: number))
    }
  }

  /// The calls so far, oldest first.
  public private(set) var calls: [Call] = []
  /// Calls that a table must not make, in words.
  public private(set) var violations: [String] = []
  private var cellCount = 0

  /// Creates a recorder without calls.
  public init() {}

  /// The calls since the last time; they are forgotten then.
  ///
  /// - Returns: The calls, oldest first.
  public func take() -> [Call] {
    defer { calls = [] }
    return calls
  }

  /// A recorded cell for a row.
  public func request(for row: Row) throws(TableError) -> CellRequest {
    CellRequest(
      RecordedCell.self, reuseIdentifier: row.reuseIdentifier, height: RecordedCell.height(of: row),
      make: { [unowned self] identifier in
        let cell = RecordedCell(reuseIdentifier: identifier)
        adopt(cell)
        return cell
      },
      configure: { [unowned self] cell in
        // Another recorder may have made it.
        adopt(cell)
        cell.configure(with: row)
      })
  }

  /// Notes the calls of a cell from now on.
  package func adopt(_ cell: RecordedCell) {
    guard cell.recorder !== self else { return }
    let isNew = cell.number < 0
    (cell.recorder, cell.number) = (self, cellCount)
    cellCount += 1
    if isNew { calls.append(.initialize(cell: cell.number)) }
  }
}

extension TableRecorder.Call: CustomStringConvertible {
  /// The call as UIKit names it, with the cell and the row.
  public var description: String {
    switch self {
    case .initialize(let cell): "init cell \(cell)"
    case .prepareForReuse(let cell): "prepareForReuse cell \(cell)"
    case .configure(let cell, let row): "configure cell \(cell) with \(row)"
    case .willDisplay(let cell): "willDisplay cell \(cell)"
    case .didEndDisplaying(let cell): "didEndDisplaying cell \(cell)"
    }
  }
}
