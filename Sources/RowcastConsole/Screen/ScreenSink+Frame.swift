import RowcastModel
import RowcastStore
import RowcastTable

extension ScreenSink {
  /// The list with its panes, each in the lines that the layout gives it.
  func frame(
    of table: RetainedTable<Section, Row>, _ layout: ScreenLayout, at now: ContinuousClock.Instant
  ) -> Frame {
    let columns = size.columns
    let isBeside = layout.sideColumns > 0
    let panes = panes(of: table, layout, columns: isBeside ? layout.sideColumns - 2 : columns)
    // Headings stand above the titles of rows, which begin after their signs.
    let heading = StyledLine("    \(status.heading ?? "")", .strong, columns: layout.listColumns)
    let top =
      [status.titleLine(of: table, columns: columns)].filled(layout.title)
      + [status.sourceLine(columns: columns)].filled(layout.sources) + [heading].filled(layout.heading)
    let lines =
      top + list(of: table, columns: layout.listColumns, at: now).filled(layout.list, columns: layout.listColumns)
      + (isBeside ? [] : panes) + [StyledLine(status.footer ?? "", .faint, columns: columns)].filled(layout.footer)
      + [status.lastLine(columns: columns)].filled(layout.help)
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
    log.lines(columns: columns, height: layout.operations).filled(layout.operations, columns: columns)
      + table.statistics.lines(columns: columns, height: layout.cells).filled(layout.cells, columns: columns)
      + status.flow.lines(columns: columns, height: layout.flow)
  }

  /// The page of help, between title and last line.
  func helpFrame(of table: RetainedTable<Section, Row>) -> Frame {
    let columns = size.columns
    let page = status.helpPage(columns: columns, height: size.lines - 2).filled(size.lines - 2, columns: columns)
    let last = StyledLine("any key goes back", .faint, columns: columns)
    let lines = [status.titleLine(of: table, columns: columns)] + page + [last]
    return Frame(size: size, lines: lines.map { .init($0) })
  }
}

extension [StyledLine] {
  /// These lines, cut or filled up to a height.
  fileprivate func filled(_ height: Int, columns: Int = 0) -> [StyledLine] {
    prefix(height) + Array(repeating: StyledLine(columns: columns), count: Swift.max(0, height - count))
  }
}

extension StyledLine {
  /// The line after the rule that separates it from the list.
  fileprivate var ruled: StyledLine {
    var ruled = StyledLine("│ ", .faint, columns: columns + 2)
    for span in spans { ruled.append(span.text, span.style) }
    return ruled
  }
}

extension [String: PoolStatistics] {
  /// The pane of the cells: their figures, a line for each kind.
  fileprivate func lines(columns: Int, height: Int) -> [StyledLine] {
    guard height > 0 else { return [] }
    var kinds = sorted { $0.key < $1.key }.map { (name: $0.key, figures: $0.value) }
    let room = height - 1
    if kinds.count > room {
      let rest = kinds[Swift.max(0, room - 1)...]
      let others = (name: "\(rest.count) more kinds", figures: rest.map(\.figures).reduce(.init(), +))
      kinds = Array(kinds.prefix(Swift.max(0, room - 1))) + [others]
    }
    func line(_ name: String, _ words: [String], isHeading: Bool = false) -> StyledLine {
      let widths = [8, 8, 7, 7, 10]
      let nameColumns = Swift.max(0, Swift.min(24, columns - widths.reduce(0, +)))
      var line = StyledLine(columns: columns)
      line.append(name.fitted(columns: nameColumns), isHeading ? .strong : .plain)
      line.pad(toFree: columns - nameColumns)
      for (word, width) in zip(words, widths) {
        line.append(word.padded(toColumns: width, trailing: true), isHeading ? .faint : .plain)
      }
      return line
    }
    let heading = line("cells", ["created", "visible", "pooled", "hits", "discarded"], isHeading: true)
    return [heading]
      + kinds.prefix(room).map { name, figures in
        let hits = figures.dequeues == 0 ? "–" : "\(figures.hits * 100 / figures.dequeues) %"
        let words = ["\(figures.created)", "\(figures.visible)", "\(figures.pooled)", hits, "\(figures.discarded)"]
        return line(" \(name)", words)
      }
  }
}
