import Rowcast
import RowcastPlatform

/// Many directories that the system watches: which of their entries are added, removed or changed.
struct DirectoryWatches {
  /// A change.
  enum Event {
    /// An entry of a folder was added, removed or changed.
    case entry(name: [UInt8], folder: String)
    /// The folder itself changed.
    case folder(String)
    /// More changes arrived than the system records, or changes in a directory that is not watched may have been missed.
    case lost
  }

  /// The notifications; `nil` if the system has none.
  private let queue: (file: OpenFile, reader: DescriptorReader)?
  /// The maximum number of watched directories. The system has a limit of its own.
  private let limit: Int
  /// The folder of each watch, and the last watch of each folder. A watch follows a directory that gets another name.
  private var folders: [Int32: String] = [:]
  private var numbers: [String: Int32] = [:]

  init(limit: Int) {
    self.limit = limit
    let file = limit > 0 ? Platform.openChangeQueue().map { OpenFile(descriptor: $0) } : nil
    queue = file.map { file in (file, DescriptorReader(file.descriptor)) }
  }

  /// Watches the directory that is at a path. Returns a number that no other directory has; `nil` if it cannot be watched.
  mutating func watch(_ folder: String, at path: [UInt8]) -> Int32? {
    var number: Int32?
    if let queue, numbers[folder] != nil || numbers.count < limit {
      number = Platform.watch(path, onlyEntries: false, on: queue.file.descriptor)
    }
    if number != numbers[folder] { end(folder) }
    if let number { (folders[number], numbers[folder]) = (folder, number) }
    return number
  }

  /// Watches a folder no longer.
  mutating func end(_ folder: String) {
    // Its directory may be another folder by now.
    guard let number = numbers.removeValue(forKey: folder), folders[number] == folder, let queue else { return }
    folders[number] = nil
    Platform.endWatch(number, on: queue.file.descriptor)
  }

  /// Waits for changes; `nil` if there are none for a time.
  ///
  /// - Throws: `CancellationError`; `SystemError` if notifications fail.
  func events(within time: Duration?) async throws -> [Event]? {
    guard let queue else {
      if let time, time > .zero { try await Task.sleep(for: time) }
      return nil
    }
    let timeout = time.map { Int32(clamping: Int64((max($0, .zero) / .milliseconds(1)).rounded(.up))) }
    guard let bytes = try await queue.reader.read(upTo: 65_536, timeout: timeout) else { return nil }
    return Platform.changes(in: bytes).compactMap { watch, name in
      if watch < 0 { return .lost }
      return folders[watch].map { name.isEmpty ? .folder($0) : .entry(name: name, folder: $0) }
    }
  }
}
