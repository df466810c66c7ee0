import RowcastDiff
import RowcastModel
import RowcastSources

/// The sources that a model watches, and the failure that it shows.
///
/// A source that was given up counts as failed until another one replaces it. A source that works replaces one that was given up
/// before it was attached: the one that was watched first, and no other. Sources that have ended without a failure are forgotten.
struct WatchedSources {
  /// The time at which a source was attached, or ended.
  typealias Time = ContinuousClock.Instant

  private struct Source {
    let start: Time
    /// The time at which it was given up.
    var end: Time?
    var failure: SectionPhase?
    /// True if it works, or has worked. One without an event so far may be quiet.
    var hasWorked = false
    var hasReplacedOne = false
  }

  /// By the order in which they are watched.
  private var sources: [Int: Source] = [:]
  private var count = 0

  /// The failure of the source that was watched first of those that fail.
  var failure: SectionPhase? {
    sources.filter { $0.value.failure != nil }.min { $0.key < $1.key }?.value.failure
  }

  /// Adds a source. Returns its number.
  mutating func add(attachedAt start: Time) -> Int {
    sources[count] = Source(start: start)
    count += 1
    return count - 1
  }

  /// Notes a status of a source, and for a final one its time.
  mutating func note(_ status: SourceStatus, of number: Int, endedAt end: Time?) {
    sources[number]?.end = end
    sources[number]?.failure = status.failure
    switch status {
    case .connecting, .live: sources[number]?.hasWorked = true
    case .waiting, .failed, .ended, .cancelled: break
    }
    replaceGivenUp()
    if status.isFinal, status.failure == nil { sources[number] = nil }
  }

  private mutating func replaceGivenUp() {
    for number in Array(sources.keys).ascending {
      guard let source = sources[number], source.hasWorked, !source.hasReplacedOne else { continue }
      let former = sources.filter { $0.value.end.map { $0 < source.start } ?? false }.keys.min()
      guard let former else { continue }
      sources[former] = nil
      sources[number]?.hasReplacedOne = true
    }
  }
}

extension SourceStatus {
  /// The phase `failed` while the source fails.
  fileprivate var failure: SectionPhase? {
    switch self {
    case .connecting, .live, .ended, .cancelled: nil
    case .waiting(_, _, let error): .failed(message: "\(error)", retry: .automatic)
    case .failed(let error): .failed(message: "\(error)", retry: .never)
    }
  }
}
