/// An action that every ``ConsoleApp`` has, whatever list it shows.
///
/// An app gives an action other keys, or more of them:
///
///     app.actionKeys[.quit] = [.control("q")]
///     app.actionKeys[.down] = ConsoleAction.down.defaultKeys + ["n"]
public enum ConsoleAction: String, CaseIterable, Sendable {
  /// Ends the app.
  case quit
  /// Shows or hides the page of help.
  case help
  /// Shows the next order of the rows.
  case sort
  /// Shows only rows with a text.
  case filter
  /// Pauses the list, or lets it continue.
  case pause
  /// Stays at the end of the list as it grows.
  case follow
  /// Undoes the last edit, in an app that has ``ConsoleApp/onUndo``.
  case undo
  /// Redoes the edit that was undone last, in an app that has ``ConsoleApp/onRedo``.
  case redo
  /// Lists all commands, to run one of them.
  case palette = "commands"
  /// Searches for a text.
  case search
  /// Goes to the next row with the text that is searched for.
  case nextHit = "next hit"
  /// Goes to the previous row with the text that is searched for.
  case previousHit = "previous hit"
  /// Focuses the row above.
  case up
  /// Focuses the row below.
  case down
  /// Goes up by a page.
  case pageUp = "page up"
  /// Goes down by a page.
  case pageDown = "page down"
  /// Goes to the first row.
  case first
  /// Goes to the last row.
  case last
  /// In an outline, expands the focused row; if it is expanded, goes to its first child.
  case expand
  /// In an outline, collapses the focused row; if it is not expanded, goes to its parent.
  case collapse
  /// In an outline, expands the focused row and all its descendants.
  case expandAll = "expand all"
  /// In an outline, expands or collapses the focused row; selects or deselects a row without children.
  case toggle
  /// Selects the focused row, or deselects it. In an outline, its key runs ``toggle``.
  case select
  /// Moves the focused row up, in an app that has ``ConsoleApp/onMove``.
  case moveUp = "move up"
  /// Moves the focused row down, in an app that has ``ConsoleApp/onMove``.
  case moveDown = "move down"
  /// Deletes the focused row, in an app that has ``ConsoleApp/onDelete``.
  case delete
  /// Ends the search; without a search, removes the focus.
  case leave
  /// Draws the screen again.
  case redraw

  /// The keys of the action in an app that neither changes them nor gives them to its commands.
  public var defaultKeys: [Key] { facts.keys }

  /// A word for the line of help; empty to leave the action out there.
  var label: String {
    let named: [Self] = [.quit, .help, .sort, .filter, .pause, .follow, .undo, .search, .palette, .delete]
    return named.contains(self) ? rawValue : ""
  }

  /// The text for the page of help. Actions with the same text share a line there.
  var help: String { facts.help }

  /// True if only apps with an outline have the action.
  var isForOutlines: Bool { [.expand, .collapse, .expandAll, .toggle].contains(self) }

  /// True if the action changes or selects the focused row.
  var concernsFocusedRow: Bool {
    isForOutlines || [.select, .moveUp, .moveDown, .delete].contains(self)
  }

  private var facts: (keys: [Key], help: String) {
    switch self {
    case .quit: (["q", "Q"], "end, with exit code 0")
    case .help: (["?"], "show or hide help")
    case .sort: (["s"], "the next order of the rows")
    case .filter: (["/"], "show only rows with a text")
    case .palette: ([":", .control("p")], "list all commands, and run one")
    case .search: ([.control("f")], "search for a text; the list stays as it is")
    case .nextHit: (["n"], "the next and the previous row with the text")
    case .previousHit: (["N"], "the next and the previous row with the text")
    case .pause: (["p"], "pause the list; later changes arrive as one update")
    case .follow: (["f"], "stay at the end of the list as it grows")
    case .undo: (["u"], "take the last edit back")
    case .redo: ([.control("r")], "make it again")
    case .up: ([.up, "k"], "focus another row")
    case .down: ([.down, "j"], "focus another row")
    case .pageUp: ([.pageUp, "b"], "a page up and down")
    case .pageDown: ([.pageDown, " "], "a page up and down")
    case .first: ([.home, "g"], "the first and the last row")
    case .last: ([.end, "G"], "the first and the last row")
    case .expand: ([.right, "l"], "expand the row, or go to the first one under it")
    case .collapse: ([.left, "h"], "collapse the row, or go to its parent")
    case .expandAll: (["*"], "expand the row and all its descendants")
    case .toggle: ([.enter], "expand or collapse the row; select a row without children")
    case .select: ([.enter], "select the focused row, or deselect it")
    case .moveUp: ([.shiftUp], "move the focused row up and down")
    case .moveDown: ([.shiftDown], "move the focused row up and down")
    case .delete: ([.delete], "delete the focused row")
    case .leave: ([.escape], "leave the search, then the row: none is focused")
    case .redraw: ([.control("l")], "draw the screen again")
    }
  }
}

/// Two commands of an app have the same key.
public struct KeyClash: Error, Hashable, CustomStringConvertible {
  /// The key.
  package let key: Key
  /// The names of the two commands.
  package let commands: [String]

  /// The key and both names.
  public var description: String {
    "the key \(key.name) has two commands: \(commands.map { "\"\($0)\"" }.joined(separator: " and "))"
  }
}
