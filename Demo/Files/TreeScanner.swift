import Rowcast
import RowcastPlatform

/// What happened to a row.
enum TreeStep: Sendable {
  case upsert(Item)
  case remove(String)
}

/// Reads a directory and all that is in it, a slice at a time, and again wherever it has changed.
///
/// Directories of other devices are not entered, and links are not followed.
struct TreeScanner {
  /// A directory that was entered.
  private struct Folder {
    /// The id of the folder that it is in.
    var parent = ""
    /// The ids of its entries.
    var entries: Set<String> = []
    var watch: Int32?
    /// The reason why it cannot be read.
    var error: String?
  }

  /// A folder that is being listed.
  private struct Listing {
    var folder: String
    /// True if the folders in it are listed again, too.
    var isDeep = false
    /// The entries that were not looked at yet; `nil` if their names were not read yet.
    var entries: ArraySlice<String>?
  }

  private let root: [UInt8]
  /// The device of the directory that is shown.
  private var device: UInt64?
  /// The folders by their ids; the id of the directory that is shown is empty.
  private var folders = ["": Folder()]
  private var pending = [Listing(folder: "")]
  /// Entries that may have changed, and their folders.
  private var changed: [String: String] = [:]
  /// The folders that were read, and are not watched.
  private var unwatched: Set<String> = []
  private var watches: DirectoryWatches

  /// True if changes were lost since the last time that everything was read.
  private(set) var hasLost = false

  init(root: String, watchLimit: Int) {
    self.root = Array(root.utf8)
    watches = DirectoryWatches(limit: watchLimit)
  }

  /// True if nothing is left to be read, as far as it is known.
  var isDone: Bool { pending.isEmpty && changed.isEmpty }

  /// True if there are folders whose changes the system does not report.
  var hasUnwatched: Bool { !unwatched.isEmpty }

  /// The reason why the directory itself cannot be read.
  var failure: String? { folders[""]?.error }

  var isEmpty: Bool { folders[""]?.entries.isEmpty ?? true }

  /// Reads everything again.
  mutating func restart() {
    pending = [Listing(folder: "", isDeep: true)]
    hasLost = false
  }

  /// Waits for changes, and notes where. Returns false if there were none for a time.
  mutating func wait(within time: Duration?) async throws -> Bool {
    guard let events = try await watches.events(within: time) else { return false }
    for event in events {
      switch event {
      case .entry(let name, let folder): changed[FileName.id(name, in: folder)] = folder
      case .folder(""): pending.append(Listing(folder: ""))
      // The folder above it reports this, too.
      case .folder: break
      case .lost: hasLost = true
      }
    }
    return true
  }

  /// Reads on. Returns about as many rows as wanted.
  mutating func scan(_ limit: Int) -> [TreeStep] {
    var steps: [TreeStep] = []
    // A folder precedes its content.
    for (entry, folder) in changed.sorted(by: { $0.key < $1.key }) {
      look(at: entry, in: folder, again: Listing(folder: entry), &steps)
    }
    changed = [:]
    while steps.count < limit, var listing = pending.popLast() {
      let entries = listing.entries ?? list(&listing, &steps)
      // Removed rows alone may already be more than wanted.
      let count = min(entries.count, max(0, limit - steps.count))
      if count < entries.count {
        listing.entries = entries.dropFirst(count)
        pending.append(listing)
      }
      for entry in entries.prefix(count) {
        let again = listing.isDeep ? Listing(folder: entry, isDeep: true) : nil
        look(at: entry, in: listing.folder, again: again, &steps)
      }
    }
    return steps
  }

  /// Reads the names of the entries of a folder. Entries that no longer exist are dropped.
  private mutating func list(_ listing: inout Listing, _ steps: inout [TreeStep]) -> ArraySlice<String> {
    let (id, path) = (listing.folder, path(listing.folder))
    guard var folder = folders[id] else { return [] }
    // The watch begins here, so that no change is missed.
    let watch = watches.watch(id, at: path)
    // Another directory has other folders.
    if watch == nil || watch != folder.watch { listing.isDeep = true }
    let former = folder
    var entries: [String] = []
    (folder.watch, folder.error) = (watch, nil)
    do {
      if id.isEmpty { device = try Platform.status(ofPath: path)?.device }
      entries = try Platform.entries(ofDirectory: path) { FileName.id($0, in: id) }
    } catch {
      folder.error = "\(error)"
    }
    folder.entries = Set(entries)
    folders[id] = folder
    for entry in former.entries.subtracting(folder.entries) { drop(entry, &steps) }
    if watch == nil, folder.error == nil || id.isEmpty { unwatched.insert(id) } else { unwatched.remove(id) }
    if folder.error != former.error, !id.isEmpty {
      steps.append(.upsert(Item(folder: id, in: folder.parent, error: folder.error)))
    }
    return entries[...]
  }

  /// Looks at an entry of a folder: it may be new, changed or removed. A folder that was listed before is listed `again` on
  /// request.
  private mutating func look(at id: String, in folder: String, again: Listing?, _ steps: inout [TreeStep]) {
    guard folders[folder] != nil else { return }
    var (status, reason): (Platform.FileStatus?, String?)
    do { status = try Platform.status(ofPath: path(id), followsLinks: false) } catch { reason = "\(error)" }
    guard status != nil || reason != nil else {
      folders[folder]?.entries.remove(id)
      return drop(id, &steps)
    }
    folders[folder]?.entries.insert(id)
    if let status, status.isDirectory, status.device == device {
      if let again, folders[id] != nil { pending.append(again) }
      if folders[id] == nil { pending.append(Listing(folder: id)) }
      let entered = folders[id] ?? Folder(parent: folder)
      folders[id] = entered
      steps.append(.upsert(Item(folder: id, in: folder, error: entered.error)))
    } else {
      dropContent(of: id, &steps)
      if status?.isDirectory == true { reason = "another file system" }
      steps.append(.upsert(Item(file: id, in: folder, status, error: reason)))
    }
  }

  /// Drops a row and its descendants.
  private mutating func drop(_ id: String, _ steps: inout [TreeStep]) {
    steps.append(.remove(id))
    dropContent(of: id, &steps)
  }

  private mutating func dropContent(of id: String, _ steps: inout [TreeStep]) {
    guard let folder = folders.removeValue(forKey: id) else { return }
    watches.end(id)
    unwatched.remove(id)
    for entry in folder.entries { drop(entry, &steps) }
  }

  /// The bytes of a path.
  private func path(_ id: String) -> [UInt8] {
    id.isEmpty ? root : root + [UInt8(ascii: "/")] + FileName.path(id)
  }
}
