/// When events that follow each other closely are applied: the newest of them, or all at once, as ``BurstPolicy`` says.
///
/// The last one is never lost, also when the source ends or fails. While a window is open the source is read at full speed.
public enum Coalescing: Hashable, Sendable {
  /// All: each event is applied, and the next one asked for when that is done.
  case none
  /// The newest one after a time without any, or when the oldest that waits has waited for some time.
  case debounce(for: Duration, atMost: Duration? = nil)
  /// The first one at once, then the newest one of each period.
  case throttle(every: Duration)

  /// When the newest of the events that wait is due, which may be in the past. The oldest of them came first, the
  /// newest last; an event was delivered before, if ever.
  func deadline<Time: InstantProtocol>(
    first: Time, last: Time, delivered: Time?
  ) -> Time where Time.Duration == Duration {
    switch self {
    case .none: return first
    case .debounce(let quiet, let limit):
      let calm = last.advanced(by: quiet.asWait)
      return limit.map { min(calm, first.advanced(by: $0.asWait)) } ?? calm
    case .throttle(let period): return delivered?.advanced(by: period.asWait) ?? first
    }
  }
}

/// Which events of a window of ``Coalescing`` are applied.
public enum BurstPolicy: Hashable, Sendable {
  /// The newest, for sources whose every event says all: a reading, a position, a whole list. Those before it are gone.
  case newest
  /// All, in their order, as one transaction. If one of them is refused, that is undone, and each is applied by itself.
  case all
}
