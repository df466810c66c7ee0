import RowcastModel
import RowcastStore
import RowcastTable

extension ScreenSink {
  /// The list with its panes, each of them in the lines that the layout gives it.
  func frame(
    of table: RetainedTable<Section, Row>, _ layout: ScreenLayout, at now: ContinuousClock.Instant
  ) -> Frame {
    let columns = size.columns
    let header = HeaderPane(status: status, table: table)
    let isBeside = layout.sideColumns > 0
    let panes = panes(of: table, layout, columns: isBeside ? layout.sideColumns - 2 : columns)
    // Headings stand above the titles of rows, which begin behind their signs.
    let heading = StyledLine("    \(status.heading ?? "")", .strong, columns: layout.listColumns)
    let top =
      [header.title(columns: columns)].filled(layout.title) + [header.sources(columns: columns)].filled(layout.sources)
      + [heading].filled(layout.heading)
    let lines =
      top + list(of: table, columns: layout.listColumns, at: now).filled(layout.list, columns: layout.listColumns)
      + (isBeside ? [] : panes) + [StyledLine(status.footer ?? "", .faint, columns: columns)].filled(layout.footer)
      + [HelpPane(status: status).lastLine(columns: columns)].filled(layout.help)
    return Frame(
      size: size,
      lines: lines.enumerated().map { index, line in
        let beside = index - top.count
        return Frame.Line(line, side: isBeside && panes.indices.contains(beside) ? panes[beside].ruled : nil)
      }, sideColumn: isBeside ? layout.listColumns + 1 : 0)
  }

  private func list(
    of table: RetainedTable<Section, Row>, columns: Int, at now: ContinuousClock.Instant
  ) -> [StyledLine] {
    let isBlank = table.snapshot.sectionCount == 0 || (table.snapshot.isEmpty && Section.self == SoleSection.self)
    if isBlank, recent.ghosts.isEmpty {
      let text = status.typed.isEmpty ? "(empty list)" : "(no rows with \(status.typed.joined(separator: ", ")))"
      return [StyledLine(text, .faint, columns: columns)]
    }
    return ListPane(table: table, recent: recent, subtitleColumn: subtitleColumn, columns: columns, now: now).lines
  }

  /// The panes below or beside the list.
  private func panes(of table: RetainedTable<Section, Row>, _ layout: ScreenLayout, columns: Int) -> [StyledLine] {
    let log = LogPane(entries: log.entries).lines(columns: columns, height: layout.operations)
    let pool = PoolPane(statistics: table.statistics).lines(columns: columns, height: layout.cells)
    return log.filled(layout.operations, columns: columns) + pool.filled(layout.cells, columns: columns)
      + FlowPane(flow: status.flow).lines(columns: columns, height: layout.flow)
  }

  /// The page of help, between title and last line.
  func helpFrame(of table: RetainedTable<Section, Row>) -> Frame {
    let columns = size.columns
    let page = HelpPane(status: status).page(columns: columns, height: size.lines - 2)
    let lines =
      [HeaderPane(status: status, table: table).title(columns: columns)]
      + page.filled(size.lines - 2, columns: columns) + [StyledLine("any key goes back", .faint, columns: columns)]
    return Frame(size: size, lines: lines.map { .init($0) })
  }
}

extension [StyledLine] {
  /// Exactly so many lines.
  fileprivate func filled(_ height: Int, columns: Int = 0) -> [StyledLine] {
    prefix(height) + Array(repeating: StyledLine(columns: columns), count: Swift.max(0, height - count))
  }
}

extension StyledLine {
  /// The line behind the rule that parts it from the list.
  fileprivate var ruled: StyledLine {
    var ruled = StyledLine("│ ", .faint, columns: columns + 2)
    ruled.append(self)
    return ruled
  }
}
