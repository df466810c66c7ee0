#if canImport(RowcastPlatform)
  import RowcastSources

  /// The keys that are pressed at a terminal. Iterating throws if the terminal is gone, and ends with the task.
  ///
  /// A key may arrive in several pieces, as over a slow line. An ESC is a key if no byte follows it for 50 ms.
  public struct TerminalKeys: AsyncSequence, AsyncIteratorProtocol, Sendable {
    private let input: OpenFile?
    private let patience: Int32
    private var reader: DescriptorReader?
    private var parser = KeyParser()
    private var ready: ArraySlice<Key> = []

    /// `patience` is the time in milliseconds that an ESC waits for the rest of a sequence.
    init(input: OpenFile?, patience: Int32 = 50) {
      self.input = input
      self.patience = patience
    }

    /// The next key; `nil` when there will be none.
    public mutating func next() async throws -> Key? {
      guard let input else { return nil }
      let reader = try reader ?? DescriptorReader(input.descriptor)
      self.reader = reader
      while ready.isEmpty {
        let bytes = try await reader.read(upTo: 256, timeout: parser.awaitsMore ? patience : nil)
        let isPause = bytes?.isEmpty ?? true
        ready = (isPause ? parser.pause() : parser.take(bytes ?? []))[...]
        if ready.isEmpty, isPause { return nil }
      }
      return ready.popFirst()
    }

    /// Starts reading.
    public func makeAsyncIterator() -> TerminalKeys { self }
  }
#endif
