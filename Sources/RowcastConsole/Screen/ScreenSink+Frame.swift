import RowcastModel
import RowcastTable

extension ScreenSink {
  /// The list with its panes, each of them in the lines that the layout gives it.
  func frame(
    of table: RetainedTable<Section, Row>, _ layout: ScreenLayout, at now: ContinuousClock.Instant
  ) -> Frame {
    let columns = size.columns
    let header = HeaderPane(status: status, table: table)
    var lines: [StyledLine] = []
    if layout.title > 0 { lines.append(header.title(columns: columns)) }
    if layout.sources > 0 { lines.append(header.sources(columns: columns)) }
    // Headings stand above the titles of rows, which begin behind their signs.
    if layout.heading > 0 {
      lines.append(StyledLine("    \(status.heading ?? "")", .strong, columns: layout.listColumns))
    }
    let top = lines.count
    lines += list(of: table, columns: layout.listColumns, at: now).filled(layout.list, columns: layout.listColumns)
    var side: [StyledLine] = []
    if layout.sideColumns > 0 {
      side = panes(of: table, layout, columns: layout.sideColumns - 2)
    } else {
      lines += panes(of: table, layout, columns: columns)
    }
    if layout.footer > 0 { lines.append(StyledLine(status.footer ?? "", .faint, columns: columns)) }
    if layout.help > 0 { lines.append(HelpPane(status: status).lastLine(columns: columns)) }
    return Frame(
      size: size,
      lines: lines.enumerated().map { index, line in
        let beside = index - top
        return Frame.Line(line, side: side.indices.contains(beside) ? side[beside].ruled : nil)
      }, sideColumn: layout.sideColumns > 0 ? layout.listColumns + 1 : 0)
  }

  private func list(
    of table: RetainedTable<Section, Row>, columns: Int, at now: ContinuousClock.Instant
  ) -> [StyledLine] {
    if table.snapshot.isEmpty, recent.ghosts.isEmpty {
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
  fileprivate func filled(_ height: Int, columns: Int) -> [StyledLine] {
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
