import RowcastSources

/// The state of a screen beside the list itself. No text is neutralised yet.
package struct ScreenStatus {
  /// Figures of the events on their way from the source to the screen.
  struct Flow {
    var given = FlowFigures()
    /// Transactions that changed the list.
    var edits = 0
    /// Updates that the table took; fewer than edits where several were conflated into one.
    var updates = 0
    /// Drawn frames; fewer than updates where several arrived between two frames.
    var frames = 0
  }

  /// One or several keys, a word for the line of help (empty to leave them out there), and a text for the page of help.
  package typealias KeyHelp = (key: String, label: String, explanation: String)

  var title: String
  var sources: [SourceReport] = []
  var panels = Set(ScreenPanel.allCases)
  /// The headings of the columns of rows.
  var heading: String?
  var footer: String?
  /// The revision of the list, as it is shown; `nil` for that of the table.
  var revision: Int?
  /// True while the list is frozen though the store continues.
  var isPaused = false
  /// Typed texts that are in effect, such as a filter.
  var typed: [String] = []
  /// The work of the app's own code that has not ended, by number. It is shown when it takes long.
  var running: [Int: (name: String, start: ContinuousClock.Instant)] = [:]
  /// The time until work is shown.
  static let slowness = Duration.milliseconds(300)
  /// The text that is searched for.
  var searched: String?
  /// True if rows that are not confirmed look it.
  var marksUnconfirmed = false
  /// The most important keys first.
  var keys: [KeyHelp]
  /// What is typed, asked or shown in front of the list.
  var mode = AppMode.list
  /// The message on the last line, unless ``mode`` uses it.
  var message: String?
  var flow = Flow()

  init(title: String, keys: [KeyHelp]) {
    self.title = title
    self.keys = keys
  }
}

/// The name of a source, not yet neutralised, and its status.
struct SourceReport: Equatable, Sendable, CustomStringConvertible {
  let name: String
  var status: SourceStatus

  init(name: String, status: SourceStatus) {
    self.name = name
    self.status = status
  }

  var description: String { "\(name) \(status)" }

  /// True if both read the same: errors cannot be compared.
  static func == (lhs: SourceReport, rhs: SourceReport) -> Bool { lhs.description == rhs.description }
}

/// What the keys of an app act on.
enum AppMode {
  case list
  /// A page of help covers the list, by its index.
  case help(page: Int)
  case palette(Palette)
  case prompt(Prompt)
  /// A question on the last line of the screen, which `y` answers with yes, and any other key with no; and the name of its command.
  case confirmation(question: String, name: String, action: @Sendable () async -> String?)

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

/// The list of all commands, with those that the typed letters choose.
struct Palette {
  var typed = TypedText(text: "")
  /// The commands, the best first: the index of each, with its keys, name and explanation.
  var commands: [(index: Int, help: ScreenStatus.KeyHelp)]
  /// The position of the chosen one among them.
  var chosen = 0
}

/// Figures of the events on their way to the screen, as far as only the app knows them.
public struct FlowFigures: Sendable {
  /// The number of events that the sources have brought.
  package var events: Int
  /// The median and the 99th percentile of the time from edit to frame; `nil` if nobody measures it.
  package var latency: (p50: Duration, p99: Duration)?

  /// Creates figures.
  public init(events: Int = 0, latency: (p50: Duration, p99: Duration)? = nil) {
    (self.events, self.latency) = (events, latency)
  }
}
