import Foundation

/// A workload that is measured event by event.
package struct EventBenchmark: Sendable {
  /// The name, with its group before the slash.
  let name: String
  /// Makes the data and measures.
  let run: @Sendable () async -> EventReport

  /// Creates a benchmark.
  package init(name: String, run: @escaping @Sendable () async -> EventReport) {
    self.name = name
    self.run = run
  }
}

/// What such a workload took: named figures, in the order in which people read them.
package struct EventReport: Sendable {
  /// A figure.
  package enum Figure: Sendable {
    case count(Int)
    case nanoseconds(Double)
    case ratio(Double)
    /// A count that this system may not tell.
    case optional(Int?)

    /// The figure in JSON.
    var json: String {
      switch self {
      case .count(let count): "\(count)"
      case .nanoseconds(let time): String(format: "%.0f", time)
      case .ratio(let ratio): String(format: "%.3f", ratio)
      case .optional(let count): count.map(String.init) ?? "null"
      }
    }

    /// The figure for people.
    var text: String {
      switch self {
      case .nanoseconds(let time):
        time < 10_000 ? String(format: "%.0f ns", time) : String(format: "%.1f µs", time / 1e3)
      default: json
      }
    }
  }

  let figures: [(name: String, figure: Figure)]

  /// Creates a report.
  package init(_ figures: [(name: String, figure: Figure)]) {
    self.figures = figures
  }

  /// One JSON object, with its keys in order.
  func json(name: String) -> String {
    let fields = [("bench", "\"\(name)\"")] + figures.map { ($0.name, $0.figure.json) }
    return "{" + fields.sorted { $0.0 < $1.0 }.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
  }

  /// One line for people.
  func line(name: String) -> String {
    let words = figures.map { "\($0.name.replacingOccurrences(of: "_ns", with: "")) \($0.figure.text)" }
    return name + String(repeating: " ", count: max(1, 28 - name.count)) + words.joined(separator: "  ")
  }
}
