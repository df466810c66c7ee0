import RowcastDiff
import RowcastModel
import RowcastSources

/// The sources that a model watches, and the failure that it shows.
///
/// A source that was given up counts as failed until another one replaces it. A working source replaces the earliest-watched
/// source that was given up before it was attached, and only that one. Sources that have ended without a failure are forgotten.
struct WatchedSources {
  private struct Source {
    let number: Int
    let start: Duration
    /// Follows its status.
    var task: Task<Void, Never>?
    /// The time at which it ended, or was given up.
    var end: Duration?
    /// The error while it fails.
    var error: String?
    /// True if it works, or has worked. A source without an event so far may be quiet.
    var hasWorked = false
    var hasReplacedOne = false
  }

  /// In the order in which they are watched.
  private var sources: [Source] = []
  private var count = 0

  /// The number of sources that have not ended.
  var liveCount: Int { sources.indices.count { sources[$0].end == nil } }

  /// The failure of the earliest-watched source that fails.
  var failure: SectionPhase? {
    guard let source = sources.first(where: { $0.error != nil }), let error = source.error else { return nil }
    return .failed(message: error, retry: source.end == nil ? .automatic : .never)
  }

  /// Adds a source. Returns its number.
  mutating func add(attachedAt start: Duration) -> Int {
    sources.append(Source(number: count, start: start))
    count += 1
    return count - 1
  }

  /// Keeps the task that follows the status of the source that was added last.
  mutating func keep(_ task: Task<Void, Never>) { sources[sources.count - 1].task = task }

  /// Stops following all sources.
  func cancel() { for source in sources { source.task?.cancel() } }

  /// Notes a status of a source, and for a final one its time.
  mutating func note(_ status: SourceStatus, of number: Int, endedAt end: Duration?) {
    guard let index = sources.firstIndex(where: { $0.number == number }) else { return }
    (sources[index].end, sources[index].error) = (end, status.error.map { "\($0)" })
    switch status {
    case .connecting, .live: sources[index].hasWorked = true
    case .waiting, .failed, .ended, .cancelled: break
    }
    replaceGivenUp()
    if status.isFinal, status.error == nil { sources.removeAll { $0.number == number } }
  }

  /// Removes a source that was given up before a working one was attached. A status makes at most one such pair.
  private mutating func replaceGivenUp() {
    for index in sources.indices where sources[index].hasWorked && !sources[index].hasReplacedOne {
      let start = sources[index].start
      guard let former = sources.firstIndex(where: { $0.end.map { $0 < start } ?? false }) else { continue }
      sources[index].hasReplacedOne = true
      sources.remove(at: former)
      return
    }
  }
}
