import RowcastStore

/// The way in which changes of files are noticed.
public struct WatchMethod: Sendable {
  /// True if files are polled only where the system cannot notify.
  let isAutomatic: Bool
  /// Waits until it is time to look again.
  let pause: @Sendable () async throws -> Void

  /// The system notifies: inotify on Linux. Where it cannot, files are polled four times a second.
  ///
  /// Changes that the system does not report, of files on another machine or in a new directory, are noticed within a second.
  public static let automatic = WatchMethod(
    isAutomatic: true, pause: polling(every: .milliseconds(250)).pause)

  /// Files are polled. Works everywhere.
  ///
  /// - Parameters:
  ///   - interval: The time between two looks.
  ///   - clock: The clock for the interval.
  /// - Returns: The method.
  public static func polling(
    every interval: Duration, clock: some Clock<Duration> = ContinuousClock()
  ) -> WatchMethod {
    let clock = AnyClock(clock)
    return WatchMethod(isAutomatic: false) { try await clock.sleep(until: clock.now + interval.asWait) }
  }
}

#if canImport(RowcastPlatform)
  import RowcastDiff
  import RowcastPlatform

  /// Waits for changes at a path: for a notification of the system, inotify for example, or for the next poll.
  ///
  /// The directory of the path is watched for entries of this name, and the file at the path for its content; the latter has
  /// to be looked up again whenever another file may be there.
  struct PathWaiter {
    private let path: [UInt8]
    private let name: [UInt8]
    private let pause: @Sendable () async throws -> Void
    /// Reads the notifications; `nil` if the path is polled.
    private var reader: DescriptorReader?
    private var directoryWatch: Int32?
    /// The watches of the last two files at the path: one that was renamed may still be written to.
    private var watches: [Int32] = []

    init(path: String, method: WatchMethod) {
      let parts = Self.split(path)
      (self.path, name) = (Array(path.utf8), Array(parts.name.utf8))
      pause = method.pause
      guard method.isAutomatic, let file = Platform.openChangeQueue().map({ OpenFile(descriptor: $0) }) else { return }
      reader = DescriptorReader(file.descriptor, keeping: file)
      directoryWatch = Platform.watch(Array(parts.directory.utf8), onlyEntries: true, on: file.descriptor)
    }

    /// Watches the file that is at the path now. To be called before each look, so that no change after the look is missed.
    mutating func prepare() {
      guard let queue = reader?.descriptor,
        let watch = Platform.watch(path, onlyEntries: false, on: queue), watch != watches.last
      else { return }
      watches.removeAll { $0 == watch }
      watches.append(watch)
      if watches.count > 2 { Platform.endWatch(watches.removeFirst(), on: queue) }
      assert(
        watches.count == Set(watches).count && watches.count <= 2,
        "\(String(decoding: path, as: UTF8.self)) is watched as \(watches)")
    }

    /// Waits for a change, or for a time in milliseconds. Returns false if there was no notification.
    ///
    /// - Throws: `CancellationError`; `SystemError` if notifications fail.
    func wait(atMost timeout: Int32 = 1_000) async throws -> Bool {
      guard let reader else {
        try await pause()
        return false
      }
      // Events of other files in the directory do not delay the next look.
      let deadline = AnyClock.continuous.now + .milliseconds(timeout)
      var rest = timeout
      repeat {
        guard let bytes = try await reader.read(upTo: 65_536, timeout: rest) else { return false }
        if Platform.changes(in: bytes).contains(where: concerns) { return true }
        rest = Int32(max(0, (deadline - AnyClock.continuous.now) / .milliseconds(1)))
      } while rest > 0
      return false
    }

    private func concerns(_ watch: Int32, _ entry: [UInt8]) -> Bool {
      // The paths "." and "/" are their own directories: one watch serves both.
      watch != directoryWatch || watches.contains(watch) || entry.isEmpty || entry == name
    }

    /// The directory that holds a path, and the name in it.
    static func split(_ path: String) -> (directory: String, name: String) {
      var path = Array(path.utf8)
      while path.count > 1, path.last == UInt8(ascii: "/") { path.removeLast() }
      let name = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
      let directory = name > 1 ? String(decoding: path[..<(name - 1)], as: UTF8.self) : name == 1 ? "/" : "."
      return (directory, String(decoding: path[name...], as: UTF8.self))
    }
  }

  /// The state of a path.
  public enum PathState: Hashable, Sendable {
    /// Nothing.
    case missing
    /// A file, a pipe, a device or a socket.
    case file(FileStamp)
    /// A directory with these entries, by name; symbolic links are not followed.
    ///
    /// A name that is not UTF-8, or is equal to another one as a text, has `\xHH` for each byte that is not ASCII, and `\x5C` for
    /// a backslash.
    case directory([String: FileStamp])
  }

  /// A file or a directory that is watched for changes.
  ///
  ///     for try await _ in WatchedPath("profile.json") { show(try load("profile.json")) }
  ///
  /// The first element is the current state; another follows each change: a file that is written, created, renamed or
  /// deleted, a directory whose entries are added, removed or changed. Changes in quick succession may give one element. One
  /// change may give several equal elements, if the system reports it in steps; coalesce them where that matters.
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
        var isNews = try last == nil && look()
        // A file that was written twice in a moment may look the same, so a notification counts.
        while !isNews {
          let isChange = try await waiter.wait()
          isNews = try look() || isChange
        }
        return last
      }

      /// Looks at the path. Returns true if its state differs from the last look.
      private mutating func look() throws(FileError) -> Bool {
        waiter.prepare()
        let state = try PathState.current(at: path)
        defer { last = state }
        return state != last
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

    /// The entries of a directory. Entries that are removed while it is read are left out.
    private static func entries(of path: String) throws(SystemError) -> [String: FileStamp] {
      var entries: [String: FileStamp] = [:]
      // In an order that does not depend on the system: names that are equal as texts have the same order at each look.
      let names = try Platform.entries(ofDirectory: Array(path.utf8)) { $0 }.inOrder {
        $0.lexicographicallyPrecedes($1)
      }
      for name in names {
        guard let status = try Platform.status(ofPath: path.utf8 + Array("/".utf8) + name, followsLinks: false) else {
          continue
        }
        var text = String(decoding: name, as: UTF8.self)
        if Array(text.utf8) != name { text = escaped(name) }
        while entries[text] != nil { text = escaped(Array(text.utf8)) }
        entries[text] = FileStamp(status)
      }
      return entries
    }

    private static func escaped(_ name: [UInt8]) -> String {
      var text = ""
      for byte in name {
        if byte < 0x80 && byte != UInt8(ascii: "\\") {
          text.unicodeScalars.append(Unicode.Scalar(byte))
        } else {
          text += "\\x" + String(byte, radix: 16, uppercase: true)
        }
      }
      return text
    }
  }
#endif
