import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTable

/// A full-screen view of a table that redraws in place.
///
/// The table takes all updates between two frames; a frame shows their sum. Marks show for a second what changed.
struct ScreenSink<Section: ConsoleSection, Row: ConsoleRow> {
  var theme: Theme {
    didSet { if theme != oldValue { onScreen = nil } }
  }
  private(set) var recent = RecentChanges<Section, Row>()
  private(set) var log = OperationLog()
  /// The column where subtitles begin, counted from where titles do.
  private(set) var subtitleColumn = 0
  private var onScreen: Frame?
  /// The time of the last frame. A mark that fades later was not drawn faded yet.
  private var drawn: ContinuousClock.Instant?

  var size: TerminalSize {
    didSet { (subtitleColumn, onScreen) = (0, nil) }
  }
  /// What the screen shows beside the list.
  struct Content {
    var status: ScreenStatus
    /// The text whose hits are marked.
    var search: TextMatcher?
    /// The rows that are not confirmed.
    var unconfirmed: Set<Row.ID> = []
  }

  var content: Content
  var status: ScreenStatus { content.status }
  /// The rows on the screen as it was drawn last.
  private(set) var rows = Rows()
  /// What the list left out when it was drawn last.
  private var window: ListPane<Section, Row>.Window?
  /// The columns of the rows; empty for rows without columns.
  var columns: [ConsoleColumn<Row>] = []

  /// True if the terminal has synchronized output.
  var isSynchronized = false

  /// True if a screen reader follows the cursor.
  var showsCursor = false

  /// The guides of rows that are an outline.
  var guides: OutlineGuides<Row>?

  init(status: ScreenStatus, size: TerminalSize, theme: Theme) {
    content = Content(status: status)
    self.size = size
    self.theme = theme
  }

  /// The rows on a screen, for clicks.
  struct Rows {
    /// The line of the screen where the list begins, and that of the heading above it, if there is one.
    var line = 0, headingLine: Int?
    /// The columns of the list.
    var columns = 0
    /// The path of the row on each line, and the list that has it.
    var paths: [RowPath?] = []
    var list = ListSnapshot<Section, Row>()
  }

  private func layout(of table: RetainedTable<Section, Row>) -> ScreenLayout {
    ScreenLayout(size, status, kinds: table.statistics.count)
  }

  /// The lines and columns that the table may use on the screen as it is.
  func room(for table: RetainedTable<Section, Row>) -> (lines: Int, columns: Int) {
    let layout = layout(of: table)
    return (layout.list, layout.listColumns)
  }

  /// Remembers the operations of an update that the table has taken, for the next frame.
  mutating func show(
    _ update: ListUpdate<Section, Row>, in table: RetainedTable<Section, Row>, at now: ContinuousClock.Instant = .now
  ) {
    // The first list is not news.
    guard update.previous != nil else { return recent.look(at: table) }
    recent.note(update.changes, in: table, columns: columns, guides, at: now)
    log.add(update.changes, revision: update.revision)
  }

  /// When a mark begins to fade or disappears, though nothing happens; `nil` if there is none.
  var nextFading: ContinuousClock.Instant? { drawn.flatMap(recent.nextFading) }

  /// Forgets the content of the screen, so that the next frame is drawn in full.
  mutating func invalidate() { onScreen = nil }

  /// Returns the difference to the content of the screen, which is to be written in one piece.
  mutating func draw(_ table: RetainedTable<Section, Row>, at now: ContinuousClock.Instant) -> String {
    let frame = nextFrame(of: table, at: now)
    defer { onScreen = frame }
    return frame.sequences(from: onScreen, theme: theme, isSynchronized: isSynchronized)
  }

