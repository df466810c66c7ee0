import RowcastDiff
public import RowcastModel
public import RowcastTable

/// An append-only log in words: one line an operation, nothing that moves a cursor.
///
///     #4 + row 0-2 inserted: Fix login  #42
///     #4 ~ row 0-0 updated: Write tests
///     #4 > row 1-3 moved to 0-1: Ship it
///     #4 - row 1-0 deleted: Old news
public struct LogSink<Section: ConsoleSection, Row: ConsoleRow>: ConsoleSink {
  private let write: (String) throws -> Void
  private let operationLimit: Int
  private var before = ListSnapshot<Section, Row>()

  /// - Parameters:
  ///   - operationLimit: The most lines for the operations of one update; the rest is counted.
  ///   - write: Takes the text of one update, neutralised, with its line ends.
  public init(operationLimit: Int = 200, write: @escaping (String) throws -> Void) {
    self.operationLimit = operationLimit
    self.write = write
  }

  /// Writes what an update changed.
  public mutating func show(
    _ update: ListUpdate<Section, Row>, report: ApplyReport, in table: RetainedTable<Section, Row>
  ) throws {
    let lines = update.previous == nil ? lines(of: update.snapshot) : lines(of: update.changes, to: update.snapshot)
    before = update.snapshot
    var text = ""
    for line in lines.prefix(operationLimit) { text += "#\(update.revision) \(line.neutralized)\n" }
    if lines.count > operationLimit {
      text += "#\(update.revision) … and \(lines.count - operationLimit) more\n"
    }
    try write(text)
  }

  /// The whole list in words.
  private func lines(of list: ListSnapshot<Section, Row>) -> [String] {
    var lines = ["= list of \(list.sectionCount) sections, \(list.rowCount) rows"]
    for index in 0..<list.sectionCount {
      let rows = list.rows(inSection: index)
      lines.append("= section \(index): \(list.section(at: index).header) (\(rows.count) rows)")
      for (row, model) in rows.enumerated() { lines.append("= row \(index)-\(row): \(model.line)") }
    }
    return lines
  }

  /// The operations in words: what goes, what comes, what moves, what changes.
  private func lines(of changes: ListChanges, to after: ListSnapshot<Section, Row>) -> [String] {
    var lines: [String] = []
    lines += changes.sections.deletes.map { "- section \($0) deleted: \(before.section(at: $0).header)" }
    lines += changes.rows.deletes.map { "- row \($0) deleted: \(before.row(at: $0).line)" }
    for index in changes.sections.inserts {
      let rows = after.rows(inSection: index)
      lines.append("+ section \(index) inserted: \(after.section(at: index).header) (\(rows.count) rows)")
      for (row, model) in rows.enumerated() { lines.append("+ row \(index)-\(row) inserted: \(model.line)") }
    }
    lines += changes.rows.inserts.map { "+ row \($0) inserted: \(after.row(at: $0).line)" }
    lines += changes.sections.moves.map { "> section \($0.from) moved to \($0.to): \(after.section(at: $0.to).header)" }
    lines += changes.rows.moves.map { "> row \($0.from) moved to \($0.to): \(after.row(at: $0.to).line)" }
    lines += changes.sections.updates.map { "~ section \($0.to) updated: \(after.section(at: $0.to).header)" }
    lines += changes.rows.updates.map { "~ row \($0.to) updated: \(after.row(at: $0.to).line)" }
    return lines
  }
}
