import RowcastDiff

/// An element of the table that is in use. Integers only: going through slots counts no references.
struct Slot {
  /// What is shown: its place in the list that the table shows.
  var element: TableElement
  /// The number of lines.
  var height: Int
  /// The index of the cell's stack in the pool.
  var stack: Int
  /// Names this use of the cell. The cell learns it when it is about to be configured.
  var token: ReuseToken

  var isRow: Bool { element.rowPath != nil }
}

/// A slot with the place that its element has in the list that is to be shown.
struct KnownElement {
  var element: TableElement
  /// The index among the slots of the display: those on the screen, then those kept ready.
  var slot: Int
  var height: Int
  /// Whether the element shows something else than before.
  var isChanged = false
}

extension TableElement {
  /// Where in its section the element stands: rows by their index, the header before and the footer behind them.
  @inline(__always)
  var position: Int {
    switch self {
    case .header: -1
    case .row(let path): path.row
    case .footer: .max
    }
  }

  /// Whether another element is the next row of the same section.
  @inline(__always)
  func isFollowed(by other: TableElement) -> Bool {
    guard case .row(let path) = self, case .row(let next) = other else { return false }
    return path.section == next.section && path.row + 1 == next.row
  }

  /// Whether the element stands above another one.
  @inline(__always)
  func precedes(_ other: TableElement) -> Bool { (section, position) < (other.section, other.position) }
}
