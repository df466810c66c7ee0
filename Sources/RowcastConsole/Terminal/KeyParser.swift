/// Parses the bytes that a terminal sends into keys, actions of the mouse and answers, in whatever pieces they arrive.
///
/// The state is an incomplete character in UTF-8 or an incomplete control sequence. The result depends on the bytes alone, with
/// one exception: an ESC is a key if no byte follows for a while, which the caller measures.
package struct KeyParser {
  private enum State: Equatable {
    case ground
    /// A carriage return was a key. A line feed right after it is part of it.
    case carriageReturn
    case escape
    /// A control sequence, with the parameters so far.
    case sequence([UInt8])
    /// A string of the operating system (OSC), so far, and whether its last byte was an ESC, which may end it.
    case string([UInt8], isEscaped: Bool)
    /// The first bytes of a character that has more of them.
    case character([UInt8], length: Int)
  }

  /// The parameters of any key are shorter, as is any answer; further bytes are not kept.
  private static let parameterLimit = 16, stringLimit = 64

  private var state = State.ground
  /// True between the begin and the end of pasted text.
  private var isPasting = false

  package init() {}

  /// True if an ESC is a key unless more bytes follow soon.
  var awaitsMore: Bool { state == .escape }

  /// The input that bytes complete. Unknown sequences are skipped; invalid bytes are U+FFFD.
  package mutating func take(_ bytes: some Sequence<UInt8>) -> [TerminalInput] {
    var input: [TerminalInput] = []
    for byte in bytes { input += take(byte) }
    return input
  }

  /// To be called if no bytes follow for now. An ESC is a key then, which also ends a paste whose end was lost.
  package mutating func pause() -> [TerminalInput] {
    guard awaitsMore else { return [] }
    isPasting = false
    return interrupt()
  }

  private mutating func take(_ byte: UInt8) -> [TerminalInput] {
    switch (state, byte) {
    case (.carriageReturn, 0x0A):
      state = .ground
      return []
    case (.escape, UInt8(ascii: "[")), (.escape, UInt8(ascii: "O")):
      state = .sequence([])
      return []
    case (.escape, UInt8(ascii: "]")):
      state = .string([], isEscaped: false)
      return []
    case (.string(let text, _), 0x07), (.string(let text, true), UInt8(ascii: "\\")):
      state = .ground
      return answer(String(decoding: text, as: UTF8.self)).map { [$0] } ?? []
    case (.string(let text, false), 0x1B):
      state = .string(text, isEscaped: true)
      return []
    case (.string(let text, false), 0x20...0x7E):
      if text.count < Self.stringLimit { state = .string(text + [byte], isEscaped: false) }
      return []
    case (.string(_, true), _):
      // The string has no end: the ESC begins something else.
      state = .escape
      return take(byte)
    case (.sequence(let parameters), 0x20...0x3F):
      if parameters.count < Self.parameterLimit { state = .sequence(parameters + [byte]) }
      return []
    case (.sequence(let parameters), 0x40...0x7E):
      state = .ground
      return input(final: byte, parameters: parameters).map { [$0] } ?? []
    case (.character(let first, let length), 0x80...0xBF):
      state = .character(first + [byte], length: length)
      return first.count + 1 == length ? interrupt() : []
    default: return interrupt() + begin(byte)
    }
  }

  /// Ends an incomplete key, and returns the keys that its bytes are by themselves.
  private mutating func interrupt() -> [TerminalInput] {
    defer { state = .ground }
    return switch state {
    case .escape: [.key(.escape)]
    case .character(let bytes, _): keys(of: bytes)
    case .ground, .carriageReturn, .sequence, .string: []
    }
  }

  /// Takes the first byte of a key.
  private mutating func begin(_ byte: UInt8) -> [TerminalInput] {
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

  private func keys(of text: [UInt8]) -> [TerminalInput] {
    String(decoding: text, as: UTF8.self).unicodeScalars.compactMap { scalar in
      guard isPasting else { return Key(scalar).map(TerminalInput.key) }
      return if case .character(let character)? = Key(scalar) { .key(.pasted(character)) } else { nil }
    }
  }

  private mutating func input(final: UInt8, parameters: [UInt8]) -> TerminalInput? {
    let (text, final) = (String(decoding: parameters, as: UTF8.self), Character(Unicode.Scalar(final)))
    if let event = MouseEvent(report: text, final: final) { return .mouse(event) }
    return key(final: final, parameters: text).map(TerminalInput.key)
  }

  /// The answer to a question about the colour of the screen: `11;rgb:ffff/ffff/ffff`, in one to four digits each.
  private func answer(_ text: String) -> TerminalInput? {
    guard text.hasPrefix("11;rgb:") else { return nil }
    let parts = text.dropFirst("11;rgb:".count).split(separator: "/")
    let shares = parts.compactMap { part in
      Int(part, radix: 16).map { Double($0) / Double((1 << (4 * part.count)) - 1) }
    }
    guard shares.count == 3, parts.allSatisfy({ $0.count <= 4 }) else { return nil }
    // The brightness that people see (Rec. 709).
    return .background(isLight: 0.2126 * shares[0] + 0.7152 * shares[1] + 0.0722 * shares[2] > 0.5)
  }

  /// The key of a control sequence. Modifiers are the parameters after the first.
  private mutating func key(final: Character, parameters: String) -> Key? {
    switch (final, String(parameters.prefix { $0 != ";" })) {
    case ("A", _): return parameters == "1;2" ? .shiftUp : .up
    case ("B", _): return parameters == "1;2" ? .shiftDown : .down
    case ("C", _): return .right
    case ("D", _): return .left
    case ("~", "3"): return .delete
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
