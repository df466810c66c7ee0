import RowcastModel
package import RowcastTable

/// Draws a table for a screen. Pure: the same table, status, changes, time and size give the same frame.
package struct ScreenRenderer<Section: ConsoleSection, Row: ConsoleRow> {
  package var table: RetainedTable<Section, Row>
  package var status: ScreenStatus
  package var recent: RecentChanges<Section, Row>
  package var log: [OperationLog.Entry]
  /// The column where subtitles begin, counted from where titles do.
  package var subtitleColumn: Int
  package var now: ContinuousClock.Instant
  /// The columns of the rows, if they stand in columns.
  package var columns: [ConsoleColumn<Row>] = []

  package init(
    table: RetainedTable<Section, Row>, status: ScreenStatus, recent: RecentChanges<Section, Row>,
    log: [OperationLog.Entry], subtitleColumn: Int, now: ContinuousClock.Instant
  ) {
    self.table = table
    self.status = status
    self.recent = recent
    self.log = log
    self.subtitleColumn = subtitleColumn
    self.now = now
  }

  /// Where everything is on a screen that shows a table.
  package static func layout(
    of table: RetainedTable<Section, Row>, status: ScreenStatus, size: TerminalSize
  ) -> ScreenLayout {
    ScreenLayout(
      size, hasSources: !status.sources.isEmpty, kinds: table.statistics.count, panels: status.panels,
      hasHeading: status.heading != nil, hasFooter: status.footer != nil)
  }

  /// The frame that shows the table.
  ///
  /// - Parameter size: The size of the screen. The table has at most as many lines as the layout has for the list.
  /// - Returns: A frame with exactly as many lines as the screen has.
  package func frame(size: TerminalSize) -> Frame {
    let layout = Self.layout(of: table, status: status, size: size)
    if status.showsHelp, layout.help > 0 { return helpFrame(size) }
    let columns = size.columns
    var lines: [StyledLine] = []
    if layout.title > 0 { lines.append(header.title(columns: columns)) }
    if layout.sources > 0 { lines.append(header.sources(columns: columns)) }
    // Headings stand above the titles of rows, which begin behind their signs.
    if layout.heading > 0 {
      lines.append(StyledLine("    \(status.heading ?? "")", .strong, columns: layout.listColumns))
    }
    let top = lines.count
    lines += filled(list(layout), layout.list, layout.listColumns)
    var side: [StyledLine] = []
    if layout.sideColumns > 0 {
      side = panes(layout, columns: layout.sideColumns - 2)
    } else {
      lines += panes(layout, columns: columns)
    }
    if layout.footer > 0 { lines.append(StyledLine(status.footer ?? "", .faint, columns: columns)) }
    if layout.help > 0 { lines.append(HelpPane(status: status).lastLine(columns: columns)) }
    return Frame(
      size: size,
      lines: lines.enumerated().map { index, line in
        let beside = index - top
        return Frame.Line(line, side: side.indices.contains(beside) ? Self.ruled(side[beside]) : nil)
      }, sideColumn: layout.sideColumns > 0 ? layout.listColumns + 1 : 0)
  }

  /// The lines of the list.
  private func list(_ layout: ScreenLayout) -> [StyledLine] {
    if table.snapshot.isEmpty, recent.ghosts.isEmpty {
      let text = status.typed.isEmpty ? "(empty list)" : "(no rows with \(status.typed.joined(separator: ", ")))"
      return [StyledLine(text, .faint, columns: layout.listColumns)]
    }
    return ListPane(table: table, recent: recent, columns: self.columns, subtitleColumn: subtitleColumn, now: now)
      .lines(columns: layout.listColumns)
  }

  /// The page of help, between title and last line.
  private func helpFrame(_ size: TerminalSize) -> Frame {
    let page = HelpPane(status: status).page(columns: size.columns, height: size.lines - 2)
    let lines = [header.title(columns: size.columns)] + filled(page, size.lines - 2, size.columns)
    return Frame(
      size: size, lines: (lines + [StyledLine("any key goes back", .faint, columns: size.columns)]).map { .init($0) })
  }

  /// The panes below or beside the list.
  private func panes(_ layout: ScreenLayout, columns: Int) -> [StyledLine] {
    filled(LogPane(entries: log[...]).lines(columns: columns, height: layout.operations), layout.operations, columns)
      + filled(
        PoolPane(statistics: table.statistics).lines(columns: columns, height: layout.cells), layout.cells, columns)
      + FlowPane(flow: status.flow).lines(columns: columns, height: layout.flow)
  }

  private var header: HeaderPane {
    let end = min(table.topLine + table.height, table.contentHeight)
    return HeaderPane(
      status: status, rowCount: table.snapshot.rowCount, sectionCount: table.snapshot.sectionCount,
      revision: table.revision ?? 0,
      lines: table.height > 0 && table.contentHeight > table.height
        ? (table.topLine + 1...end, table.contentHeight) : nil,
      isFollowing: table.followsTail)
  }

  /// Exactly so many lines.
  private func filled(_ lines: [StyledLine], _ height: Int, _ columns: Int) -> [StyledLine] {
    Array(lines.prefix(height))
      + Array(repeating: StyledLine(columns: columns), count: max(0, height - lines.count))
  }

  /// A line with the rule that parts it from the list.
  private static func ruled(_ line: StyledLine) -> StyledLine {
    var ruled = StyledLine(columns: line.columns + 2)
    ruled.append("│ ", .faint)
    ruled.append(line)
    return ruled
  }
}
