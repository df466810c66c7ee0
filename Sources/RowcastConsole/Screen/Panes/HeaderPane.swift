import RowcastSources

/// The lines at the top: what is watched, how large it is, and how its sources are doing.
struct HeaderPane {
  let status: ScreenStatus
  let rowCount: Int
  let sectionCount: Int
  let revision: Int
  /// The lines of the list that are on the screen, from 1, and how many there are; `nil` if the screen has them all.
  let lines: (range: ClosedRange<Int>, count: Int)?
  let isFollowing: Bool

  func title(columns: Int) -> StyledLine {
    var line = StyledLine(columns: columns)
    line.append(status.title, .strong)
    if status.isPaused { line.append("  PAUSED", .alarming) }
    for text in status.typed { line.append("  \(text)", .updated) }
    if isFollowing { line.append("  following the end") }
    for counts in counts where line.appendRight(counts) { break }
    return line
  }

  /// The counts, from all to few, for whatever room there is.
  private var counts: [String] {
    let rows = counted(rowCount, "row")
    let list = "\(rows) in \(counted(sectionCount, "section"))"
    let place = lines.map { "lines \($0.range.lowerBound)–\($0.range.upperBound) of \($0.count)" }
    let revision = "revision \(revision)"
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
