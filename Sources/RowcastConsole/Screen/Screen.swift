import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTable
import RowcastViews

/// A full-screen view of a table that redraws in place.
///
/// The table takes all updates between two frames; a frame shows their sum. Marks show for a second what changed.
struct Screen<Section: ConsoleSection, Row: ConsoleRow> {
  let table: RetainedTable<Section, Row>
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
  var status: ScreenStatus
  /// The rows that are not confirmed.
  var unconfirmed: Set<Row.ID> = []
  /// The rows on the screen as it was drawn last.
  private(set) var rows = Rows()
  /// The part of the list that was drawn last.
  private(set) var window: ListPane<Section, Row>.Window?
  /// The columns of the rows; empty for rows without columns.
  var columns: [ConsoleColumn<Row>] = []

  /// True if the terminal has synchronized output.
  var isSynchronized = false

  /// True if a screen reader follows the cursor.
  var showsCursor = false

  /// The guides of rows that are an outline.
  var guides: OutlineGuides<Row>?

  init(_ table: RetainedTable<Section, Row>, status: ScreenStatus, size: TerminalSize, theme: Theme) {
    (self.table, self.status, self.size, self.theme) = (table, status, size, theme)
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

    /// The row on a line of the screen, if it is there.
    func row(onLine line: Int) -> Row? {
      guard paths.indices.contains(line - self.line) else { return nil }
      return paths[line - self.line].map { list.row(at: $0) }
    }
  }

  private var layout: ScreenLayout { ScreenLayout(size, status, kinds: table.statistics.count) }

  /// The lines and columns that the table may use on the screen as it is.
  var room: (lines: Int, columns: Int) {
    let layout = layout
    return (layout.list, layout.listColumns)
  }

  /// Remembers the operations of an update that the table has taken, for the next frame.
  mutating func show(_ update: ListUpdate<Section, Row>, at now: ContinuousClock.Instant) {
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
  mutating func draw(at now: ContinuousClock.Instant) -> String {
    let frame = nextFrame(at: now)
    defer { onScreen = frame }
    return frame.sequences(from: onScreen, theme: theme, isSynchronized: isSynchronized)
  }

  /// The frame that shows the table, which must not be higher than ``room`` says. It has as many lines as the screen.
  /// The same updates, status, size and time make the same frame.
  mutating func nextFrame(at now: ContinuousClock.Instant) -> Frame {
    drawn = now
    recent.forget(at: now)
    recent.look(at: table)
    // The column only grows, so that subtitles do not jump about while the list is scrolled.
    subtitleColumn = max(subtitleColumn, ListPane.subtitleColumn(of: table, columns: size.columns, guides))
    let layout = layout
    let hasLastLine = layout.help > 0
    var frame: Frame
    if case .help(let page) = status.mode, hasLastLine {
      frame = helpFrame(page, at: now)
      if showsCursor { frame.cursor = Frame.Cursor(line: min(1, size.lines - 1), column: 0) }
    } else {
      frame = listFrame(layout, at: now)
      if showsCursor { frame.cursor = cursor(hasLastLine: hasLastLine) }
    }
    frame.checkFillsScreen()
    return frame
  }

  /// Where a screen reader continues to read: behind what is typed, at the focused row, at a message, or where the list begins.
  private func cursor(hasLastLine: Bool) -> Frame.Cursor {
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
  private mutating func listFrame(_ layout: ScreenLayout, at now: ContinuousClock.Instant) -> Frame {
    let columns = size.columns
    let isBeside = layout.sideColumns > 0
    let panes = panes(layout, columns: isBeside ? layout.sideColumns - 2 : columns)
    // Headings are above the titles of rows, which begin after their signs.
    let signs = String(repeating: " ", count: ListPane<Section, Row>.signColumns)
    let heading = StyledLine(signs + (status.heading ?? ""), .strong, columns: layout.listColumns)
    let top =
      [status.titleLine(of: table, columns: columns, at: now)].filled(layout.title)
      + [status.sourceLine(columns: columns)].filled(layout.sources) + [heading].filled(layout.heading)
    let shown = listLines(columns: layout.listColumns, at: now)
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
        return Frame.Line(main: line, side: isBeside && panes.indices.contains(beside) ? panes[beside].ruled : nil)
      }, sideColumn: isBeside ? layout.listColumns + 1 : 0)
  }

