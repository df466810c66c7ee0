import RowcastStore

/// Holds the newest event of a source until it is due.
///
/// One task puts events in as they come, another one takes those that are due.
actor EventWindow<Event: Sendable, Time: Clock> where Time.Duration == Duration {
  private let coalescing: Coalescing
  private let clock: Time
  /// The newest event that was not taken.
  private var newest: Event?
  /// When the oldest and the newest of the events came that wait. Meaningless while none does.
  private var arrivals: (first: Time.Instant, last: Time.Instant)
  private var delivered: Time.Instant?
  /// Whether no further event will come.
  private var isClosed = false
  /// What the taker waits for.
  private var news = Signal()

  init(_ coalescing: Coalescing, on clock: Time) {
    self.coalescing = coalescing
    self.clock = clock
    arrivals = (clock.now, clock.now)
  }

  /// Puts an event in the place of the one that waits, if any.
  func put(_ event: Event) {
    let now = clock.now
    arrivals = (newest == nil ? now : arrivals.first, now)
    // A task that waits for an event to be due finds out by itself that it is a newer one.
    if newest == nil { news.send() }
    newest = event
  }

  /// Says that no further event will come: the one that waits is due.
  func close() {
    isClosed = true
    news.send()
  }

  /// The next event, as soon as it is due.
  ///
  /// - Returns: `nil` after the last one, or if the task is cancelled.
  func take() async -> Event? {
    while !Task.isCancelled {
      guard let event = newest else {
        if isClosed { return nil }
        news = Signal()
        await news.wait()
        continue
      }
      let deadline = coalescing.deadline(first: arrivals.first, last: arrivals.last, delivered: delivered)
      if isClosed || deadline <= clock.now {
        newest = nil
        delivered = clock.now
        return event
      }
      news = Signal()
      await news.wait(until: deadline, on: clock)
    }
    return nil
  }
}
