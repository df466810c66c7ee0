import RowcastStore

/// Holds the newest event of a source, or several merged into one, until it is due.
///
/// One task adds events, another one takes those that are due.
actor EventWindow<Event: Sendable, Time: Clock> where Time.Duration == Duration {
  private let coalescing: Coalescing
  private let clock: Time
  /// Adds a new event to the waiting one.
  private let merge: @Sendable (inout Event, Event) -> Void
  private var waiting: Event?
  /// The arrivals of the oldest and the newest waiting event. Meaningless if none waits.
  private var arrivals: (first: Time.Instant, last: Time.Instant)
  private var delivered: Time.Instant?
  /// True if there will be no further event.
  private var isClosed = false
  /// Wakes the task that takes events.
  private var news = Signal()

  /// By default a new event replaces the waiting one.
  init(
    _ coalescing: Coalescing, on clock: Time,
    merging merge: @escaping @Sendable (inout Event, Event) -> Void = { $0 = $1 }
  ) {
    self.coalescing = coalescing
    self.clock = clock
    self.merge = merge
    arrivals = (clock.now, clock.now)
  }

  /// Adds an event.
  func put(_ event: Event) {
    defer { checkInvariants() }
    let now = clock.now
    arrivals = (waiting == nil ? now : arrivals.first, now)
    guard var former = waiting else {
      waiting = event
      news.send()
      return
    }
    // A task that waits until the event is due gets the merged one then.
    waiting = nil
    merge(&former, event)
    waiting = former
  }

  private func checkInvariants() {
    assert(
      waiting == nil || arrivals.first <= arrivals.last && delivered.map { $0 <= arrivals.last } ?? true,
      "Events arrived at \(arrivals), but one was delivered at \(String(describing: delivered))")
  }

  /// Ends the events: the waiting one is due.
  func close() {
    isClosed = true
    news.send()
  }

  /// The next event, as soon as it is due; `nil` after the last one or if the task is cancelled.
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

extension Signal {
  /// Waits for the signal, for a time, or for the cancellation of the task.
  func wait<Time: Clock>(until deadline: Time.Instant, on clock: Time) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await clock.sleep(until: deadline, tolerance: nil) }
      group.addTask { await wait() }
      await group.next()
      group.cancelAll()
    }
  }
}
