import RowcastModel
import RowcastSources
import RowcastTable

/// The state of a screen besides the list itself. No text is neutralised yet.
package struct ScreenStatus {
  /// One or several keys, a word for the line of help (empty to leave them out there), and a text for the page of help.
  package typealias KeyHelp = (key: String, label: String, explanation: String)

  var title: String
  /// The names of the sources, and their statuses.
  var sources: [(name: String, status: SourceStatus)] = []
  var panels = Set(ScreenPanel.allCases)
  /// The headings of the columns of rows.
  var heading: String?
  var footer: String?
  /// The shown revision of the list; `nil` for the revision of the table.
  var revision: Int?
  /// True while the list is paused though the store continues.
  var isPaused = false
  /// True if the list has ended, and stays until the person quits.
  var hasEnded = false
  /// Typed texts that are in effect, such as a filter.
  var typed: [String] = []
  /// The running work of the app's own code, by number. It is shown when it takes long.
  var running: [Int: (name: String, start: ContinuousClock.Instant)] = [:]
  /// The time after which running work is shown.
  static let slowness = Duration.milliseconds(300)
  /// The text that is searched for, and whose hits are marked.
  var search: TextMatcher?
  /// True if unconfirmed rows are marked.
  var marksUnconfirmed = false
  /// The most important keys first.
  var keys: [KeyHelp]
  /// What is typed, asked or shown in front of the list.
  var mode = AppMode.list
  /// The message on the last line, unless ``mode`` uses it.
  var message: String?
  var flow = FlowFigures()

  init(title: String, keys: [KeyHelp]) {
    self.title = title
    self.keys = keys
  }
}

extension ScreenStatus {
  /// The first line: title, state and, as far as there is room, counts.
  func titleLine(
    of table: RetainedTable<some ConsoleSection, some ConsoleRow>, columns: Int, at now: ContinuousClock.Instant
  ) -> StyledLine {
    var line = StyledLine(columns: columns)
    line.append(title, .strong)
    if isPaused { line.append("  PAUSED", .alarming) }
    if hasEnded { line.append("  ENDED", .alarming) }
    for text in typed + (search.map { ["search: \($0.text)"] } ?? []) { line.append("  \(text)", .updated) }
    let slow = running.values.filter { $0.start.advanced(by: Self.slowness) <= now }.map(\.name).sorted()
    if !slow.isEmpty { line.append("  running: \(slow.joined(separator: ", "))", .updated) }
    if table.followsTail { line.append("  following the end") }
    for counts in counts(of: table) where line.appendRight(counts) { break }
    return line
  }

  /// The counts, from complete to brief. If the list does not fit, they name the visible lines.
  private func counts(of table: RetainedTable<some ConsoleSection, some ConsoleRow>) -> [String] {
    let rows = counted(table.snapshot.rowCount, "row")
    let list = "\(rows) in \(counted(table.snapshot.sectionCount, "section"))"
    let (top, count) = (table.topLine, table.contentHeight)
    let isPart = table.height > 0 && count > table.height
    let lines = isPart ? "lines \(top + 1)–\(min(top + table.height, count)) of \(count)" : nil
    let revision = "revision \(revision ?? table.revision ?? 0)"
    return [[list, revision, lines], [rows, revision, lines], [rows, lines], [rows, revision], [rows]]
      .map { $0.compactMap(\.self).joined(separator: "   ") }
  }

  /// The second line: the sources, those with an error first, so that it is not cut off.
  func sourceLine(columns: Int) -> StyledLine {
    var line = StyledLine(columns: columns)
    let sorted = sources.filter { $0.status.error != nil } + sources.filter { $0.status.error == nil }
    for (index, source) in sorted.enumerated() {
      if index > 0 { line.append("   ") }
      line.append("\(source.name) ")
      line.append(source.status.word, source.status.style)
      if let error = source.status.error { line.append(": \(error)", .faint) }
    }
    return line
  }

  /// The last line: a prompt, a message, or as many keys as fit, the most important first.
  func lastLine(columns: Int) -> StyledLine {
    var line = StyledLine(columns: columns)
    switch mode {
    case .prompt(let prompt):
      line.append(prompt.label, typed: prompt.typed)
      line.appendRight("Enter \(prompt.sends ? "sends" : "keeps")  Esc cancels")
    case .palette(let palette):
      line.append(Self.paletteLabel, typed: palette.typed)
      line.appendRight("↑ ↓ choose  Enter runs  Esc cancels")
    case .confirmation(let question, _, _):
      line.append(question, .alarming)
      line.append("  y does it, any other key does not", .faint)
    case .list, .help:
      if let message { line.append(message) } else { line.append(keys) }
    }
    return line
  }

  private static let paletteLabel = ":"

  /// The column of the cursor after the typed text or the question on the last line; `nil` if that shows a message or keys.
  func cursorColumn(columns: Int) -> Int? {
    var line = StyledLine(columns: columns)
    switch mode {
    case .prompt(let prompt):
      line.append(prompt.label, upToCursor: prompt.typed)
    case .palette(let palette):
      line.append(Self.paletteLabel, upToCursor: palette.typed)
    case .confirmation(let question, _, _): line.append(question)
    case .list, .help: return nil
    }
    return min(columns - line.free, columns - 1)
  }
}

