/// The lists that arrive.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension BatchFuzz {
  func anyList() throws -> TestSnapshot {
    try next([.edit, .regroup, .sections, .leave, .grow, .kinds].randomElement(using: &random) ?? .edit)
  }

  /// Another list, of the rows that were given last.
  func next(_ feature: BatchFeature) throws -> TestSnapshot {
    let last = stream?.list ?? TestSnapshot()
    var parts = NaiveList(last).parts
    switch feature {
    case .edit:
      if parts.isEmpty || number(0...2) == 0 {
        return try .random(sections: 4, rows: 24, contents: 3, using: &random)
      }
      for _ in 0...number(0...2) {
        let part = number(0...parts.count - 1)
        let free = (0..<24).filter { id in !parts.contains { $0.rows.contains { $0.id == id } } }
        if number(0...1) == 0, let id = free.randomElement(using: &random) {
          parts[part].rows.insert(TestRow(id, "new"), at: number(0...parts[part].rows.count))
        } else if !parts[part].rows.isEmpty {
          parts[part].rows.remove(at: number(0...parts[part].rows.count - 1))
        }
      }
    case .regroup:
      // Another grouping of the same rows, and some groups that come first.
      var rows = parts.flatMap(\.rows)
      if number(0...1) == 0 { rows.shuffle(using: &random) }
      let free = (24..<30).filter { id in !rows.contains { $0.id == id } }
      rows.insert(contentsOf: free.prefix(number(0...6)).map { TestRow($0) }, at: 0)
      let count = number(1...4)
      parts = (0..<count).map { part in
        newSections += 1
        let old = parts.indices.contains(part) && number(0...1) == 0
        return .init(
          section: old ? parts[part].section : TestSection("n\(newSections)"),
          rows: Array(rows[rows.count * part / count..<rows.count * (part + 1) / count]))
      }
    case .sections:
      parts.shuffle(using: &random)
      for part in parts.indices where number(0...1) == 0 {
        parts[part].section.content.title = "\(number(0...99))"
        parts[part].rows.shuffle(using: &random)
      }
    case .leave:
      // The rows on the screen leave, and perhaps those above or below.
      let visible = Set(model.visibleRows)
      let side = number(0...2)
      for part in parts.indices {
        parts[part].rows.removeAll { visible.contains($0.id) || side == 1 && $0.id % 3 == 0 }
      }
      if side == 2, !parts.isEmpty { parts.removeFirst() }
    case .grow, .kinds:
      for part in parts.indices {
        for row in parts[part].rows.indices where number(0...2) == 0 {
          let text = String(repeating: "x", count: number(0...6))
          parts[part].rows[row].text = feature == .kinds && number(0...1) == 0 ? text + "¿" : text
        }
      }
    default: break
    }
    return try TestSnapshot(parts.map { ListSection($0.section, rows: $0.rows) })
  }
}
