import RowcastStore

/// Holds the newest event of a source, or what several were merged to, until it is due.
///
/// One task puts events in as they come, another one takes those that are due.
actor EventWindow<Event: Sendable, Time: Clock> where Time.Duration == Duration {
  private let coalescing: Coalescing
  private let clock: Time
  /// Brings an event to the one that waits.
  private let merge: @Sendable (inout Event, Event) -> Void
  /// What waits to be taken.
  private var waiting: Event?
  /// When the oldest and the newest of the events came that wait. Meaningless while none does.
  private var arrivals: (first: Time.Instant, last: Time.Instant)
  private var delivered: Time.Instant?
  /// Whether no further event will come.
  private var isClosed = false
  /// What the taker waits for.
  private var news = Signal()

  /// Without `merge`, an event takes the place of the one that waits.
  init(
    _ coalescing: Coalescing, on clock: Time,
    merging merge: @escaping @Sendable (inout Event, Event) -> Void = { $0 = $1 }
  ) {
    self.coalescing = coalescing
    self.clock = clock
    self.merge = merge
    arrivals = (clock.now, clock.now)
  }

  /// Brings an event to the one that waits, if any.
  func put(_ event: Event) {
    defer { checkInvariants() }
    let now = clock.now
    arrivals = (waiting == nil ? now : arrivals.first, now)
    // A task that waits for an event to be due finds out by itself that it is a newer one.
    guard var former = waiting else {
      waiting = event
      news.send()
      return
    }
    waiting = nil
    merge(&former, event)
    waiting = former
  }

  private func checkInvariants() {
    assert(
      waiting == nil || arrivals.first <= arrivals.last && delivered.map { $0 <= arrivals.last } ?? true,
      "What waits came at \(arrivals), and an event was delivered at \(String(describing: delivered))")
  }

  /// Says that no further event will come: the one that waits is due.
  func close() {
    isClosed = true
    news.send()
  }

  /// The next event, as soon as it is due; `nil` after the last one, or if the task is cancelled.
  func take() async -> Event? {
    while !Task.isCancelled {
      guard let event = waiting else {
        if isClosed { return nil }
        news = Signal()
        await news.wait()
        continue
      }
      let deadline = coalescing.deadline(first: arrivals.first, last: arrivals.last, delivered: delivered)
      if isClosed || deadline <= clock.now {
        waiting = nil
        delivered = clock.now
        checkInvariants()
        return event
      }
      news = Signal()
      await news.wait(until: deadline, on: clock)
    }
    return nil
  }
}
