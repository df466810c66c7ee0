/// What the keys of an app act on.
enum AppMode {
  case list
  /// A page of help covers the list, by its index.
  case help(page: Int)
  case palette(Palette)
  case prompt(Prompt)
  case confirmation(Confirmation)

  /// True while the last line is a person's: messages wait until it is free.
  var usesLastLine: Bool {
    switch self {
    case .prompt, .confirmation: true
    case .list, .help, .palette: false
    }
  }
}

/// A prompt for a text on the last line of the screen.
struct Prompt {
  /// The use of the text.
  enum Use {
    /// The command of this index receives it as it is typed.
    case command(Int, @Sendable (String) async -> String?)
    case search
    /// It is sent, by the command of this name.
    case text(String, @Sendable (String) async -> String?)
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

  /// True if Enter sends the text, rather than keeping it.
  var sends: Bool { if case .text = use { true } else { false } }
}

/// A question on the last line of the screen, which `y` answers with yes, and any other key with no.
struct Confirmation {
  let question: String
  /// The name of the command.
  let name: String
  let action: @Sendable () async -> String?
}

/// The list of all commands, with those that the typed letters choose.
struct Palette {
  var typed = TypedText(text: "")
  /// The commands, the best first: the index of each, with its keys, name and explanation.
  var commands: [(index: Int, help: ScreenStatus.KeyHelp)]
  /// The position of the chosen one among them.
  var chosen = 0
}
