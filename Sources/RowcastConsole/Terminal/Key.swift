/// A key that a person pressed.
public enum Key: Hashable, Sendable {
  /// A printable character. One of several scalars, such as a letter and its accent, may arrive as several keys.
  case character(Character)
  /// A character that was pasted: text, not a command. It is printable, or a line feed or a tab.
  case pasted(Character)
  /// The control key and a letter, in lower case.
  case control(Character)
  /// An arrow, or another key that moves.
  case up, down, left, right, pageUp, pageDown, home, end
  /// Shift and an arrow.
  case shiftUp, shiftDown
  /// Return, Backspace, Delete, Escape.
  case enter, backspace, delete, escape
  /// The Alt key and another one: `.alt("b")`, `.alt(.backspace)`.
  indirect case alt(Key)
}

extension Key: ExpressibleByExtendedGraphemeClusterLiteral {
  /// The key of a printable character.
  public init(extendedGraphemeClusterLiteral character: Character) { self = .character(character) }
}

extension Key {
  /// The key as help names it.
  package var name: String {
    switch self {
    case .character(" "): "space"
    case .character(let character), .pasted(let character): String(character)
    case .control(let letter): "^" + letter.uppercased()
    case .up: "↑"
    case .down: "↓"
    case .left: "←"
    case .right: "→"
    case .shiftUp: "⇧↑"
    case .shiftDown: "⇧↓"
    case .pageUp: "PgUp"
    case .pageDown: "PgDn"
    case .home: "Home"
    case .end: "End"
    case .enter: "Enter"
    case .backspace: "Backspace"
    case .delete: "Del"
    case .escape: "Esc"
    case .alt(let key): "Alt-" + key.name
    }
  }
}
