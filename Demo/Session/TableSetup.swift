import Rowcast
import RowcastConsole

/// How the table of a scenario is made.
struct TableSetup: Sendable {
  /// Which cell shows which row: lines of text, unless the scenario has cells of its own.
  var cells: @Sendable () -> any CellProvider<Item> = { CellRegistry<Item>.lines }
  /// How many rows above and below the screen are kept ready.
  var workingRange = 0
  /// Whether the newest row stays in view.
  var followsTail = false
  /// Whether rows that come above the first one push it down when it is in view.
  var showsArrivalsAtTop = true
  /// How many rows can be selected.
  var selectionMode = SelectionMode.single

  /// Makes the table.
  func makeTable(headers: (any CellProvider<Group>)?, options: Options) -> RetainedTable<Group, Item> {
    let table = RetainedTable<Group, Item>(
      cells: cells(), headers: headers, height: options.rows ?? 20, poolCap: options.poolCap)
    table.workingRange = workingRange
    table.followsTail = followsTail
    table.showsArrivalsAtTop = showsArrivalsAtTop
    table.selectionMode = selectionMode
    return table
  }
}

/// Something that was loaded for a cell, on its way there.
struct CellResult: Sendable {
  /// The use of the cell that it was loaded for.
  let token: ReuseToken
  /// Gives it to the cell, if that use is not over.
  let deliver: @Sendable (Cell) -> Void
  /// Takes notice of whether it arrived.
  let settle: @Sendable (Bool) async -> Void
}
