#if canImport(RowcastPlatform)
  import RowcastSources

  /// The keys that are pressed at a terminal. Iterating throws if the terminal is gone, and ends with the task.
  ///
  /// A key may arrive in several pieces, as over a slow line. An ESC is a key if no byte follows it for 50 ms.
  public struct TerminalKeys: AsyncSequence, Sendable {
    let input: OpenFile?
    /// How long an ESC waits for the rest of a sequence, in milliseconds.
    var patience: Int32 = 50

    /// Reads keys.
    public struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate let keys: TerminalKeys
      private var reader: DescriptorReader?
      private var parser = KeyParser()
      private var ready: ArraySlice<Key> = []

      fileprivate init(_ keys: TerminalKeys) { self.keys = keys }

      /// The next key; `nil` when there will be none.
      public mutating func next() async throws -> Key? {
        guard let input = keys.input else { return nil }
        let reader = try self.reader ?? DescriptorReader(input.descriptor)
        self.reader = reader
        while ready.isEmpty {
          let bytes = try await reader.read(upTo: 256, timeout: parser.awaitsMore ? keys.patience : nil)
          let isPause = bytes?.isEmpty ?? true
          ready = (isPause ? parser.pause() : parser.take(bytes ?? []))[...]
          if ready.isEmpty, isPause { return nil }
        }
        return ready.popFirst()
      }
    }

    /// Starts reading.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
  }
#endif
