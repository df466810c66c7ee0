#if canImport(RowcastPlatform)
  import RowcastModel
  import RowcastPlatform
  import RowcastSources
  import RowcastTable

  /// A live view of the table on a terminal: takes the screen over, draws, gives it back.
  final class AppScreen<Section: ConsoleSection, Row: ConsoleRow>: ConsoleSink {
    let terminal: Terminal
    private let environment: [String: String]
    private let rowLimit: Int?
    private(set) var frameCount = 0
    var sink: ScreenSink<Section, Row>

    init(_ app: ConsoleApp<Section, Row>, keys: OpenFile?, commands: [KeyCommand<Row.ID>]) {
      let terminal = Terminal(input: keys, output: Platform.standardOutput)
      self.terminal = terminal
      environment = app.environment
      rowLimit = app.extensions.rowLimit
      let usesColor = app.color.isOn(isTerminal: true, environment: environment)
      let help = keys == nil ? [.withoutKeys] : ScreenStatus.KeyHelp.keys(commands, undoes: app.extensions.undo != nil)
      var status = ScreenStatus(title: app.title, keys: help)
      status.panels = app.panels
      status.heading = app.columns.isEmpty ? nil : app.columns.heading()
      sink = ScreenSink(
        status: status, size: terminal.size(environment: environment),
        theme: usesColor ? app.theme ?? .resolved(usesColor: true, environment: environment) : .plain,
        write: { try terminal.write($0) })
      sink.columns = app.columns
    }

    func enter() throws {
      try terminal.enter()
      measure()
    }

    /// Takes notice of another size of the terminal, and draws all of it again.
    func measure() { sink.size = terminal.size(environment: environment) }

    func show(_ update: ListUpdate<Section, Row>, in table: RetainedTable<Section, Row>) throws {
      try sink.show(update, in: table)
    }

    /// Gives the table the lines that the other panes leave, and draws it.
    func draw(_ table: RetainedTable<Section, Row>) throws {
      let height = sink.tableHeight(of: table)
      let lines = min(height, rowLimit ?? height)
      if table.height != lines { try table.resize(toHeight: lines) }
      frameCount += 1
      try sink.draw(table)
    }

    /// The text that stays in the terminal's history after the screen was given back: the lines that were visible.
    func farewell(_ table: RetainedTable<Section, Row>) -> String {
      let columns = sink.size.columns
      return table.visibleElements.flatMap { shown in
        let indent = shown.element.rowPath == nil ? "" : "  "
        let texts = (shown.cell as? any ConsoleDrawable)?.texts ?? []
        return texts.map { indent + $0.line.fitted(columns: max(1, columns - indent.count)) + "\n" }
      }
      .joined()
    }
  }
#endif