  private mutating func listLines(columns: Int, at now: ContinuousClock.Instant) -> [ListPane<Section, Row>.Line] {
    let isBlank = table.snapshot.sectionCount == 0 || (table.snapshot.isEmpty && Section.self == SoleSection.self)
    if isBlank, recent.ghosts.isEmpty {
      let text = status.typed.isEmpty ? "(empty list)" : "(no rows with \(status.typed.joined(separator: ", ")))"
      return [(StyledLine(text, .faint, columns: columns), nil)]
    }
    let lines = ListPane(screen: self, columns: columns, now: now).lines
    window = lines.window
    return lines.shown
  }

  /// The panes below or beside the list.
  private func panes(_ layout: ScreenLayout, columns: Int) -> [StyledLine] {
    log.lines(columns: columns, height: layout.operations).filled(layout.operations, columns: columns)
      + table.statistics.lines(columns: columns, height: layout.cells).filled(layout.cells, columns: columns)
      + status.flow.lines(columns: columns, height: layout.flow)
  }

  /// A page of help, between title and last line.
  private func helpFrame(_ page: Int, at now: ContinuousClock.Instant) -> Frame {
    let columns = size.columns
    let pages = status.helpPages(columns: columns, height: size.lines - 2)
    // After a resize there may be fewer.
    let page = min(page, pages.count - 1)
    let text = page + 1 < pages.count ? "\(page + 1) of \(pages.count); any key: next page, ?: back" : "any key: back"
    let last = StyledLine(text, .faint, columns: columns)
    let content = pages[page].filled(size.lines - 2, columns: columns)
    let lines = [status.titleLine(of: table, columns: columns, at: now)] + content + [last]
    return Frame(size: size, lines: lines.map { .init(main: $0) })
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

/// The list: headers and rows with their recent changes.
///
/// The focus, the selection and the mark are before each row, the origin of a move after it.
struct ListPane<Section: ConsoleSection, Row: ConsoleRow> {
  private typealias Recent = RecentChanges<Section, Row>

  /// The screen as it is before this frame.
  let screen: Screen<Section, Row>
  /// The columns of each line.
  let columns: Int
  let now: ContinuousClock.Instant

  private var table: RetainedTable<Section, Row> { screen.table }
  private var recent: RecentChanges<Section, Row> { screen.recent }
  private var search: TextMatcher? { screen.status.search }
  private var guides: OutlineGuides<Row>? { screen.guides }

  /// The columns before the text of a row.
  static var signColumns: Int { 4 }

  /// A line of the list, and the row that it shows, if any.
  typealias Line = (text: StyledLine, path: RowPath?)

  /// How many lines are left out at the top, of how many, and the part of the list that they show.
  typealias Window = (start: Int, count: Int, topLine: Int, list: ListSnapshot<Section, Row>)

  /// The lines, from top to bottom: at most as many as the table has.
  ///
  /// Ghosts take the free room and a few lines more. Lines that do not fit then are left out at the bottom, or at the top
  /// if the table is at its end. The same lines stay in their places while only the focus moves, so that the second click of two meets
  /// the row of the first.
  var lines: (shown: [Line], window: Window) {
    let ghosts = shownGhosts
    func ghostLines(at anchor: Recent.Line) -> [Line] { ghosts[anchor, default: []].map { (line(of: $0), nil) } }
    let isPinned = table.coveredLines > 0
    var lines = isPinned ? [] : ghostLines(at: .top)
    var focusedLine: Int?
    // The first line of the screen that no element has so far: a pinned header covers those below it.
    var free = 0
    for shown in table.visibleElements {
      let first = max(0, free - shown.line)
      let offsets = first..<max(first, min(shown.height, table.height - shown.line))
      free += offsets.count
      // Ghosts beside what is covered are covered, too.
      if offsets.isEmpty { continue }
      var anchor: Recent.Line?
      switch shown.element {
      case .header(let index):
        let section = table.snapshot.section(at: index)
        anchor = .header(section.id)
        lines += offsets.map { ($0 == 0 ? header(section, at: index) : StyledLine(columns: columns), nil) }
      case .row(let path):
        let row = table.snapshot.row(at: path)
        anchor = .row(row.id)
        if path == table.focusedPath { focusedLine = lines.count + offsets.count - 1 }
        lines += offsets.map {
          (line($0, of: shown.cell, showing: row, isFocused: path == table.focusedPath), path)
        }
      case .footer:
        // The table of an app has none.
        lines += offsets.map { _ in (StyledLine(columns: columns), nil) }
      }
      if let anchor { lines += ghostLines(at: anchor) }
      if isPinned, free == table.coveredLines, case .header = shown.element { lines += ghostLines(at: .top) }
    }
    return cut(lines, focusedLine: focusedLine)
  }

  private func cut(_ lines: [Line], focusedLine: Int?) -> (shown: [Line], window: Window) {
    var window = (start: 0, count: lines.count, topLine: table.topLine, list: table.snapshot)
    let surplus = lines.count - table.height
    guard surplus > 0 else { return (lines, window) }
    let isAtEnd = table.topLine > 0 && table.topLine + table.height >= table.contentHeight
    var start = isAtEnd ? surplus : 0
    let former = screen.window
    if let former, former.count == window.count, former.topLine == window.topLine, former.list == window.list {
      start = min(former.start, surplus)
    }
    let pinned = table.coveredLines
    if let focusedLine { start = min(max(start, focusedLine - table.height + 1), max(0, focusedLine - pinned)) }
    window.start = start
    return (Array(lines[..<pinned] + lines[start + pinned..<start + table.height]), window)
  }

  /// The newest ghosts, as many as there is room for, by their anchor.
  private var shownGhosts: [Recent.Line: [Recent.Ghost]] {
    let free = max(0, table.height - table.lines.count)
    return Dictionary(grouping: recent.ghosts.suffix(max(free, table.height / 4)), by: \.anchor)
  }

  // MARK: - Lines

  private func header(_ section: Section, at index: Int) -> StyledLine {
    var line = StyledLine(columns: columns)
    append(recent.event(of: .header(section.id)), to: &line)
    line.append(section.title, .strong)
    let gap = section.title.isEmpty ? "" : "  "
    // A number alone says nothing.
    if section.showsRowCount, !gap.isEmpty { line.append("\(gap)\(table.snapshot.rowCount(inSection: index))", .faint) }
    if let words = section.phase.words {
      let style: TextStyle = if case .failed = section.phase { .alarming } else { .faint }
      line.append(gap)
      line.append(words, style)
    }
    return line
  }

  /// A line of a row: the first has the signs, the others only text.
  private func line(_ offset: Int, of cell: Cell, showing row: Row, isFocused: Bool) -> StyledLine {
    let (event, isUnconfirmed) = (recent.event(of: .row(row.id)), screen.unconfirmed.contains(row.id))
    let isMatch = guides?.place(of: row).isMatch ?? true
    var line = StyledLine(columns: columns)
    var parts: [Range<Int>] = []
    if offset == 0 {
      // A screen reader has the cursor for it.
      line.append(isFocused && !screen.showsCursor ? "▸" : " ")
      line.append(table.selection.contains(row.id) ? "*" : " ")
      if isUnconfirmed {
        line.append(TextStyle.unconfirmed.sign + " ", .unconfirmed)
      } else if event == nil, !isMatch {
        line.append("· ", .faint)
      } else {
        append(event, to: &line)
      }
    } else {
      line.append("    ")
    }
    if let text = (cell as? any ConsoleDrawable)?.texts.dropFirst(offset).first {
      let calm = isMatch ? TextStyle.plain : .faint
      let style = isUnconfirmed ? .unconfirmed : event.map { $0.fading <= now ? calm : $0.mark } ?? calm
      parts = append(guides?.text(text, of: row, offset: offset) ?? text, style, to: &line)
      if search != nil, !screen.columns.isEmpty { parts = columns(of: row, in: parts[0]) }
      if let characters = guides?.characters(of: row) {
        let (start, end) = (characters.lowerBound + Self.signColumns, characters.upperBound + Self.signColumns + 2)
        parts = parts.map { $0.contains(start) ? min(end, $0.upperBound)..<$0.upperBound : $0 }
        let range = characters.lowerBound + Self.signColumns..<characters.upperBound + Self.signColumns
        line = line.restyled([range], .faint)
      }
    }
    if offset == 0, let origin = event?.origin { line.appendRight("from \(origin.indexPath)") }
    return (isFocused ? line.filled(with: .focused) : line).marking(search, in: parts)
  }

  private func line(of ghost: Recent.Ghost) -> StyledLine {
    var line = StyledLine(columns: columns)
    if case .row = ghost.line { line.append("  ") }
    append(ghost.event, to: &line)
    _ = append(ghost.text, ghost.event.style(at: now), to: &line)
    return line
  }

  private func append(_ event: RecentEvent?, to line: inout StyledLine) {
    line.append(event?.mark.sign ?? " ", event?.style(at: now) ?? .plain)
    line.append(" ")
  }

  /// Adds a text. Returns the places of title and subtitle among the characters of the line, while there is a search.
  private func append(_ text: ConsoleText, _ style: TextStyle, to line: inout StyledLine) -> [Range<Int>] {
    let (before, start) = (line.free, search == nil ? 0 : line.text.count)
    line.append(text.title, style)
    let title = search == nil ? 0..<0 : start..<line.text.count
    guard let subtitle = text.subtitle else { return [title] }
    let gap = max(2, screen.subtitleColumn - (before - line.free))
    guard line.free > gap else { return [title] }
    line.append(String(repeating: " ", count: gap))
    let end = search == nil ? 0 : line.text.count
    line.append(subtitle, style == .deleted ? .deleted : .faint)
    return [title, end..<(search == nil ? 0 : line.text.count)]
  }

  /// The texts of a row's columns among the characters of its line, without the padding and the separators of columns.
  private func columns(of row: Row, in characters: Range<Int>) -> [Range<Int>] {
    let fields = screen.columns
    var next = characters.lowerBound
    return fields.enumerated().map { index, field in
      let text = field.text(row).fitted(columns: field.width)
      let end = next + field.fitted(text, isLast: index == fields.count - 1).count
      let part = field.alignment == .trailing ? end - text.count..<end : next..<next + text.count
      next = end + 2
      return part.clamped(to: characters)
    }
  }

  // MARK: - Subtitles

  /// The column where the subtitles of the visible rows can begin, counted from where titles do: after all but long titles.
  static func subtitleColumn(
    of table: RetainedTable<Section, Row>, columns: Int, _ guides: OutlineGuides<Row>? = nil
  ) -> Int {
    let most = min(40, columns * 2 / 5)
    let widths = table.visibleRows.lazy.filter { $0.row.subtitle != nil }
      .map { shown in
        let title = guides?.text(shown.row.text, of: shown.row).title ?? shown.row.title
        return TextWidth.columns(of: title.fitted(columns: most + 1))
      }
    return (widths.filter { $0 <= most }.max() ?? -2) + 2
  }
}
