import RowcastModel

extension NaiveList {
  /// Where a list differs from this one first, for the messages of tests.
  public func firstDifference(from other: NaiveList) -> String {
    for index in 0..<max(parts.count, other.parts.count) {
      guard index < parts.count, index < other.parts.count else {
        return "sections \(parts.map(\.section)), found \(other.parts.map(\.section))"
      }
      let (part, found) = (parts[index], other.parts[index])
      if part == found { continue }
      if part.section != found.section { return "section \(index): \(part.section), found \(found.section)" }
      let row = zip(part.rows, found.rows).enumerated().first { $1.0 != $1.1 }?.offset
      return "section \(index), row \(row ?? min(part.rows.count, found.rows.count)): \(part.rows), found \(found.rows)"
    }
    return "nothing"
  }

  /// The lists one after the other. A row or a section that several have belongs to the first or the last of them; a section
  /// has the rows of all.
  public static func merging(_ lists: [NaiveList], prefersLast: Bool) -> NaiveList {
    var (sections, rows): ([Section.ID: Int], [Row.ID: Int]) = ([:], [:])
    for (number, list) in prefersLast ? Array(lists.enumerated()) : lists.enumerated().reversed() {
      for part in list.parts {
        sections[part.section.id] = number
        for row in part.rows { rows[row.id] = number }
      }
    }
    var merged = NaiveList()
    for (number, list) in lists.enumerated() {
      for part in list.parts where sections[part.section.id] == number {
        var own: [Row] = []
        for (other, list) in lists.enumerated() {
          let others = list.parts.first { $0.section.id == part.section.id }?.rows ?? []
          own += others.filter { rows[$0.id] == other }
        }
        merged.parts.append(Part(section: part.section, rows: own))
      }
    }
    return merged
  }
}
