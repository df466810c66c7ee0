#if canImport(RowcastPlatform)
  import RowcastModel
  import RowcastPlatform
  import RowcastTable

  /// A live view of the table on a terminal: takes the screen over, draws, gives it back.
  final class AppScreen<Section: ConsoleSection, Row: ConsoleRow> {
    private let terminal: Terminal
    private let environment: [String: String]
    private let rowLimit: Int?
    private var sink: ScreenSink<Section, Row>
    private var frames = 0
    /// Whether the figures of the flow are not those of now.
    var figuresAreStale = false
    /// When they may be brought up to date: figures that change with every frame cannot be read.
    private var nextFigures = ContinuousClock.now

    init(_ app: ConsoleApp<Section, Row>, keys: Int32?, commands: [KeyCommand<Row.ID>]) {
      let terminal = Terminal(input: keys, output: Platform.standardOutput)
      self.terminal = terminal
      environment = app.environment
      rowLimit = app.extensions.rowLimit
      let usesColor = app.color.isOn(isTerminal: true, environment: environment)
      let help =
        keys == nil ? KeyHelp.withoutKeys : KeyHelp.keys(commands, undoes: app.extensions.undo != nil)
      var status = ScreenStatus(title: app.title, keys: help)
      status.panels = app.panels
      status.heading = app.columns.isEmpty ? nil : app.columns.heading()
      sink = ScreenSink(
        status: status, size: terminal.size(environment: environment),
        theme: usesColor ? app.theme ?? .resolved(usesColor: true, environment: environment) : .plain,
        write: { try terminal.write($0) })
      sink.columns = app.columns
    }

    /// What is shown beside the list.
    var status: ScreenStatus {
      get { sink.status }
      set { sink.status = newValue }
    }

    func enter() throws {
      try terminal.enter()
      measure()
    }

    func leave() { terminal.leave() }

    /// Takes notice of another size of the terminal.
    func measure() {
      sink.size = terminal.size(environment: environment)
      sink.invalidate()
    }

    /// Forgets what is on the screen, so that all of it is drawn again.
    func redraw() { sink.invalidate() }

    func show(
      _ update: ListUpdate<Section, Row>, report: ApplyReport, in table: RetainedTable<Section, Row>
    ) throws {
      try sink.show(update, report: report, in: table)
    }

    func draw(_ table: RetainedTable<Section, Row>) throws {
      try fit(table)
      frames += 1
      try sink.draw(table)
    }

    /// Gives the table the lines that the other panes leave.
    private func fit(_ table: RetainedTable<Section, Row>) throws {
      let height = sink.tableHeight(of: table)
      let lines = min(height, rowLimit ?? height)
      if table.height != lines { try table.resize(toHeight: lines) }
    }

    /// When there is something else to show though nothing happens.
    var nextChange: ContinuousClock.Instant? {
      [sink.nextFading, figuresAreStale ? nextFigures : nil].compactMap(\.self).min()
    }

    /// Whether the figures of the flow should be brought up to date with the next frame.
    var wantsFigures: Bool { figuresAreStale && nextFigures <= .now }

    /// Brings the figures of the flow up to date.
    func showFigures(_ flow: ScreenStatus.Flow) {
      status.flow = flow
      status.flow.frames = frames + 1
      figuresAreStale = false
      nextFigures = .now.advanced(by: .milliseconds(500))
    }

    /// What stays in the terminal's history after the screen was given back: the lines that were visible.
    func farewell(_ table: RetainedTable<Section, Row>) -> String {
      let columns = sink.size.columns
      return table.visibleElements.flatMap { shown in
        let isRow = shown.element.rowPath != nil
        let texts = (shown.cell as? any ConsoleDrawable)?.texts ?? []
        return texts.map { text in
          let line = text.subtitle.map { "\(text.title)  \($0)" } ?? text.title
          return (isRow ? "  " : "") + line.fitted(columns: max(1, columns - (isRow ? 2 : 0))) + "\n"
        }
      }
      .joined()
    }
  }
#endif
