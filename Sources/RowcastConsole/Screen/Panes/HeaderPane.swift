import RowcastModel
import RowcastSources
import RowcastTable

/// The lines at the top: what is watched, how large it is, and how its sources are doing.
struct HeaderPane<Section: ConsoleSection, Row: ConsoleRow> {
  let status: ScreenStatus
  let table: RetainedTable<Section, Row>

  func title(columns: Int) -> StyledLine {
    var line = StyledLine(columns: columns)
    line.append(status.title, .strong)
    if status.isPaused { line.append("  PAUSED", .alarming) }
    for text in status.typed { line.append("  \(text)", .updated) }
    if table.followsTail { line.append("  following the end") }
    for counts in counts where line.appendRight(counts) { break }
    return line
  }

  /// The counts, from all to few, for whatever room there is. Where the screen has not all lines, it says which it has.
  private var counts: [String] {
    let rows = counted(table.snapshot.rowCount, "row")
    let list = "\(rows) in \(counted(table.snapshot.sectionCount, "section"))"
    let (top, count) = (table.topLine, table.contentHeight)
    let isPart = table.height > 0 && count > table.height
    let place = isPart ? "lines \(top + 1)–\(min(top + table.height, count)) of \(count)" : nil
    let revision = "revision \(table.revision ?? 0)"
    return [[list, revision, place], [rows, revision, place], [rows, place], [rows, revision], [rows]]
      .map { $0.compactMap(\.self).joined(separator: "   ") }
  }

  func sources(columns: Int) -> StyledLine {
    var line = StyledLine(columns: columns)
    // An error must not be cut off.
    let sources = status.sources.filter { $0.status.error != nil } + status.sources.filter { $0.status.error == nil }
    for (index, source) in sources.enumerated() {
      if index > 0 { line.append("   ") }
      line.append("\(source.name) ")
      line.append(source.status.word, source.status.style)
      if let error = source.status.error { line.append(": \(error)", .faint) }
    }
    return line
  }
}

extension SourceStatus {
  fileprivate var style: TextStyle {
    switch self {
    case .attached: .inserted
    case .waiting: .updated
    case .failed: .alarming
    case .finished, .cancelled: .faint
    }
  }
}
