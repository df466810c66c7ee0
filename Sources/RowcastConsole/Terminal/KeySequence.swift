/// A control sequence (CSI) or a single shift (SS3) that may be a key, in any of the ways in which terminals encode one: those of the
/// VT220 and xterm, `CSI u` and `modifyOtherKeys`.
struct KeySequence {
  /// The modifier keys, as xterm numbers them.
  private struct Modifiers: OptionSet {
    let rawValue: Int
    static let shift = Modifiers(rawValue: 1), control = Modifiers(rawValue: 4)
    /// Alt, and keys that are where others have it: super, hyper, meta.
    static let alt = Modifiers(rawValue: 2 | 8 | 16 | 32)
  }

  /// The parameters and, after a colon, their parts; `nil` for one that is left out.
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

  private func number(_ index: Int, _ part: Int = 0) -> Int? {
    numbers.indices.contains(index) && numbers[index].indices.contains(part) ? numbers[index][part] : nil
  }

  /// The key; `nil` if there is none, as for a key that was released.
  var key: Key? {
    if isShift, let key = keypadKey { return key }
    // The third kind of event is a release.
    if number(1, 1) == 3 { return nil }
    let first = number(0) ?? 1
    let modifiers = Modifiers(rawValue: max(0, (number(1) ?? 1) - 1))
    switch (final, first) {
    case ("u", _) where !isShift && number(0) != nil: return key(of: first, modifiers)
    case ("~", 27) where number(2) != nil: return number(2).flatMap { key(of: $0, modifiers) }
    case ("A", _): return modified(modifiers == .shift ? .shiftUp : .up, modifiers)
    case ("B", _): return modified(modifiers == .shift ? .shiftDown : .down, modifiers)
    case ("C", _): return modified(.right, modifiers)
    case ("D", _): return modified(.left, modifiers)
    case ("H", _), ("~", 1), ("~", 7): return modified(.home, modifiers)
    case ("F", _), ("~", 4), ("~", 8): return modified(.end, modifiers)
    case ("~", 3): return modified(.delete, modifiers)
    case ("~", 5): return modified(.pageUp, modifiers)
    case ("~", 6): return modified(.pageDown, modifiers)
    default: return nil
    }
  }

  private func modified(_ key: Key?, _ modifiers: Modifiers) -> Key? {
    modifiers.isDisjoint(with: .alt) ? key : key.map { .alt($0) }
  }

  /// The keys of a number pad that sends sequences.
  private var keypadKey: Key? {
    guard numbers.allSatisfy({ $0 == [nil] }), let byte = final.asciiValue else { return nil }
    switch byte {
    case UInt8(ascii: "M"): return .enter
    // The text of each is 64 before it, from `*` to `9`.
    case UInt8(ascii: "j")...UInt8(ascii: "y"): return .character(Character(Unicode.Scalar(byte - 64)))
    default: return nil
    }
  }

  /// The key of a code: that of a character, or one of those that the protocol of kitty lists.
  private func key(of code: Int, _ modifiers: Modifiers) -> Key? {
    var text = modifiers.contains(.shift) ? number(0, 1) ?? code : code
    // Ctrl is pressed with the key of a Latin letter, whatever the layout makes of that key.
    if modifiers.contains(.control), text > 0x7F, let basic = number(0, 2) { text = basic }
    switch text {
    case 57_399...57_408: return modified(.character(Character("\(text - 57_399)")), modifiers)
    case 57_409...57_413: return modified(.character(Array("./*-+")[text - 57_409]), modifiers)
    case 13, 57_414: return modified(.enter, modifiers)
    case 57_415: return modified("=", modifiers)
    case 57_417: return modified(.left, modifiers)
    case 57_418: return modified(.right, modifiers)
    case 57_419: return modified(.up, modifiers)
    case 57_420: return modified(.down, modifiers)
    case 57_421: return modified(.pageUp, modifiers)
    case 57_422: return modified(.pageDown, modifiers)
    case 57_423: return modified(.home, modifiers)
    case 57_424: return modified(.end, modifiers)
    case 57_426: return modified(.delete, modifiers)
    case 8, 127: return modified(.backspace, modifiers)
    case 27: return modified(.escape, modifiers)
    case 9: return modifiers.contains(.shift) ? nil : modified(.control("i"), modifiers)
    default: break
    }
    // Others of that list are in a private area.
    guard text >= 32, !(57_344...63_743).contains(text), let scalar = UInt32(exactly: text).flatMap(Unicode.Scalar.init)
    else { return nil }
    if modifiers.contains(.control) {
      // The same as without such an encoding, which has a control character for these.
      guard (0x40...0x7F).contains(text) else { return nil }
      let control = Unicode.Scalar(UInt8(text) & 0x1F)
      if control == "\u{1C}" { return modified(.control("\\"), modifiers) }
      return modified(control == "\u{1B}" ? .escape : Key(control), modifiers)
    }
    let isUpper = modifiers.contains(.shift) && number(0, 1) == nil
    let upper = isUpper ? Character(scalar).uppercased().unicodeScalars : String.UnicodeScalarView([scalar])
    return modified(upper.count == 1 ? upper.first.flatMap(Key.init) : Key(scalar), modifiers)
  }
}

extension Key {
  /// The key of a scalar outside of a sequence, if it is one. A character of several scalars is several keys, as it is unknown
  /// if another scalar follows; concatenated they are the character.
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
