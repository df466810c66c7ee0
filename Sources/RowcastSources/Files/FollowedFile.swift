#if canImport(RowcastPlatform)
  import RowcastDiff
  import RowcastPlatform

  /// The lines of a file that grows: a log, whose writers replace, rename or truncate it from time to time.
  ///
  ///     for try await line in FollowedFile("/var/log/app.log", from: .lastLines(100)) { print(line.text) }
  ///
  /// - A line is delivered when it is complete.
  /// - A file that is renamed is read to its end, with all that is still written to it, until there is another one with
  ///   content at the path; that one is then read from its beginning.
  /// - A file that is truncated, or has other content, is read from its beginning. Its unread content is lost.
  /// - The incomplete last line of a file is delivered when the file is replaced.
  /// - A missing file is waited for, and then read from its beginning.
  ///
  /// Lines that are written to a file after another one with content took its place are not seen, nor is a file that comes
  /// and goes between two looks. The sequence does not end by itself. Iterating throws `CancellationError`, and ``FileError``
  /// if the file at the path cannot be read or is not a regular one, also if it takes the place of a file that was read to
  /// its end. The iterator stays valid: it looks again when the next line is requested.
  public struct FollowedFile: AsyncSequence, Sendable {
    /// The position where following starts.
    public enum Start: Hashable, Sendable {
      /// At the first line.
      case beginning
      /// At a number of complete lines before the end.
      case lastLines(Int)
      /// After the last complete line.
      public static let end = Start.lastLines(0)
    }

    private let path: String
    private let method: WatchMethod
    private let file: GrowingFile

    /// Follows a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file; a symbolic link is followed, also when it leads elsewhere later.
    ///   - start: The position where following starts, in a file that already exists.
    ///   - method: The way in which changes are noticed.
    ///   - lineLimit: The most bytes that are kept of a line, at least 1.
    public init(
      _ path: String, from start: Start = .end, method: WatchMethod = .automatic, lineLimit: Int = 1_024 * 1_024
    ) {
      if case .lastLines(let count) = start {
        require(count >= 0, "The number of last lines must not be negative, got \(count)")
      }
      self.path = path
      self.method = method
      file = GrowingFile(path: path, start: start, lineLimit: lineLimit)
    }

    /// Reads the lines one by one.
    public struct AsyncIterator: AsyncIteratorProtocol {
      private let path: String
      private var waiter: PathWaiter
      private var reader: GrowingFile
      private var ready: ArraySlice<TextLine> = []

      fileprivate init(_ source: FollowedFile) {
        path = source.path
        waiter = PathWaiter(path: source.path, method: source.method)
        reader = source.file
      }

      /// The next line, as soon as it is complete.
      public mutating func next() async throws -> TextLine? {
        while true {
          if let line = ready.popFirst() { return line }
          try Task.checkCancellation()
          waiter.prepare()
          do {
            while let lines = try reader.look() {
              ready = lines[...]
              if !ready.isEmpty { break }
            }
          } catch {
            throw FileError(path: path, reason: "\(error)")
          }
          if ready.isEmpty { _ = try await waiter.wait() }
        }
      }
    }

    /// Starts following.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
  }
#endif
