/// A key of one app, beside those that all apps have.
///
///     KeyCommand("s", label: "sort", help: "sort by the next field") { _ in await feed.sortByNextField() }
///     KeyCommand("/", label: "filter", help: "show only rows with a text", prompt: "filter: ") { await feed.filter($0) }
public struct KeyCommand<RowID: Sendable>: Sendable {
  /// The function of the key. The text that it returns is shown until the next key.
  enum Effect: Sendable {
    /// Runs at once, with the id of the focused row.
    case action(@Sendable (RowID?) async -> String?)
    /// Prompts for a text. Runs with the text as it is typed, and with the former one after Escape.
    case prompt(String, @Sendable (String) async -> String?)
  }

  let key: Key
  let label: String
  let help: String
  let effect: Effect

  /// Creates a key that runs an action.
  ///
  /// - Parameters:
  ///   - key: The key. It replaces the meaning that all apps give to it: an app that takes `q` is left with Ctrl-C.
  ///   - label: A word for the line of help; empty to appear only on the page of help.
  ///   - help: The text for the page of help.
  ///   - action: Takes the id of the focused row and returns a message to show, if any. Each press runs it in a task of its
  ///     own, beside those that run already; the end of the app cancels them. The list goes on meanwhile.
  public init(_ key: Key, label: String, help: String, action: @escaping @Sendable (RowID?) async -> String?) {
    (self.key, self.label, self.help, effect) = (key, label, help, .action(action))
  }

  /// Creates a key that prompts for a text.
  ///
  /// - Parameters:
  ///   - key: The key, as in ``init(_:label:help:action:)``.
  ///   - label: A word for the line of help; empty to appear only on the page of help.
  ///   - help: The text for the page of help.
  ///   - prompt: The text before the typed one.
  ///   - change: Takes the typed text: after every key or, if a call takes longer, the newest text after that call. It
  ///     returns a message to show, if any. The end of the app cancels it.
  public init(
    _ key: Key, label: String, help: String, prompt: String, change: @escaping @Sendable (String) async -> String?
  ) {
    (self.key, self.label, self.help, effect) = (key, label, help, .prompt(prompt, change))
  }
}

/// An open prompt on the last line of the screen.
struct Prompt {
  /// The most scalars that can be typed, or pasted by mistake: a character may have any number of them.
  static let limit = 200

  let key: Key
  let label: String
  let change: @Sendable (String) async -> String?
  /// The text before the prompt was opened.
  let former: String
  private(set) var text: String

  /// Edits the text with a key. Returns false if that changes nothing.
  mutating func take(_ key: Key) -> Bool {
    let count = text.unicodeScalars.count
    assert(count <= Self.limit, "A prompt of \(count) scalars; \(Self.limit) may be typed")
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
