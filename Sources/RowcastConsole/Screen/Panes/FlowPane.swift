/// How long it took from edit to frame, and how events became frames.
struct FlowPane {
  let flow: ScreenStatus.Flow

  func lines(columns: Int, height: Int) -> [StyledLine] {
    switch height {
    case 0: []
    case 1: [line(["\(latency)   \(events) → \(frames)", "\(latency)   \(frames)", latency], columns)]
    default: [line([latency], columns), line(["\(events) → \(frames)", frames], columns)]
    }
  }

  /// The first of some texts that fits, or as much as there is room for of the last.
  private func line(_ texts: [String], _ columns: Int) -> StyledLine {
    let text = texts.first { TextWidth.columns(of: $0) <= columns } ?? texts.last ?? ""
    return StyledLine(text, .faint, columns: columns)
  }

  private var latency: String {
    guard let latency = flow.latency else { return "latency –" }
    return "latency p50 \(Self.time(latency.p50)) p99 \(Self.time(latency.p99))"
  }

  private var events: String { counted(flow.events, "event") }

  private var frames: String {
    "\(counted(flow.edits, "edit")) → \(counted(flow.updates, "update")) → \(counted(flow.frames, "frame"))"
  }

  private static func time(_ microseconds: Int) -> String {
    switch microseconds {
    case ..<1_000: "\(microseconds) µs"
    case ..<10_000: "\(microseconds / 1_000).\(microseconds % 1_000 / 100) ms"
    case ..<10_000_000: "\(microseconds / 1_000) ms"
    default: "\(microseconds / 1_000_000) s"
    }
  }
}
