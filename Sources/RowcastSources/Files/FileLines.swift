#if canImport(RowcastPlatform)
  import RowcastDiff
  import RowcastPlatform

  /// The lines of a pipe, a socket or a file, as they arrive, to the end of the input.
  ///
  ///     for try await line in FileLines.standardInput { print(line.number, line.text) }
  ///
  /// Lines are read on demand, so a slow reader makes the writer wait instead of filling memory. A last line without an end
  /// counts. A byte order mark at the beginning is not part of the first line. Cancelling the reading task ends its wait at once.
  /// Any number of inputs is waited for in one thread.
  ///
  /// Iterating throws ``FileError`` if the input cannot be read. To follow a file beyond its end use ``FollowedFile``.
  public struct FileLines: AsyncSequence, AsyncIteratorProtocol, Sendable {
    private let reader: DescriptorReader
    private var cutter: LineCutter
    private var ready: ArraySlice<TextLine> = []

    /// The lines of standard input.
    public static var standardInput: FileLines { FileLines(descriptor: Platform.standardInput) }

    /// The lines that can be read from a file descriptor.
    ///
    ///     FileLines(descriptor: pipe.fileHandleForReading.fileDescriptor, keeping: pipe)
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor; its owner or the caller closes it after the last read.
    ///   - owner: Kept alive by the sequence and its iterators: a file handle that closes the descriptor, for example.
    ///   - lineLimit: The greatest number of bytes that are kept of a line, at least 1.
    public init(descriptor: Int32, keeping owner: (any Sendable)? = nil, lineLimit: Int = 16 * 1_024 * 1_024) {
      require(descriptor >= 0, "A file cannot have the descriptor \(descriptor); is it open?")
      reader = DescriptorReader(descriptor, keeping: owner)
      cutter = LineCutter(limit: lineLimit)
    }

    /// The next line, or `nil` at the end of the input.
    public mutating func next() async throws -> TextLine? {
      while true {
        if let line = ready.popFirst() { return line }
        do {
          guard let chunk = try await reader.read(upTo: 65_536), !chunk.isEmpty else { return cutter.last() }
          ready = cutter.lines(in: chunk)[...]
        } catch let error as SystemError {
          throw FileError(reason: "\(error)")
        }
      }
    }

    /// Starts reading at the descriptor's offset.
    public func makeAsyncIterator() -> FileLines { self }
  }
#endif
