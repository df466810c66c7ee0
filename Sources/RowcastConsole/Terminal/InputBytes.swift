import Dispatch

/// What can be read from a file descriptor, chunk by chunk, as it arrives.
///
/// Nothing is read before it is asked for, so a slow reader makes the writer wait instead of filling memory.
package struct InputBytes: AsyncSequence, Sendable {
  package typealias Element = [UInt8]

  let descriptor: Int32
  /// The most bytes that are taken at once.
  let capacity: Int

  package init(descriptor: Int32, capacity: Int = 65_536) {
    self.descriptor = descriptor
    self.capacity = capacity
  }

  package struct AsyncIterator: AsyncIteratorProtocol {
    let input: InputBytes
    /// Reading blocks a thread, so it happens on one of its own and not on those that tasks share.
    let queue = DispatchQueue(label: "rowcast.input")

    package mutating func next() async throws -> [UInt8]? {
      let input = input
      let queue = queue
      let bytes = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<[UInt8], any Error>) in
        queue.async {
          continuation.resume(
            with: Result { try Platform.read(from: input.descriptor, upTo: input.capacity) })
        }
      }
      return bytes.isEmpty ? nil : bytes
    }
  }

  package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(input: self) }
}
