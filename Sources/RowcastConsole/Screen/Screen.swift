import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTable
import RowcastViews

/// A full-screen view of a table that redraws in place.
///
/// The table applies all updates between two frames; a frame shows their sum. Marks show for a second what changed.
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
  /// The time of the last frame. It does not show the fading of later marks yet.
  private var drawn: ContinuousClock.Instant?

  var size: TerminalSize {
    didSet { (subtitleColumn, onScreen) = (0, nil) }
  }
  var status: ScreenStatus
  /// The unconfirmed rows.
  var unconfirmed: Set<Row.ID> = []
  /// The rows of the last frame.
  private(set) var rows = Rows()
  /// The cut of the last frame: the number of lines left out at the top, of how many lines, and the part of the list that
  /// they showed.
  private var window: (start: Int, count: Int, topLine: Int, list: ListSnapshot<Section, Row>)?
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
    /// The line of the screen where the list begins, and the line of the heading above it, if there is one.
    var line = 0, headingLine: Int?
    /// The columns of the list.
    var columns = 0
    /// The path of the row on each line, and the list that has it.
    var paths: [RowPath?] = []
    var list = ListSnapshot<Section, Row>()

    /// The row on a line of the screen, if there is one.
    func row(onLine line: Int) -> Row? {
      guard paths.indices.contains(line - self.line) else { return nil }
      return paths[line - self.line].map { list.row(at: $0) }
    }
  }

  private var layout: ScreenLayout { ScreenLayout(size, status, kinds: table.statistics.count) }

  /// The lines and columns that the current screen leaves for the table.
  var room: (lines: Int, columns: Int) {
    let layout = layout
    return (layout.list, layout.listColumns)
  }

  /// Remembers the operations of an update that the table has applied, for the next frame.
  mutating func show(_ update: ListUpdate<Section, Row>, at now: ContinuousClock.Instant) {
    // The first list has no changes to mark.
    guard update.previous != nil else { return recent.look(at: table) }
    recent.note(update.changes, in: table, columns: columns, guides, at: now)
    log.add(update.changes, revision: update.revision)
  }

  /// The time when the next mark begins to fade or disappears without an event; `nil` if there is none.
  var nextFading: ContinuousClock.Instant? { drawn.flatMap(recent.nextFading) }

  /// Forgets the content of the screen, so that the next frame is drawn in full.
  mutating func invalidate() { onScreen = nil }

  /// Returns the difference from the content of the screen, which is to be written in one piece.
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
    subtitleColumn = max(subtitleColumn, Self.subtitleColumn(of: table, columns: size.columns, guides))
    let layout = layout
    let hasLastLine = layout.help > 0
    var frame: Frame
    if case .help(let page) = status.mode, hasLastLine {
      frame = helpFrame(page, at: now)
      if showsCursor { frame.cursor = (min(1, size.lines - 1), 0) }
    } else {
      frame = listFrame(layout, at: now)
      if showsCursor { frame.cursor = cursor(hasLastLine: hasLastLine) }
    }
    frame.checkFillsScreen()
    return frame
  }

  /// The place where a screen reader continues to read: after the typed text, at the focused row, at a message, or at the
  /// start of the list.
  private func cursor(hasLastLine: Bool) -> (line: Int, column: Int) {
    let last = size.lines - 1
    if hasLastLine, let column = status.cursorColumn(columns: size.columns) { return (last, column) }
    if let path = table.focusedPath, let line = rows.paths.firstIndex(of: path) {
      return (min(rows.line + line, last), 0)
    }
    return (hasLastLine && status.message != nil ? last : min(rows.line, last), 0)
  }

  /// The list with its panes, each in the lines that the layout gives it.
  private mutating func listFrame(_ layout: ScreenLayout, at now: ContinuousClock.Instant) -> Frame {
    let columns = size.columns
    let isBeside = layout.sideColumns > 0
    let panes = panes(layout, columns: isBeside ? layout.sideColumns - 2 : columns)
    // Headings are above the titles of rows, which begin after their signs.
    let signs = String(repeating: " ", count: Self.signColumns)
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
    var frame = Frame(size: size, lines: lines)
    if isBeside {
      frame.sideColumn = layout.listColumns + 1
      for (index, line) in panes.enumerated() { frame.sides[top.count + index] = line.ruled }
    }
    return frame
  }

  private mutating func listLines(columns: Int, at now: ContinuousClock.Instant) -> [ListLine] {
    let isBlank = table.snapshot.sectionCount == 0 || (table.snapshot.isEmpty && Section.self == SoleSection.self)
    if isBlank, recent.ghosts.isEmpty {
      let text = status.typed.isEmpty ? "(empty list)" : "(no rows with \(status.typed.joined(separator: ", ")))"
      return [(StyledLine(text, .faint, columns: columns), nil)]
    }
    let (lines, focusedLine) = allLines(columns: columns, at: now)
    return cut(lines, focusedLine: focusedLine)
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
    // After a resize there may be fewer pages.
    let page = min(page, pages.count - 1)
    let text = page + 1 < pages.count ? "\(page + 1) of \(pages.count); any key: next page, ?: back" : "any key: back"
    let last = StyledLine(text, .faint, columns: columns)
    let content = pages[page].filled(size.lines - 2, columns: columns)
    let lines = [status.titleLine(of: table, columns: columns, at: now)] + content + [last]
    return Frame(size: size, lines: lines)
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

  /// Adds the mark of a change, or space for it.
  fileprivate mutating func append(_ event: RecentEvent?, at now: ContinuousClock.Instant) {
    append(event?.mark.sign ?? " ", event?.style(at: now) ?? .plain)
    append(" ")
  }
}