  /// The frame that shows the table, which must not be higher than ``room(for:)`` says. It has as many lines as the screen.
  /// The same updates, status, size and time make the same frame.
  mutating func nextFrame(of table: RetainedTable<Section, Row>, at now: ContinuousClock.Instant) -> Frame {
    drawn = now
    recent.forget(at: now)
    recent.look(at: table)
    // The column only grows, so that subtitles do not jump about while the list is scrolled.
    subtitleColumn = max(subtitleColumn, ListPane.subtitleColumn(of: table, columns: size.columns, guides))
    let layout = layout(of: table)
    let hasLastLine = layout.help > 0
    var frame: Frame
    if case .help(let page) = status.mode, hasLastLine {
      frame = helpFrame(page, of: table, at: now)
      if showsCursor { frame.cursor = Frame.Cursor(line: min(1, size.lines - 1), column: 0) }
    } else {
      frame = self.frame(of: table, layout, at: now)
      if showsCursor { frame.cursor = cursor(in: table, hasLastLine: hasLastLine) }
    }
    frame.checkFillsScreen()
    return frame
  }

  /// Where a screen reader continues to read: behind what is typed, at the focused row, at a message, or where the list begins.
  private func cursor(in table: RetainedTable<Section, Row>, hasLastLine: Bool) -> Frame.Cursor {
    let last = size.lines - 1
    if hasLastLine, let column = status.cursorColumn(columns: size.columns) {
      return Frame.Cursor(line: last, column: column)
    }
    if let path = table.focusedPath, let line = rows.paths.firstIndex(of: path) {
      return Frame.Cursor(line: min(rows.line + line, last), column: 0)
    }
    return Frame.Cursor(line: hasLastLine && status.message != nil ? last : min(rows.line, last), column: 0)
  }

  /// The list with its panes, each in the lines that the layout gives it.
  mutating func frame(
    of table: RetainedTable<Section, Row>, _ layout: ScreenLayout, at now: ContinuousClock.Instant
  ) -> Frame {
    let columns = size.columns
    let isBeside = layout.sideColumns > 0
    let panes = panes(of: table, layout, columns: isBeside ? layout.sideColumns - 2 : columns)
    // Headings are above the titles of rows, which begin after their signs.
    let signs = String(repeating: " ", count: ListPane<Section, Row>.signColumns)
    let heading = StyledLine(signs + (status.heading ?? ""), .strong, columns: layout.listColumns)
    let top =
      [status.titleLine(of: table, columns: columns, at: now)].filled(layout.title)
      + [status.sourceLine(columns: columns)].filled(layout.sources) + [heading].filled(layout.heading)
    let shown = list(of: table, columns: layout.listColumns, at: now)
    rows = Rows(
      line: top.count, headingLine: layout.heading > 0 ? top.count - 1 : nil, columns: layout.listColumns,
      paths: shown.map(\.path), list: table.snapshot)
    let list = status.covered(
      shown.map(\.text).filled(layout.list, columns: layout.listColumns), columns: layout.listColumns)
    let lines =
      top + list
      + (isBeside ? [] : panes) + [StyledLine(status.footer ?? "", .faint, columns: columns)].filled(layout.footer)
      + [status.lastLine(columns: columns)].filled(layout.help)
    return Frame(
      size: size,
      lines: lines.enumerated().map { index, line in
        let beside = index - top.count
        return Frame.Line(line, side: isBeside && panes.indices.contains(beside) ? panes[beside].ruled : nil)
      }, sideColumn: isBeside ? layout.listColumns + 1 : 0)
  }

  private mutating func list(
    of table: RetainedTable<Section, Row>, columns: Int, at now: ContinuousClock.Instant
  ) -> [ListPane<Section, Row>.Line] {
    let isBlank = table.snapshot.sectionCount == 0 || (table.snapshot.isEmpty && Section.self == SoleSection.self)
    if isBlank, recent.ghosts.isEmpty {
      let text = status.typed.isEmpty ? "(empty list)" : "(no rows with \(status.typed.joined(separator: ", ")))"
      return [(StyledLine(text, .faint, columns: columns), nil)]
    }
    let pane = ListPane(
      table: table, recent: recent, subtitleColumn: subtitleColumn, columns: columns, now: now, fields: self.columns,
      search: content.search, unconfirmed: content.unconfirmed, guides: guides, focusSign: showsCursor ? " " : "▸",
      former: window)
    let lines = pane.lines
    window = lines.window
    return lines.shown
  }

