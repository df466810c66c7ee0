/// A key that a person pressed.
public enum Key: Hashable, Sendable {
  /// A printable character.
  case character(Character)
  /// The arrow up.
  case up
  /// The arrow down.
  case down
  /// Page up.
  case pageUp
  /// Page down.
  case pageDown
  /// Home.
  case home
  /// End.
  case end

  /// The keys in what a terminal sent, which may be several, pasted or typed fast. Unknown sequences are skipped.
  public static func parse(_ bytes: [UInt8]) -> [Key] {
    var keys: [Key] = []
    var text = Substring(String(decoding: bytes, as: UTF8.self))
    while let first = text.popFirst() {
      guard first == "\u{1B}" else {
        if first.isLetter || first.isNumber || first.isPunctuation || first.isSymbol || first == " " {
          keys.append(.character(first))
        }
        continue
      }
      guard let introducer = text.first, introducer == "[" || introducer == "O" else { continue }
      text.removeFirst()
      let parameters = text.prefix { $0.isASCII && ($0.isNumber || $0 == ";") }
      text.removeFirst(parameters.count)
      guard let final = text.popFirst() else { break }
      if let key = Key(final: final, parameters: parameters) { keys.append(key) }
    }
    return keys
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
