/// How long things took: the newest few thousand, so that memory stays flat.
struct Latencies: Sendable {
  private var microseconds: [Int] = []
  private var next = 0

  mutating func add(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let value = Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
    if microseconds.count < 4_096 {
      microseconds.append(value)
    } else {
      microseconds[next] = value
    }
    next = (next + 1) % 4_096
  }

  /// The quantile of a share of all values, in microseconds; `nil` if there are none.
  func percentile(_ share: Double) -> Int? {
    let sorted = microseconds.sorted()
    return sorted.isEmpty ? nil : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
  }
}
