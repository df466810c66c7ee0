/// Parses the bytes that a terminal sends into keys, actions of the mouse and answers, in whatever pieces they arrive.
///
/// The state is an incomplete UTF-8 character, control sequence or string. The result depends only on the bytes, with one
/// exception: a possible start of a sequence is a key if no byte follows for a while, and an unfinished sequence is dropped.
/// The caller measures the time. Only what a person pressed is a key, never reports, answers, strings or unknown sequences.
package struct KeyParser {
  private enum State {
    case ground
    /// After a carriage return, which was a key. A line feed directly after it belongs to it.
    case carriageReturn
    /// An ESC, or two of them.
    case escape(isDouble: Bool)
    /// An ESC and the first byte of a sequence or a string, which is the Alt key and a character if nothing follows.
    case introducer(UInt8, isAlt: Bool)
    /// A control sequence (CSI) or a single shift (SS3), by its introducer, with the parameters so far. Alt is pressed if
    /// another ESC preceded it.
    case sequence(UInt8, [UInt8], isAlt: Bool)
    /// `ESC [ [`, with which the Linux console begins its function keys.
    case function
    /// A report of the mouse without mode 1006: three bytes, whatever they are.
    case mouse([UInt8])
    /// A string (OSC, DCS, APC, PM, SOS), by its introducer, so far, and whether its last byte was an ESC, which may end it.
    case string(UInt8, [UInt8], isEscaped: Bool)
    /// The first bytes of a character that has more of them.
    case character([UInt8], length: Int, isAlt: Bool)
  }

  /// The parameters of any key are shorter, as is any answer; further bytes are dropped.
  private static let parameterLimit = 40, stringLimit = 64

  private var state = State.ground
  private var paste: PastedText?

  package init() {}

  /// The time after which ``pause()`` is to be called unless more bytes follow; `nil` if nothing is incomplete. It is `short`
  /// after an ESC, to which only bytes that arrive at once belong, and `long` in a sequence, which a distant terminal may
  /// send in pieces.
  func wait(short: Int32, long: Int32) -> Int32? {
    switch state {
    case .escape, .introducer: short
    case .sequence, .function, .mouse, .string: long
    case .ground, .carriageReturn, .character: nil
    }
  }

  /// Returns the input that bytes complete. Unknown sequences are skipped; invalid bytes are U+FFFD.
  package mutating func take(_ bytes: some Sequence<UInt8>) -> [TerminalInput] {
    var input: [TerminalInput] = []
    for byte in bytes { input += take(byte) }
    return input
  }

  /// Call this if no bytes follow within the time of ``wait(short:long:)``. An ESC, alone or with a character after it, is
  /// then a key; any other sequence is dropped. A paste continues until its end.
  mutating func pause() -> [TerminalInput] { wait(short: 0, long: 0) == nil ? [] : interrupt() }

  private mutating func take(_ byte: UInt8) -> [TerminalInput] {
    if let text = paste?.take(byte) {
      if paste?.isOver ?? true { paste = nil }
      return text.map { .key(.pasted($0)) }
    }
    switch (state, byte) {
    case (.carriageReturn, 0x0A):
      state = .ground
      return []
    case (.escape(let isDouble), _): return take(byte, behindDoubleEscape: isDouble)
    case (.introducer(let introducer, let isAlt), _):
      switch introducer {
      case UInt8(ascii: "["), UInt8(ascii: "O"):
        // No single shift has a space.
        let first: UInt8 = introducer == UInt8(ascii: "[") ? 0x20 : 0x21
        guard (first...0x7E).contains(byte) else { return interrupt() + begin(byte) }
        state = .sequence(introducer, [], isAlt: isAlt)
      default: state = .string(introducer, [], isEscaped: false)
      }
      return take(byte)
    case (.sequence(UInt8(ascii: "["), [], _), UInt8(ascii: "[")):
      state = .function
      return []
    case (.sequence(UInt8(ascii: "["), [], _), UInt8(ascii: "M")):
      state = .mouse([])
      return []
    case (.sequence(let introducer, let parameters, let isAlt), 0x20...0x3F):
      let isKept = parameters.count < Self.parameterLimit
      state = .sequence(introducer, isKept ? parameters + [byte] : parameters, isAlt: isAlt)
      return []
    case (.sequence(let introducer, let parameters, let isAlt), 0x40...0x7E):
      state = .ground
      let final = Character(Unicode.Scalar(byte))
      return input(introducer, String(decoding: parameters, as: UTF8.self), final, isAlt: isAlt).map { [$0] } ?? []
    case (.function, 0x20...0x7E):
      state = .ground
      return []
    case (.mouse(let bytes), _):
      state = bytes.count < 2 ? .mouse(bytes + [byte]) : .ground
      guard bytes.count == 2 else { return [] }
      let action = TerminalInput(button: Int(bytes[0]) - 32, column: Int(bytes[1]) - 32, line: Int(byte) - 32)
      return action.map { [$0] } ?? []
    case (.string(let introducer, let text, let isEscaped), _):
      return take(byte, in: text, of: introducer, isEscaped: isEscaped)
    case (.character(let first, let length, let isAlt), 0x80...0xBF):
      state = .character(first + [byte], length: length, isAlt: isAlt)
      return first.count + 1 == length ? interrupt() : []
    default: return interrupt() + begin(byte)
    }
  }

  private mutating func take(_ byte: UInt8, behindDoubleEscape isDouble: Bool) -> [TerminalInput] {
    // The first of two is a key, unless it is the Alt of a sequence.
    let first: [TerminalInput] = isDouble ? [.key(.escape)] : []
    switch byte {
    case 0x1B: state = .escape(isDouble: true)
    case UInt8(ascii: "["), UInt8(ascii: "O"):
      state = .introducer(byte, isAlt: isDouble)
      return []
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
      state = .introducer(byte, isAlt: false)
    default:
      state = .ground
      return first + begin(byte, isAlt: true)
    }
    return first
  }

  private mutating func take(
    _ byte: UInt8, in text: [UInt8], of introducer: UInt8, isEscaped: Bool
  ) -> [TerminalInput] {
    let isOfSystem = introducer == UInt8(ascii: "]")
    switch byte {
    case 0x07 where isOfSystem, UInt8(ascii: "\\") where isEscaped:
      state = .ground
      return isOfSystem ? answer(String(decoding: text, as: UTF8.self)).map { [$0] } ?? [] : []
    case _ where isEscaped:
      // The string has no end: the ESC begins something else.
      state = .escape(isDouble: false)
      return take(byte)
    case 0x1B: state = .string(introducer, text, isEscaped: true)
    // They cancel a string.
    case 0x18, 0x1A: state = .ground
    case 0x20...0x7E where text.count < Self.stringLimit: state = .string(introducer, text + [byte], isEscaped: false)
    default: break
    }
    return []
  }

  /// Ends an incomplete key, and returns the keys that its bytes are on their own.
  private mutating func interrupt() -> [TerminalInput] {
    defer { state = .ground }
    switch state {
    case .escape(let isDouble): return Array(repeating: .key(.escape), count: isDouble ? 2 : 1)
    case .introducer(let byte, let isAlt):
      return (isAlt ? [.key(.escape)] : []) + [.key(.alt(.character(Character(Unicode.Scalar(byte)))))]
    case .character(let bytes, _, let isAlt): return keys(of: bytes, isAlt: isAlt)
    case .ground, .carriageReturn, .sequence, .function, .mouse, .string: return []
    }
  }

  /// Takes the first byte of a key.
  private mutating func begin(_ byte: UInt8, isAlt: Bool = false) -> [TerminalInput] {
    switch byte {
    case 0x1B: state = .escape(isDouble: false)
    case 0xC2...0xDF: state = .character([byte], length: 2, isAlt: isAlt)
    case 0xE0...0xEF: state = .character([byte], length: 3, isAlt: isAlt)
    case 0xF0...0xF4: state = .character([byte], length: 4, isAlt: isAlt)
    default:
      if byte == 0x0D { state = .carriageReturn }
      return keys(of: [byte], isAlt: isAlt)
    }
    return []
  }

  private func keys(of text: [UInt8], isAlt: Bool) -> [TerminalInput] {
    String(decoding: text, as: UTF8.self).unicodeScalars.compactMap { scalar in
      Key(scalar).map { .key(isAlt ? .alt($0) : $0) }
    }
  }

  private mutating func input(
    _ introducer: UInt8, _ parameters: String, _ final: Character, isAlt: Bool
  ) -> TerminalInput? {
    if introducer == UInt8(ascii: "[") {
      if parameters == "200", final == "~" {
        paste = PastedText()
        return nil
      }
      if let message = message(parameters, final) { return message }
      if let action = TerminalInput(mouseReport: parameters, final: final) { return action }
    }
    let sequence = KeySequence(parameters: parameters, final: final, isShift: introducer == UInt8(ascii: "O"))
    return sequence?.key.map { .key(isAlt ? .alt($0) : $0) }
  }

  /// The message of a control sequence: an answer to a question, or a report that was asked for.
  private func message(_ parameters: String, _ final: Character) -> TerminalInput? {
    let isPrivate = parameters.first == "?"
    // The parts of a parameter after a colon mean nothing here.
    let numbers = parameters.dropFirst(isPrivate ? 1 : 0).split(separator: ";", omittingEmptySubsequences: false)
      .map { Int($0.prefix { $0 != ":" && $0 != "$" }) ?? 0 }
    switch (isPrivate, final, numbers.count) {
    case (true, "c", _): return .identified
    case (true, "y", 2) where parameters.last == "$":
      // 0 for a mode that the terminal does not know, 1 if it is on, 2 if it is off, 3 and 4 if it is permanently so.
      return TerminalFeatures(mode: numbers[0]).flatMap { feature in
        (1...3).contains(numbers[1]) ? .offers(feature, isOn: numbers[1] != 2) : nil
      }
    // The reported flags belong to other programs: new ones are pushed whatever they are.
    case (true, "u", 1): return .offers(.keyboard, isOn: false)
    case (true, "n", 2): return numbers[0] == 997 ? .colorsChanged : nil
    case (false, "t", 3...) where numbers[0] == 48 && numbers[1] > 0 && numbers[2] > 0:
      return .resized(TerminalSize(columns: numbers[2], lines: numbers[1]))
    default: return nil
    }
  }

  /// The answer to a question about the colour of the screen: `11;rgb:ffff/ffff/ffff`, in one to four digits each.
  private func answer(_ text: String) -> TerminalInput? {
    guard text.hasPrefix("11;rgb:") else { return nil }
    let parts = text.dropFirst("11;rgb:".count).split(separator: "/")
    let shares = parts.compactMap { part in
      Int(part, radix: 16).map { Double($0) / Double((1 << (4 * part.count)) - 1) }
    }
    guard shares.count == 3, parts.allSatisfy({ $0.count <= 4 }) else { return nil }
    // The perceived brightness (Rec. 709).
    return .background(isLight: 0.2126 * shares[0] + 0.7152 * shares[1] + 0.0722 * shares[2] > 0.5)
  }
}

