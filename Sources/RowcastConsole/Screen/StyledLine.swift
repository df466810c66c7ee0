/// The emphasis of text on a screen. Never the only carrier of a meaning.
public enum TextStyle: CaseIterable, Sendable {
  /// Ordinary text.
  case plain
  /// A title or a header.
  case strong
  /// Counts and help.
  case faint
  /// A new row.
  case inserted
  /// A changed row.
  case updated
  /// A moved row.
  case moved
  /// A deleted row.
  case deleted
  /// A row with an edit that is not confirmed.
  case unconfirmed
  /// A failure.
  case alarming
  /// The row that keys act on.
  case focused
  /// A hit of a search.
  case found

  /// The sign of a changed row, which can be read without colour.
  var sign: String {
    switch self {
    case .inserted: "+"
    case .updated: "~"
    case .moved: ">"
    case .deleted: "-"
    case .unconfirmed: "…"
    case .plain, .strong, .faint, .alarming, .focused, .found: " "
    }
  }
}

/// One line of text in several styles, neutralised and no wider than its columns.
///
///     var line = StyledLine(columns: 20)
///     line.append("Messages", .strong)
///     line.append("  9", .faint)
package struct StyledLine: Equatable, Sendable {
  /// Text in one style.
  package struct Span: Equatable, Sendable {
    /// The text, neutralised.
    package let text: String
    /// The style of the text.
    package let style: TextStyle
  }

  /// The spans, from left to right.
  package private(set) var spans: [Span] = []
  /// The most columns that the line may take.
  package let columns: Int
  /// The columns that are left.
  package private(set) var free: Int

  /// Creates an empty line.
  ///
  /// - Parameter columns: The most columns that it may take.
  package init(columns: Int) {
    self.columns = max(0, columns)
    free = self.columns
  }

  /// Creates a line of one style.
  ///
  /// - Parameters:
  ///   - text: Text from anywhere: it is neutralised, and truncated to fit.
  ///   - style: The style of the text.
  ///   - columns: The most columns that the line may take.
  package init(_ text: String, _ style: TextStyle = .plain, columns: Int) {
    self.init(columns: columns)
    append(text, style)
  }

  /// The line without its styles.
  package var text: String { spans.map(\.text).joined() }

  /// Adds text from anywhere: it is neutralised, and truncated to the free columns. No text follows a truncated one.
  ///
  /// - Complexity: O(free columns), however long the text is.
  package mutating func append(_ text: String, _ style: TextStyle = .plain) {
    guard free > 0, !text.isEmpty else { return }
    let fitted = text.fitted(columns: free)
    let left = max(0, free - TextWidth.columns(of: fitted))
    // The column that a truncated wide character leaves stays empty.
    free = left == 1 && fitted.last == "…" ? 0 : left
    if let last = spans.last, last.style == style {
      spans[spans.count - 1] = Span(text: last.text + fitted, style: style)
    } else {
      spans.append(Span(text: fitted, style: style))
    }
    assert(
      (0...columns).contains(free) && TextWidth.columns(of: fitted) <= columns - free,
      "\"\(fitted)\" takes more than \(columns - free) of \(columns) columns")
  }

  /// Adds spaces until only so many columns are free.
  package mutating func pad(toFree columns: Int) {
    guard free > columns else { return }
    append(String(repeating: " ", count: free - columns))
  }

  /// Adds text at the right end, if there is room for all of it and a gap.
  ///
  /// - Returns: False if there was no room.
  @discardableResult
  package mutating func appendRight(_ text: String, _ style: TextStyle = .faint) -> Bool {
    let text = text.fitted(columns: free)
    let columns = TextWidth.columns(of: text)
    guard free >= columns + 2 else { return false }
    pad(toFree: columns)
    append(text, style)
    return true
  }

  /// The same text in one style throughout, up to the end of the line.
  func filled(with style: TextStyle) -> StyledLine {
    var line = self
    line.pad(toFree: 0)
    line.spans = [Span(text: line.text, style: style)]
    return line
  }
}
