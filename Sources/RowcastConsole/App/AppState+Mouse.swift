#if canImport(RowcastPlatform)
  import RowcastModel

  extension AppState {
    mutating func turnWheel(_ notches: Int) {
      guard case .list = mode else { return }
      // A notch is three lines.
      effects.append(.table(.scrollLines(notches * 3)))
      wantFrame()
    }

    /// Handles a press of the button at a place of the last frame.
    mutating func press(line: Int, column: Int, in scene: Scene) {
      switch mode {
      case .prompt, .confirmation, .palette: return
      case .help(let page): return turnHelp(from: page, in: scene)
      case .list: say(nil)
      }
      guard let rows = scene.rows, column < rows.columns else { return }
      let column = column - Screen<Section, Row>.signColumns
      if line == rows.headingLine {
        guard column >= 0, let arranging, let index = app.columns.index(at: column) else { return }
        run("sort") { await arranging.sort(by: index) }
      } else if let row = rows.row(onLine: line) {
        click(row.id, isOnMark: scene.guides?.hasMark(row, at: column) ?? false, in: scene)
      }
    }

    /// Focuses a row. A click on the mark of an outline, or a second one soon after the first, acts like Enter.
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
