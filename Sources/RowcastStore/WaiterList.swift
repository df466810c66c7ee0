/// Tasks that wait for something, first come first served within a priority.
///
/// The list is part of the actor whose state the tasks wait for, which guards it. A wake-up wakes those that wait when it
/// is requested, not those that come later: ``callAll()`` makes all of them due, ``wakeDue(atMost:)`` sends their
/// signals. The two are apart so that a writer sends few, whatever the number of waiters.
///
/// Each priority has a doubly linked queue; all queues share one array of nodes, so adding and removing are O(1).
@usableFromInline
package struct WaiterList: Sendable {
  /// The place of a waiter in the list. It stays valid, without effect, after the waiter has left.
  @usableFromInline
  package struct Token: Hashable, Sendable {
    fileprivate let slot: Int
    /// The order of arrival, which also tells apart the waiters that one slot had.
    fileprivate let number: Int
  }

  private struct Node: Sendable {
    let signal: Signal
    let number: Int
    let priority: UInt8
    var previous: Int?
    var next: Int?
  }

  private struct Queue: Sendable {
    let priority: UInt8
    var first: Int?
    var last: Int?
  }

  /// The waiters by slot; `nil` where a slot is free.
  private var nodes: [Node?] = []
  private var freeSlots: [Int] = []
  /// A queue for each priority that has waited here, the highest first.
  private var queues: [Queue] = []
  private var nextNumber = 0
  /// Waiters with a smaller number are due.
  private var dueBefore = 0

  /// Creates an empty list.
  @usableFromInline
  package init() {}

  /// The number of tasks that wait, due or not.
  package var count: Int { nodes.count - freeSlots.count }
  /// Whether no task waits.
  @usableFromInline package var isEmpty: Bool { nodes.count == freeSlots.count }

  /// The number of waiters that are due and were not woken yet. O(n); for tests.
  package var dueCount: Int { nodes.count { $0.map { $0.number < dueBefore } ?? false } }

  /// Adds a task at the end of the queue of its priority.
  ///
  /// - Returns: The place of the task, for ``remove(_:)``.
  /// - Complexity: O(1) for a fixed number of priorities.
  package mutating func add(_ signal: Signal, priority: TaskPriority = Task.currentPriority) -> Token {
    let queue = queueIndex(of: priority.rawValue)
    let node = Node(signal: signal, number: nextNumber, priority: priority.rawValue, previous: queues[queue].last)
    nextNumber += 1
    let slot: Int
    if let free = freeSlots.popLast() {
      slot = free
      nodes[slot] = node
    } else {
      slot = nodes.count
      nodes.append(node)
    }
    if let last = queues[queue].last { nodes[last]?.next = slot } else { queues[queue].first = slot }
    queues[queue].last = slot
    checkInvariants()
    return Token(slot: slot, number: node.number)
  }

  /// Removes a task, woken or not.
  ///
  /// - Complexity: O(1) for a fixed number of priorities.
  package mutating func remove(_ token: Token) {
    guard token.slot < nodes.count, let node = nodes[token.slot], node.number == token.number else { return }
    unlink(token.slot, node)
    checkInvariants()
  }

  /// Makes all tasks due that wait now.
  package mutating func callAll() { dueBefore = nextNumber }

  /// Wakes some of the tasks that are due, those of the highest priority first.
  ///
  /// - Parameter limit: The most to wake.
  /// - Returns: Whether more are due.
  /// - Complexity: O(k) for k tasks that are woken.
  package mutating func wakeDue(atMost limit: Int) -> Bool {
    var rest = limit
    for queue in queues.indices {
      while let slot = queues[queue].first, let node = nodes[slot], node.number < dueBefore {
        if rest == 0 { return true }
        rest -= 1
        unlink(slot, node)
        node.signal.send()
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
      while let slot = queues[queue].first, let node = nodes[slot] {
        unlink(slot, node)
        checkInvariants()
        if node.signal.send() { return true }
      }
    }
    return false
  }

  private mutating func queueIndex(of priority: UInt8) -> Int {
    let index = queues.firstIndex { $0.priority <= priority } ?? queues.count
    if index == queues.count || queues[index].priority != priority {
      queues.insert(Queue(priority: priority), at: index)
    }
    return index
  }

  private mutating func unlink(_ slot: Int, _ node: Node) {
    let queue = queueIndex(of: node.priority)
    if let previous = node.previous { nodes[previous]?.next = node.next } else { queues[queue].first = node.next }
    if let next = node.next { nodes[next]?.previous = node.previous } else { queues[queue].last = node.previous }
    nodes[slot] = nil
    freeSlots.append(slot)
    if isEmpty {
      // An empty list is small again, whatever it held.
      let isSmall = nodes.count <= 64
      nodes.removeAll(keepingCapacity: isSmall)
      freeSlots.removeAll(keepingCapacity: isSmall)
    }
  }

  private func checkInvariants() {
    assert(
      {
        // Long lists are checked in the tests, which are not quadratic.
        guard nodes.count <= 16 else { return true }
        var linked = 0
        for queue in queues {
          var slot = queue.first
          var previous: Int?
          while let current = slot, let node = nodes[current] {
            guard node.priority == queue.priority, node.previous == previous else { return false }
            if let previous, let before = nodes[previous], before.number >= node.number { return false }
            linked += 1
            (previous, slot) = (current, node.next)
          }
          guard queue.last == previous else { return false }
        }
        return linked == count && zip(queues, queues.dropFirst()).allSatisfy { $0.priority > $1.priority }
      }(), "A waiter list is inconsistent: \(self)")
  }
}
