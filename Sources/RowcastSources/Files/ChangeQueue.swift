#if canImport(RowcastPlatform)
  import RowcastPlatform

  /// What the system tells about changes of one path: inotify, where it is there.
  ///
  /// The directory that holds the path is watched for entries of this name, and what is at the path for its content; the
  /// latter has to be looked up again whenever something else may be there.
  struct ChangeQueue {
    private let queue: OpenFile
    private let reader: DescriptorReader
    private let path: String
    private let name: String
    private let directoryWatch: Int32?
    /// The latest things that were at the path: one that was renamed may still be written to.
    private var watches: [Int32] = []

    /// `nil` if the system does not tell about changes.
    init?(path: String) {
      guard let descriptor = Platform.openChangeQueue() else { return nil }
      queue = OpenFile(descriptor: descriptor)
      guard let reader = try? DescriptorReader(descriptor) else { return nil }
      self.reader = reader
      self.path = path
      let parts = Self.split(path)
      name = parts.name
      directoryWatch = Platform.watch(parts.directory, onlyEntries: true, on: descriptor)
    }

    /// Watches what is at the path now.
    mutating func rearm() {
      guard let watch = Platform.watch(path, onlyEntries: false, on: queue.descriptor), watch != watches.last
      else { return }
      watches.removeAll { $0 == watch }
      watches.append(watch)
      if watches.count > 2 { Platform.endWatch(watches.removeFirst(), on: queue.descriptor) }
      assert(watches.count == Set(watches).count && watches.count <= 2, "\(path) is watched as \(watches)")
    }

    /// Waits for a change, for so many milliseconds at most. Returns whether there was one.
    ///
    /// - Throws: `CancellationError`; `SystemError` if the system does not tell any more.
    func wait(atMost timeout: Int32) async throws -> Bool {
      while let bytes = try await reader.read(upTo: 65_536, timeout: timeout) {
        if Platform.ChangeEvent.parse(bytes).contains(where: concerns) { return true }
      }
      return false
    }

    private func concerns(_ event: Platform.ChangeEvent) -> Bool {
      event.watch != directoryWatch || event.name.isEmpty || event.name == name
    }

    /// The directory that holds a path, and the name in it.
    static func split(_ path: String) -> (directory: String, name: String) {
      var path = path[...]
      while path.count > 1, path.last == "/" { path.removeLast() }
      guard let slash = path.lastIndex(of: "/") else { return (".", String(path)) }
      let directory = path[..<slash]
      return (directory.isEmpty ? "/" : String(directory), String(path[path.index(after: slash)...]))
    }
  }
#endif
