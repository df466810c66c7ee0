import Rowcast
import RowcastConsole

/// A live view of the table on a terminal: takes the screen over, draws, gives it back.
final class Screen: ConsoleSink {
  private let terminal: Terminal
  private let environment: [String: String]
  private let rowLimit: Int?
  private var sink: ScreenSink<Group, Item>

  init(title: String, keys: Int32?, options: Options, environment: [String: String]) {
    let terminal = Terminal(input: keys, output: Platform.standardOutput)
    self.terminal = terminal
    self.environment = environment
    rowLimit = options.rows
    sink = ScreenSink(
      renderer: ScreenRenderer(title: title, help: keys == nil ? "Ctrl-C quit" : Self.help),
      size: TerminalSize.resolved(reported: terminal.reportedSize, environment: environment),
      usesColor: options.color.isOn(isTerminal: true, environment: environment),
      write: { try terminal.write($0) })
  }

  private static let help = "q quit  ↑↓ jk scroll  space PgUp PgDn page  g G ends  f follow  u undo"

  /// The lines that the table may use.
  var tableHeight: Int {
    let free = sink.size.lines - ScreenRenderer<Group, Item>.chromeHeight(sink.size)
    return min(free, rowLimit ?? free)
  }

  func enter() throws {
    try terminal.enter()
    sink.invalidate()
  }

  func leave() { terminal.leave() }

  /// Takes notice of another size of the terminal.
  func measure() {
    sink.size = TerminalSize.resolved(reported: terminal.reportedSize, environment: environment)
    sink.invalidate()
  }

  func show(_ update: Update, report: ApplyReport, in table: RetainedTable<Group, Item>) throws {
    try sink.show(update, report: report, in: table)
  }

  func draw(_ table: RetainedTable<Group, Item>) throws {
    sink.fadeMarks(olderThan: .seconds(1))
    try sink.draw(table)
  }

  /// What stays in the terminal's history after the screen was given back: the lines that were visible.
  static func farewell(_ table: RetainedTable<Group, Item>) -> String {
    var rows = table.visibleRows.makeIterator()
    return table.lines.map { line in
      switch line {
      case .header(let section): table.snapshot.section(at: section).title.neutralized + "\n"
      case .row: "  " + (rows.next()?.row.line.neutralized ?? "") + "\n"
      }
    }
    .joined()
  }
}