// MARK: - The list

/// Headers and rows with their recent changes. The focus, the selection and the mark are before each row, the origin of a
/// move after it.
extension Screen {
  private typealias Recent = RecentChanges<Section, Row>
  /// A line of the list, and the row that it shows, if any.
  private typealias ListLine = (text: StyledLine, path: RowPath?)

  /// The columns before the text of a row.
  static var signColumns: Int { 4 }

  /// The lines, from top to bottom, and the last one of the focused row. Ghosts take the free room and a few lines more.
  private func allLines(
    columns: Int, at now: ContinuousClock.Instant
  ) -> (lines: [ListLine], focusedLine: Int?) {
    let ghosts = shownGhosts
    func ghostLines(at anchor: Recent.Line) -> [ListLine] {
      ghosts[anchor, default: []].map { (line(of: $0, columns: columns, at: now), nil) }
    }
    let isPinned = table.coveredLines > 0
    var lines = isPinned ? [] : ghostLines(at: .top)
    var focusedLine: Int?
    // Ghosts next to covered elements are covered, too.
    for (shown, offsets) in table.uncoveredElements where !offsets.isEmpty {
      var anchor: Recent.Line?
      switch shown.element {
      case .header(let index):
        let section = table.snapshot.section(at: index)
        anchor = .header(section.id)
        let header = header(section, rows: table.snapshot.rowCount(inSection: index), columns: columns, at: now)
        lines += offsets.map { ($0 == 0 ? header : StyledLine(columns: columns), nil) }
      case .row(let path):
        let row = table.snapshot.row(at: path)
        anchor = .row(row.id)
        let isFocused = path == table.focusedPath
        if isFocused { focusedLine = lines.count + offsets.count - 1 }
        lines += offsets.map {
          (line($0, of: shown.cell, showing: row, isFocused: isFocused, columns: columns, at: now), path)
        }
      case .footer:
        // The table of an app has no footers.
        lines += offsets.map { _ in (StyledLine(columns: columns), nil) }
      }
      if let anchor { lines += ghostLines(at: anchor) }
      let isPinnedHeader = isPinned && shown.line + shown.height == table.coveredLines
      if isPinnedHeader, case .header = shown.element { lines += ghostLines(at: .top) }
    }
    return (lines, focusedLine)
  }

  /// Cuts the lines to the height of the table: at the bottom, or at the top if the table is at its end. While only the focus
  /// moves, the lines keep their places, so that both clicks of a double click hit the same row.
  private mutating func cut(_ lines: [ListLine], focusedLine: Int?) -> [ListLine] {
    let former = window
    window = (0, lines.count, table.topLine, table.snapshot)
    let surplus = lines.count - table.height
    guard surplus > 0 else { return lines }
    let isAtEnd = table.topLine > 0 && table.topLine + table.height >= table.contentHeight
    var start = isAtEnd ? surplus : 0
    if let former, former.count == lines.count, former.topLine == table.topLine, former.list == table.snapshot {
      start = min(former.start, surplus)
    }
    let pinned = table.coveredLines
    if let focusedLine { start = min(max(start, focusedLine - table.height + 1), max(0, focusedLine - pinned)) }
    window?.start = start
    return Array(lines[..<pinned] + lines[start + pinned..<start + table.height])
  }