extension KeyParser {
  /// Text between the marks of a paste. Only the end mark ends it, whatever it contains.
  private struct PastedText {
    private static let end = Array("\u{1B}[201~".utf8)

    /// The number of bytes of the end mark that the latest bytes match.
    private var matched = 0
    /// The bytes of an incomplete character.
    private var partial: [UInt8] = []
    private var wasReturn = false
    var isOver: Bool { matched == Self.end.count }

    /// The characters that a byte completes: text, line ends, which are line feeds, and tabs. Other controls are left out.
    mutating func take(_ byte: UInt8) -> [Character] {
      if byte == Self.end[matched] {
        matched += 1
        return matched == 1 ? text(of: []) : []
      }
      // Only the first byte of the mark is an ESC: bytes that were mistaken for the mark are text without it.
      let others = Self.end[..<matched].dropFirst()
      matched = byte == 0x1B ? 1 : 0
      return others.flatMap { text(of: [$0]) } + text(of: byte == 0x1B ? [] : [byte])
    }

    /// The characters that bytes complete; without bytes, an incomplete character ends.
    private mutating func text(of bytes: [UInt8]) -> [Character] {
      guard let byte = bytes.first else { return flush() }
      if byte & 0xC0 == 0x80, let first = partial.first {
        partial.append(byte)
        return partial.count == (~first).leadingZeroBitCount ? flush() : []
      }
      let before = flush()
      if (0xC2...0xF4).contains(byte) {
        (partial, wasReturn) = ([byte], false)
        return before
      }
      defer { wasReturn = byte == 0x0D }
      if byte == 0x0A, wasReturn { return before }
      if byte == 0x0A || byte == 0x0D { return before + ["\n"] }
      if byte == 0x09 { return before + ["\t"] }
      return before + Self.characters(of: [byte])
    }

