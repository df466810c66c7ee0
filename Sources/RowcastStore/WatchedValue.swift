/// The newest value of something, and the tasks that wait for another one; part of the actor that it is a value of.
package struct WatchedValue<Value: Sendable>: Sendable {
  /// The newest value.
  package private(set) var value: Value
  /// The number of values before it.
  fileprivate var version = 0
  fileprivate var isFinal = false
  fileprivate var waiters = WaiterList()

  /// Starts with a value.
  package init(_ value: Value) { self.value = value }

  /// Gives it another value, or says that the one it has is the last.
  package mutating func set(_ value: Value, isFinal: Bool = false) {
    self.value = value
    self.isFinal = isFinal
    version += 1
    wakeAll()
  }

  /// Says that there will be no other value.
  package mutating func finish() {
    isFinal = true
    wakeAll()
  }

  private mutating func wakeAll() {
    waiters.wakeAll()
    assert(waiters.isEmpty, "\(waiters.count) tasks wait for a value that is here: \(value)")
  }

  /// The number of tasks that wait. For tests.
  package var waiterCount: Int { waiters.count }
}

/// An actor with a value that can be watched. A reader that is slow gets the newest one, and delays no other.
package protocol ValuePublisher<Value>: Actor {
  associatedtype Value: Sendable

  /// The value.
  var watched: WatchedValue<Value> { get set }
}

extension ValuePublisher {
  /// The value now, and whenever there is another one, until the last. Each call makes an independent stream.
  package nonisolated var values: AsyncStream<Value> {
    let reader = ValueReader(self)
    return AsyncStream { await reader.next() }
  }

  /// The newest value, as soon as it is another one than the reader has seen.
  ///
  /// - Parameter seen: The number of the value that the reader has seen.
  /// - Returns: The value and its number; `nil` if there will be none, or the task is cancelled.
  fileprivate func value(after seen: Int?) async -> (Value, number: Int)? {
    while !Task.isCancelled {
      if watched.version != seen { return (watched.value, watched.version) }
      if watched.isFinal { return nil }
      let signal = Signal()
      let token = watched.waiters.add(signal)
      if await !signal.wait() { watched.waiters.remove(token) }
    }
    return nil
  }
}

/// One reader's place in the history of a value.
package actor ValueReader<Publisher: ValuePublisher> {
  private let publisher: Publisher
  private var seen: Int?

  /// Starts before the newest value.
  package init(_ publisher: Publisher) { self.publisher = publisher }

  /// The newest value that was not read yet.
  package func next() async -> Publisher.Value? {
    guard let (value, number) = await onSharedExecutor({ [publisher, seen] in await publisher.value(after: seen) })
    else { return nil }
    seen = number
    return value
  }
}
