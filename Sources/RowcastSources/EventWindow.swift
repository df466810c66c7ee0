import RowcastStore

/// Keeps the newest event of a source, or several, until they are due.
///
/// One task adds events, another one takes the events that are due.
final actor EventWindow<Event: Sendable> {
  private let coalescing: Coalescing
  private let burst: BurstPolicy
  private let clock: AnyClock
  private var waiting: [Event] = []
  /// The arrival times of the oldest and the newest event since the last delivery. Meaningless if no event waits.
  private var arrivals = (first: Duration.zero, last: Duration.zero)
  private var delivered: Duration?
  /// True if no further event follows.
  private var isClosed = false
  /// Wakes the task that takes events.
  private var news = Signal()

  init(_ coalescing: Coalescing, keeping burst: BurstPolicy = .newest, on clock: AnyClock) {
    (self.coalescing, self.burst, self.clock) = (coalescing, burst, clock)
  }

  /// Adds an event.
  func put(_ event: Event) {
    let now = clock.now
    arrivals = (waiting.isEmpty ? now : arrivals.first, now)
    // A task that waits until the former event is due gets this one then.
    if waiting.isEmpty { news.send() } else if burst == .newest { waiting = [] }
    waiting.append(event)
    checkInvariants()
  }

  private func checkInvariants() {
    assert(
      waiting.isEmpty || arrivals.first <= arrivals.last && delivered.map { $0 <= arrivals.last } ?? true,
      "Events arrived at \(arrivals), but one was delivered at \(String(describing: delivered))")
  }

  /// Ends the events: waiting events are due.
  func close() {
    isClosed = true
    news.send()
  }

  /// The next events, as soon as they are due: one, unless all are kept. `nil` after the last ones or if the task is cancelled.
  func take() async -> [Event]? {
    while !Task.isCancelled {
      var deadline: Duration?
      if !waiting.isEmpty {
        let due = coalescing.deadline(first: arrivals.first, last: arrivals.last, delivered: delivered)
        if isClosed || due <= clock.now {
          defer { waiting = [] }
          delivered = clock.now
          return waiting
        }
        deadline = due
      } else if isClosed {
        return nil
      }
      news = Signal()
      await news.wait(until: deadline, on: clock)
    }
    return nil
  }
}

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

  /// The time at which the waiting events are due, which may be in the past: by the arrival times of the oldest and the newest of
  /// them, and the last delivery, if any.
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
