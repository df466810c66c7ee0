import RowcastDiff

extension ListSnapshot: CustomStringConvertible, CustomReflectable {
  /// The sections, each with its rows, a line each. Of long lists the beginning, and the numbers of the others.
  public var description: String {
    var lines = ["\(sectionCount) section\(sectionCount == 1 ? "" : "s"), \(rowCount) row\(rowCount == 1 ? "" : "s")"]
    for (index, content) in contents.prefix(descriptionLimit).enumerated() {
      lines.append("\(index): \(content.section)")
      let room = max(0, descriptionLimit - lines.count)
      lines += content.rows.prefix(room).enumerated().map { "  \(index)-\($0.offset): \($0.element)" }
      if content.rows.count > room { lines.append("  … and \(content.rows.count - room) more rows") }
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
  /// The rows, as an array prints them. Of long sections the beginning, and the number of the others.
  public var description: String {
    let shown = prefix(descriptionLimit).map { String(reflecting: $0) }
    let rest = count > descriptionLimit ? ["… and \(count - descriptionLimit) more"] : []
    return "[\((shown + rest).joined(separator: ", "))]"
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

/// The most lines, or rows on one line, that are spelled out.
private let descriptionLimit = 60
