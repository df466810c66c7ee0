/// A message from a terminal to an app.
package enum TerminalInput: Equatable, Sendable {
  /// A key was pressed.
  case key(Key)
  /// The left button of the mouse was pressed, at a line and a column of the screen from 0.
  case press(line: Int, column: Int)
  /// The wheel of the mouse was turned: down, showing what follows, if positive.
  case wheel(Int)
  /// The answer to a question about the background colour.
  case background(isLight: Bool)
  /// The terminal has a feature; `isOn` if that is on already.
  case offers(TerminalFeatures, isOn: Bool)
  /// The colours of the terminal have changed.
  case colorsChanged
  /// The answer to a question that every terminal answers: earlier questions have no answer any more.
  case identified
  /// The terminal is gone.
  case ended
  /// The keys are those of another program, as the process is in the background. No input follows.
  case inBackground
  /// The keys cannot be read, for a reason. No input follows.
  case unreadable(String)

  /// The screen has this size now.
  case resized(TerminalSize)

  // Only from a screen in memory.

  /// Some time has passed.
  case time(Duration)
  /// A question whether everything before it is done.
  case settle(Int)
}

extension TerminalInput {
  /// The action in a report of the mouse by parameters: in mode 1006, `<0;1;1M`, or 1015, `32;1;1M`. `nil` for an action
  /// without a meaning here, such as a release.
  init?(mouseReport report: String, final: Character) {
    let isLast = report.first == "<"
    let parts = (isLast ? report.dropFirst() : report[...]).split(separator: ";")
    // A field that is not a number is neither a button nor a place.
    let numbers = parts.map { Int16($0).map(Int.init) ?? -1 }
    guard final == "M", numbers.count == 3 else { return nil }
    self.init(button: isLast ? numbers[0] : numbers[0] - 32, column: numbers[1], line: numbers[2])
  }

  /// The action of a button, as reports number it, at a column and a line from 1; `nil` for an action without a meaning here.
  init?(button: Int, column: Int, line: Int) {
    guard button >= 0, column > 0, line > 0 else { return nil }
    // Bits 2 to 4 are modifier keys; bit 5 is a movement.
    switch button & ~0b11100 {
    case 0: self = .press(line: line - 1, column: column - 1)
    case 64: self = .wheel(-1)
    case 65: self = .wheel(1)
    default: return nil
    }
  }
}

/// The size of a terminal in character cells.
package struct TerminalSize: Equatable, Sendable {
  /// The number of columns, at least 1.
  package let columns: Int
  /// The number of lines, at least 1.
  package let lines: Int

  /// Creates a size. Values are clamped to 1…1,000 columns and 1…500 lines.
  package init(columns: Int, lines: Int) {
    self.columns = min(max(1, columns), 1_000)
    self.lines = min(max(1, lines), 500)
  }

  /// The size to use: the terminal's own, else that of `COLUMNS` and `LINES`, else 80×24. A number below 1 is no size.
  package static func resolved(reported: TerminalSize?, environment: [String: String]) -> TerminalSize {
    func number(_ name: String) -> Int? { environment[name].flatMap(Int.init).flatMap { $0 < 1 ? nil : $0 } }
    return reported ?? TerminalSize(columns: number("COLUMNS") ?? 80, lines: number("LINES") ?? 24)
  }
}
