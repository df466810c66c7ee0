import RowcastDiff

/// A batch in words, side by side with the lists that it stands between.
struct BatchDump {
  /// What is done on one side: to whole sections, and to the rows of each.
  struct Side {
    var sections: [Int: [String]] = [:]
    var rows: [Int: [(verb: String, row: String)]] = [:]

    mutating func add(_ verb: String, sections indexes: [Int]) {
      for index in indexes { sections[index, default: []].append(verb) }
    }

    mutating func add(_ verb: String, _ paths: some Sequence<(path: RowPath, note: String)>) {
      for (path, note) in paths { rows[path.section, default: []].append((verb, "\(path.row)\(note)")) }
    }

    mutating func add(_ verb: String, _ paths: [RowPath]) { add(verb, paths.map { ($0, "") }) }
  }

  private(set) var before = Side()
  private(set) var after = Side()
  /// The most sections of a side, and the most rows of a section, that are spelled out.
  private static let limit = 20

  init(_ batch: TableBatch) {
    before.add("deleted", sections: batch.sections.deletes)
    before.add("reloaded", sections: batch.reloadedSections)
    for move in batch.sections.moves { before.add("moved to \(move.to)", sections: [move.from]) }
    before.add("deletes", batch.rows.deletes)
    before.add("reloads", batch.reloadedRows)
    before.add("moves", batch.rows.moves.map { ($0.from, "→\($0.to)") })
    after.add("inserted", sections: batch.sections.inserts)
    for move in batch.sections.moves { after.add("moved from \(move.from)", sections: [move.to]) }
    after.add("inserts", batch.rows.inserts)
    after.add("receives", batch.rows.moves.map { ($0.to, "←\($0.from)") })
  }

  /// One side: its counts, and what is done to each section. Sections that have nothing to do with it may be left out.
  func text(of counts: [Int], _ side: Side) -> String {
    let touched = Set(side.sections.keys).union(side.rows.keys)
    let known = counts.indices.sorted { (touched.contains($0) ? 0 : 1, $0) < (touched.contains($1) ? 0 : 1, $1) }
    let lines = known.prefix(Self.limit).sorted().map {
      "  section \($0): \(Self.rows(counts[$0]))\(side.notes(on: $0))"
    }
    // What the batch says of sections that are not there is the most telling of all.
    let strays = touched.filter { !counts.indices.contains($0) }.sorted().prefix(Self.limit)
      .map { "  section \($0): does not exist\(side.notes(on: $0))" }
    let rest = counts.count > Self.limit ? ["  … and \(counts.count - Self.limit) more sections"] : []
    let total = "\(counts.count) section\(counts.count == 1 ? "" : "s"), \(Self.rows(counts.reduce(0, +)))"
    return ([total] + lines + rest + strays).joined(separator: "\n")
  }

  private static func rows(_ count: Int) -> String { "\(count) row\(count == 1 ? "" : "s")" }
}

extension BatchDump.Side {
  fileprivate func notes(on section: Int) -> String {
    let groups = Dictionary(grouping: rows[section] ?? [], by: \.verb).sorted { $0.key < $1.key }
    let words = groups.map { verb, rows in
      let shown = rows.prefix(20).map(\.row).joined(separator: " ")
      return "\(verb) \(shown)" + (rows.count > 20 ? " … \(rows.count) in all" : "")
    }
    return ((sections[section] ?? []) + words).map { "; \($0)" }.joined()
  }
}
