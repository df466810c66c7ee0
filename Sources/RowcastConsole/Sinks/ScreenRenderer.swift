import RowcastDiff
import RowcastModel
public import RowcastTable

/// What happened to a row lately, as a sign that is read without colour.
public enum RowMark: Character, Sendable {
  /// The row is new.
  case inserted = "+"
  /// The row's content changed.
  case updated = "~"
  /// The row was moved.
  case moved = ">"

  var style: Frame.Line.Style {
    switch self {
    case .inserted: .inserted
    case .updated: .updated
    case .moved: .moved
    }
  }
}

/// Draws a table for a screen. Pure: the same table, texts and size give the same frame.
public struct ScreenRenderer<Section: ConsoleSection, Row: ConsoleRow> {
  /// The lines of the screen that are not the table's: the title and two of counters and help.
  ///
  /// A screen without room for them has only the table.
  public static func chromeHeight(_ size: TerminalSize) -> Int { size.lines >= 6 ? 3 : 0 }

  /// What is being watched.
  public var title: String
  /// Which keys do what, or whatever else stands on the last line.
  public var help: String
  /// How the sources are doing.
  public var sources: [SourceReport] = []

  /// Creates a renderer.
  public init(title: String, help: String) {
    self.title = title
    self.help = help
  }

  /// The frame that shows a table.
  ///
  /// - Parameters:
  ///   - table: The table, whose height is the screen's less ``chromeHeight(_:)``.
  ///   - marks: What happened lately, by row.
  ///   - operations: The latest operations, in words.
  ///   - size: The size of the screen.
  /// - Returns: A frame with at most as many lines as the screen has.
  public func frame(
    of table: RetainedTable<Section, Row>, marks: [Row.ID: RowMark], operations: String, size: TerminalSize
  ) -> Frame {
    var visible = table.visibleRows.makeIterator()
    var body: [Frame.Line] = table.lines.map { line in
      switch line {
      case .header(let section):
        let text = "\(table.snapshot.section(at: section).header) (\(table.snapshot.rows(inSection: section).count))"
        return Frame.Line(text.fitted(columns: size.columns), style: .strong)
      case .row:
        guard let row = visible.next() else { return Frame.Line("") }
        let mark = marks[row.row.id]
        let text = (row.cell as? ConsoleCell<Row>)?.line ?? row.row.line
        return Frame.Line(
          "\(mark?.rawValue ?? " ") \(text)".fitted(columns: size.columns), style: mark?.style ?? .plain)
      }
    }
    guard Self.chromeHeight(size) > 0 else { return Frame(size: size, lines: body) }
    if table.snapshot.isEmpty { body = [Frame.Line("(empty list)".fitted(columns: size.columns), style: .faint)] }
    body += Array(repeating: Frame.Line(""), count: max(0, size.lines - 3 - body.count))
    let reports = sources.map { "\($0.name): \($0.state.rawValue)" + ($0.detail.map { " (\($0))" } ?? "") }
      .map { "  " + $0 }
    let heading =
      "\(title)  \(table.snapshot.rowCount) rows  revision \(table.revision ?? 0)  \(operations)"
      + reports.joined()
    return Frame(
      size: size,
      lines: [Frame.Line(heading.fitted(columns: size.columns), style: .strong)] + body + [
        Frame.Line(Self.counters(of: table).fitted(columns: size.columns), style: .faint),
        Frame.Line(help.fitted(columns: size.columns), style: .faint),
      ])
  }

  private static func counters(of table: RetainedTable<Section, Row>) -> String {
    let pool = table.totals
    let first = table.contentHeight == 0 ? 0 : table.topLine + 1
    let last = min(table.topLine + table.height, table.contentHeight)
    return
      "lines \(first)–\(last) of \(table.contentHeight)   cells: \(pool.created) created, \(pool.visible) visible, "
      + "\(pool.pooled) pooled, \(pool.hits) reused, \(pool.discarded) discarded"
  }
}
