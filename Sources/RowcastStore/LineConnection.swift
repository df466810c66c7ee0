import RowcastDiff
import RowcastModel

/// What one connection was sent so far, and what it is sent next, for one task at a time.
final actor LineConnection<Section: SectionViewModel, Row: RowViewModel> {
  enum Step: Sendable {
    case update(ListUpdate<Section, Row>)
    /// Nothing has changed for some time: the position that was sent last, as an update to itself.
    case heartbeat(ListUpdate<Section, Row>)
    case end(ListPosition, count: Int)
    case stop
  }

  typealias Updates = Resumption<Section, Row>

  /// Makes the updates, when the first is asked for.
  private let resume: @Sendable () async -> Updates
  private let heartbeat: Duration?
  private let clock: AnyClock
  /// Called when the connection is gone.
  private let leave: @Sendable () -> Void
  private var made: Updates?
  private var position = ListPosition(epoch: "", revision: 0)
  /// The list after the last update; `nil` before the first.
  private var snapshot: ListSnapshot<Section, Row>?
  /// The position before the last update that was sent or is to be sent, and the list there, if it is known.
  private var start: ListPosition?
  private var former: ListSnapshot<Section, Row>?
  /// True if a heartbeat was sent while the last update was not.
  private var isStillUnsent = false
  /// The number of steps so far, of which the last update counts although it may be unsent.
  private var count = 0
  private var hasEnded = false

  /// Reads the next update, also while a heartbeat is sent.
  private var reading: Task<Void, Never>?
  /// True if it has read an update, or the end of them, which waits here to be taken.
  private var hasRead = false
  private var update: ListUpdate<Section, Row>?
  /// Tells who waits that it has.
  private var arrival: Signal?

  /// Creates a connection that was sent nothing.
  ///
  /// - Parameters:
  ///   - heartbeat: The time after which there is a heartbeat if there was no update.
  ///   - clock: Measures it.
  ///   - resume: Makes the updates.
  ///   - leave: Called when the connection is gone.
  init(
    heartbeat: Duration?, on clock: AnyClock, from resume: @escaping @Sendable () async -> Updates,
    leave: @escaping @Sendable () -> Void
  ) {
    // Between heartbeats there is time for a change.
    self.heartbeat = heartbeat.map { max($0.asWait, .milliseconds(1)) }
    (self.clock, self.resume, self.leave) = (clock, resume, leave)
  }

  deinit {
    reading?.cancel()
    leave()
  }

  private func resumption() async -> Updates {
    if let made { return made }
    let resumption = await resume()
    made = resumption
    return resumption
  }

  /// The next step. If the update before it was not sent, it is in this one.
  func next(_ isUnsent: Bool) async -> Step {
    if hasEnded { return .stop }
    let resumption = await resumption()
    let isUnsent = isUnsent || isStillUnsent
    // The message has no list: of a mirror that resumes, the list at its position is not known.
    let (sent, list) = isUnsent ? (start, former ?? snapshot) : (position, snapshot)
    let isRepeatable = snapshot != nil && sent != nil
    let (update, isLate) = await read(resumption, until: isRepeatable ? heartbeat.map { clock.now + $0 } : nil)
    if isLate {
      isStillUnsent = isUnsent
      guard let sent, let list else { return .stop }
      count += 1
      return .heartbeat(
        ListUpdate(
          revision: sent.revision, previous: sent.revision, changes: ListChanges(), snapshot: list, epoch: sent.epoch))
    }
    if var update {
      isStillUnsent = false
      position = update.position
      if !isUnsent {
        count += 1
        (start, former) = (update.start, snapshot)
      } else if let start, let former {
        update.start(at: start, former)
      } else {
        update.previous = nil
      }
      snapshot = update.snapshot
      return .update(update)
    }
    if Task.isCancelled { return .stop }
    guard await resumption.isEnded(), !Task.isCancelled else { return .stop }
    hasEnded = true
    return .end(position, count: isUnsent ? count - 1 : count)
  }

  // MARK: - Heartbeats

  /// Reads the next update, which is `nil` at the end, and if the task is cancelled. `isLate` tells that the deadline came first.
  private func read(
    _ updates: Updates, until deadline: Duration?
  ) async -> (update: ListUpdate<Section, Row>?, isLate: Bool) {
    // One that was begun for a heartbeat must be ended.
    if deadline == nil, reading == nil, !hasRead { return (await updates.next(), false) }
    while !hasRead {
      if reading == nil {
        // Its own task, as it continues during a heartbeat.
        reading = Task.detached(priority: Task.currentPriority) { [weak self] in
          let update = await updates.next()
          await self?.take(update)
        }
      }
      if let deadline, clock.now >= deadline { return (nil, true) }
      let signal = Signal()
      arrival = signal
      if await !signal.wait(until: deadline, on: clock) { return (nil, false) }
    }
    // The end stays.
    defer { (hasRead, update) = (update == nil, nil) }
    return (update, false)
  }

  private func take(_ update: ListUpdate<Section, Row>?) {
    (self.update, hasRead, reading) = (update, true, nil)
    arrival?.send()
  }
}
