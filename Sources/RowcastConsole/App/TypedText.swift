/// A text that is typed on the last line of the screen, with a cursor.
struct TypedText: Equatable {
  /// The maximum number of scalars, typed or pasted: a single character may have any number of them.
  static let limit = 200

  /// The text before the cursor and after it.
  private(set) var before: String
  private(set) var after = ""
  /// The number of line ends and tabs at the end of a paste, which become spaces if more text follows.
  private var spaces = 0
  /// True if the last key, or a part of the paste, did not fit.
  private(set) var isCut = false

  /// A text, with the cursor at its end.
  init(text: String) { before = text }

  var text: String { before + after }

  /// Edits the text with a key, or moves the cursor. Returns false if that changes nothing.
  mutating func take(_ key: Key) -> Bool {
    let former = self
    switch key {
    case .pasted("\n"), .pasted("\t"):
      // In a text of one line, spaces replace the line ends and tabs of a pasted text.
      if !text.isEmpty { spaces += 1 }
      return self != former
    case .pasted where isCut: break
    case .pasted(let character):
      for _ in 0..<spaces { type(" ") }
      type(character)
    case .character(let character):
      isCut = false
      type(character)
    default:
      isCut = false
      edit(key)
    }
    spaces = 0
    return self != former
  }

  private mutating func type(_ character: Character) {
    let count = before.unicodeScalars.count + after.unicodeScalars.count
    assert(count <= Self.limit, "A text of \(count) scalars; \(Self.limit) may be typed")
    isCut = isCut || count + character.unicodeScalars.count > Self.limit
    if !isCut { before.append(character) }
  }

  /// The editing keys of shells.
  private mutating func edit(_ key: Key) {
    switch key {
    case .backspace: before = String(before.dropLast())
    case .delete, .control("d"): after = String(after.dropFirst())
    case .left, .control("b"): move(to: before.dropLast().endIndex)
    case .right, .control("f"): moveOn(after.prefix(1))
    case .home, .control("a"): move(to: before.startIndex)
    case .end, .control("e"): moveOn(after[...])
    case .control("u"): before = ""
    case .control("k"): after = ""
    case .control("w"): before = String(before[..<before.startOfWord { !$0.isWhitespace }])
    case .alt(.backspace): before = String(before[..<before.startOfWord(where: \.isOfWord)])
    case .alt("d"): after = String(after.dropFirst(after.firstWord.count))
    case .alt("b"), .alt(.left): move(to: before.startOfWord(where: \.isOfWord))
    case .alt("f"), .alt(.right): moveOn(after.firstWord)
    default: break
    }
  }

  private mutating func move(to index: String.Index) {
    (before, after) = (String(before[..<index]), before[index...] + after)
  }

  private mutating func moveOn(_ part: Substring) {
    (before, after) = (before + part, String(after.dropFirst(part.count)))
  }
}

extension Character {
  fileprivate var isOfWord: Bool { isLetter || isNumber }
}

extension String {
  /// The index of the last word, which other characters may follow.
  fileprivate func startOfWord(where isPart: (Character) -> Bool) -> Index {
    guard let end = lastIndex(where: isPart) else { return startIndex }
    return self[...end].lastIndex { !isPart($0) }.map { index(after: $0) } ?? startIndex
  }

  /// The text up to the end of the first word.
  fileprivate var firstWord: Substring {
    guard let start = firstIndex(where: \.isOfWord) else { return self[...] }
    return self[..<(self[start...].firstIndex { !$0.isOfWord } ?? endIndex)]
  }
}

/// A text for a command, and the number of that work. If it is silent, the message that the command returns is not shown.
typealias TypedChange = (number: Int, text: String, isSilent: Bool)
