import RowcastDiff
import RowcastModel
import RowcastTable
import RowcastViews

/// The list: headers and rows with their recent changes.
///
/// The focus, the selection and the mark are before each row, the origin of a move after it.
struct ListPane<Section: ConsoleSection, Row: ConsoleRow> {
  private typealias Recent = RecentChanges<Section, Row>

  let table: RetainedTable<Section, Row>
  let recent: RecentChanges<Section, Row>
  /// The column where subtitles begin, if titles leave room for it.
  let subtitleColumn: Int
  /// The columns of each line.
  let columns: Int
  let now: ContinuousClock.Instant
  /// The columns of the rows, with the guides of an outline; empty for rows without columns.
  var fields: [ConsoleColumn<Row>] = []
  /// The text whose hits are marked.
  var search: TextMatcher?
  /// The rows that are not confirmed.
  var unconfirmed: Set<Row.ID> = []
  /// The guides of rows that are an outline.
  var guides: OutlineGuides<Row>?
  /// The sign before the focused row.
  var focusSign = "▸"

  /// The columns before the text of a row.
  static var signColumns: Int { 4 }

  /// A line of the list, and the row that it shows, if any.
  typealias Line = (text: StyledLine, path: RowPath?)

  /// How many lines are left out at the top, of how many, and the part of the list that they show.
  typealias Window = (start: Int, count: Int, topLine: Int, list: ListSnapshot<Section, Row>)

  /// The window of the last frame.
  var former: Window?

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
    let (event, isUnconfirmed) = (recent.event(of: .row(row.id)), unconfirmed.contains(row.id))
    let isMatch = guides?.place(of: row).isMatch ?? true
    var line = StyledLine(columns: columns)
    var parts: [Range<Int>] = []
    if offset == 0 {
      line.append(isFocused ? focusSign : " ")
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
      if search != nil, !fields.isEmpty { parts = columns(of: row, in: parts[0]) }
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
    let gap = max(2, subtitleColumn - (before - line.free))
    guard line.free > gap else { return [title] }
    line.append(String(repeating: " ", count: gap))
    let end = search == nil ? 0 : line.text.count
    line.append(subtitle, style == .deleted ? .deleted : .faint)
    return [title, end..<(search == nil ? 0 : line.text.count)]
  }

  /// The texts of a row's columns among the characters of its line, without the padding and the separators of columns.
  private func columns(of row: Row, in characters: Range<Int>) -> [Range<Int>] {
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
