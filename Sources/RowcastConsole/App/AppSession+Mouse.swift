#if canImport(RowcastPlatform)
  import RowcastModel
  import RowcastTable

  extension AppSession {
    /// The lines that a notch of the wheel scrolls.
    private static var wheelLines: Int { 3 }

    func handle(_ event: MouseEvent) throws {
      guard let shown = screen?.rows else { return }
      switch mode {
      case .prompt, .confirmation, .palette: return
      case .help(let page):
        wantFrame()
        if event.action == .press { turnHelp(from: page) }
        return
      case .list: wantFrame()
      }
      switch event.action {
      case .wheel(let notches): try table.scroll(byLines: notches * Self.wheelLines)
      case .press where event.column >= shown.columns: break
      case .press where event.line == shown.headingLine: sort(byColumnAt: event.column)
      case .press:
        let line = event.line - shown.line
        guard shown.paths.indices.contains(line), let path = shown.paths[line] else { return }
        click(shown.list.row(at: path), at: event.column - ListPane<Section, Row>.signColumns)
      }
    }

    private func sort(byColumnAt position: Int) {
      guard let arranging, position >= ListPane<Section, Row>.signColumns,
        let index = app.columns.index(at: position - ListPane<Section, Row>.signColumns)
      else { return }
      run("sort") { await arranging.sort(by: index) }
    }

    /// Focuses a row. A click on the mark of an outline, or a second one soon after the first, does the same as Enter.
    private func click(_ row: Row, at column: Int) {
      let id = row.id
      guard table.focus(id) else { return }
      seen.focus = id
      let isOnMark = screen?.guides?.hasMark(row, at: column) ?? false
      let isSecond = lastClick.map { $0.row == id && $0.time.advanced(by: .milliseconds(400)) > now } ?? false
      lastClick = isSecond || isOnMark ? nil : (id, now)
      if isSecond || isOnMark { toggle() }
    }
  }
#endif
