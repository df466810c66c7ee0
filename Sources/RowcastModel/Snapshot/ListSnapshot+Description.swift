import RowcastDiff

extension ListSnapshot: CustomStringConvertible, CustomReflectable {
  /// The sections, each with its rows, a line each. For long lists the beginning, and the numbers of the others.
  public var description: String {
    var lines = ["\(sectionCount) section\(sectionCount == 1 ? "" : "s"), \(rowCount) row\(rowCount == 1 ? "" : "s")"]
    for section in 0..<min(sectionCount, descriptionLimit) {
      lines.append("\(section): \(self.section(at: section))")
      let (rows, room) = (rows(inSection: section), max(0, descriptionLimit - lines.count))
      for row in 0..<min(rows.count, room) { lines.append("  \(section)-\(row): \(rows[row])") }
      if rows.count > room { lines.append("  … and \(rows.count - room) more rows") }
    }
    if sectionCount > descriptionLimit {
      lines.append("… and \(sectionCount - descriptionLimit) more sections")
    }
    return lines.joined(separator: "\n")
  }

  /// The sections with their rows, not the nodes that hold them.
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: contents, displayStyle: .collection) }
}

extension ListRows: CustomStringConvertible, CustomReflectable {
  /// The rows, as an array prints them. For long sections the beginning, and the number of the others.
  public var description: String {
    var parts: [String] = []
    for row in 0..<Swift.min(count, descriptionLimit) { parts.append(String(reflecting: self[row])) }
    if count > descriptionLimit { parts.append("… and \(count - descriptionLimit) more") }
    return "[\(parts.joined(separator: ", "))]"
  }

  /// The rows, not the nodes that hold them.
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: self, displayStyle: .collection) }
}

extension ListUpdate: CustomStringConvertible {
  /// The revisions, the changes and the list.
  public var description: String {
    let start = previous.map { "from revision \($0)" } ?? "the whole list"
    return "revision \(revision), \(start): \(changes)\n\(snapshot)"
  }
}

extension AnyRow: CustomStringConvertible {
  /// The description of the erased row.
  public var description: String { String(describing: base) }
}

/// The greatest number of lines, or of rows on one line, that are spelled out.
private let descriptionLimit = 60
