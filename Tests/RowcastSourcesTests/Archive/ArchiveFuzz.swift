@testable import RowcastModel
@testable import RowcastSources
@testable import RowcastStore

/// What happens to files of lists, and to the mirrors of all their runs.
enum ArchiveFeature: String, DrivenFeature {
  /// Files are opened with `recovering`, and revisions are saved when the device has them.
  case recovering, synced
  case edit, unsaved, long, remove, flush, compact, beginRun
  case reopen, kill, cutLine, cutWithin, damage, copyLine, backup, restore, delete, fork
  case comeBack, comeBackAnywhere, lossy, forget

  static let settings: Set<Self> = [.recovering, .synced]
}

/// Files that are killed, cut, restored, copied and run twice, and mirrors of every run that reconnect to every run.
///
/// One position never names two lists, and a mirror is right after the first message.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class ArchiveFuzz {
  /// A list as a plain array.
  private typealias Plain = [TestRow]

  /// A file that is open, what its list was at each revision of this run, and the index of the first that a killed process may leave.
  private struct Run {
    let archive: TestArchive
    let store: TestStore
    var plain: Plain
    var revision: Int
    var truth: [Int: Plain] = [:]
    /// The lists from the last one that was saved for certain.
    var unsaved: [Plain]
  }

  /// A file, open or not.
  private struct File {
    let name: String
    var run: Run?
    /// The lists that may be in it, and all lists that it may ever have had; `nil` if there is no file.
    var lists: [Plain]?
    var former: [Plain] = []
  }

  private var random: SeededGenerator
  private let folder = TestFolder()
  private let isRecovering: Bool
  private let durability: ArchiveDurability
  private var files: [File]
  private var backups: [(bytes: [UInt8], lists: [Plain], former: [Plain])] = []
  private var mirrors: [(list: TestSnapshot, position: ListPosition, file: Int)] = []
  /// What each position names.
  private var names: [ListPosition: Plain] = [:]
  private var nextRow = 0

  private init(_ run: FuzzRun<ArchiveFeature>) {
    random = run.random
    (isRecovering, durability) = (run.has(.recovering), run.has(.synced) ? .synced(every: .zero) : .written)
    files = [File(name: "list.jsonl"), File(name: "copy.jsonl")]
  }

  static func play(_ run: FuzzRun<ArchiveFeature>) async throws {
    let fuzz = ArchiveFuzz(run)
    try await run.playSteps {
      fuzz.random = $1
      return try await fuzz.perform($0)
    }
    for index in fuzz.files.indices {
      try await fuzz.close(index)
      if fuzz.files[index].lists != nil { try await fuzz.open(index) }
      try await fuzz.close(index)
    }
  }

  private func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  private func brief(_ plain: Plain) -> String {
    plain.count > 40 ? "\(plain.count) rows" : plain.map { "\($0.id):\($0.text.prefix(4))" }.joined(separator: " ")
  }

  // MARK: - Steps

  private func perform(_ feature: ArchiveFeature) async throws -> Bool {
    let index = files[1].lists != nil && number(0...2) == 0 ? 1 : 0
    switch feature {
    case .recovering, .synced: return false
    case .edit, .unsaved, .long, .remove: return try await edit(index, feature)
    case .flush: try await save(index) { try await $0.flush() }
    case .compact: try await save(index) { try await $0.compact() }
    case .beginRun:
      try await open(index)
      try await files[index].run?.archive.beginRun()
      files[index].run?.revision += 1
      try await note(index)
      try saved(index)
    case .reopen:
      try await close(index)
      try await open(index)
    case .kill:
      guard let run = files[index].run else { return false }
      let bytes = try bytes(index)
      let lists = run.unsaved
      try await close(index)
      try write(bytes, index)
      (files[index].lists, files[index].former) = (lists, files[index].former + lists)
    case .cutLine, .cutWithin, .damage, .copyLine: return try await harm(index, feature)
    case .backup:
      if files[index].run != nil { try await save(index) { try await $0.flush() } }
      guard let lists = files[index].lists else { return false }
      backups.append((try bytes(index), lists, files[index].former))
    case .restore:
      guard let backup = backups.randomElement(using: &random) else { return false }
      try await close(index)
      try write(backup.bytes, index)
      (files[index].lists, files[index].former) = (backup.lists, backup.former)
    case .delete:
      guard files[index].lists != nil else { return false }
      try await close(index)
      try folder.remove(files[index].name)
      (files[index].lists, files[index].former) = (nil, [])
    case .fork:
      // A copy is started while the original runs.
      try await save(0) { try await $0.flush() }
      let (bytes, lists, former) = (try bytes(0), files[0].lists, files[0].former)
      try await close(1)
      try write(bytes, 1)
      (files[1].lists, files[1].former) = (lists, former)
      try await open(1)
    case .comeBack, .comeBackAnywhere, .lossy: return try await comeBack(to: index, feature)
    case .forget:
      if mirrors.isEmpty { return false }
      mirrors.removeFirst((mirrors.count + 1) / 2)
    }
    return true
  }

  // MARK: - Files

  private func bytes(_ index: Int) throws -> [UInt8] { try folder.bytes(files[index].name) }
  private func write(_ bytes: [UInt8], _ index: Int) throws { try folder.write(bytes, to: files[index].name) }

  /// The list is in the file now.
  private func saved(_ index: Int) throws {
    guard let run = files[index].run else { return }
    files[index].run?.unsaved = [run.plain]
    (files[index].lists, files[index].former) = ([run.plain], files[index].former + [run.plain])
  }

  private func save(_ index: Int, _ save: (TestArchive) async throws -> Void) async throws {
    try await open(index)
    guard let archive = files[index].run?.archive else { return }
    try await save(archive)
    try saved(index)
  }

  private func close(_ index: Int) async throws {
    guard let run = files[index].run else { return }
    try await run.archive.close()
    try saved(index)
    files[index].run = nil
  }

  private func open(_ index: Int) async throws {
    if files[index].run != nil { return }
    let history = ListHistory.last([0, 3, 40, 200, 200].randomElement(using: &random) ?? 0)
    let file = files[index]
    let archive = try TestArchive(
      folder.path(file.name), history: history, durability: durability, recovering: isRecovering)
    let store = try archive.open()
    let plain = Array(await store.snapshot.allRows)
    if let lists = file.lists {
      try Mismatch.unless(
        lists.contains(plain), "a file that may have \(lists.map(brief)) is opened with \(brief(plain))")
    } else {
      files[index].former = [plain]
    }
    if await store.snapshot.sectionCount == 0 {
      // Long enough for a difference to be shorter than it.
      try await store.edit { try $0.replace(with: .of(("a", Array(-20..<0)))) }
    }
    try await archive.flush()
    let now = Array(await store.snapshot.allRows)
    files[index].run = Run(archive: archive, store: store, plain: now, revision: await store.revision, unsaved: [now])
    try saved(index)
    try await note(index)
  }

  /// Takes what is left of the file.
  private func harm(_ index: Int, _ feature: ArchiveFeature) async throws -> Bool {
    guard files[index].lists != nil, let harm = ArchiveHarm(rawValue: feature.rawValue) else { return false }
    try await close(index)
    let content = try bytes(index)
    guard let left = harm.left(of: content, isRecovering: isRecovering, using: &random) else { return false }
    try write(left, index)
    // A copy loses nothing. Otherwise it has any list that it had, or may have had unobserved.
    if harm != .copyLine { files[index].lists = files[index].former }
    return true
  }

  /// Notes what the list is now, under its position.
  private func note(_ index: Int) async throws {
    guard let run = files[index].run else { return }
    files[index].run?.truth[run.revision] = run.plain
    files[index].former.append(run.plain)
    let revision = await run.store.revision
    try Mismatch.unless(revision == run.revision, "the list is at revision \(revision), not \(run.revision)")
    try check(await run.store.position, run.plain, "the store")
  }

  private func check(_ position: ListPosition, _ plain: Plain, _ who: String) throws {
    if let known = names[position], known != plain {
      throw Mismatch("\(who) at \(position) has \(brief(plain)), but that was \(brief(known))")
    }
    names[position] = plain
  }

  private func edit(_ index: Int, _ feature: ArchiveFeature) async throws -> Bool {
    try await open(index)
    guard var plain = files[index].run?.plain, let store = files[index].run?.store else { return false }
    nextRow += 1
    // Long texts cause the file to be rewritten.
    let text = "\(nextRow)" + (feature == .long ? String(repeating: "x", count: 6_000) : "")
    let (row, place) = (TestRow(nextRow, text), number(0...plain.count))
    if feature == .remove {
      if place == plain.count { return false }
      let id = plain.remove(at: place).id
      try await store.edit { try $0.remove(id) }
    } else if place < plain.count, number(0...1) == 0 {
      let row = TestRow(plain[place].id, text)
      plain[place] = row
      try await store.edit { try $0.upsert(row) }
    } else {
      plain.insert(row, at: place)
      try await store.edit { try $0.insert(row, at: RowPath(section: 0, row: place)) }
    }
    files[index].run?.plain = plain
    files[index].run?.revision += 1
    files[index].run?.unsaved.append(plain)
    try await note(index)
    if feature != .unsaved { try await save(index) { try await $0.flush() } }
    return true
  }

  // MARK: - Mirrors

  /// A mirror reconnects, and is right after the first message. It then follows, perhaps over a line that loses and reorders.
  private func comeBack(to index: Int, _ feature: ArchiveFeature) async throws -> Bool {
    try await save(index) { try await $0.flush() }
    guard let archive = files[index].run?.archive else { return false }
    let own = feature == .comeBackAnywhere ? mirrors : mirrors.filter { $0.file == index }
    let saved = own.randomElement(using: &random)
    var (mirror, messages) = try await TestReader.comingBack(with: saved.map { ($0.list, $0.position) }, to: archive)
    try judge(mirror, index)
    for _ in 0..<number(0...3) where feature == .lossy {
      var waiting: [TestMessage] = []
      for _ in 0..<number(1...3) {
        if try await edit(index, .edit) { waiting.append(try await messages.message()) }
      }
      if number(0...2) == 0, !waiting.isEmpty { waiting.remove(at: number(0...waiting.count - 1)) }
      if number(0...2) == 0, let last = waiting.last { waiting.append(last) }
      if number(0...1) == 0 { waiting.shuffle(using: &random) }
      for message in waiting {
        do { _ = try mirror.receive(message) } catch {
          throw Mismatch("\(message.position) at \(mirror.state): \(error)")
        }
        try judge(mirror, index)
      }
    }
    if let position = mirror.position { mirrors = mirrors.suffix(30) + [(mirror.snapshot, position, index)] }
    return feature == .comeBack || feature == .comeBackAnywhere ? saved != nil : true
  }

  private func judge(_ mirror: TestReader, _ index: Int) throws {
    let (plain, truth) = (Array(mirror.snapshot.allRows), files[index].run?.truth ?? [:])
    guard let position = mirror.position, truth[position.revision] == plain else {
      let known = mirror.revision.flatMap { truth[$0] }
      throw Mismatch("a mirror at \(mirror.state) has \(brief(plain)), not \(known.map(brief) ?? "that")")
    }
    try check(position, plain, "a mirror")
  }
}
