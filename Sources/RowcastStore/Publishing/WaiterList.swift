import RowcastDiff

/// Tasks that wait for something, first come first served within a priority.
///
/// The list is part of the actor whose state the tasks wait for, which guards it. Waking takes two steps, so that a writer
/// pays for few waiters however many there are: ``markAllDue()`` makes all present waiters due, and ``wake(atMost:)`` sends
/// the signals of some of them. Waiters that are added later are not due.
@usableFromInline
package struct WaiterList: Sendable {
  /// Identifies a waiter. A token stays valid, without effect, after its waiter has left.
  @usableFromInline package typealias Token = Int

  /// The waiters with one priority, in the order of their arrival. Waiters before `next` were woken or have left; a waiter
  /// without a signal has left.
  typealias Queue = (priority: UInt8, waiters: [(token: Token, signal: Signal?)], next: Int)

  /// The queues, the highest priority first.
  private(set) var queues: [Queue] = []
  /// Tokens rise with each arrival.
  private var nextToken = 0
  /// Waiters with a smaller token are due.
  private(set) var dueBefore = 0

  /// Creates an empty list.
  @usableFromInline
  package init() {}

  /// The number of tasks that wait, due or not.
  package private(set) var count = 0
  /// True if no task waits.
  @usableFromInline package var isEmpty: Bool { count == 0 }

  /// Adds a task at the end of the queue of its priority.
  ///
  /// - Complexity: O(1) for a fixed number of priorities, amortised.
  package mutating func add(_ signal: Signal, priority: TaskPriority = Task.currentPriority) -> Token {
    let index = queues.firstIndex { $0.priority <= priority.rawValue } ?? queues.count
    if index == queues.count || queues[index].priority != priority.rawValue {
      queues.insert((priority.rawValue, [], 0), at: index)
    }
    if queues[index].waiters.count > 2 * count + 32 {
      queues[index].waiters.removeAll { $0.signal == nil }
      queues[index].next = 0
    }
    queues[index].waiters.append((nextToken, signal))
    count += 1
    nextToken += 1
    assert(
      count > 16 || count == queues.reduce(0) { $0 + $1.waiters.count { $0.signal != nil } },
      "There are not \(count) waiters: \(self)")
    return nextToken - 1
  }

  /// Removes a task, woken or not.
  ///
  /// - Complexity: O(log n) for n tasks.
  package mutating func remove(_ token: Token) {
    for index in queues.indices {
      let place = queues[index].waiters.indices.countPrefix { queues[index].waiters[$0].token < token }
      if place == queues[index].waiters.count || queues[index].waiters[place].token != token { continue }
      if queues[index].waiters[place].signal != nil { count -= 1 }
      queues[index].waiters[place].signal = nil
    }
  }

  /// Makes all tasks due that wait now.
  package mutating func markAllDue() { dueBefore = nextToken }

  /// Wakes tasks that are due, those of the highest priority first.
  ///
  /// - Returns: True if more than `limit` tasks were due.
  package mutating func wake(atMost limit: Int) -> Bool {
    var rest = limit
    for index in queues.indices {
      while queues[index].next < queues[index].waiters.count {
        let (token, signal) = queues[index].waiters[queues[index].next]
        if token >= dueBefore { break }
        if let signal {
          guard rest > 0 else { return true }
          signal.send()
          rest -= 1
          queues[index].waiters[queues[index].next].signal = nil
          count -= 1
        }
        queues[index].next += 1
      }
      if queues[index].next == queues[index].waiters.count {
        queues[index].waiters.removeAll(keepingCapacity: true)
        queues[index].next = 0
      }
    }
    return false
  }

  /// Wakes all tasks that wait.
  package mutating func wakeAll() {
    markAllDue()
    _ = wake(atMost: .max)
  }
}