    private mutating func flush() -> [Character] {
      defer { partial = [] }
      return Self.characters(of: partial)
    }

    private static func characters(of bytes: [UInt8]) -> [Character] {
      String(decoding: bytes, as: UTF8.self).unicodeScalars.compactMap { scalar in
        if case .character(let character)? = Key(scalar) { character } else { nil }
      }
    }
  }
}

/// A control sequence (CSI) or a single shift (SS3) that may be a key, in any encoding that terminals use: of the VT220 and
/// xterm, `CSI u` and `modifyOtherKeys`.
struct KeySequence {
  /// The parameters and, after a colon, their parts; `nil` for an omitted one.
  private let numbers: [[Int?]]
  private let final: Character
  private let isShift: Bool

  /// - Returns: `nil` if the parameters are not those of a key.
  init?(parameters: String, final: Character, isShift: Bool) {
    guard parameters.utf8.allSatisfy({ (0x30...0x3B).contains($0) }) else { return nil }
    (self.final, self.isShift) = (final, isShift)
    numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { part in
      part.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    }
  }

  /// The modifier keys, as xterm numbers them.
  private var modifiers: Int { max(0, (number(1) ?? 1) - 1) }
  private var hasShift: Bool { modifiers & 1 != 0 }
  private var hasControl: Bool { modifiers & 4 != 0 }
  /// True for Alt, and for the keys in its place on other keyboards: super, hyper, meta.
  private var hasAlt: Bool { modifiers & (2 | 8 | 16 | 32) != 0 }

