/// A key that a person pressed.
public enum Key: Hashable, Sendable {
  /// A printable character. One of several scalars, such as a letter and its accent, may arrive as several keys.
  case character(Character)
  /// A printable character that was pasted: text, and no command.
  case pasted(Character)
  /// The control key and a letter, in lower case.
  case control(Character)
  /// A key that moves, of the name that keyboards print on it or an arrow.
  case up, down, pageUp, pageDown, home, end
  /// A key that ends what is done, or takes some of it back.
  case enter, backspace, escape

  /// The keys in what a terminal sent, which may be several, pasted or typed fast. Unknown sequences are skipped.
  ///
  /// An ESC at the end is the escape key: nothing follows. ``TerminalKeys`` reads a terminal, which may send a key in pieces.
  public static func parse(_ bytes: [UInt8]) -> [Key] {
    var parser = KeyParser()
    return parser.take(bytes) + parser.pause()
  }
}

extension Key: ExpressibleByExtendedGraphemeClusterLiteral {
  /// The key of a printable character.
  public init(extendedGraphemeClusterLiteral character: Character) { self = .character(character) }
}

extension Key {
  /// The key as help names it.
  public var name: String {
    switch self {
    case .character(" "): "space"
    case .character(let character), .pasted(let character): String(character)
    case .control(let letter): "^" + letter.uppercased()
    case .up: "↑"
    case .down: "↓"
    case .pageUp: "PgUp"
    case .pageDown: "PgDn"
    case .home: "Home"
    case .end: "End"
    case .enter: "Enter"
    case .backspace: "Backspace"
    case .escape: "Esc"
    }
  }
}
