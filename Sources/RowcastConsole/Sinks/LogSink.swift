import RowcastDiff
public import RowcastModel
public import RowcastTable

/// An append-only log in words: one line an operation, nothing that moves a cursor.
///
///     #4 + row 0-2 inserted in Open: Fix login  #42
///     #4 ~ row 0-0 updated in Open: Write tests
///     #4 > row 1-3 moved to 0-1 in Open: Ship it
///     #4 - row 1-0 deleted from Done: Old news
///
/// Each line is complete, and can be read aloud: the revision, a sign to search for, and the section by name. A log that
/// announces updates has one line for everything that an update did, as a screen reader should say it:
///
///     #4 Fix login added, Old news removed
public struct LogSink<Section: ConsoleSection, Row: ConsoleRow>: ConsoleSink {
  private let output: (String) throws -> Void
  private let operationLimit: Int
  /// The words of each update; `nil` for its operations.
  private let words: ((AnnouncedChange, [String]) -> String?)?
  /// The list that was written last, and its position.
  private var before = ListSnapshot<Section, Row>()
  private var position: ListPosition?

  /// - Parameters:
  ///   - operationLimit: The maximum number of lines for the operations of one update; the others are counted.
  ///   - words: The words of a line that says what each update after the first did, instead of its operations: see
  ///     `ListUpdate.announcement`.
  ///   - write: Takes the text of one update, neutralised, with its line ends.
  public init(
    operationLimit: Int = 200, announcing words: ((AnnouncedChange, [String]) -> String?)? = nil,
    write: @escaping (String) throws -> Void
  ) {
    self.operationLimit = operationLimit
    output = write
    self.words = words
  }

  /// Writes the operations of an update, or a whole list.
  public mutating func show(_ update: ListUpdate<Section, Row>, in table: RetainedTable<Section, Row>) throws {
    try TableError.checkThat(update, follows: position)
    let prefix = "#\(update.revision) "
    var (text, count) = ("", 0)
    // A line is made only below the limit.
    func add(_ line: () -> String) {
      count += 1
      // A thousand columns are more than anybody reads.
      if count <= operationLimit { text += prefix + line().fitted(columns: 1_000) + "\n" }
    }
    if let words, update.previous != nil {
      let announcement = update.announcement(since: before, words: words) { $0.line }
      if let announcement { add { announcement } }
    } else if update.previous == nil {
      describe(update.snapshot, add)
    } else {
      describe(update.changes, after: update.snapshot, add)
    }
    (before, position) = (update.snapshot, update.position)
    try output(count > operationLimit ? text + "\(prefix)… and \(count - operationLimit) more\n" : text)
  }

  /// Writes lines as they are.
  public mutating func write(_ lines: String) throws { if !lines.isEmpty { try output(lines) } }

  private func describe(_ list: ListSnapshot<Section, Row>, _ add: (() -> String) -> Void) {
    add { "= list of \(counted(list.sectionCount, "section")), \(counted(list.rowCount, "row"))" }
    for index in 0..<list.sectionCount {
      add { "= section \(index)\(headline(list, index))" }
      for (row, model) in list.rows(inSection: index).enumerated() { add { "= row \(index)-\(row): \(model.line)" } }
    }
  }

  /// Deletions, insertions, moves and updates, in this order.
  private func describe(_ changes: ListChanges, after: ListSnapshot<Section, Row>, _ add: (() -> String) -> Void) {
    for index in changes.sections.deletes { add { "- section \(index) deleted\(headline(before, index))" } }
    for path in changes.rows.deletes { add { "- row \(path) deleted\(row("from", before, path))" } }
    for index in changes.sections.inserts {
      add { "+ section \(index) inserted\(headline(after, index))" }
      for number in 0..<after.rowCount(inSection: index) {
        let path = RowPath(section: index, row: number)
        add { "+ row \(path) inserted\(row("in", after, path))" }
      }
    }
    for path in changes.rows.inserts { add { "+ row \(path) inserted\(row("in", after, path))" } }
    for move in changes.sections.moves {
      add { "> section \(move.from) moved to \(move.to)\(header(after, move.to))" }
    }
    for move in changes.rows.moves { add { "> row \(move.from) moved to \(move.to)\(row("in", after, move.to))" } }
    for change in changes.sections.updates {
      add { "~ section \(change.to) updated\(header(after, change.to))" }
    }
    for change in changes.rows.updates { add { "~ row \(change.to) updated\(row("in", after, change.to))" } }
  }

  /// The header of a section, if it has one.
  private func header(_ list: ListSnapshot<Section, Row>, _ index: Int) -> String {
    let header = list.section(at: index).header
    return header.isEmpty ? "" : ": \(header)"
  }

  /// A section with its number of rows.
  private func headline(_ list: ListSnapshot<Section, Row>, _ index: Int) -> String {
    let showsCount = list.section(at: index).showsRowCount
    return header(list, index) + (showsCount ? " (\(counted(list.rowCount(inSection: index), "row")))" : "")
  }

  /// A row after the title of its section, if that has one.
  private func row(_ preposition: String, _ list: ListSnapshot<Section, Row>, _ path: RowPath) -> String {
    let title = list.section(at: path.section).title
    return (title.isEmpty ? "" : " \(preposition) \(title)") + ": \(list.row(at: path).line)"
  }
}

/// A number with its noun.
package func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
