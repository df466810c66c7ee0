/// A text that is typed on the last line of the screen, with a cursor.
struct TypedText: Equatable {
  /// The most scalars that can be typed, or pasted by mistake: a character may have any number of them.
  static let limit = 200

  /// The text before the cursor and behind it.
  private(set) var before: String
  private(set) var after = ""
  /// The line ends and tabs at the end of a paste: spaces, if more text follows.
  private var spaces = 0

  /// A text, with the cursor at its end.
  init(text: String) { before = text }

  var text: String { before + after }

  /// Edits the text with a key, or moves the cursor. Returns false if that changes nothing.
  mutating func take(_ key: Key) -> Bool {
    let former = self
    switch key {
    case .pasted("\n"), .pasted("\t"):
      // A text of one line has words where the pasted one has lines or columns.
      if !text.isEmpty { spaces += 1 }
      return self != former
    case .pasted(let character):
      for _ in 0..<spaces { type(" ") }
      type(character)
    case .character(let character): type(character)
    default: edit(key)
    }
    spaces = 0
    return self != former
  }

  private mutating func type(_ character: Character) {
    let count = before.unicodeScalars.count + after.unicodeScalars.count
    assert(count <= Self.limit, "A text of \(count) scalars; \(Self.limit) may be typed")
    if count + character.unicodeScalars.count <= Self.limit { before.append(character) }
  }

  /// The keys that lines are edited with in shells.
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
  /// The index of the last word, which may have other characters behind it.
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

/// A text that a command is to take, and the number of that work.
struct TypedChange: Sendable {
  let number: Int
  let text: String
  /// True if the message that the command returns is not shown.
  let isSilent: Bool
}

/// An open prompt on the last line of the screen.
struct Prompt {
  /// The use of the text.
  enum Use {
    /// The command of this index takes it.
    case command(Int, @Sendable (String) async -> String?)
    case search
    /// It is sent, by the command of this name.
    case text(String, @Sendable (String) async -> String?)
    /// The answer decides about an action, which has a name.
    case question(String, @Sendable () async -> String?)

    /// True if a single key is the answer.
    var isQuestion: Bool { if case .question = self { true } else { false } }
  }

  let use: Use
  let label: String
  /// The text before the prompt was opened.
  let former: String
  var typed: TypedText

  /// The prompt of a search begins empty; others with the text that is to be changed.
  init(_ use: Use, label: String, former: String) {
    var isSearch: Bool { if case .search = use { true } else { false } }
    (self.use, self.label, self.former, typed) = (use, label, former, TypedText(text: isSearch ? "" : former))
  }
}

/// The list of all commands, with those that the typed letters choose.
struct Palette {
  var typed = TypedText(text: "")
  /// The indexes of the commands, the best first.
  var matches: [Int]
  /// The position of the chosen one among them.
  var chosen = 0
}
