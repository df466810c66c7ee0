#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// Changes of files: inotify(7), where it is there.
extension Platform {
  /// Opens a queue of changes; `nil` if the system has none, or no more of them.
  package static func openChangeQueue() -> Int32? {
    #if canImport(Darwin)
      return nil
    #else
      let descriptor = inotify_init1(Int32(IN_CLOEXEC))
      return descriptor < 0 ? nil : descriptor
    #endif
  }

  /// Has the changes of a file, or of a directory and its entries, put into a queue.
  ///
  /// - Parameters:
  ///   - path: The path of the file or directory.
  ///   - onlyEntries: Whether only entries matter that come and go.
  ///   - queue: The queue.
  /// - Returns: The number of the watch; `nil` if there is no such file, or no more watches.
  package static func watch(_ path: String, onlyEntries: Bool, on queue: Int32) -> Int32? {
    #if canImport(Darwin)
      return nil
    #else
      var events = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
      if !onlyEntries { events |= IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE }
      let watch = unsafe inotify_add_watch(queue, path, UInt32(events))
      return watch < 0 ? nil : watch
    #endif
  }

  /// Ends a watch.
  package static func endWatch(_ watch: Int32, on queue: Int32) {
    #if !canImport(Darwin)
      _ = inotify_rm_watch(queue, watch)
    #endif
  }

  /// One message of a queue.
  package struct ChangeEvent: Equatable {
    /// The number of the watch that noticed the change.
    package var watch: Int32
    /// The entry of the watched directory that changed; empty if it is what is watched itself.
    package var name: String

    /// Creates a message.
    package init(watch: Int32, name: String) {
      self.watch = watch
      self.name = name
    }

    /// The messages in what was read from a queue: each has a head of four 32-bit numbers in the order of the machine,
    /// the last of them the length of the name that follows, which is padded with zeros.
    package static func parse(_ bytes: [UInt8]) -> [ChangeEvent] {
      var events: [ChangeEvent] = []
      var rest = bytes[...]
      while rest.count >= 16 {
        let length = Int(number(in: rest.dropFirst(12)))
        events.append(
          ChangeEvent(
            watch: Int32(bitPattern: number(in: rest)),
            name: String(decoding: rest.dropFirst(16).prefix(length).prefix { $0 != 0 }, as: UTF8.self)))
        rest = rest.dropFirst(16 + length)
      }
      return events
    }

    private static func number(in bytes: ArraySlice<UInt8>) -> UInt32 {
      UInt32(littleEndian: bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) })
    }
  }
}
