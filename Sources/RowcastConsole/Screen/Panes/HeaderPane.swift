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
    // What needs attention must not be cut off.
    let reports = status.sources.filter(\.state.needsAttention) + status.sources.filter { !$0.state.needsAttention }
    for (index, report) in reports.enumerated() {
      if index > 0 { line.append("   ") }
      line.append("\(report.name) ")
      line.append(report.state.rawValue, report.state.style)
      if let detail = report.detail { line.append(": \(detail)", .faint) }
    }
    return line
  }
}

extension SourceReport.State {
  fileprivate var needsAttention: Bool { self == .retrying || self == .failed }

  fileprivate var style: TextStyle {
    switch self {
    case .waiting, .ended: .faint
    case .live: .inserted
    case .retrying: .updated
    case .failed: .alarming
    }
  }
}
