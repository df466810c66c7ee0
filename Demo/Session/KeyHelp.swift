import RowcastConsole

/// What the screen says about keys.
enum KeyHelp {
  typealias Entry = ScreenStatus.KeyHelp

  /// The keys of a scenario, and those that mean the same everywhere.
  static func keys(_ commands: [KeyCommand]) -> [Entry] {
    let first = [Entry("q", "quit", "end, with exit code 0"), Entry("?", "help", "this page, and back")]
    let own = commands.map { Entry($0.key.name, $0.label, $0.help) }
    return first + own + common.filter { entry in !own.contains { $0.key == entry.key } }
  }

  /// The keys that mean the same everywhere, unless a scenario has a meaning of its own for one.
  private static let common = [
    Entry("p", "pause", "freeze the list; the store goes on, and comes back as one update"),
    Entry("f", "follow", "stay at the end of the list as it grows"),
    Entry("u", "undo", "go back to the list before the last update"),
    Entry("↑ ↓ k j", "", "focus another row"),
    Entry("PgUp PgDn b space", "", "a page up and down"),
    Entry("Home End g G", "", "the first and the last row"),
    Entry("Enter", "", "select the focused row, or deselect it"),
    Entry("Esc", "", "no focus"),
    Entry("^L", "", "draw the screen again"),
    Entry("^C ^Z", "", "interrupt, suspend"),
  ]

  /// What there is to say where no key can be pressed.
  static let withoutKeys = [Entry("Ctrl-C", "quit", "end")]
}