/// The subscribers of a store that wait, and the order of waking them.
///
/// Those that have the newest state wait for a change. A writer wakes eight of them, and a task the others, in batches. A subscriber
/// that asks again after its turn, when there is a newer state, gets that at once if it is among the first eight, or if its priority
/// is above that of the task. The others wait in line: otherwise all subscribers would run once for each edit, however many they are.
@usableFromInline
package struct SubscriberList: Sendable {
  /// A place among the waiters for a change, or in the line.
  @usableFromInline package typealias Place = (token: WaiterList.Token, isInLine: Bool)

  /// Those that had the newest state when they asked; due once it has changed.
  private(set) var current = WaiterList()
  /// Those that have just had a turn, and for which there is a newer state. All are due.
  private var line = WaiterList()
  /// The number of subscribers that asked for a free turn at a revision.
  private var freeTurns = (revision: -1, count: 0)
  /// The number of waiters that are woken next: few after an edit, as the writer may be about to make another.
  private var batch = 8
  /// The priority of the task that wakes the waiters that a writer left, while it runs.
  private var wakingPriority: TaskPriority?

  /// The number of subscribers that wait.
  var count: Int { current.count + line.count }
  /// True if some wait for a change, outside of the line.
  @usableFromInline var waitForChange: Bool { !current.isEmpty }
  /// Takes a turn outside of the line. Returns true if a subscriber that asks for a state newer than its own gets it at once.
  mutating func takeFreeTurn(at revision: Int) -> Bool {
    if let wakingPriority, wakingPriority < Task.currentPriority { return true }
    if freeTurns.revision != revision { freeTurns = (revision, 0) }
    freeTurns.count += 1
    return freeTurns.count <= 8
  }

  /// Adds a signal that is sent at the next change, or in its turn.
  mutating func add(_ signal: Signal, toLine isInLine: Bool = false) -> Place {
    guard isInLine else { return (current.add(signal), false) }
    defer { line.markAllDue() }
    return (line.add(signal), true)
  }

  /// Removes a signal, sent or not.
  package mutating func remove(_ place: Place) {
    if place.isInLine { line.remove(place.token) } else { current.remove(place.token) }
  }

  /// Makes all that wait for a change due, and wakes few of them; with the line, all in it. Returns true if more are due.
  mutating func wakeFirst(withLine wakesLine: Bool) -> Bool {
    batch = 8
    current.markAllDue()
    if wakesLine { line.wakeAll() }
    return current.wake(atMost: 8)
  }

  /// Returns the priority of a task that wakes those that are due; `nil` if a task of this priority does.
  mutating func beginWaking() -> TaskPriority? {
    // With a higher priority than the writer's, it would wake all of them before the writer runs again.
    let priority = Task.currentPriority
    if let wakingPriority, wakingPriority >= priority { return nil }
    wakingPriority = priority
    return priority
  }

  /// Wakes some that are due, as many in the line as others, for a task of a priority. Returns true if more are due.
  mutating func wakeSome(_ priority: TaskPriority) -> Bool {
    let areMore = (current.wake(atMost: batch / 2), line.wake(atMost: batch / 2))
    if areMore.0 || areMore.1 {
      batch = min(2 * batch, 128)
      return true
    }
    if wakingPriority == priority { wakingPriority = nil }
    return false
  }
}

/// A one-shot event for one task, which may be sent before, while or after the task waits for it.
///
/// The same signal may be in several waiter lists; the first that sends it ends the wait.
@usableFromInline
package struct Signal: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  /// Creates a signal that was not sent.
  @usableFromInline
  package init() {
    (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
  }

  /// Sends the signal. Returns `false` if it was sent before, or the waiting task was cancelled.
  @discardableResult
  package func send() -> Bool {
    let isFirst = if case .enqueued = continuation.yield() { true } else { false }
    continuation.finish()
    return isFirst
  }

  /// Waits for the signal, or for the cancellation of the task. Returns `true` if the signal was sent.
  @discardableResult
  @usableFromInline
  package func wait() async -> Bool {
    for await _ in stream { return true }
    return false
  }

  /// Waits for the signal, which a timer sends at the deadline if there is one, or for the cancellation of the task. Returns
  /// `true` if the signal was sent.
  @discardableResult
  package func wait(until deadline: Duration?, on clock: AnyClock) async -> Bool {
    guard let deadline else { return await wait() }
    // A cancelled timer sends, too; its waiter has left.
    let timer = Task {
      try? await clock.sleep(until: deadline)
      send()
    }
    defer { timer.cancel() }
    return await wait()
  }
}

/// The turns of tasks that read one stream: one task at a time makes the next element, which starts where the last one ends.
final actor Turns {
  private var isTaken = false
  private var waiters = WaiterList()

  /// The element that a task makes in its turn; `nil` if it is cancelled before.
  func next<Element: Sendable>(_ make: @Sendable () async throws -> Element?) async rethrows -> Element? {
    while isTaken {
      let signal = Signal()
      let token = waiters.add(signal)
      let isWoken = await signal.wait()
      waiters.remove(token)
      if !isWoken { return nil }
    }
    isTaken = true
    defer {
      isTaken = false
      waiters.wakeAll()
    }
    return try await make()
  }
}
