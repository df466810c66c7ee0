import RowcastModel
import RowcastSources
import RowcastTable

extension ScreenStatus {
  /// The first line: title, state and, as far as there is room, counts.
  func titleLine(
    of table: RetainedTable<some ConsoleSection, some ConsoleRow>, columns: Int, at now: ContinuousClock.Instant
  ) -> StyledLine {
    var line = StyledLine(columns: columns)
    line.append(title, .strong)
    if isPaused { line.append("  PAUSED", .alarming) }
    for text in typed + (searched.map { ["search: \($0)"] } ?? []) { line.append("  \(text)", .updated) }
    let slow = running.values.filter { $0.start.advanced(by: Self.slowness) <= now }.map(\.name).sorted()
    if !slow.isEmpty { line.append("  running: \(slow.joined(separator: ", "))", .updated) }
    if table.followsTail { line.append("  following the end") }
    for counts in counts(of: table) where line.appendRight(counts) { break }
    return line
  }

  /// The counts, from all to few. Where the list does not fit, they name the visible lines.
  private func counts(of table: RetainedTable<some ConsoleSection, some ConsoleRow>) -> [String] {
    let rows = counted(table.snapshot.rowCount, "row")
    let list = "\(rows) in \(counted(table.snapshot.sectionCount, "section"))"
    let (top, count) = (table.topLine, table.contentHeight)
    let isPart = table.height > 0 && count > table.height
    let lines = isPart ? "lines \(top + 1)–\(min(top + table.height, count)) of \(count)" : nil
    let revision = "revision \(revision ?? table.revision ?? 0)"
    return [[list, revision, lines], [rows, revision, lines], [rows, lines], [rows, revision], [rows]]
      .map { $0.compactMap(\.self).joined(separator: "   ") }
  }

  /// The second line: the sources, those with an error first, so that it is not cut off.
  func sourceLine(columns: Int) -> StyledLine {
    var line = StyledLine(columns: columns)
    let sorted = sources.filter { $0.status.error != nil } + sources.filter { $0.status.error == nil }
    for (index, source) in sorted.enumerated() {
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
    case .live: .inserted
    case .waiting: .updated
    case .failed: .alarming
    case .connecting, .ended, .cancelled: .faint
    }
  }
}

extension ScreenStatus.Flow {
  /// The latency, and how events became frames: on no line, one or two.
  func lines(columns: Int, height: Int) -> [StyledLine] {
    let latency = given.latency.map { "latency p50 \(Self.time($0.p50)) p99 \(Self.time($0.p99))" } ?? "latency –"
    let events = counted(given.events, "event")
    let frames = "\(counted(edits, "edit")) → \(counted(updates, "update")) → \(counted(frames, "frame"))"
    // The first text of each line that fits; the beginning of the last one if none does.
    let texts =
      switch height {
      case 0: [[String]]()
      case 1: [["\(latency)   \(events) → \(frames)", "\(latency)   \(frames)", latency]]
      default: [[latency], ["\(events) → \(frames)", frames]]
      }
    return texts.map { texts in
      let text = texts.first { TextWidth.columns(of: $0) <= columns } ?? texts[texts.count - 1]
      return StyledLine(text, .faint, columns: columns)
    }
  }

  private static func time(_ duration: Duration) -> String {
    let microseconds = Int(duration / .microseconds(1))
    return switch microseconds {
    case ..<1_000: "\(microseconds) µs"
    case ..<10_000: "\(microseconds / 1_000).\(microseconds % 1_000 / 100) ms"
    case ..<10_000_000: "\(microseconds / 1_000) ms"
    default: "\(microseconds / 1_000_000) s"
    }
  }
}