  /// The panes below or beside the list.
  private func panes(of table: RetainedTable<Section, Row>, _ layout: ScreenLayout, columns: Int) -> [StyledLine] {
    log.lines(columns: columns, height: layout.operations).filled(layout.operations, columns: columns)
      + table.statistics.lines(columns: columns, height: layout.cells).filled(layout.cells, columns: columns)
      + status.flow.lines(columns: columns, height: layout.flow)
  }

  /// The pages of help on a screen of this size.
  var helpPages: [[StyledLine]] { status.helpPages(columns: size.columns, height: size.lines - 2) }

  /// A page of help, between title and last line.
  func helpFrame(_ page: Int, of table: RetainedTable<Section, Row>, at now: ContinuousClock.Instant) -> Frame {
    let (columns, pages) = (size.columns, helpPages)
    // After a resize there may be fewer.
    let page = min(page, pages.count - 1)
    let text = page + 1 < pages.count ? "\(page + 1) of \(pages.count); any key: next page, ?: back" : "any key: back"
    let last = StyledLine(text, .faint, columns: columns)
    let content = pages[page].filled(size.lines - 2, columns: columns)
    let lines = [status.titleLine(of: table, columns: columns, at: now)] + content + [last]
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
  /// The pane of the cells: their figures, a line for each kind. The last line has the sums of those that there is no room for.
  func lines(columns: Int, height: Int) -> [StyledLine] {
    guard height > 0 else { return [] }
    var kinds = sorted { $0.key < $1.key }.map { (name: $0.key, figures: $0.value) }
    let room = height - 1
    if kinds.count > room {
      let named = Swift.max(0, room - 1)
      let sum = kinds[named...].map(\.figures).reduce(.init(), +)
      kinds[named...] = [("\(kinds.count - named) \(named > 0 ? "more kinds" : "kinds")", sum)]
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

/// The lines and columns of the parts of a screen.
///
/// The list comes first: it has the whole screen if that is tiny, and never less than half of it. On a wide screen the
/// other panes are beside the list, else below it.
package struct ScreenLayout: Equatable {
  /// The fewest columns that hold all figures of the cells.
  static let leastCellColumns = 56

  // The number of lines of each part, from top to bottom; those of panes include their headings.
  package private(set) var title = 0
  package private(set) var sources = 0
  package private(set) var heading = 0
  package private(set) var list: Int
  package private(set) var operations = 0
  package private(set) var cells = 0
  package private(set) var flow = 0
  package private(set) var footer = 0
  package private(set) var help = 0
  package private(set) var listColumns: Int
  /// The columns of the panes beside the list; 0 if they are below it.
  package private(set) var sideColumns = 0

  /// Lays out a screen that shows a status and some kinds of cells.
  package init(_ size: TerminalSize, _ status: ScreenStatus, kinds: Int) {
    list = size.lines
    listColumns = size.columns
    guard size.lines >= 4 else { return }
    title = 1
    help = 1
    let panels = status.panels
    let hasFlow = panels.contains(.flow)
    if size.lines >= 10 {
      sources = status.sources.isEmpty ? 0 : 1
      heading = status.heading == nil ? 0 : 1
      footer = status.footer == nil ? 0 : 1
      flow = hasFlow ? 1 : 0
    }
    list = size.lines - title - sources - heading - footer - help
    if size.columns >= 120, size.lines >= 12, !panels.isEmpty {
      sideColumns = min(80, max(Self.leastCellColumns + 2, size.columns * 2 / 5))
      listColumns = size.columns - sideColumns - 1
      flow = hasFlow ? 2 : 0
      cells = panels.contains(.cells) ? 1 + min(max(1, kinds), list / 4) : 0
      operations = panels.contains(.operations) ? list - cells - flow : 0
    } else {
      list -= flow
      guard size.lines >= 20 else { return }
      if panels.contains(.cells), size.columns >= Self.leastCellColumns {
        cells = 1 + min(max(1, kinds), size.lines / 8)
      }
      operations = panels.contains(.operations) ? 1 + size.lines / 8 : 0
      list -= cells + operations
    }
  }
}

/// A panel beside the list on a screen.
public enum ScreenPanel: CaseIterable, Sendable {
  /// The latest operations, in the notation of UIKit.
  case operations
  /// The figures of the cells, by kind.
  case cells
  /// How events became frames, and how long that took.
  case flow
}
