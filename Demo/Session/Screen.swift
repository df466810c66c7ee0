import Rowcast
import RowcastConsole

/// A live view of the table on a terminal: takes the screen over, draws, gives it back.
final class Screen: ConsoleSink {
  private let terminal: Terminal
  private let environment: [String: String]
  private let rowLimit: Int?
  private var sink: ScreenSink<Group, Item>
  private let help: String

  init(title: String, keys: Int32?, commands: [KeyCommand], options: Options, environment: [String: String]) {
    let terminal = Terminal(input: keys, output: Platform.standardOutput)
    self.terminal = terminal
    self.environment = environment
    rowLimit = options.rows
    help = keys == nil ? "Ctrl-C quit" : Self.help(commands)
    sink = ScreenSink(
      renderer: ScreenRenderer(title: title, help: help),
      size: TerminalSize.resolved(reported: terminal.reportedSize, environment: environment),
      usesColor: options.color.isOn(isTerminal: true, environment: environment),
      write: { try terminal.write($0) })
  }

  private static func help(_ commands: [KeyCommand]) -> String {
    let keys = ["q quit", "p pause", "u undo", "f follow"] + commands.map { "\($0.key.name) \($0.label)" } + ["? help"]
    return keys.joined(separator: "  ")
  }

  /// What stands on the last line instead of the help: a prompt, or what a key did.
  var message: String? {
    didSet { sink.renderer.help = message ?? help }
  }

  /// How the sources are doing.
  var sources: [SourceReport] {
    get { sink.renderer.sources }
    set { sink.renderer.sources = newValue }
  }

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
      case .header(let section): table.snapshot.section(at: section).header.neutralized + "\n"
      case .row: "  " + (rows.next()?.row.line.neutralized ?? "") + "\n"
      }
    }
    .joined()
  }
}
