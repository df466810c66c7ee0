import RowcastConsole

/// What a key does in one scenario, beside the keys that all have.
///
///     KeyCommand("s", label: "sort", help: "sort by the next field") { _ in await feed.sortByNextField() }
///     KeyCommand("/", label: "filter", help: "show only rows with a text", prompt: "filter: ") { await feed.filter($0) }
struct KeyCommand: Sendable {
  /// What is done; the text, if any, is shown for a moment.
  enum Effect: Sendable {
    /// Something that happens at once. Takes the id of the row under the cursor.
    case action(@Sendable (Item.ID?) async -> String?)
    /// Something that needs a text, typed on the last line. Takes the text after every key, and the text from before if
    /// the person changes their mind.
    case prompt(String, @Sendable (String) async -> String?)
  }

  let key: Key
  /// A word for the line of help.
  let label: String
  /// What the page of help says.
  let help: String
  let effect: Effect

  /// A key that does something at once.
  init(_ key: Key, label: String, help: String, action: @escaping @Sendable (Item.ID?) async -> String?) {
    self.init(key, label, help, .action(action))
  }

  /// A key that asks for a text: `prompt` stands before what is typed, `change` is called with the text after every key.
  init(
    _ key: Key, label: String, help: String, prompt: String, change: @escaping @Sendable (String) async -> String?
  ) {
    self.init(key, label, help, .prompt(prompt, change))
  }

  private init(_ key: Key, _ label: String, _ help: String, _ effect: Effect) {
    precondition(!Self.reserved.contains(key), "\(key) means the same in all scenarios; take another key")
    self.key = key
    self.label = label
    self.help = help
    self.effect = effect
  }

  /// The keys that mean the same everywhere.
  private static let reserved: Set<Key> = [
    "q", "Q", "?", "p", "u", "f", "j", "k", "g", "G", "b", " ", .up, .down, .pageUp, .pageDown, .home, .end, .escape,
  ]
}

/// A text that is being typed on the last line of the screen.
struct Prompt {
  /// The most characters that can be typed, or pasted by mistake.
  static let limit = 200

  /// The key that asks for the text.
  let key: Key
  let label: String
  let change: @Sendable (String) async -> String?
  /// The text before the prompt was opened.
  let former: String
  private(set) var text: String

  init(key: Key, label: String, former: String, change: @escaping @Sendable (String) async -> String?) {
    self.key = key
    self.label = label
    self.former = former
    self.change = change
    text = former
  }

  /// Takes a key that is part of the text. Returns whether the text is another one now.
  mutating func take(_ key: Key) -> Bool {
    switch key {
    case .character(let character) where text.count < Self.limit: text.append(character)
    case .backspace where !text.isEmpty: text.removeLast()
    case .control("u") where !text.isEmpty: text = ""
    default: return false
    }
    return true
  }
}
