/// The content of a screen: its lines, from top to bottom, each safe to print and no wider than the screen.
package struct Frame: Equatable, Sendable {
  /// One line of a screen: a text at its beginning and, perhaps, another one beside it.
  package struct Line: Equatable, Sendable {
    /// The text at the beginning of the line.
    package var main: StyledLine
    /// The text beside it.
    package var side: StyledLine?

    /// Creates a line.
    package init(_ main: StyledLine, side: StyledLine? = nil) {
      self.main = main
      self.side = side
    }
  }

  /// The size of the screen.
  package var size: TerminalSize
  /// The lines, at most as many as the screen has.
  package var lines: [Line]
  /// The column of the texts beside, from 0.
  package var sideColumn: Int
  /// Where the cursor is shown, if it is.
  var cursor: Cursor?

  /// The cell of the screen with the cursor, from 0.
  struct Cursor: Equatable, Sendable {
    var line: Int
    var column: Int
  }

  /// Creates a frame.
  package init(size: TerminalSize, lines: [Line], sideColumn: Int = 0) {
    self.size = size
    self.lines = lines
    self.sideColumn = sideColumn
  }

  /// The control sequences that turn the previous frame into this one.
  ///
  /// Only differences are written, each line at its own position and after erasing it to its end, so that a terminal with
  /// other ideas of width cannot spoil a neighbour; the text beside and text after characters of disputed width are addressed by
  /// themselves, for the same reason. The whole is one synchronized output (mode 2026), which other terminals ignore.
  ///
  /// - Parameters:
  ///   - previous: The frame on the screen, or `nil` if that is unknown.
  ///   - theme: The colours of styles.
  ///   - isSynchronized: False for a terminal of which it is known that it has no synchronized output.
  /// - Returns: The sequences; empty if both frames are equal.
  package func sequences(from previous: Frame?, theme: Theme, isSynchronized: Bool = true) -> String {
    let (begin, end) = isSynchronized ? ("\u{1B}[?2026h", "\u{1B}[?2026l") : ("", "")
    let known = previous?.size == size && previous?.sideColumn == sideColumn ? previous : nil
    var body = known == nil ? "\u{1B}[2J" : ""
    let empty = Line(StyledLine(columns: 0))
    for index in 0..<max(lines.count, known?.lines.count ?? 0) {
      let line = index < lines.count ? lines[index] : empty
      // The lines of a cleared screen are empty.
      let before = known.flatMap { index < $0.lines.count ? $0.lines[index] : nil } ?? empty
      if before.main.spans == line.main.spans, before.side == line.side { continue }
      if before.main.spans != line.main.spans || line.side == nil {
        body += Self.place(index, 0) + theme.paint(line.main)
      }
      if let side = line.side { body += Self.place(index, sideColumn) + theme.paint(side, from: sideColumn) }
    }
    guard let cursor else { return body.isEmpty ? "" : begin + body + end }
    if body.isEmpty, cursor == known?.cursor { return "" }
    // A reader follows the cursor, so it is not seen while it writes.
    return "\(begin)\u{1B}[?25l\(body)\u{1B}[\(cursor.line + 1);\(cursor.column + 1)H\u{1B}[?25h\(end)"
  }

  /// Checks, in debug builds, that the frame has as many lines as the screen, and that each stays within its columns.
  func checkFillsScreen() {
    assert(
      lines.count == size.lines
        && lines.allSatisfy { line in
          guard let side = line.side else { return line.main.columns <= size.columns }
          return line.main.columns < sideColumn && sideColumn + side.columns <= size.columns
        },
      "Lines of \(lines.map { [$0.main.columns, $0.side?.columns ?? 0] }) columns, those beside from \(sideColumn), "
        + "for a screen of \(size)")
  }

  /// Moves the cursor and erases the rest of the line. Erasing after writing would erase the last column.
  private static func place(_ line: Int, _ column: Int) -> String { "\u{1B}[\(line + 1);\(column + 1)H\u{1B}[K" }
}

/// The size of a terminal in character cells.
package struct TerminalSize: Hashable, Sendable {
  /// The number of columns, at least 1.
  package let columns: Int
  /// The number of lines, at least 1.
  package let lines: Int

  /// Creates a size. Values are clamped to 1…1,000 columns and 1…500 lines.
  package init(columns: Int, lines: Int) {
    self.columns = min(max(1, columns), 1_000)
    self.lines = min(max(1, lines), 500)
  }

  /// The size to use: the terminal's own, else that of `COLUMNS` and `LINES`, else 80×24.
  package static func resolved(reported: TerminalSize?, environment: [String: String]) -> TerminalSize {
    reported
      ?? TerminalSize(
        columns: environment["COLUMNS"].flatMap(Int.init) ?? 80, lines: environment["LINES"].flatMap(Int.init) ?? 24)
  }
}
