/// The content of a screen: its lines, from top to bottom, each safe to print and no wider than the screen.
struct Frame: Sendable {
  /// The size of the screen.
  var size: TerminalSize
  /// The lines, at most as many as the screen has.
  var lines: [StyledLine]
  /// The texts beside some of them, by line.
  var sides: [Int: StyledLine] = [:]
  /// The column of the texts beside, from 0.
  var sideColumn = 0
  /// The place of the cursor on the screen, from 0; `nil` if it is hidden.
  var cursor: (line: Int, column: Int)?

  /// The control sequences that turn the previous frame into this one.
  ///
  /// Only differences are written, each line at its own position and after erasing it to its end, so that a terminal with
  /// other ideas of width cannot spoil a neighbour. The text beside, and text after characters of disputed width, have
  /// positions of their own for the same reason. The whole is one synchronized output (mode 2026), which other terminals
  /// ignore.
  ///
  /// - Parameters:
  ///   - previous: The frame on the screen, or `nil` if that is unknown.
  ///   - theme: The colours of styles.
  ///   - isSynchronized: False for a terminal that is known to lack synchronized output.
  /// - Returns: The sequences; empty if both frames are equal.
  func sequences(from previous: Frame?, theme: Theme, isSynchronized: Bool = true) -> String {
    let (begin, end) = isSynchronized ? ("\u{1B}[?2026h", "\u{1B}[?2026l") : ("", "")
    let known = previous?.size == size && previous?.sideColumn == sideColumn ? previous : nil
    var body = known == nil ? "\u{1B}[2J" : ""
    let empty = StyledLine(columns: 0)
    for index in 0..<max(lines.count, known?.lines.count ?? 0) {
      let (line, side) = (index < lines.count ? lines[index] : empty, sides[index])
      // The lines of a cleared screen are empty.
      let before = known.flatMap { index < $0.lines.count ? $0.lines[index] : nil } ?? empty
      if before == line, known?.sides[index] == side { continue }
      if before != line || side == nil { body += Self.place(index, 0) + theme.paint(line) }
      if let side { body += Self.place(index, sideColumn) + theme.paint(side, from: sideColumn) }
    }
    guard let cursor else { return body.isEmpty ? "" : begin + body + end }
    if body.isEmpty, let shown = known?.cursor, cursor == shown { return "" }
    // A screen reader follows the cursor, so it is hidden while the frame is written.
    return "\(begin)\u{1B}[?25l\(body)\u{1B}[\(cursor.line + 1);\(cursor.column + 1)H\u{1B}[?25h\(end)"
  }

  /// Checks, in debug builds, that the frame has as many lines as the screen, and that each stays within its columns.
  func checkFillsScreen() {
    assert(
      lines.count == size.lines
        && lines.indices.allSatisfy { index in
          guard let side = sides[index] else { return lines[index].columns <= size.columns }
          return lines[index].columns < sideColumn && sideColumn + side.columns <= size.columns
        },
      "Lines of \(lines.map(\.columns)) columns, those beside of \(sides.mapValues(\.columns)) from \(sideColumn), "
        + "for a screen of \(size)")
  }

  /// Moves the cursor and erases the rest of the line. Erasing after writing would erase the last column.
  private static func place(_ line: Int, _ column: Int) -> String { "\u{1B}[\(line + 1);\(column + 1)H\u{1B}[K" }
}

/// One line of text in several styles, neutralised and no wider than its columns.
///
///     var line = StyledLine(columns: 20)
///     line.append("Messages", .strong)
///     line.append("  9", .faint)
struct StyledLine: Equatable, Sendable {
  /// Neutralised text in one style each, from left to right.
  private(set) var spans: [(text: String, style: TextStyle)] = []
  /// The most columns that the line may take.
  let columns: Int
  /// The free columns.
  private(set) var free: Int

  /// Creates an empty line.
  ///
  /// - Parameter columns: The most columns that it may take.
  init(columns: Int) {
    self.columns = max(0, columns)
    free = self.columns
  }

  /// Creates a line of one style.
  ///
  /// - Parameters:
  ///   - text: Text from anywhere: it is neutralised, and truncated to fit.
  ///   - style: The style of the text.
  ///   - columns: The most columns that the line may take.
  init(_ text: String, _ style: TextStyle = .plain, columns: Int) {
    self.init(columns: columns)
    append(text, style)
  }

  /// Lines are equal if they look the same on a screen.
  static func == (lhs: StyledLine, rhs: StyledLine) -> Bool { lhs.spans.elementsEqual(rhs.spans, by: ==) }

  /// The line without its styles.
  var text: String { spans.map(\.text).joined() }

  /// Adds text from anywhere: it is neutralised, and truncated to the free columns. No text follows a truncated one.
  ///
  /// - Complexity: O(free columns), however long the text is.
  mutating func append(_ text: String, _ style: TextStyle = .plain) {
    guard free > 0, !text.isEmpty else { return }
    let fitted = text.fitted(columns: free)
    let left = max(0, free - fitted.columnCount)
    // The column that a truncated wide character leaves stays empty.
    free = left == 1 && fitted.last == "…" ? 0 : left
    if let last = spans.last, last.style == style {
      spans[spans.count - 1].text += fitted
    } else {
      spans.append((fitted, style))
    }
    assert(
      (0...columns).contains(free) && fitted.columnCount <= columns - free,
      "\"\(fitted)\" takes more than \(columns - free) of \(columns) columns")
  }

  /// Adds spaces until only `columns` columns are free.
  mutating func pad(toFree columns: Int) {
    guard free > columns else { return }
    append(String(repeating: " ", count: free - columns))
  }

  /// Adds text at the right end, if there is room for all of it and a gap.
  ///
  /// - Returns: False if there was no room.
  @discardableResult
  mutating func appendRight(_ text: String, _ style: TextStyle = .faint) -> Bool {
    let text = text.fitted(columns: free)
    let columns = text.columnCount
    guard free >= columns + 2 else { return false }
    pad(toFree: columns)
    append(text, style)
    return true
  }

  /// The same text in one style throughout, up to the end of the line.
  func filled(with style: TextStyle) -> StyledLine {
    var line = self
    line.pad(toFree: 0)
    line.spans = [(line.text, style)]
    return line
  }
}
