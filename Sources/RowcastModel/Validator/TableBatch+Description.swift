import RowcastDiff

extension TableBatch {
  /// The side before the batch in words: its counts, and the operations on each section.
  func text(before counts: [Int]) -> String {
    var sections = sections.deletes.map { ($0, "deleted") } + reloadedSections.map { ($0, "reloaded") }
    sections += self.sections.moves.map { ($0.from, "moved to \($0.to)") }
    var rows = rows.deletes.map { ($0, "deletes", "") } + reloadedRows.map { ($0, "reloads", "") }
    rows += self.rows.moves.map { ($0.from, "moves", "→\($0.to)") }
    return Self.text(of: counts, sections, rows)
  }

  /// The side after the batch in words: its counts, and the operations on each section.
  func text(after counts: [Int]) -> String {
    let moves = sections.moves.map { ($0.to, "moved from \($0.from)") }
    return Self.text(
      of: counts, sections.inserts.map { ($0, "inserted") } + moves,
      rows.inserts.map { ($0, "inserts", "") } + rows.moves.map { ($0.to, "receives", "←\($0.from)") })
  }

  /// Spells one side out. Of many sections and rows, the first ones and those with operations.
  private static func text(
    of counts: [Int], _ sections: [(index: Int, fate: String)], _ rows: [(path: RowPath, verb: String, note: String)]
  ) -> String {
    let limit = 20
    func number(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
    let fates = Dictionary(grouping: sections, by: \.index)
    let touched = Dictionary(grouping: rows, by: \.path.section)
    func notes(_ section: Int) -> String {
      let groups = Dictionary(grouping: touched[section] ?? [], by: \.verb).sorted { $0.key < $1.key }
      let words = groups.map { verb, rows in
        let shown = rows.prefix(limit).map { "\($0.path.row)\($0.note)" }.joined(separator: " ")
        return "\(verb) \(shown)" + (rows.count > limit ? " … \(rows.count) in all" : "")
      }
      return ((fates[section] ?? []).map(\.fate) + words).map { "; \($0)" }.joined()
    }
    let named = Set(fates.keys).union(touched.keys)
    let known = counts.indices.sorted { (named.contains($0) ? 0 : 1, $0) < (named.contains($1) ? 0 : 1, $1) }
    let lines = known.prefix(limit).sorted().map { "  section \($0): \(number(counts[$0], "row"))\(notes($0))" }
    // Operations on sections that do not exist tell the most.
    let strays = named.filter { !counts.indices.contains($0) }.sorted().prefix(limit)
      .map { "  section \($0): does not exist\(notes($0))" }
    let rest = counts.count > limit ? ["  … and \(counts.count - limit) more sections"] : []
    let total = "\(number(counts.count, "section")), \(number(counts.reduce(0, +), "row"))"
    return ([total] + lines + rest + strays).joined(separator: "\n")
  }
}
