import Rowcast
import RowcastConsole

extension ScenarioRun {
  /// Follows a log: a row for each line, a section for each level.
  func tail(_ path: String) async throws {
    let order = options.newest
    let limit = Self.mostLogLines
    try await attach(LogEntries(lines: FollowedFile(path, from: .lastLines(options.lines))), reportedAs: path) { _, _ in
      .stop
    } apply: { list, entry in
      try list.add(entry, newest: order)
      try list.forget(entry.number - limit)
    }
  }

  /// The most lines that are kept: a log grows for ever.
  private static var mostLogLines: Int { 100_000 }
}

/// A line of a log.
struct LogEntry: Sendable {
  var number: Int
  var text: String
  var level: LogLevel
}

/// The lines of a log with their levels. A line that is indented and names no level belongs to the one before it.
struct LogEntries<Lines: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Lines.Element == TextLine, Lines.AsyncIterator: SendableMetatype {
  let lines: Lines

  struct AsyncIterator: AsyncIteratorProtocol {
    var lines: Lines.AsyncIterator
    var last = LogLevel.other

    mutating func next() async throws -> LogEntry? {
      guard let line = try await lines.next() else { return nil }
      let text = line.text
      let isContinued = text.first == " " || text.first == "\t"
      last = LogLevel(in: text) ?? (isContinued ? last : .other)
      return LogEntry(number: line.number, text: text, level: last)
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(lines: lines.makeAsyncIterator()) }
}

extension ListEditor<Group, Item> {
  /// Adds a line at its place. Sections stand in the order of their levels.
  fileprivate mutating func add(_ entry: LogEntry, newest: Options.Newest) throws {
    let section = entry.level.rawValue
    if index(ofSection: section) == nil {
      let before = LogLevel.allCases.prefix { $0 != entry.level }.count { index(ofSection: $0.rawValue) != nil }
      try insert(Group(id: section, title: entry.level.title), at: before)
    }
    let row = Item(id: String(entry.number), title: entry.text, kind: section)
    switch newest {
    case .first: try insert(row, at: 0, in: section)
    case .last: try append(row, to: section)
    }
  }

  /// Takes out a line, and its section if that was the last one.
  fileprivate mutating func forget(_ number: Int) throws {
    let id = String(number)
    guard let section = sectionID(ofRow: id) else { return }
    try remove(id)
    if let index = index(ofSection: section), snapshot.rowCount(inSection: index) == 0 { try removeSection(section) }
  }
}
