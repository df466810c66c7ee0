import RowcastConsole
import RowcastPlatform

/// Messages for the person, on standard error: at once, or after the screen was given back.
actor Diagnostics {
  private let isQuiet: Bool
  private let isDeferred: Bool
  private var kept: [String] = []
  private var dropped = 0
  /// The number of events that were refused.
  private(set) var rejected = 0

  init(isQuiet: Bool, isDeferred: Bool) {
    self.isQuiet = isQuiet
    self.isDeferred = isDeferred
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
    guard isDeferred else { return Self.write(text) }
    if kept.count < 20 { kept.append(text) } else { dropped += 1 }
  }

  /// Says what was kept back while the screen was in use.
  func flush() {
    for text in kept { Self.write(text) }
    if dropped > 0 { Self.write("… and \(dropped) more messages") }
    kept = []
    dropped = 0
  }

  /// Writes a message, neutralised.
  static func write(_ text: String) {
    let lines = text.split(separator: "\n").map { "demo: \(String($0).neutralized)\n" }.joined()
    // A message that cannot be written has nowhere else to go.
    try? Platform.write(lines.utf8, to: Platform.standardError)
  }
}
