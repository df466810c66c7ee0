extension PlaceDriver {
  private func row() -> PlacedRow {
    nextRow += 1
    return PlacedRow(id: nextRow, lines: number(1...tallest), group: number(0...3))
  }

  private func rows(_ most: Int) -> [PlacedRow] { (0..<number(0...most)).map { _ in row() } }

  private func section() -> PlacedSection {
    nextSection += 1
    return PlacedSection(id: nextSection, lines: number(0...2))
  }

  private typealias Parts = [(section: PlacedSection, rows: [PlacedRow])]

  /// The list after some edits.
  func edited() throws -> PlacedList {
    var parts: Parts = model.list.contents.map { ($0.section, Array($0.rows)) }
    for _ in 0..<number(1...4) { edit(&parts) }
    return try PlacedList(parts.map { ListSection($0.section, rows: $0.rows) })
  }

  /// The same rows in other sections.
  func regrouped() throws -> PlacedList {
    var parts: Parts = model.list.contents.map { ($0.section, Array($0.rows)) }
    if !parts.isEmpty { regroup(&parts) }
    return try PlacedList(parts.map { ListSection($0.section, rows: $0.rows) })
  }

  private func edit(_ parts: inout Parts) {
    guard let index = parts.indices.randomElement(using: &random) else { return parts.append((section(), rows(12))) }
    let row = parts[index].rows.indices.randomElement(using: &random)
    switch number(0...15) {
    case 0, 1: parts[index].rows.insert(contentsOf: rows(5), at: number(0...parts[index].rows.count))
    case 2: parts[0].rows.insert(contentsOf: rows(5), at: 0)
    case 3, 4:
      guard let row else { return }
      parts[index].rows.removeSubrange(row..<min(parts[index].rows.count, row + number(1...6)))
    case 5, 6, 7: if let row { parts[index].rows[row].lines = number(1...tallest) }
    case 8:
      // Folded.
      for row in parts[index].rows.indices { parts[index].rows[row].lines = 1 }
    case 9, 10:
      guard let row else { return }
      let moved = parts[index].rows.remove(at: row)
      let target = number(0...parts.count - 1)
      parts[target].rows.insert(moved, at: number(0...parts[target].rows.count))
    case 11: parts.insert((section(), rows(6)), at: number(0...parts.count))
    case 12: parts.remove(at: index)
    case 13: parts.insert(parts.remove(at: index), at: number(0...parts.count))
    case 14: parts[index].section = section()  // A group that is renamed.
    default:
      parts[index].section.lines = number(0...2)
      if let row { parts[index].rows[row].group = number(0...3) }
    }
  }

  /// Puts the same rows into other sections: by their groups, which may have changed, in their order or in another.
  private func regroup(_ parts: inout Parts) {
    var rows = parts.flatMap(\.rows)
    for row in rows.indices where number(0...5) == 0 { rows[row].group = number(0...3) }
    if number(0...3) == 0 { rows.shuffle(using: &random) }
    if number(0...3) == 0 { rows.sort { $0.lines < $1.lines } }
    if number(0...2) == 0 {
      // One section for all, or the old one beside a new one.
      let cut = number(0...rows.count)
      return parts = [(section(), Array(rows[..<cut])), (parts[0].section, Array(rows[cut...]))]
    }
    let base = number(0...1) * 1_000
    let groups = Dictionary(grouping: rows, by: \.group).sorted { $0.key < $1.key }
    parts = groups.map { group, rows in
      (parts.first { $0.section.id == -1 - group - base }?.section ?? PlacedSection(id: -1 - group - base), rows)
    }
  }
}