  /// The newest ghosts, as many as there is room for, by their anchor.
  private var shownGhosts: [Recent.Line: [Recent.Ghost]] {
    let free = max(0, table.height - table.lines.count)
    return Dictionary(grouping: recent.ghosts.suffix(max(free, table.height / 4)), by: \.anchor)
  }

  private func header(
    _ section: Section, rows: Int, columns: Int, at now: ContinuousClock.Instant
  ) -> StyledLine {
    var line = StyledLine(columns: columns)
    line.append(recent.marks[.header(section.id)], at: now)
    line.append(section.title, .strong)
    let gap = section.title.isEmpty ? "" : "  "
    // A number alone says nothing.
    if section.showsRowCount, !gap.isEmpty { line.append("\(gap)\(rows)", .faint) }
    if let words = section.phase.words {
      let style: TextStyle = if case .failed = section.phase { .alarming } else { .faint }
      line.append(gap)
      line.append(words, style)
    }
    return line
  }

  /// A line of a row: the first has the signs, the others only text.
  private func line(
    _ offset: Int, of cell: Cell, showing row: Row, isFocused: Bool, columns: Int, at now: ContinuousClock.Instant
  ) -> StyledLine {
    let (event, isUnconfirmed) = (recent.marks[.row(row.id)], unconfirmed.contains(row.id))
    let isMatch = guides?.place(of: row).isMatch ?? true
    var line = StyledLine(columns: columns)
    var parts: [Range<Int>] = []
    if offset == 0 {
      // For a screen reader, the cursor shows the focus.
      line.append(isFocused && !showsCursor ? "▸" : " ")
      line.append(table.selection.contains(row.id) ? "*" : " ")
      if isUnconfirmed {
        line.append(TextStyle.unconfirmed.sign + " ", .unconfirmed)
      } else if event == nil, !isMatch {
        line.append("· ", .faint)
      } else {
        line.append(event, at: now)
      }
    } else {
      line.append("    ")
    }
    if let text = (cell as? any ConsoleDrawable)?.texts.dropFirst(offset).first {
      let calm = isMatch ? TextStyle.plain : .faint
      let style = isUnconfirmed ? .unconfirmed : event.map { $0.fading <= now ? calm : $0.mark } ?? calm
      parts = append(guides?.text(text, of: row, offset: offset) ?? text, style, to: &line)
      if status.search != nil, !self.columns.isEmpty { parts = fields(of: row, in: parts[0]) }
      if let characters = guides?.characters(of: row) {
        let (start, end) = (characters.lowerBound + Self.signColumns, characters.upperBound + Self.signColumns + 2)
        parts = parts.map { $0.contains(start) ? min(end, $0.upperBound)..<$0.upperBound : $0 }
        let range = characters.lowerBound + Self.signColumns..<characters.upperBound + Self.signColumns
        line = line.restyled([range], .faint)
      }
    }
    if offset == 0, let origin = event?.origin { line.appendRight("from \(origin.indexPath)") }
    return (isFocused ? line.filled(with: .focused) : line).marking(status.search, in: parts)
  }

  private func line(
    of ghost: Recent.Ghost, columns: Int, at now: ContinuousClock.Instant
  ) -> StyledLine {
    var line = StyledLine(columns: columns)
    if case .row = ghost.line { line.append("  ") }
    line.append(ghost.event, at: now)
    _ = append(ghost.text, ghost.event.style(at: now), to: &line)
    return line
  }

  /// Adds a text. Returns the places of title and subtitle among the characters of the line, while there is a search.
  private func append(_ text: ConsoleText, _ style: TextStyle, to line: inout StyledLine) -> [Range<Int>] {
    func count() -> Int { status.search == nil ? 0 : line.text.count }
    let (before, start) = (line.free, count())
    line.append(text.title, style)
    let title = start..<count()
    guard let subtitle = text.subtitle else { return [title] }
    let gap = max(2, subtitleColumn - (before - line.free))
    guard line.free > gap else { return [title] }
    line.append(String(repeating: " ", count: gap))
    let end = count()
    line.append(subtitle, style == .deleted ? .deleted : .faint)
    return [title, end..<count()]
  }

  /// The texts of a row's columns among the characters of its line, without the padding and the separators of columns.
  private func fields(of row: Row, in characters: Range<Int>) -> [Range<Int>] {
    var next = characters.lowerBound
    return columns.enumerated().map { index, field in
      let text = field.text(row).fitted(columns: field.width)
      let end = next + field.fitted(text, isLast: index == columns.count - 1).count
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
        return title.fitted(columns: most + 1).columnCount
      }
    return (widths.filter { $0 <= most }.max() ?? -2) + 2
  }
}
