import Rowcast
import RowcastConsole

/// What a session did, for its last line.
struct Summary: Codable, Equatable {
  struct Sources: Codable, Equatable {
    /// Events received.
    var events: Int
    /// Events that were refused.
    var rejected: Int
  }

  struct Latency: Codable, Equatable {
    /// From edit to output, in microseconds: the median and the longest but for one percent.
    var p50: Int
    var p99: Int
  }

  /// The statistics of the cells, by reuse identifier.
  var pool: [String: PoolStatistics]
  var source: Sources
  /// Absent in lockstep, where it would differ from run to run.
  var latencyMicroseconds: Latency?
}

/// The last line of a machine-readable recording.
struct EndLine: Encodable {
  let v = Message.version
  let kind = "end"
  let epoch: String
  let revision: Int
  let updates: Int
  let summary: Summary
}
