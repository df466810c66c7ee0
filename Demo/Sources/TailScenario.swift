import Rowcast
import RowcastConsole
import RowcastSources

extension ScenarioRun {
  /// Follows a log: a row for each line, a section for each level.
  func tail(_ log: Log) async throws {
    switch log {
    case .file(let path):
      let lines = FollowedFile(
        path, from: .lastLines(options.lines), incompleteAfter: .milliseconds(200))
      try await tail(lines, reportedAs: path)
    case .input(let file, let name):
      try await tail(FileLines(descriptor: file.descriptor, keeping: file), reportedAs: name)
    }
  }

  private func tail<Lines: AsyncSequence & Sendable & SendableMetatype>(
    _ lines: Lines, reportedAs name: String
  ) async throws where Lines.Element == TextLine, Lines.AsyncIterator: SendableMetatype {
    let order = options.newest
    let limit = Options.mostLines
    try await attach(LogEntries(lines: lines), reportedAs: name) { _, _ in
      .stop
    } apply: { list, entry in
      try list.add(entry, newest: order)
      try list.forget(entry.number - limit)
    }
  }
}

/// Where the lines of a log come from.
enum Log {
  /// A file that grows.
  case file(String)
  /// Standard input or a pipe, and its name.
  case input(OpenFile, String)
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
      let level = LogLevel(in: text) ?? (isContinued ? last : .other)
      // The beginning of a line may name another level than all of it.
      if line.isComplete { last = level }
      return LogEntry(number: line.number, text: text, level: level)
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(lines: lines.makeAsyncIterator()) }
}

extension ListEditor<Group, Item> {
  /// Adds a line at its place. Sections are ordered by level.
  fileprivate mutating func add(_ entry: LogEntry, newest: Options.Newest) throws {
    let section = entry.level.rawValue
    let id = String(entry.number)
    // The rest of a line whose beginning is on the screen.
    if sectionID(ofRow: id) == section { return try update(id) { $0.title = entry.text } }
    try forget(entry.number)
    if index(ofSection: section) == nil {
      let before = LogLevel.allCases.prefix { $0 != entry.level }.count { index(ofSection: $0.rawValue) != nil }
      try insert(Group(id: section, title: entry.level.title), at: before)
    }
    let row = Item(id: id, title: entry.text, kind: section)
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
