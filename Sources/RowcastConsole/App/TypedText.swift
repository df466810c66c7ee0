/// A text that is typed on the last line of the screen.
struct TypedText {
  /// The most scalars that can be typed, or pasted by mistake: a character may have any number of them.
  static let limit = 200

  private(set) var text: String

  /// Edits the text with a key. Returns false if that changes nothing.
  mutating func take(_ key: Key) -> Bool {
    let count = text.unicodeScalars.count
    assert(count <= Self.limit, "A text of \(count) scalars; \(Self.limit) may be typed")
    switch key {
    case .character(let character), .pasted(let character):
      guard count + character.unicodeScalars.count <= Self.limit else { return false }
      text.append(character)
    case .backspace where !text.isEmpty: text.removeLast()
    case .control("u") where !text.isEmpty: text = ""
    default: return false
    }
    return true
  }
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
