/// The status of a source that was attached to a store.
public enum SourceStatus: CustomStringConvertible, Sendable {
  /// Its events are applied as they come.
  case attached
  /// It failed, and will be attached again.
  ///
  /// - Parameters:
  ///   - attempt: The number of failures in a row, from 1.
  ///   - delay: The time from the failure to the next attempt.
  ///   - error: The reason of the failure.
  case waiting(attempt: Int, delay: Duration, error: any Error)
  /// It failed for good, or one of its events was rejected and the app chose to stop.
  case failed(any Error)
  /// It had no more events.
  case finished
  /// The binding was cancelled or dropped.
  case cancelled

  /// True if no other status follows.
  public var isFinal: Bool {
    switch self {
    case .attached, .waiting: false
    case .failed, .finished, .cancelled: true
    }
  }

  /// The status in a word.
  package var word: String {
    switch self {
    case .attached: "live"
    case .waiting: "retrying"
    case .failed: "failed"
    case .finished: "ended"
    case .cancelled: "cancelled"
    }
  }

  /// The error of a source that failed.
  public var error: (any Error)? {
    switch self {
    case .waiting(_, _, let error), .failed(let error): error
    case .attached, .finished, .cancelled: nil
    }
  }

  /// The status in a word, and the error if there is one; not neutralised.
  public var description: String { error.map { "\(word): \($0)" } ?? word }
}

/// The reaction to a rejected event.
public enum RejectionResponse: Hashable, Sendable {
  /// Go on with the next event.
  case proceed
  /// Detach the source; its last status is ``SourceStatus/failed(_:)`` with the error that rejected the event.
  case stop
}
