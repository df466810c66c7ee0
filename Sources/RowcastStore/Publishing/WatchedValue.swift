/// The newest value of something, and the streams that watch it. It is part of an actor, which guards it.
package struct WatchedValue<Value: Sendable>: Sendable {
  /// The newest value.
  package private(set) var value: Value
  fileprivate var isFinal = false
  /// The streams of the readers, in the order of their arrival.
  fileprivate(set) var readers: [(number: Int, stream: AsyncStream<Value>.Continuation)] = []
  fileprivate var nextNumber = 0
  /// The number of streams. For tests.
  package var readerCount: Int { readers.count }

  /// Starts with a value.
  package init(_ value: Value) { self.value = value }

  /// Replaces the value; all streams end after a final one.
  package mutating func set(_ value: Value, isFinal: Bool = false) {
    self.value = value
    for reader in readers { reader.stream.yield(value) }
    if isFinal { finish() }
  }

  /// Ends all streams.
  package mutating func finish() {
    isFinal = true
    for reader in readers { reader.stream.finish() }
    readers = []
  }
}

/// An actor with a value that can be watched. A slow reader gets the newest value, and delays no other.
package protocol ValuePublisher<Value>: Actor {
  associatedtype Value: Sendable

  /// The value.
  var watched: WatchedValue<Value> { get set }
}

extension ValuePublisher {
  /// The value now, and whenever it is replaced, until the last. Each call makes an independent stream.
  package nonisolated var values: AsyncStream<Value> {
    let (values, stream) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
    Task { await add(stream) }
    return values
  }

  /// Adds a stream, unless its reader was cancelled before.
  private func add(_ stream: AsyncStream<Value>.Continuation) {
    let number = watched.nextNumber
    watched.nextNumber += 1
    stream.onTermination = { _ in Task { [weak self] in await self?.removeReader(number) } }
    if case .terminated = stream.yield(watched.value) { return }
    if watched.isFinal { return stream.finish() }
    watched.readers.append((number, stream))
  }

  private func removeReader(_ number: Int) { watched.readers.removeAll { $0.number == number } }
}
