package import RowcastDiff

/// The operations of a strict table in one step: changes and reloads.
///
/// The changes of a list never hold a reload, as content updates keep their cells. Reloads are here to check the batches of
/// other views: a reload is a delete and an insert in one.
package struct TableBatch: Hashable, Sendable {
  /// The changes. Their operations need not be sorted.
  package var changes: ListChanges
  /// The sections that are reloaded with all their rows: indexes before the batch.
  package var reloadedSections: [Int]
  /// The rows that are reloaded: paths before the batch.
  package var reloadedRows: [RowPath]

  /// Creates a batch.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - reloadedSections: Indexes before the batch.
  ///   - reloadedRows: Paths before the batch.
  package init(_ changes: ListChanges, reloadedSections: [Int] = [], reloadedRows: [RowPath] = []) {
    self.changes = changes
    self.reloadedSections = reloadedSections
    self.reloadedRows = reloadedRows
  }

  /// One side of the batch in words: its counts, and the operations on each section. Of many sections and rows, the first
  /// ones and those with operations.
  func text(after isAfter: Bool, _ counts: [Int]) -> String {
    let limit = 20
    func number(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
    let notes = notes(after: isAfter)
    func line(_ section: Int) -> String {
      var text = "\n  section \(section): "
      text += counts.indices.contains(section) ? number(counts[section], "row") : "does not exist"
      let notes = notes.filter { $0.section == section }
      for note in notes where note.verb.isEmpty { text += "; \(note.text)" }
      for verb in ["deletes", "inserts", "moves", "receives", "reloads"] {
        let rows = notes.filter { $0.verb == verb }
        if rows.isEmpty { continue }
        text += "; \(verb)"
        for row in rows.prefix(limit) { text += " \(row.text)" }
        if rows.count > limit { text += " … \(rows.count) in all" }
      }
      return text
    }
    let named = Set(notes.map { $0.section })
    let known = counts.indices.filter { named.contains($0) } + counts.indices.filter { !named.contains($0) }
    var text = "\(number(counts.count, "section")), \(number(counts.reduce(0, +), "row"))"
    for section in Array(known.prefix(limit)).ascending { text += line(section) }
    if counts.count > limit { text += "\n  … and \(counts.count - limit) more sections" }
    // Operations on sections that do not exist tell the most.
    for section in Array(named.filter { !counts.indices.contains($0) }).ascending.prefix(limit) {
      text += line(section)
    }
    return text
  }

  /// An operation on a section, or, with a verb, on one of its rows.
  private struct Note {
    let section: Int
    var verb = ""
    let text: String
  }

  private func notes(after isAfter: Bool) -> [Note] {
    let (sections, rows) = (changes.sections, changes.rows)
    var notes: [Note] = []
    func add(_ rows: [RowPath], _ verb: String) {
      for path in rows { notes.append(Note(section: path.section, verb: verb, text: "\(path.row)")) }
    }
    for index in isAfter ? sections.inserts : sections.deletes {
      notes.append(Note(section: index, text: isAfter ? "inserted" : "deleted"))
    }
    if !isAfter {
      for index in reloadedSections { notes.append(Note(section: index, text: "reloaded")) }
      add(reloadedRows, "reloads")
    }
    for move in sections.moves {
      notes.append(
        isAfter
          ? Note(section: move.to, text: "moved from \(move.from)")
          : Note(section: move.from, text: "moved to \(move.to)"))
    }
    add(isAfter ? rows.inserts : rows.deletes, isAfter ? "inserts" : "deletes")
    for move in rows.moves {
      notes.append(
        isAfter
          ? Note(section: move.to.section, verb: "receives", text: "\(move.to.row)←\(move.from)")
          : Note(section: move.from.section, verb: "moves", text: "\(move.from.row)→\(move.to)"))
    }
    return notes
  }
}
