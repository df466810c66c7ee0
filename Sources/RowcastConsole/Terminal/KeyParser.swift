/// Parses the bytes that a terminal sends into keys, in whatever pieces they arrive.
///
/// The state is an incomplete character in UTF-8 or an incomplete control sequence. The keys depend on the bytes alone, with
/// one exception: an ESC is a key if no byte follows for a while, which the caller measures.
struct KeyParser {
  private enum State: Equatable {
    case ground
    /// A carriage return was a key. A line feed right after it is part of it.
    case carriageReturn
    case escape
    /// A control sequence, with the parameters so far.
    case sequence([UInt8])
    /// The first bytes of a character that has more of them.
    case character([UInt8], length: Int)
  }

  /// The parameters of any key are shorter; further ones of a sequence are not kept.
  private static let parameterLimit = 16

  private var state = State.ground
  /// True between the begin and the end of pasted text.
  private var isPasting = false

  /// True if an ESC is a key unless more bytes follow soon.
  var awaitsMore: Bool { state == .escape }

  /// The keys that bytes complete. Unknown sequences are skipped; invalid bytes are U+FFFD.
  mutating func take(_ bytes: some Sequence<UInt8>) -> [Key] {
    var keys: [Key] = []
    for byte in bytes { keys += take(byte) }
    return keys
  }

  /// To be called if no bytes follow for now. An ESC is a key then, which also ends a paste whose end was lost.
  mutating func pause() -> [Key] {
    guard awaitsMore else { return [] }
    isPasting = false
    return interrupt()
  }

  private mutating func take(_ byte: UInt8) -> [Key] {
    switch (state, byte) {
    case (.carriageReturn, 0x0A):
      state = .ground
      return []
    case (.escape, UInt8(ascii: "[")), (.escape, UInt8(ascii: "O")):
      state = .sequence([])
      return []
    case (.sequence(let parameters), 0x20...0x3F):
      if parameters.count < Self.parameterLimit { state = .sequence(parameters + [byte]) }
      return []
    case (.sequence(let parameters), 0x40...0x7E):
      state = .ground
      return key(final: byte, parameters: parameters).map { [$0] } ?? []
    case (.character(let first, let length), 0x80...0xBF):
      state = .character(first + [byte], length: length)
      return first.count + 1 == length ? interrupt() : []
    default: return interrupt() + begin(byte)
    }
  }

  /// Ends an incomplete key, and returns the keys that its bytes are by themselves.
  private mutating func interrupt() -> [Key] {
    defer { state = .ground }
    return switch state {
    case .escape: [.escape]
    case .character(let bytes, _): keys(of: bytes)
    case .ground, .carriageReturn, .sequence: []
    }
  }

  /// Takes the first byte of a key.
  private mutating func begin(_ byte: UInt8) -> [Key] {
    switch byte {
    case 0x1B: state = .escape
    case 0xC2...0xDF: state = .character([byte], length: 2)
    case 0xE0...0xEF: state = .character([byte], length: 3)
    case 0xF0...0xF4: state = .character([byte], length: 4)
    default:
      if byte == 0x0D { state = .carriageReturn }
      return keys(of: [byte])
    }
    return []
  }

  private func keys(of text: [UInt8]) -> [Key] {
    String(decoding: text, as: UTF8.self).unicodeScalars.compactMap { scalar in
      guard isPasting else { return Key(scalar) }
      return if case .character(let character)? = Key(scalar) { .pasted(character) } else { nil }
    }
  }

  /// The key of a control sequence. Modifiers are the parameters after the first.
  private mutating func key(final: UInt8, parameters: [UInt8]) -> Key? {
    let first = String(decoding: parameters.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
    switch (Character(Unicode.Scalar(final)), first) {
    case ("A", _): return .up
    case ("B", _): return .down
    case ("H", _), ("~", "1"), ("~", "7"): return .home
    case ("F", _), ("~", "4"), ("~", "8"): return .end
    case ("~", "5"): return .pageUp
    case ("~", "6"): return .pageDown
    case ("~", "200"): isPasting = true
    case ("~", "201"): isPasting = false
    default: break
    }
    return nil
  }
}

extension Key {
  /// The key of a scalar outside of a sequence, if it is one. A character of several scalars is several keys, as it is unknown
  /// if another scalar follows; concatenated they are the character.
  fileprivate init?(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\r", "\n": self = .enter
    case "\u{7F}", "\u{8}": self = .backspace
    case "\u{1}"..."\u{1A}": self = .control(Character(Unicode.Scalar(UInt8(scalar.value) + 0x60)))
    default:
      let character = Character(scalar)
      let isText = character.isLetter || character.isNumber || character.isPunctuation || character.isSymbol
      let isPart = scalar.properties.isGraphemeExtend || scalar.properties.generalCategory == .spacingMark
      // The last of these joins the parts of an emoji.
      guard isText || isPart || scalar == " " || scalar == "\u{200D}" else { return nil }
      self = .character(character)
    }
  }
}
