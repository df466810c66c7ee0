import RowcastConsole
import RowcastPlatform

/// Messages for the person, on standard error: at once, or after the screen was given back.
actor Diagnostics {
  private let isQuiet: Bool
  private let isDeferred: Bool
  /// Whether a line of the terminal may show progress.
  nonisolated let showsProgress: Bool
  /// The columns of what that line says.
  private var progressColumns = 0
  private var kept: [String] = []
  private var dropped = 0
  /// What is kept, in order.
  nonisolated let notices: AsyncStream<String>
  private let send: AsyncStream<String>.Continuation
  /// The number of events that were refused.
  private(set) var rejected = 0

  init(isQuiet: Bool, isDeferred: Bool, showsProgress: Bool = false) {
    // Only one of them has room on the screen.
    (notices, send) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1))
    self.isQuiet = isQuiet
    self.isDeferred = isDeferred
    self.showsProgress = showsProgress && !isQuiet
  }

  /// Whether standard error is a terminal that can go back to the beginning of a line.
  static func hasTerminal(_ environment: [String: String]) -> Bool {
    Platform.isTerminal(Platform.standardError) && environment["TERM"] != "dumb"
  }

  /// Counts a refused event and says why it was.
  func reject(_ reason: String) {
    rejected += 1
    say(reason)
  }

  /// Counts a refused event that was expected.
  func rejectSilently() { rejected += 1 }

  /// Says something that is worth a line.
  func say(_ text: String) {
    guard !isQuiet else { return }
    guard isDeferred else {
      endProgress()
      return Self.write(text)
    }
    send.yield(text)
    if kept.count < 20 { kept.append(text) } else { dropped += 1 }
  }

  /// Prints the messages that were deferred while the screen was in use.
  func flush() {
    endProgress()
    for text in kept { Self.write(text) }
    if dropped > 0 { Self.write("… and \(dropped) more messages") }
    kept = []
    dropped = 0
  }

  /// Replaces the line of progress: one write, so that no cell is blank in between.
  func report(_ progress: String) {
    guard showsProgress else { return }
    let line = "demo: \(progress)".fitted(columns: 60)
    Self.put("\r" + line.padded(toColumns: progressColumns))
    progressColumns = line.columnCount
  }

  /// Leaves the line of the terminal as it was.
  func endProgress() {
    guard progressColumns > 0 else { return }
    Self.put("\r" + String(repeating: " ", count: progressColumns) + "\r")
    progressColumns = 0
  }

  private static func put(_ text: String) {
    // What cannot be written has nowhere else to go.
    try? Platform.write(text.utf8, to: Platform.standardError)
  }

  /// Writes a message, neutralised.
  static func write(_ text: String) {
    put(text.split(separator: "\n").map { "demo: \(String($0).neutralized)\n" }.joined())
  }
}
