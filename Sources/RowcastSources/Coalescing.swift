import RowcastStore

/// When events in quick succession are applied: the newest of them, or all at once, as ``BurstPolicy`` says.
///
/// The last event is never lost, also when the source ends or fails. While a window is open the source is read at full speed.
public enum Coalescing: Hashable, Sendable {
  /// Each event is applied before the next one is requested.
  case none
  /// The newest event after a quiet period, or when the oldest one has waited for `atMost`.
  case debounce(for: Duration, atMost: Duration? = nil)
  /// The first event at once, then the newest one of each period.
  case throttle(every: Duration)

  /// When the waiting events are due, which may be in the past: by the arrivals of the oldest and the newest of them, and the
  /// last delivery, if any.
  func deadline(first: Duration, last: Duration, delivered: Duration?) -> Duration {
    switch self {
    case .none: return first
    case .debounce(let quiet, let limit):
      let calm = last + quiet.asWait
      return limit.map { min(calm, first + $0.asWait) } ?? calm
    case .throttle(let period): return delivered.map { $0 + period.asWait } ?? first
    }
  }
}

/// The events of a window of ``Coalescing`` that are applied.
public enum BurstPolicy: Hashable, Sendable {
  /// The newest, for sources where each event carries full state: a reading, a position, a whole list.
  case newest
  /// All, in order, as one transaction. If that is rejected, each is applied by itself.
  case all
}
