/// A message from a terminal to an app.
package enum TerminalInput: Hashable, Sendable {
  /// A key was pressed.
  case key(Key)
  /// The mouse was used.
  case mouse(MouseEvent)
  /// The answer to a question about the colour of the screen.
  case background(isLight: Bool)
  /// The terminal has a feature; `isOn` if that is on without being asked for.
  case offers(TerminalFeatures, isOn: Bool)
  /// The colours of the terminal have changed.
  case colorsChanged
  /// The answer to a question that every terminal answers: there is none to an earlier question.
  case identified
  /// The terminal is gone.
  case ended
  /// The keys are those of another program, as the process is in the background. No input follows.
  case inBackground
  /// The keys cannot be read, for a reason. No input follows.
  case unreadable(String)

  /// The screen has this size now.
  case resized(TerminalSize)

  // Of a screen in memory.

  /// Some time has passed.
  case time(Duration)
  /// A question whether everything before it is done.
  case settle(Int)
}

/// An action with the mouse, at a column and a line of the screen from 0.
package struct MouseEvent: Hashable, Sendable {
  /// The action.
  package enum Action: Hashable, Sendable {
    /// The left button was pressed.
    case press
    /// The wheel was turned: down, showing what follows, if positive.
    case wheel(Int)
  }

  package var action: Action
  package var column, line: Int

  package init(_ action: Action, column: Int, line: Int) {
    (self.action, self.column, self.line) = (action, column, line)
  }

  /// The event of a report by parameters: in mode 1006, `<0;1;1M`, or 1015, `32;1;1M`. `nil` for one without a meaning here, such as a
  /// release.
  init?(report: String, final: Character) {
    let isLast = report.first == "<"
    let numbers = (isLast ? report.dropFirst() : report[...]).split(separator: ";").map { Int($0) ?? 0 }
    guard final == "M", numbers.count == 3 else { return nil }
    self.init(button: isLast ? numbers[0] : numbers[0] - 32, column: numbers[1], line: numbers[2])
  }

  /// The event of a button, as reports number it, at a column and a line from 1; `nil` for one without a meaning here.
  init?(button: Int, column: Int, line: Int) {
    guard button >= 0, column > 0, line > 0 else { return nil }
    // Bits 2 to 4 are modifier keys; bit 5 is a movement.
    switch button & ~0b11100 {
    case 0: action = .press
    case 64: action = .wheel(-1)
    case 65: action = .wheel(1)
    default: return nil
    }
    (self.column, self.line) = (column - 1, line - 1)
  }
}
