/// A message from a terminal to an app.
package enum TerminalInput: Hashable, Sendable {
  /// A key was pressed.
  case key(Key)
  /// The mouse was used.
  case mouse(MouseEvent)
  /// The answer to a question about the colour of the screen.
  case background(isLight: Bool)

  // Of a screen in memory.

  /// The screen has another size.
  case resized(TerminalSize)
  /// The terminal is gone.
  case ended
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

  /// The event of the parameters of an SGR report (mode 1006); `nil` for one without a meaning here, such as a release.
  init?(report: String, final: Character) {
    let numbers = report.dropFirst().split(separator: ";").map { Int($0) ?? 0 }
    guard report.first == "<", final == "M", numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return nil }
    // Bits 2 to 4 are modifier keys; bit 5 is a movement.
    switch numbers[0] & ~0b11100 {
    case 0: action = .press
    case 64: action = .wheel(-1)
    case 65: action = .wheel(1)
    default: return nil
    }
    (column, line) = (numbers[1] - 1, numbers[2] - 1)
  }
}
