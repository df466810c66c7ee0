import RowcastDiff

/// Tasks that wait for something, first come first served within a priority.
///
/// The list is part of the actor whose state the tasks wait for, which guards it. A wake-up wakes those that wait when it
/// is requested, not those that come later: ``callAll()`` makes all of them due, ``wakeDue(atMost:)`` sends their
/// signals. The two are apart so that a writer sends few, whatever the number of waiters.
@usableFromInline
package struct WaiterList: Sendable {
  /// What finds a waiter in the list. It stays valid, without effect, after the waiter has left.
  @usableFromInline
  package struct Token: Hashable, Sendable {
    fileprivate let priority: UInt8
    /// The order of arrival.
    fileprivate let number: Int
  }

  /// The tasks of one priority, in the order of their arrival.
  private struct Queue: Sendable {
    let priority: UInt8
    private(set) var count = 0
    /// The numbers of the tasks, ascending, and the signals that wake them; no signal where a task has left.
    private var numbers: [Int] = []
    private var signals: [Signal?] = []
    /// The first place that has a signal, or the end.
    private var start = 0

    init(priority: UInt8) { self.priority = priority }

    var first: Int? { start < numbers.count ? numbers[start] : nil }

    mutating func append(_ signal: Signal, number: Int) {
      numbers.append(number)
      signals.append(signal)
      count += 1
    }

    mutating func take(_ number: Int) -> Signal? {
      let place = number == first ? start : numbers.indices.countPrefix { numbers[$0] < number }
      guard place < numbers.count, numbers[place] == number, let signal = signals[place] else { return nil }
      signals[place] = nil
      count -= 1
      while start < signals.count, signals[start] == nil { start += 1 }
      // Free places are given back when they are most of all, so that each waiter is moved once on average.
      if numbers.count > 2 * count + 32 {
        numbers = numbers.indices.filter { signals[$0] != nil }.map { numbers[$0] }
        signals.removeAll { $0 == nil }
        start = 0
      }
      return signal
    }

    func count(before number: Int) -> Int { numbers.indices.count { signals[$0] != nil && numbers[$0] < number } }

    /// Whether the places are as they should be. Long queues are checked in the tests, which are not quadratic.
    var isConsistent: Bool {
      numbers.count == signals.count
        && (numbers.count > 16
          || count(before: .max) == count && first.map { count(before: $0) } ?? count == 0
            && zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
    }
  }

  /// A queue for each priority that has waited here, the highest first.
  private var queues: [Queue] = []
  private var nextNumber = 0
  /// Waiters with a smaller number are due.
  private var dueBefore = 0

  /// Creates an empty list.
  @usableFromInline
  package init() {}

  /// The number of tasks that wait, due or not.
  package var count: Int { queues.reduce(0) { $0 + $1.count } }
  /// Whether no task waits.
  @usableFromInline package var isEmpty: Bool { queues.allSatisfy { $0.count == 0 } }

  /// The number of waiters that are due and were not woken yet. O(n); for tests.
  package var dueCount: Int { queues.reduce(0) { $0 + $1.count(before: dueBefore) } }

  /// Adds a task at the end of the queue of its priority.
  ///
  /// - Returns: What finds the task, for ``remove(_:)``.
  /// - Complexity: O(1) for a fixed number of priorities, on average.
  package mutating func add(_ signal: Signal, priority: TaskPriority = Task.currentPriority) -> Token {
    let token = Token(priority: priority.rawValue, number: nextNumber)
    let queue = queues.firstIndex { $0.priority <= token.priority } ?? queues.count
    if queue == queues.count || queues[queue].priority != token.priority {
      queues.insert(Queue(priority: token.priority), at: queue)
    }
    queues[queue].append(signal, number: token.number)
    nextNumber += 1
    checkInvariants()
    return token
  }

  /// Removes a task, woken or not.
  ///
  /// - Complexity: O(log n) for n waiters and a fixed number of priorities, on average.
  package mutating func remove(_ token: Token) {
    guard let queue = queues.firstIndex(where: { $0.priority == token.priority }) else { return }
    _ = queues[queue].take(token.number)
    checkInvariants()
  }

  /// Makes all tasks due that wait now.
  package mutating func callAll() { dueBefore = nextNumber }

  /// Wakes some of the tasks that are due, those of the highest priority first.
  ///
  /// - Parameter limit: The most to wake.
  /// - Returns: Whether more are due.
  /// - Complexity: O(k log n) for k tasks that are woken, of n waiters.
  package mutating func wakeDue(atMost limit: Int) -> Bool {
    var rest = limit
    for queue in queues.indices {
      while let first = queues[queue].first, first < dueBefore {
        if rest == 0 { return true }
        rest -= 1
        queues[queue].take(first)?.send()
      }
    }
    checkInvariants()
    return false
  }

  /// Wakes all tasks that wait.
  package mutating func wakeAll() {
    callAll()
    _ = wakeDue(atMost: .max)
  }

  /// Wakes the first task of the highest priority that still waits.
  ///
  /// - Returns: Whether there was one.
  package mutating func wakeFirst() -> Bool {
    for queue in queues.indices {
      while let first = queues[queue].first {
        let isWoken = queues[queue].take(first)?.send() ?? false
        checkInvariants()
        if isWoken { return true }
      }
    }
    return false
  }

  private func checkInvariants() {
    assert(
      queues.allSatisfy(\.isConsistent) && zip(queues, queues.dropFirst()).allSatisfy { $0.priority > $1.priority },
      "A waiter list is inconsistent: \(self)")
  }
}
