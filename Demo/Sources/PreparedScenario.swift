import Rowcast
import RowcastConsole

/// A scenario that is ready to run. Anything missing was reported before anything is shown.
struct PreparedScenario: Sendable {
  /// Feeds the store until the scenario is over.
  typealias Source = @Sendable () async throws -> Void

  /// What happens in it.
  var source: Source
  /// What is shown: the updates of the store, unless the scenario arranges them.
  var updates: @Sendable () -> AsyncStream<Update>
  /// Whether the list that is shown is arranged from the store's.
  var arranges = false
  /// The arrangement of the list, if keys filter and sort it, and the columns of its rows, if it has these.
  var arrangement: Parameter<Arrangement<Group, Item, Group, Item>>?
  var columns: [ConsoleColumn<Item>] = []
  /// The outline that keys expand and collapse, if the list has all rows of one.
  var outline: ConsoleOutline<Item>?
  /// How its table is made.
  var table = TableSetup()
  /// Brings what is loaded to the cells while the scenario runs.
  var tableWork: AsyncStream<ConsoleApp<Group, Item>.TableWork>?
  /// The list that browsers are sent, if it is not the store's.
  var served: (any LiveList<Group, Item>)?
  /// The commands of the scenario, in addition to those that all scenarios have.
  var commands: [KeyCommand<Item.ID>] = []
  /// The list that is shown, if keys filter and sort it or some of its rows are not confirmed, and these.
  var list: (any LiveList<Group, Item>)?
  var pending: ListValue<Set<Item.ID>>?
  /// Takes edits back, and makes them again. `nil` where the list shows what is elsewhere: files, processes, a log, a
  /// recording. A list that was taken back would differ from that, and the next change might not fit.
  var undo: (any Undoing)?
  /// What the scenario does when something happened in the table: a row was selected, the end was reached.
  var onEvent: (@Sendable (TableEvent<Item>) async -> Void)?

  /// What the mouse does.
  var mouse: [ScenarioRun.KeyLine] {
    var lines = [(name: "mouse", text: "the wheel scrolls, a click focuses")]
    if outline != nil {
      lines.append(("click on ▸ or ▾", "expands or collapses the row"))
      lines.append(("double click", "the same; selects a row without children"))
    } else if table.selectionMode != .none {
      lines.append(("double click", "selects the row, or deselects it"))
    }
    if !columns.isEmpty { lines.append(("click on a heading", "sorts by that column, then backwards")) }
    return lines
  }
}