extension StyledLine {
  /// Adds as many keys with their labels as fit.
  fileprivate mutating func append(_ keys: [ScreenStatus.KeyHelp]) {
    for key in keys where !key.label.isEmpty {
      let gap = spans.isEmpty ? "" : "  "
      guard (gap + key.key + key.label).columnCount + 1 <= free else { continue }
      append(gap)
      append(key.key, .strong)
      append(" \(key.label)", .faint)
    }
  }

  /// Adds a label, a typed text and a sign for its end. The character at the cursor is marked as a hit is. As much of the
  /// text as fits is shown around it.
  fileprivate mutating func append(_ label: String, typed: TypedText) {
    append(label, upToCursor: typed)
    let rest = typed.after.fitted(columns: max(0, free - 1))
    if let cursor = rest.first { append(String(cursor), .found) }
    append(String(rest.dropFirst()))
    append("_")
  }

  /// Adds a label, or a note that the text was cut; then the end of the text before the cursor, as much as leaves room for
  /// the text after it.
  fileprivate mutating func append(_ label: String, upToCursor typed: TypedText) {
    if typed.isCut {
      append("at most \(TypedText.limit) characters: ", .alarming)
    } else {
      append(label, .strong)
    }
    let room = max(0, free - 1)
    let behind = min(room / 2, typed.after.neutralized.columnCount)
    append(typed.before.tail(columns: room - behind))
  }
}

extension String {
  /// The end of this text, as much of it as fits.
  fileprivate func tail(columns: Int) -> String {
    var text = Substring(neutralized)
    while text.columnCount > max(0, columns) { text.removeFirst() }
    return String(text)
  }
}

extension SourceStatus {
  fileprivate var style: TextStyle {
    switch self {
    case .live: .inserted
    case .waiting: .updated
    case .failed: .alarming
    case .connecting, .ended, .cancelled: .faint
    }
  }
}

/// What the keys of an app act on.
enum AppMode {
  case list
  /// A page of help covers the list, by its index.
  case help(page: Int)
  case palette(Palette)
  case prompt(Prompt)
  /// A question on the last line of the screen, with the name of its command: `y` answers yes, any other key no.
  case confirmation(question: String, name: String, action: @Sendable () async -> String?)

  /// False while a person looks at nothing but the list.
  var isInFrontOfList: Bool {
    if case .list = self { false } else { true }
  }

  /// True while a person uses the last line: messages wait until it is free.
  var usesLastLine: Bool {
    switch self {
    case .prompt, .confirmation: true
    case .list, .help, .palette: false
    }
  }
}

/// A prompt for a text on the last line of the screen.
struct Prompt {
  /// The index of the command that takes the text; `nil` for a search.
  let command: Int?
  let label: String
  /// The text before the prompt was opened.
  let former: String
  /// True if Enter sends the text; else the command takes it as it is typed.
  let sends: Bool
  var typed: TypedText

  /// The prompt of a search begins empty; others with the text that is to be changed.
  init(command: Int?, label: String, former: String, sends: Bool = false) {
    (self.command, self.label, self.former, self.sends) = (command, label, former, sends)
    typed = TypedText(text: command == nil ? "" : former)
  }
}

/// The list of commands, reduced by the typed letters.
struct Palette {
  var typed = TypedText(text: "")
  /// The commands, the best first: the index of each, with its keys, name and explanation.
  var commands: [(index: Int, help: ScreenStatus.KeyHelp)]
  /// The position of the chosen command.
  var chosen = 0
}

/// Figures of the events on their way from the sources to the screen: those that only the app knows.
public struct FlowFigures: Sendable {
  /// The number of events that the sources have delivered.
  package var events: Int
  /// The median and the 99th percentile of the time from edit to frame; `nil` if that is not measured.
  package var latency: (p50: Duration, p99: Duration)?

  // Figures that the screen counts itself.

  /// The transactions that changed the list.
  var edits = 0
  /// The updates that the table applied: fewer than edits where several were conflated into one.
  var updates = 0
  /// The drawn frames: fewer than updates where several arrived between two frames.
  var frames = 0

  /// Creates figures.
  public init(events: Int = 0, latency: (p50: Duration, p99: Duration)? = nil) {
    (self.events, self.latency) = (events, latency)
  }
}

extension FlowFigures {
  /// The latency, and how events became frames: on no line, one or two.
  func lines(columns: Int, height: Int) -> [StyledLine] {
    let latency = latency.map { "latency p50 \(Self.time($0.p50)) p99 \(Self.time($0.p99))" } ?? "latency –"
    let events = counted(events, "event")
    let frames = "\(counted(edits, "edit")) → \(counted(updates, "update")) → \(counted(frames, "frame"))"
    // The first text of each line that fits; the beginning of the last one if none does.
    let texts =
      switch height {
      case 0: [[String]]()
      case 1: [["\(latency)   \(events) → \(frames)", "\(latency)   \(frames)", latency]]
      default: [[latency], ["\(events) → \(frames)", frames]]
      }
    return texts.map { texts in
      let text = texts.first { $0.columnCount <= columns } ?? texts[texts.count - 1]
      return StyledLine(text, .faint, columns: columns)
    }
  }

  private static func time(_ duration: Duration) -> String {
    let microseconds = Int(duration / .microseconds(1))
    return switch microseconds {
    case ..<1_000: "\(microseconds) µs"
    case ..<10_000: "\(microseconds / 1_000).\(microseconds % 1_000 / 100) ms"
    case ..<10_000_000: "\(microseconds / 1_000) ms"
    default: "\(microseconds / 1_000_000) s"
    }
  }
}
