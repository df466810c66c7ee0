import RowcastDiff

/// One side of a batch in words: the operations on sections, and on the rows of each.
struct BatchDump {
  private var sections: [Int: [String]] = [:]
  private var rows: [Int: [(verb: String, row: String)]] = [:]
  /// The most sections, and the most rows of a section, that are spelled out.
  private static let limit = 20

  /// The operations by their positions before the batch.
  init(before batch: TableBatch) {
    add("deleted", batch.sections.deletes)
    add("reloaded", batch.reloadedSections)
    for move in batch.sections.moves { add("moved to \(move.to)", [move.from]) }
    for path in batch.rows.deletes { add("deletes", path) }
    for path in batch.reloadedRows { add("reloads", path) }
    for move in batch.rows.moves { add("moves", move.from, "→\(move.to)") }
  }

  /// The operations by their positions after the batch.
  init(after batch: TableBatch) {
    add("inserted", batch.sections.inserts)
    for move in batch.sections.moves { add("moved from \(move.from)", [move.to]) }
    for path in batch.rows.inserts { add("inserts", path) }
    for move in batch.rows.moves { add("receives", move.to, "←\(move.from)") }
  }

  private mutating func add(_ verb: String, _ indexes: [Int]) {
    for index in indexes { sections[index, default: []].append(verb) }
  }

  private mutating func add(_ verb: String, _ path: RowPath, _ note: String = "") {
    rows[path.section, default: []].append((verb, "\(path.row)\(note)"))
  }

  /// The counts of the side, and the operations on each section. Of many sections, those without operations are left out.
  func text(of counts: [Int]) -> String {
    let touched = Set(sections.keys).union(rows.keys)
    let known = counts.indices.sorted { (touched.contains($0) ? 0 : 1, $0) < (touched.contains($1) ? 0 : 1, $1) }
    let lines = known.prefix(Self.limit).sorted().map { "  section \($0): \(Self.rows(counts[$0]))\(notes(on: $0))" }
    // Operations on sections that do not exist tell the most.
    let strays = touched.filter { !counts.indices.contains($0) }.sorted().prefix(Self.limit)
      .map { "  section \($0): does not exist\(notes(on: $0))" }
    let rest = counts.count > Self.limit ? ["  … and \(counts.count - Self.limit) more sections"] : []
    let total = "\(counts.count) section\(counts.count == 1 ? "" : "s"), \(Self.rows(counts.reduce(0, +)))"
    return ([total] + lines + rest + strays).joined(separator: "\n")
  }

  private static func rows(_ count: Int) -> String { "\(count) row\(count == 1 ? "" : "s")" }

  private func notes(on section: Int) -> String {
    let groups = Dictionary(grouping: rows[section] ?? [], by: \.verb).sorted { $0.key < $1.key }
    let words = groups.map { verb, rows in
      let shown = rows.prefix(Self.limit).map(\.row).joined(separator: " ")
      return "\(verb) \(shown)" + (rows.count > Self.limit ? " … \(rows.count) in all" : "")
    }
    return ((sections[section] ?? []) + words).map { "; \($0)" }.joined()
  }
}
