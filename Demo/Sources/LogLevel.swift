/// How serious a line of a log is, most serious first.
enum LogLevel: String, CaseIterable, Sendable {
  case fatal, error, warning, info, debug, trace, other

  var title: String {
    switch self {
    case .fatal: "Fatal"
    case .error: "Errors"
    case .warning: "Warnings"
    case .info: "Info"
    case .debug: "Debug"
    case .trace: "Trace"
    case .other: "Other lines"
    }
  }

  private static let words: [String: LogLevel] = [
    "fatal": .fatal, "critical": .fatal, "crit": .fatal, "emerg": .fatal, "emergency": .fatal, "panic": .fatal,
    "alert": .fatal, "error": .error, "err": .error, "severe": .error, "warning": .warning, "warn": .warning,
    "info": .info, "notice": .info, "information": .info, "debug": .debug, "dbg": .debug, "trace": .trace,
    "verbose": .trace,
  ]

  /// The level that a line names near its beginning, or `nil` if it names none.
  ///
  /// A level is a word in capitals, or one where a level is expected: `[warn]`, `level=warn`, `"level":"warn"`,
  /// `warn:`. Other words are part of the message.
  init?(in line: String) {
    var previous: Character = " "
    var rest = line.prefix(160)
    while let first = rest.first {
      let word = rest.prefix { $0.isLetter && $0.isASCII }
      guard !word.isEmpty else {
        previous = first
        rest.removeFirst()
        continue
      }
      rest = rest[word.endIndex...]
      if let level = Self.words[word.lowercased()],
        !word.contains(where: \.isLowercase) || "[=\"<(|".contains(previous) || rest.first == ":"
      {
        self = level
        return
      }
      previous = word.last ?? " "
    }
    return nil
  }
}
