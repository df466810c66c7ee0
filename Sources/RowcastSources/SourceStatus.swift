/// The status of a source that was attached to a store.
public enum SourceStatus: CustomStringConvertible, Sendable {
  /// It is attached, and no event of this attempt was received yet.
  case connecting
  /// An event of this attempt was received, and the next ones are applied as they are received.
  case live
  /// It failed, and will be attached again.
  ///
  /// - Parameters:
  ///   - attempt: The number of failures in a row, from 1.
  ///   - delay: The time from the failure to the next attempt.
  ///   - error: The reason of the failure.
  case waiting(attempt: Int, delay: Duration, error: any Error)
  /// It failed permanently, or one of its events was rejected and the app chose to stop.
  case failed(any Error)
  /// It had no more events. That of a mirror has ended only if its list has.
  case ended
  /// The binding was cancelled or dropped.
  case cancelled

  /// True if no other status follows.
  package var isFinal: Bool {
    switch self {
    case .connecting, .live, .waiting: false
    case .failed, .ended, .cancelled: true
    }
  }

  /// The status in a word.
  package var word: String {
    switch self {
    case .connecting: "connecting"
    case .live: "live"
    case .waiting: "waiting"
    case .failed: "failed"
    case .ended: "ended"
    case .cancelled: "cancelled"
    }
  }

  /// The error of a source that failed.
  public var error: (any Error)? {
    switch self {
    case .waiting(_, _, let error), .failed(let error): error
    case .connecting, .live, .ended, .cancelled: nil
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
