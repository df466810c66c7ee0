#if canImport(RowcastPlatform)
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
      var reader: DescriptorReader?

      package mutating func next() async throws -> [UInt8]? {
        let reader = try self.reader ?? DescriptorReader(input.descriptor)
        self.reader = reader
        guard let bytes = try await reader.read(upTo: input.capacity), !bytes.isEmpty else { return nil }
        return bytes
      }
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(input: self) }
  }
#endif
