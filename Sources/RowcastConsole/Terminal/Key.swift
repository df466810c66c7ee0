/// A key that a person pressed.
public enum Key: Hashable, Sendable {
  /// A printable character.
  case character(Character)
  /// The control key and a letter, in lower case.
  case control(Character)
  /// A key that moves, of the name that keyboards print on it or an arrow.
  case up, down, pageUp, pageDown, home, end
  /// A key that ends what is done, or takes some of it back.
  case enter, backspace, escape

  /// The keys in what a terminal sent, which may be several, pasted or typed fast. Unknown sequences are skipped.
  ///
  /// An ESC at the end is the escape key: terminals send the sequence of any other key in one piece.
  public static func parse(_ bytes: [UInt8]) -> [Key] {
    var keys: [Key] = []
    var text = Substring(String(decoding: bytes, as: UTF8.self))
    while let first = text.popFirst() {
      if first == "\u{1B}" {
        if let key = escaped(&text) { keys.append(key) }
      } else if let key = Key(single: first) {
        keys.append(key)
      }
    }
    return keys
  }

  /// The key of a character that no ESC came before.
  private init?(single character: Character) {
    switch character {
    case "\r", "\n", "\r\n": self = .enter
    case "\u{7F}", "\u{8}": self = .backspace
    case "\u{1}"..."\u{1A}":
      guard let code = character.asciiValue else { return nil }
      self = .control(Character(Unicode.Scalar(code + 0x60)))
    default:
      let isText = character.isLetter || character.isNumber || character.isPunctuation || character.isSymbol
      guard isText || character == " " else { return nil }
      self = .character(character)
    }
  }

  /// The key of what follows an ESC, which is taken out of the text.
  private static func escaped(_ text: inout Substring) -> Key? {
    guard let introducer = text.first, introducer == "[" || introducer == "O" else { return .escape }
    text.removeFirst()
    let parameters = text.prefix { $0.isASCII && ($0.isNumber || $0 == ";") }
    text.removeFirst(parameters.count)
    return text.popFirst().flatMap { Key(final: $0, parameters: parameters) }
  }

  /// The key of a control sequence.
  private init?(final: Character, parameters: Substring) {
    switch (final, parameters) {
    case ("A", _): self = .up
    case ("B", _): self = .down
    case ("H", _), ("~", "1"), ("~", "7"): self = .home
    case ("F", _), ("~", "4"), ("~", "8"): self = .end
    case ("~", "5"): self = .pageUp
    case ("~", "6"): self = .pageDown
    default: return nil
    }
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
    case .character(let character): String(character)
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
