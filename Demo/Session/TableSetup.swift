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
  /// Whether rows inserted above the first one push it down when it is in view.
  var showsArrivalsAtTop = true
  /// How many rows can be selected.
  var selectionMode = SelectionMode.single
}
