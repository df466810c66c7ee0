/// A command of one app, besides the ``ConsoleAction``s that all apps have, and its keys.
///
///     KeyCommand("s", label: "sort", help: "sort by the next field") { _ in await feed.sortByNextField() }
///     KeyCommand("/", label: "filter", help: "show only rows with a text", prompt: "filter: ") { await feed.filter($0) }
public struct KeyCommand<RowID: Sendable>: Sendable {
  /// The function of the key. The text that it returns is shown until the next key or click.
  enum Effect: Sendable {
    /// Runs at once, with the id of the focused row.
    case action(@Sendable (RowID?) async -> String?)
    /// Prompts for a text. Runs with the text as it is typed, and with the former one after Escape.
    case prompt(String, @Sendable (String) async -> String?)
    /// Prompts for a text. Runs with it after Enter, alongside earlier runs.
    case text(String, @Sendable (String) async -> String?)
    /// Asks a question about the focused row. Runs after `y`.
    case question(@Sendable (RowID) -> String, @Sendable (RowID) async -> String?)
    /// An action that is the same in all apps.
    case builtIn(ConsoleAction)
  }

  let keys: [Key]
  let label: String
  let help: String
  let effect: Effect
  /// The name of the command in the palette.
  let name: String

  init(keys: [Key], label: String, help: String, _ effect: Effect, name: String? = nil) {
    (self.keys, self.label, self.help, self.effect) = (keys, label, help, effect)
    self.name = name ?? (label.isEmpty ? help : label)
  }

  /// Creates a command that runs an action.
  ///
  /// - Parameters:
  ///   - keys: The keys, which lose their default meaning: an app that takes `q` is ended with Ctrl-C. A command without keys
  ///     is only in the palette.
  ///   - label: A word for the line of help and the palette; empty to appear only on the page of help.
  ///   - help: The text for the page of help.
  ///   - action: Takes the id of the focused row and returns a message to show, if any. Each press runs it in a task of its
  ///     own, alongside earlier runs; the end of the app cancels them. Runs begin in the order of the keys, also those of other
  ///     commands: what a run does before it waits for the first time is done before the next one begins (on macOS from version
  ///     26 on). The list continues while it runs. A run that takes longer is shown in the first line.
  public init(_ keys: Key..., label: String, help: String, action: @escaping @Sendable (RowID?) async -> String?) {
    self.init(keys: keys, label: label, help: help, .action(action))
  }

  /// Creates a command that prompts for a text.
  ///
  /// - Parameters:
  ///   - keys: The keys, as in ``init(_:label:help:action:)``.
  ///   - label: A word for the line of help and the palette; empty to appear only on the page of help.
  ///   - help: The text for the page of help.
  ///   - prompt: The text before the typed one.
  ///   - change: Takes the typed text: after every key or, if a call takes longer, the newest text after that call. It
  ///     returns a message to show, if any. The end of the app cancels it.
  public init(
    _ keys: Key..., label: String, help: String, prompt: String, change: @escaping @Sendable (String) async -> String?
  ) {
    self.init(keys: keys, label: label, help: help, .prompt(prompt, change))
  }

  /// Creates a command that prompts for a text to send, such as a message. It runs after Enter, and not after Escape or without a
  /// text.
  ///
  /// - Parameters:
  ///   - keys: The keys, as in ``init(_:label:help:action:)``.
  ///   - label: A word for the line of help and the palette; empty to appear only on the page of help.
  ///   - help: The text for the page of help.
  ///   - prompt: The text before the typed one.
  ///   - send: Takes the typed text, and runs as in ``init(_:label:help:action:)``.
  public init(
    _ keys: Key..., label: String, help: String, sending prompt: String,
    send: @escaping @Sendable (String) async -> String?
  ) {
    self.init(keys: keys, label: label, help: help, .text(prompt, send))
  }

  /// Creates a command that acts on the focused row after a question: to delete it, for example. It runs if the answer is `y`,
  /// and not after any other key.
  ///
  /// - Parameters:
  ///   - keys: The keys, as in ``init(_:label:help:action:)``.
  ///   - label: A word for the line of help and the palette; empty to appear only on the page of help.
  ///   - help: The text for the page of help.
  ///   - question: Returns the question about the row with an id. It is called on the app's own actor, and must be quick.
  ///   - action: Takes the id of the row, and runs as in ``init(_:label:help:action:)``.
  public init(
    _ keys: Key..., label: String, help: String, asking question: @escaping @Sendable (RowID) -> String,
    action: @escaping @Sendable (RowID) async -> String?
  ) {
    self.init(keys: keys, label: label, help: help, .question(question, action))
  }
}
