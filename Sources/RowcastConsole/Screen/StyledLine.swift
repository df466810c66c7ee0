/// How text on a screen stands out. Never the only carrier of a meaning.
public enum TextStyle: CaseIterable, Sendable {
  /// As the terminal shows text.
  case plain
  /// The title, a header.
  case strong
  /// What is there to be looked up: counts, help.
  case faint
  /// Something new.
  case inserted
  /// Something that changed.
  case updated
  /// Something that moved.
  case moved
  /// Something that is gone.
  case deleted
  /// Something that failed.
  case alarming
  /// The row that keys act on.
  case focused
}

/// One line of text in several styles, neutralised and no wider than the columns it was made for.
///
///     var line = StyledLine(columns: 20)
///     line.append("Messages", .strong)
///     line.append("  9", .faint)
public struct StyledLine: Equatable, Sendable {
  /// A stretch of text in one style.
  public struct Span: Equatable, Sendable {
    /// The text, neutralised.
    public let text: String
    /// How it stands out.
    public let style: TextStyle
  }

  /// The stretches, from left to right.
  public private(set) var spans: [Span] = []
  /// The most columns that the line may take.
  public let columns: Int
  /// The columns that are left.
  public private(set) var free: Int

  /// Creates an empty line.
  ///
  /// - Parameter columns: The most columns that it may take.
  public init(columns: Int) {
    self.columns = max(0, columns)
    free = self.columns
  }

  /// Creates a line of one style.
  ///
  /// - Parameters:
  ///   - text: Text from anywhere: it is neutralised, and cut to fit.
  ///   - style: How it stands out.
  ///   - columns: The most columns that the line may take.
  public init(_ text: String, _ style: TextStyle = .plain, columns: Int) {
    self.init(columns: columns)
    append(text, style)
  }

  /// The line without its styles.
  public var text: String { spans.map(\.text).joined() }

  /// Adds text from anywhere: it is neutralised, and cut to what is free. Nothing follows text that was cut.
  ///
  /// - Complexity: O(columns that are free), however long the text is.
  public mutating func append(_ text: String, _ style: TextStyle = .plain) {
    guard free > 0, !text.isEmpty else { return }
    let fitted = text.fitted(columns: free)
    let left = max(0, free - TextWidth.columns(of: fitted))
    // A wide character that was cut leaves a column that nothing else may take.
    free = left == 1 && fitted.last == "…" ? 0 : left
    add(Span(text: fitted, style: style))
  }

  /// Adds a stretch, to the last one if that is of the same style.
  private mutating func add(_ span: Span) {
    if let last = spans.last, last.style == span.style {
      spans[spans.count - 1] = Span(text: last.text + span.text, style: span.style)
    } else {
      spans.append(span)
    }
    assert(
      (0...columns).contains(free) && TextWidth.columns(of: span.text) <= columns - free,
      "\"\(span.text)\" takes more than \(columns - free) of \(columns) columns")
  }

  /// Adds another line, as far as it was made for no more columns than are free.
  mutating func append(_ line: StyledLine) {
    guard line.columns <= free else { return }
    free -= line.columns - line.free
    for span in line.spans { add(span) }
  }

  /// Adds spaces until only so many columns are free.
  public mutating func pad(toFree columns: Int) {
    guard free > columns else { return }
    append(String(repeating: " ", count: free - columns))
  }

  /// Adds text at the right end, if there is room for all of it and a gap.
  ///
  /// - Returns: Whether there was.
  @discardableResult
  public mutating func appendRight(_ text: String, _ style: TextStyle = .faint) -> Bool {
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
