import RowcastStore

/// Holds the newest event of a source, or several, until they are due.
///
/// One task adds events, another one takes those that are due.
final actor EventWindow<Event: Sendable> {
  private let coalescing: Coalescing
  private let burst: BurstPolicy
  private let clock: AnyClock
  private var waiting: [Event] = []
  /// The arrivals of the oldest and the newest event since the last delivery. Meaningless if none waits.
  private var arrivals = (first: Duration.zero, last: Duration.zero)
  private var delivered: Duration?
  /// True if there will be no further event.
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

  /// Ends the events: those that wait are due.
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

extension Signal {
  /// Waits for the signal, for a time if there is one, or for the cancellation of the task. The signal was sent then.
  func wait(until deadline: Duration?, on clock: AnyClock) async {
    guard let deadline else {
      await wait()
      return
    }
    async let _ = sendUnlessCancelled(at: deadline, on: clock)
    await wait()
  }

  private func sendUnlessCancelled(at time: Duration, on clock: AnyClock) async {
    do {
      try await clock.sleep(until: time)
      send()
    } catch {}
  }
}
