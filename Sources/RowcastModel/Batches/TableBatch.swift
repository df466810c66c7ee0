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

  var sections: Changeset<Int> { changes.sections }
  var rows: Changeset<RowPath> { changes.rows }
  /// The sections that are deleted or reloaded: indexes before the batch.
  var leavingSections: [Int] {
    reloadedSections.isEmpty ? sections.deletes : sections.deletes + reloadedSections
  }
  /// The rows that are deleted or reloaded: paths before the batch.
  var leavingRows: [RowPath] { reloadedRows.isEmpty ? rows.deletes : rows.deletes + reloadedRows }

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
      let groups = Array(Dictionary(grouping: touched[section] ?? [], by: \.verb)).inOrder { $0.key < $1.key }
      let words = groups.map { verb, rows in
        let shown = rows.prefix(limit).map { "\($0.path.row)\($0.note)" }.joined(separator: " ")
        return "\(verb) \(shown)" + (rows.count > limit ? " … \(rows.count) in all" : "")
      }
      return ((fates[section] ?? []).map(\.fate) + words).map { "; \($0)" }.joined()
    }
    let named = Set(fates.keys).union(touched.keys)
    let known = counts.indices.filter(named.contains) + counts.indices.filter { !named.contains($0) }
    let lines = Array(known.prefix(limit)).ascending.map { "  section \($0): \(number(counts[$0], "row"))\(notes($0))" }
    // Operations on sections that do not exist tell the most.
    let strays = Array(named.filter { !counts.indices.contains($0) }).ascending.prefix(limit)
      .map { "  section \($0): does not exist\(notes($0))" }
    let rest = counts.count > limit ? ["  … and \(counts.count - limit) more sections"] : []
    let total = "\(number(counts.count, "section")), \(number(counts.reduce(0, +), "row"))"
    return ([total] + lines + rest + strays).joined(separator: "\n")
  }
}

/// A section or a row of a batch, and the side of the batch on which its index counts.
package enum BatchPlace: Hashable, Sendable {
  /// A section by its index before the batch.
  case sectionBefore(Int)
  /// A section by its index after the batch.
  case sectionAfter(Int)
  /// A row by its path before the batch.
  case rowBefore(RowPath)
  /// A row by its path after the batch.
  case rowAfter(RowPath)
}

extension BatchPlace: CustomStringConvertible {
  /// The section or row, and the side.
  package var description: String {
    switch self {
    case .sectionBefore(let index): "section \(index) before"
    case .sectionAfter(let index): "section \(index) after"
    case .rowBefore(let path): "row \(path) before"
    case .rowAfter(let path): "row \(path) after"
    }
  }
}
