public import RowcastDiff
public import RowcastModel
public import RowcastTable

/// An append-only log in words: one line an operation, nothing that moves a cursor.
///
///     #4 + row 0-2 inserted in Open: Fix login  #42
///     #4 ~ row 0-0 updated in Open: Write tests
///     #4 > row 1-3 moved to 0-1 in Open: Ship it
///     #4 - row 1-0 deleted from Done: Old news
///
/// Each line stands for itself, and can be read aloud: the revision, a sign to search for, and the section by name.
public struct LogSink<Section: ConsoleSection, Row: ConsoleRow>: ConsoleSink {
  private let write: (String) throws -> Void
  private let operationLimit: Int
  /// The section and the line of a row. Made where the types are known, so that it is compiled for these: .7 µs a line, not 1.4.
  private let words: (_ list: ListSnapshot<Section, Row>, _ path: RowPath) -> String
  private var before = ListSnapshot<Section, Row>()

  /// - Parameters:
  ///   - operationLimit: The most lines for the operations of one update; the rest is counted.
  ///   - write: Takes the text of one update, neutralised, with its line ends.
  @inlinable
  public init(operationLimit: Int = 200, write: @escaping (String) throws -> Void) {
    self.init(operationLimit, write) { "\($0.section(at: $1.section).title): \($0.row(at: $1).line)" }
  }

  @usableFromInline
  init(
    _ operationLimit: Int, _ write: @escaping (String) throws -> Void,
    words: @escaping (ListSnapshot<Section, Row>, RowPath) -> String
  ) {
    self.operationLimit = operationLimit
    self.write = write
    self.words = words
  }

  /// Writes what an update changed.
  public mutating func show(_ update: ListUpdate<Section, Row>, in table: RetainedTable<Section, Row>) throws {
    var text = LogText(prefix: "#\(update.revision) ", limit: operationLimit)
    if update.previous == nil {
      add(update.snapshot, to: &text)
    } else {
      add(update.changes, to: &text, after: update.snapshot)
    }
    before = update.snapshot
    try write(text.finished)
  }

  /// The whole list in words.
  private func add(_ list: ListSnapshot<Section, Row>, to text: inout LogText) {
    text.add("= list of \(counted(list.sectionCount, "section")), \(counted(list.rowCount, "row"))")
    for index in 0..<list.sectionCount {
      text.add("= section \(index): \(Self.headline(list, section: index))")
      for (row, model) in list.rows(inSection: index).enumerated() { text.add("= row \(index)-\(row): \(model.line)") }
    }
  }

  private static func headline(_ list: ListSnapshot<Section, Row>, section index: Int) -> String {
    let section = list.section(at: index)
    let count = section.showsRowCount ? " (\(counted(list.rowCount(inSection: index), "row")))" : ""
    return section.header + count
  }

  /// The operations in words: what goes, what comes, what moves, what changes.
  private func add(_ changes: ListChanges, to text: inout LogText, after: ListSnapshot<Section, Row>) {
    for index in changes.sections.deletes {
      text.add("- section \(index) deleted: \(Self.headline(before, section: index))")
    }
    for path in changes.rows.deletes { text.add("- row \(path) deleted from \(words(before, path))") }
    for index in changes.sections.inserts {
      text.add("+ section \(index) inserted: \(Self.headline(after, section: index))")
      for row in 0..<after.rowCount(inSection: index) {
        let path = RowPath(section: index, row: row)
        text.add("+ row \(path) inserted in \(words(after, path))")
      }
    }
    for path in changes.rows.inserts { text.add("+ row \(path) inserted in \(words(after, path))") }
    for move in changes.sections.moves {
      text.add("> section \(move.from) moved to \(move.to): \(after.section(at: move.to).header)")
    }
    for move in changes.rows.moves {
      text.add("> row \(move.from) moved to \(move.to) in \(words(after, move.to))")
    }
    for change in changes.sections.updates {
      text.add("~ section \(change.to) updated: \(after.section(at: change.to).header)")
    }
    for change in changes.rows.updates { text.add("~ row \(change.to) updated in \(words(after, change.to))") }
  }
}

/// Lines of a log, up to a limit; those beyond it are counted, and never made.
struct LogText {
  /// The most columns of a line: more than is read.
  private static let columns = 1_000

  let prefix: String
  let limit: Int
  private(set) var text = ""
  private(set) var count = 0

  mutating func add(_ line: @autoclosure () -> String) {
    count += 1
    if count <= limit { text += prefix + line().fitted(columns: Self.columns) + "\n" }
  }

  var finished: String { count > limit ? text + "\(prefix)… and \(count - limit) more\n" : text }
}

/// A number with its noun.
package func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
