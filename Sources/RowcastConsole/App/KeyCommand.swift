/// What a key does in one app, beside the keys that all have.
///
///     KeyCommand("s", label: "sort", help: "sort by the next field") { _ in await feed.sortByNextField() }
///     KeyCommand("/", label: "filter", help: "show only rows with a text", prompt: "filter: ") { await feed.filter($0) }
public struct KeyCommand<RowID: Sendable>: Sendable {
  /// What is done; the text, if any, is shown for a moment.
  enum Effect: Sendable {
    /// Something that happens at once. Takes the id of the row under the cursor.
    case action(@Sendable (RowID?) async -> String?)
    /// Something that needs a text, typed on the last line. Takes the text as it is typed, and the former one after Escape.
    case prompt(String, @Sendable (String) async -> String?)
  }

  let key: Key
  /// A word for the line of help.
  let label: String
  /// What the page of help says.
  let help: String
  let effect: Effect

  /// A key that does something at once.
  ///
  /// - Parameters:
  ///   - key: The key. What it means in all apps it does not mean in this one: an app that takes `q` is left with Ctrl-C.
  ///   - label: A word for the line of help; empty if the key stands on the page of help only.
  ///   - help: What the page of help says.
  ///   - action: What is done. It takes the id of the focused row, and returns what is to be said, if anything. Each press runs
  ///     it in a task of its own, beside those that run already; the end of the app cancels them. The list goes on meanwhile.
  public init(_ key: Key, label: String, help: String, action: @escaping @Sendable (RowID?) async -> String?) {
    self.init(key, label, help, .action(action))
  }

  /// A key that prompts for a text.
  ///
  /// - Parameters:
  ///   - key: The key. What it means in all apps it does not mean in this one: an app that takes `q` is left with Ctrl-C.
  ///   - label: A word for the line of help; empty if the key stands on the page of help only.
  ///   - help: What the page of help says.
  ///   - prompt: What stands before the text that is typed.
  ///   - change: Called with the text as it is typed: after every key or, if a call takes longer, with the newest text after that
  ///     call. It returns what is to be said, if anything. The end of the app cancels it.
  public init(
    _ key: Key, label: String, help: String, prompt: String, change: @escaping @Sendable (String) async -> String?
  ) {
    self.init(key, label, help, .prompt(prompt, change))
  }

  private init(_ key: Key, _ label: String, _ help: String, _ effect: Effect) {
    self.key = key
    self.label = label
    self.help = help
    self.effect = effect
  }
}

extension ScreenStatus.KeyHelp {
  /// The keys of an app, and those that mean the same everywhere.
  package static func keys<RowID>(_ commands: [KeyCommand<RowID>], undoes: Bool) -> [Self] {
    let own = commands.map { Self($0.key.name, $0.label, $0.help) }
    let taken = Set(own.map(\.key))
    func free(_ keys: [Self]) -> [Self] {
      keys.compactMap { entry in
        let names = entry.key.split(separator: " ").filter { !taken.contains(String($0)) }.joined(separator: " ")
        return names.isEmpty ? nil : Self(names, entry.label, entry.explanation)
      }
    }
    return free(first) + own + free(common).filter { undoes || $0.key != "u" }
  }

  private static let first = [
    Self("q", "quit", "end, with exit code 0"), Self("?", "help", "show this page, or leave it"),
  ]

  /// The keys that mean the same everywhere, unless an app has a meaning of its own for one.
  private static let common = [
    Self("p", "pause", "freeze the list; what changes meanwhile comes as one update"),
    Self("f", "follow", "stay at the end of the list as it grows"),
    Self("u", "undo", "go back to the list before the last update"),
    Self("↑ ↓ k j", "", "focus another row"),
    Self("PgUp PgDn b space", "", "a page up and down"),
    Self("Home End g G", "", "the first and the last row"),
    Self("Enter", "", "select the focused row, or deselect it"),
    Self("Esc", "", "leave the row: none is focused"),
    Self("^L", "", "draw the screen again"),
    Self("^C ^Z", "", "interrupt, suspend"),
  ]

  /// What there is to say where no key can be pressed.
  static let withoutKeys = Self("Ctrl-C", "quit", "end")
}

/// A text for a command that prompts for it. What the command says of a silent one is not shown.
struct TypedText: Sendable {
  let text: String
  var isSilent = false
}

/// A text that is being typed on the last line of the screen.
struct Prompt {
  /// The most scalars that can be typed, or pasted by mistake: a character may have any number of them.
  static let limit = 200

  /// The key that prompts for the text.
  let key: Key
  let label: String
  let change: @Sendable (String) async -> String?
  /// The text before the prompt was opened.
  let former: String
  private(set) var text: String

  /// Takes a key that is part of the text. Returns whether the text is another one now.
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
