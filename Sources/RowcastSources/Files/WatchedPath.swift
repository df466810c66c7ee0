#if canImport(RowcastPlatform)
  import RowcastPlatform

  /// The state of a path.
  public enum PathState: Hashable, Sendable {
    /// Nothing.
    case missing
    /// A file, a pipe, a device or a socket.
    case file(FileStamp)
    /// A directory with these entries, by name; symbolic links are not followed.
    case directory([String: FileStamp])
  }

  /// A file or a directory that is watched for changes.
  ///
  ///     for try await _ in WatchedPath("profile.json") { show(try load("profile.json")) }
  ///
  /// The first element is the current state; another follows each change: a file that is written, created, renamed or
  /// deleted, a directory whose entries come, go or change. Changes in quick succession may give one element. One change may
  /// give several equal elements, if the system reports it in steps; coalesce them where that matters.
  ///
  /// Iterating throws ``FileError`` if the path cannot be looked at, and `CancellationError`.
  public struct WatchedPath: AsyncSequence, Sendable {
    private let path: String
    private let method: WatchMethod

    /// Watches a path.
    ///
    /// - Parameters:
    ///   - path: The path of a file or a directory, which need not exist yet.
    ///   - method: The way in which changes are noticed.
    public init(_ path: String, method: WatchMethod = .automatic) {
      self.path = path
      self.method = method
    }

    /// Reads the states one by one.
    public struct AsyncIterator: AsyncIteratorProtocol {
      private let path: String
      private var waiter: PathWaiter
      private var last: PathState?

      fileprivate init(_ source: WatchedPath) {
        path = source.path
        waiter = PathWaiter(path: source.path, method: source.method)
      }

      /// The state of the path after the next change.
      public mutating func next() async throws -> PathState? {
        while true {
          let isChange = last == nil ? true : try await waiter.wait()
          waiter.prepare()
          let state = try PathState.current(at: path)
          // A file that was written twice in a moment may look the same, so a notification counts.
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
    fileprivate static func current(at path: String) throws(FileError) -> PathState {
      do {
        guard let stamp = try Platform.status(ofPath: path).map(FileStamp.init) else { return .missing }
        return stamp.kind == .directory ? .directory(try entries(of: path)) : .file(stamp)
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
