/// What a screen shows: its lines, from top to bottom, each safe to print and no wider than the screen.
public struct Frame: Equatable, Sendable {
  /// One line of a screen.
  public struct Line: Equatable, Sendable {
    /// How a line stands out. Never the only carrier of a meaning.
    public enum Style: Sendable {
      /// As the terminal shows text.
      case plain
      /// The title, a header.
      case strong
      /// The help, the counters.
      case faint
      /// Something new.
      case inserted
      /// Something that changed.
      case updated
      /// Something that moved.
      case moved
    }

    /// The text, neutralised and fitted.
    public var text: String
    /// How it stands out.
    public var style: Style

    /// Creates a line of neutralised text.
    public init(_ text: String, style: Style = .plain) {
      self.text = text
      self.style = style
    }
  }

  /// The size of the screen that the frame is made for.
  public var size: TerminalSize
  /// The lines, at most as many as the screen has.
  public var lines: [Line]

  /// Creates a frame.
  public init(size: TerminalSize, lines: [Line]) {
    self.size = size
    self.lines = lines
  }

  /// The control sequences that turn a screen that shows one frame into one that shows this.
  ///
  /// Only lines that differ are written, each at its own position and erased to its end, so that a terminal with other
  /// ideas of width cannot spoil a neighbour. The whole is one synchronized output.
  ///
  /// - Parameters:
  ///   - previous: The frame on the screen, or `nil` if what is there is unknown.
  ///   - usesColor: Whether styles are written.
  /// - Returns: Nothing if both frames are equal.
  public func sequences(from previous: Frame?, usesColor: Bool) -> String {
    let known = previous?.size == size ? previous : nil
    var body = known == nil ? "\u{1B}[2J" : ""
    for index in 0..<max(lines.count, known?.lines.count ?? 0) {
      let line = index < lines.count ? lines[index] : Line("")
      if let known, index < known.lines.count, known.lines[index] == line { continue }
      body += "\u{1B}[\(index + 1);1H" + line.painted(usesColor: usesColor) + "\u{1B}[K"
    }
    return body.isEmpty ? "" : "\u{1B}[?2026h\(body)\u{1B}[?2026l"
  }
}

extension Frame.Line {
  fileprivate func painted(usesColor: Bool) -> String {
    guard usesColor, let code = style.code else { return text }
    return "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }
}

extension Frame.Line.Style {
  /// The code of the style, or `nil` for plain text. Colours are those of the terminal's own palette.
  fileprivate var code: Int? {
    switch self {
    case .plain: nil
    case .strong: 1
    case .faint: 2
    case .inserted: 32
    case .updated: 33
    case .moved: 36
    }
  }
}
