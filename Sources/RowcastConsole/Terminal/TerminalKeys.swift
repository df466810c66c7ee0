#if canImport(RowcastPlatform)
  import RowcastSources

  /// The keys that are pressed at a terminal, one by one. Iterating throws if the terminal is gone. Cancellation ends it.
  public struct TerminalKeys: AsyncSequence, Sendable {
    let descriptor: Int32?

    /// Reads keys.
    public struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate var bytes: InputBytes.AsyncIterator?
      fileprivate var ready: ArraySlice<Key> = []

      /// The next key; `nil` when there will be none.
      public mutating func next() async throws -> Key? {
        while ready.isEmpty {
          guard let bytes = try await bytes?.next() else { return nil }
          ready = Key.parse(bytes)[...]
        }
        return ready.popFirst()
      }
    }

    /// Starts reading.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(bytes: descriptor.map { InputBytes(descriptor: $0, capacity: 256).makeAsyncIterator() })
    }
  }
#endif
