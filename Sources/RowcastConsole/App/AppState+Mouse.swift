#if canImport(RowcastPlatform)
  import RowcastModel

  /// An action of the mouse, resolved against the last frame.
  enum MouseAction<Row: Sendable>: Sendable {
    /// The wheel was turned: down, showing what follows, if positive.
    case wheel(Int)
    /// A row was pressed, perhaps on the mark that expands or collapses it.
    case press(Row, isOnMark: Bool)
    /// The heading of the column of an index was pressed.
    case pressHeading(Int)
    /// Something else was pressed.
    case pressElsewhere
  }

  extension ScreenSink {
    /// What the mouse has done.
    func action(of event: MouseEvent) -> MouseAction<Row> {
      let signs = ListPane<Section, Row>.signColumns
      switch event.action {
      case .wheel(let notches): return .wheel(notches)
      case .press where event.column >= rows.columns: return .pressElsewhere
      case .press where event.line == rows.headingLine:
        let index = event.column < signs ? nil : columns.index(at: event.column - signs)
        return index.map { .pressHeading($0) } ?? .pressElsewhere
      case .press:
        let line = event.line - rows.line
        guard rows.paths.indices.contains(line), let path = rows.paths[line] else { return .pressElsewhere }
        let row = rows.list.row(at: path)
        return .press(row, isOnMark: guides?.hasMark(row, at: event.column - signs) ?? false)
      }
    }
  }

  extension AppState {
    /// The lines that a notch of the wheel scrolls.
    private static var wheelLines: Int { 3 }

    mutating func handle(_ action: MouseAction<Row>, in scene: Scene) {
      switch mode {
      case .prompt, .confirmation, .palette: return
      case .help(let page):
        wantFrame()
        if case .wheel = action { return }
        return turnHelp(from: page, in: scene)
      case .list: wantFrame()
      }
      switch action {
      case .wheel(let notches): effects.append(.table(.scrollLines(notches * Self.wheelLines)))
      case .press(let row, let isOnMark): click(row.id, isOnMark: isOnMark, in: scene)
      case .pressHeading(let column):
        if let arranging { run("sort") { await arranging.sort(by: column) } }
      case .pressElsewhere: break
      }
    }

    /// Focuses a row. A click on the mark of an outline, or a second one soon after the first, does the same as Enter.
    private mutating func click(_ id: Row.ID, isOnMark: Bool, in scene: Scene) {
      guard let path = scene.path(of: id) else { return }
      effects.append(.table(.focus(id)))
      seen.focus = id
      let isSecond = lastClick.map { $0.row == id && $0.time.advanced(by: .milliseconds(400)) > now } ?? false
      lastClick = isSecond || isOnMark ? nil : (id, now)
      if isSecond || isOnMark { toggle(path, in: scene) }
    }
  }
#endif
