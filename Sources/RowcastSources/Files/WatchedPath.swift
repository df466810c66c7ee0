#if canImport(RowcastPlatform)
  import RowcastPlatform

  /// What is at a path.
  public enum PathState: Hashable, Sendable {
    /// Nothing.
    case missing
    /// Something that is no directory.
    case file(FileStamp)
    /// A directory with these entries, by name; symbolic links are not followed.
    case directory([String: FileStamp])
  }

  /// A file or a directory that is watched for changes.
  ///
  ///     for try await _ in WatchedPath("profile.json") { show(try load("profile.json")) }
  ///
  /// The first element is what is at the path now; another follows each change: a file that is written, created, renamed
  /// or deleted, a directory whose entries come, go or change. Changes that follow each other closely may come as one
  /// element. Several elements may come for one change, and be equal, if the system tells of it in steps; coalesce them
  /// where that matters.
  ///
  /// Iterating throws ``FileError`` if the path cannot be looked at, and `CancellationError`.
  public struct WatchedPath: AsyncSequence, Sendable {
    private let path: String
    private let method: WatchMethod

    /// Watches a path.
    ///
    /// - Parameters:
    ///   - path: Of a file or a directory, which need not be there yet.
    ///   - method: How changes are noticed.
    public init(_ path: String, method: WatchMethod = .automatic) {
      self.path = path
      self.method = method
    }

    /// Looks at the path whenever it changed.
    public struct AsyncIterator: AsyncIteratorProtocol {
      private let path: String
      private var waiter: PathWaiter
      private var last: PathState?

      fileprivate init(_ source: WatchedPath) {
        path = source.path
        waiter = PathWaiter(path: source.path, method: source.method)
      }

      /// What is at the path, after the next change.
      public mutating func next() async throws -> PathState? {
        while true {
          let isChange = last == nil ? true : try await waiter.wait()
          waiter.prepare()
          let state = try PathState(path)
          // A file that was written twice in a moment may look the same, so a notice of the system counts.
          guard state != last || isChange else { continue }
          last = state
          return state
        }
      }
    }

    /// Starts watching.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
  }

  extension PathState {
    fileprivate init(_ path: String) throws(FileError) {
      do {
        guard let stamp = try Platform.status(ofPath: path).map(FileStamp.init) else {
          self = .missing
          return
        }
        self = stamp.kind == .directory ? .directory(try Self.entries(of: path)) : .file(stamp)
      } catch {
        throw FileError(path: path, reason: "\(error)")
      }
    }

    /// The entries of a directory. Those that go while it is read are left out.
    private static func entries(of path: String) throws(SystemError) -> [String: FileStamp] {
      var entries: [String: FileStamp] = [:]
      for name in try Platform.entries(ofDirectory: path) {
        entries[name] = try Platform.status(ofPath: path + "/" + name, followsLinks: false).map(FileStamp.init)
      }
      return entries
    }
  }
#endif