  private func number(_ index: Int, _ part: Int = 0) -> Int? {
    numbers.indices.contains(index) && numbers[index].indices.contains(part) ? numbers[index][part] : nil
  }

  /// The key; `nil` if there is none, as for a key that was released.
  var key: Key? {
    if isShift, let key = keypadKey { return key }
    // The third kind of event is a release.
    if number(1, 1) == 3 { return nil }
    let first = number(0) ?? 1
    let hasShiftAlone = modifiers == 1
    switch (final, first) {
    case ("u", _) where !isShift && number(0) != nil: return key(of: first)
    case ("~", 27) where number(2) != nil: return number(2).flatMap(key)
    case ("A", _): return modified(hasShiftAlone ? .shiftUp : .up)
    case ("B", _): return modified(hasShiftAlone ? .shiftDown : .down)
    case ("C", _): return modified(.right)
    case ("D", _): return modified(.left)
    case ("H", _), ("~", 1), ("~", 7): return modified(.home)
    case ("F", _), ("~", 4), ("~", 8): return modified(.end)
    case ("~", 3): return modified(.delete)
    case ("~", 5): return modified(.pageUp)
    case ("~", 6): return modified(.pageDown)
    default: return nil
    }
  }

  private func modified(_ key: Key?) -> Key? { hasAlt ? key.map { .alt($0) } : key }

  /// The keys of a number pad that sends sequences.
  private var keypadKey: Key? {
    guard numbers.allSatisfy({ $0 == [nil] }), let byte = final.asciiValue else { return nil }
    switch byte {
    case UInt8(ascii: "M"): return .enter
    // The code of each key is 64 above its character, from `*` to `9`.
    case UInt8(ascii: "j")...UInt8(ascii: "y"): return .character(Character(Unicode.Scalar(byte - 64)))
    default: return nil
    }
  }

  private static let keys: [Int: Key] = [
    8: .backspace, 127: .backspace, 13: .enter, 27: .escape, 57_414: .enter, 57_415: "=", 57_417: .left, 57_418: .right,
    57_419: .up, 57_420: .down, 57_421: .pageUp, 57_422: .pageDown, 57_423: .home, 57_424: .end, 57_426: .delete,
  ]

  /// The key of a code: a character, or one of the keys that the protocol of kitty lists.
  private func key(of code: Int) -> Key? {
    var text = hasShift ? number(0, 1) ?? code : code
    // With Ctrl, the Latin letter of the key counts, whatever the layout makes of that key.
    if hasControl, text > 0x7F, let basic = number(0, 2) { text = basic }
    switch text {
    case 57_399...57_408: return modified(.character(Character("\(text - 57_399)")))
    case 57_409...57_413: return modified(.character(Array("./*-+")[text - 57_409]))
    case 9: return hasShift ? nil : modified(.control("i"))
    default: if let key = Self.keys[text] { return modified(key) }
    }
    // Others of that list are in a private area.
    guard text >= 32, !(57_344...63_743).contains(text), let scalar = UInt32(exactly: text).flatMap(Unicode.Scalar.init)
    else { return nil }
    if hasControl {
      // As without such an encoding, which sends a control character for these.
      guard (0x40...0x7F).contains(text) else { return nil }
      let control = Unicode.Scalar(UInt8(text) & 0x1F)
      if control == "\u{1C}" { return modified(.control("\\")) }
      return modified(control == "\u{1B}" ? .escape : Key(control))
    }
    let isUpper = hasShift && number(0, 1) == nil
    let upper = isUpper ? Character(scalar).uppercased().unicodeScalars : String.UnicodeScalarView([scalar])
    return modified(upper.count == 1 ? upper.first.flatMap(Key.init) : Key(scalar))
  }
}

extension Key {
  /// The key of a scalar outside of a sequence, if it is one. A character of several scalars is several keys, as it is
  /// unknown whether another scalar follows; together they are the character.
  init?(_ scalar: Unicode.Scalar) {
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
