/// The signals that arrive at the process, as an asynchronous sequence.
///
/// From the moment the watcher is made no watched signal is lost or has its default action: a handler writes each into a
/// pipe, and this reads the pipe. (A dispatch source starts to listen some time after it was told to.)
package struct SignalWatcher: AsyncSequence, Sendable {
  package typealias Element = ConsoleSignal

  private let input: InputBytes?

  /// Starts to watch. Their default actions are off for the rest of the process.
  ///
  /// - Parameters:
  ///   - watched: The signals. One that the process was started to ignore stays ignored.
  ///   - always: Those of them that are watched even so.
  package init(_ watched: [ConsoleSignal], always: Set<ConsoleSignal> = []) {
    input = Platform.catchSignals(watched, always: always).map { InputBytes(descriptor: $0, capacity: 1) }
  }

  package struct AsyncIterator: AsyncIteratorProtocol {
    var bytes: InputBytes.AsyncIterator?

    package mutating func next() async throws -> ConsoleSignal? {
      while let byte = try await bytes?.next()?.first {
        if let signal = ConsoleSignal.allCases.first(where: { $0.number == Int32(byte) }) { return signal }
      }
      return nil
    }
  }

  package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(bytes: input?.makeAsyncIterator()) }
}
