@testable import RowcastModel
@testable import RowcastSources
@testable import RowcastStore

/// What happens to an origin, to its mirror, and to the file that keeps the mirror.
enum KeptMirrorFeature: String, DrivenFeature {
  /// The file is opened with `recovering`, and revisions are saved when the device has them.
  case recovering, synced
  /// The origin is edited, has a run without an edit, restarts, and returns to a copy.
  case edit, long, idle, restart, backup, restore
  /// The mirror reconnects, and then follows over a line that loses messages.
  case resume, lossy
  /// Nobody follows in a run of its own.
  case reopen, unattended, sameMirror, kill, cutLine, cutWithin, damage, copyLine, takeLine
  case compact, beginRun, editCopy, downstream

  static let settings: Set<Self> = [.recovering, .synced]
}

/// A mirror over a file that is killed and cut, of an origin that restarts and returns to a copy.
///
/// Whatever is left of the file, the mirror begins with a list and a position that it had together, or with nothing, and is the
/// origin after one message. The positions of the file itself never name two lists.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class KeptMirrorFuzz {

  private struct App {
    let archive: TestArchive
    let store: TestStore
    let mirror: TestMirror
  }

  private var random: SeededGenerator
  private let folder = TestFolder()
  private let isRecovering: Bool
  private let durability: ArchiveDurability
  private var origin: (archive: TestArchive, store: TestStore)?
  private var backups: [[UInt8]] = []
  private var app: App?
  /// What each position of the origin names, and each of the app.
  private var origins: [ListPosition: TestSnapshot] = [:]
  private var names: [ListPosition: TestSnapshot] = [:]
  /// The positions at which the mirror was, in any of its runs.
  private var had: Set<ListPosition> = []
  /// What the file has for certain.
  private var closed: (position: ListPosition, list: TestSnapshot)?
  /// True if the app's own list was edited since the last message.
  private var isEdited = false
  private var downstream: [(list: TestSnapshot, position: ListPosition)] = []
  private var nextRow = 0

  private init(_ run: FuzzRun<KeptMirrorFeature>) {
    random = run.random
    (isRecovering, durability) = (run.has(.recovering), run.has(.synced) ? .synced(every: .zero) : .written)
  }

  static func play(_ run: FuzzRun<KeptMirrorFeature>) async throws {
    let fuzz = KeptMirrorFuzz(run)
    try await run.playSteps {
      fuzz.random = $1
      return try await fuzz.perform($0)
    }
    try await fuzz.close()
    _ = try await fuzz.resume()
    try await fuzz.close()
    try await fuzz.origin?.archive.close()
  }

  private func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  private var history: ListHistory { .last([0, 3, 200].randomElement(using: &random) ?? 0) }

  private func perform(_ feature: KeptMirrorFeature) async throws -> Bool {
    switch feature {
    case .recovering, .synced: return false
    case .edit, .long: try await edit(isLong: feature == .long)
    case .idle:
      try await openOrigin().archive.beginRun()
      try await noteOrigin()
    case .restart:
      try await closeOrigin()
      try await openOrigin()
    case .backup:
      try await closeOrigin()
      backups.append(try folder.bytes("origin.jsonl"))
    case .restore:
      guard let backup = backups.randomElement(using: &random) else { return false }
      try await closeOrigin()
      try folder.write(backup, to: "origin.jsonl")
    case .resume: _ = try await resume()
    case .lossy:
      var messages = try await resume()
      let mirror = try await open().mirror
      for _ in 0..<number(1...6) {
        try await edit(isLong: number(0...5) == 0)
        let message = try await messages.message()
        if number(0...3) > 0 { try await mirror.receive(message) }
        try await noteMirror()
      }
      isEdited = false
    case .reopen:
      try await close()
      try await open()
    case .unattended:
      try await close()
      let archive = try openArchive()
      if number(0...1) == 0 { try await archive.compact() }
      if number(0...1) == 0 { try await archive.beginRun() }
      try await archive.close()
      try await open()
    case .sameMirror:
      guard let mirror = app?.mirror, await mirror.position != nil else { return false }
      try await close()
      try await open(mirror)
    case .kill:
      if app == nil { return false }
      let bytes = try folder.bytes("mirror.jsonl")
      try await close()
      try folder.write(bytes, to: "mirror.jsonl")
      closed = nil
    case .cutLine, .cutWithin, .damage, .copyLine, .takeLine: return try await harm(feature)
    case .compact: try await open().archive.compact()
    case .beginRun:
      try await open().archive.beginRun()
      try await noteOwn()
    case .editCopy:
      let store = try await open().store
      nextRow += 1
      let row = TestRow(-1_000 - nextRow, "own")
      if await store.snapshot.sectionCount == 0 { return false }
      try await store.edit { try $0.insert(row, at: RowPath(section: 0, row: 0)) }
      (isEdited, closed) = (true, nil)
      try await noteOwn()
    case .downstream: return try await follow()
    }
    return true
  }

  // MARK: - The origin

  @discardableResult private func openOrigin() async throws -> (archive: TestArchive, store: TestStore) {
    if let origin { return origin }
    let archive = try TestArchive(folder.path("origin.jsonl"), history: history)
    let store = try archive.open()
    if await store.snapshot.sectionCount == 0 { try await store.replace(with: .of(("a", Array(-20..<0)))) }
    origin = (archive, store)
    try await archive.flush()
    try await noteOrigin()
    return (archive, store)
  }

  private func closeOrigin() async throws {
    try await openOrigin().archive.close()
    origin = nil
  }

  private func noteOrigin() async throws {
    let store = try await openOrigin().store
    let (position, list) = await (store.position, store.snapshot)
    try Mismatch.unless(origins[position] ?? list == list, "the origin has two lists at \(position)")
    origins[position] = list
  }

  private func edit(isLong: Bool) async throws {
    let (archive, store) = try await openOrigin()
    nextRow += 1
    // Long texts cause the files to be rewritten.
    let row = TestRow(nextRow, "\(nextRow)" + (isLong ? String(repeating: "x", count: 6_000) : ""))
    let rows = await Array(store.snapshot.allRows)
    let place = number(0...rows.count)
    if place < rows.count, number(0...2) == 0 {
      try await store.edit { try $0.remove(rows[place].id) }
    } else {
      try await store.edit { try $0.insert(row, at: RowPath(section: 0, row: place)) }
    }
    try await archive.flush()
    try await noteOrigin()
  }

  // MARK: - The app

  private func openArchive() throws -> TestArchive {
    try TestArchive(folder.path("mirror.jsonl"), history: history, durability: durability, recovering: isRecovering)
  }

  @discardableResult private func open(_ former: TestMirror? = nil) async throws -> App {
    if let app { return app }
    let archive = try openArchive()
    let (kept, mirror) = (await archive.snapshot, former ?? TestMirror())
    let before = await mirror.snapshot
    let store = try await archive.open(following: mirror)
    app = App(archive: archive, store: store, mirror: mirror)
    let (position, list, own) = await (mirror.position, mirror.snapshot, store.snapshot)
    if let position {
      try Mismatch.unless(own == list, "the archive has not the list of the mirror at \(position)")
      try Mismatch.unless(list == (former == nil ? kept : before), "the mirror has another list at \(position)")
      try Mismatch.unless(had.contains(position), "the mirror begins at \(position), where it never was")
    } else {
      try Mismatch.unless(list.rowCount == 0 && own == kept, "a mirror without a position has \(list.rowCount) rows")
    }
    if let closed {
      let isSame = position == closed.position && list == closed.list
      try Mismatch.unless(isSame, "\(closed.position) became \(position as Any)")
    }
    (closed, isEdited) = (nil, position == nil)
    try await noteMirror()
    try await noteOwn()
    return App(archive: archive, store: store, mirror: mirror)
  }

  private func close() async throws {
    guard let app else { return }
    try await app.archive.close()
    let position = await app.mirror.position
    closed = nil
    if let position, !isEdited { closed = await (position, app.mirror.snapshot) }
    self.app = nil
  }

  /// The mirror is at a list that the origin had at its position.
  private func noteMirror() async throws {
    guard let mirror = app?.mirror, let position = await mirror.position else { return }
    let list = await mirror.snapshot
    try Mismatch.unless(origins[position] == list, "the mirror at \(position) has \(list.allRows.map(\.id))")
    had.insert(position)
  }

  private func noteOwn() async throws {
    guard let store = app?.store else { return }
    // One update has both.
    for await update in store.updates() {
      let known = names[update.position]
      try Mismatch.unless(known ?? update.snapshot == update.snapshot, "\(update.position) names two lists")
      try Mismatch.unless(!origins.keys.contains { $0.epoch == update.epoch }, "an epoch of the origin")
      names[update.position] = update.snapshot
      break
    }
  }

  private func resume() async throws -> AsyncThrowingStream<TestMessage, any Error>.AsyncIterator {
    let (app, origin) = (try await open(), try await openOrigin())
    if isEdited { try await edit(isLong: false) }
    let lines = EncodedList(origin.archive) { $0 }
    var messages = lines.lines(since: await app.mirror.beginStream()).makeAsyncIterator()
    let first = try await messages.message()
    _ = try await app.mirror.applyNext(first)
    isEdited = false
    let (list, wanted) = await (app.mirror.snapshot, origin.store.snapshot)
    try Mismatch.unless(list == wanted, "the mirror is not the origin after \(first.position)")
    try await noteMirror()
    try await app.archive.flush()
    let saved = await app.archive.snapshot
    try Mismatch.unless(saved == list, "the archive is not the mirror at \(first.position)")
    try await noteOwn()
    return messages
  }

  /// Takes what is left of the file.
  private func harm(_ feature: KeptMirrorFeature) async throws -> Bool {
    try await close()
    guard let content = try? folder.bytes("mirror.jsonl"), let harm = ArchiveHarm(rawValue: feature.rawValue),
      let left = harm.left(of: content, isRecovering: isRecovering, using: &random)
    else { return false }
    try folder.write(left, to: "mirror.jsonl")
    closed = nil
    try await open()
    return true
  }

  /// A mirror of the app's list reconnects.
  private func follow() async throws -> Bool {
    let app = try await open()
    try await app.archive.flush()
    let saved = downstream.randomElement(using: &random)
    let (mirror, _) = try await TestReader.comingBack(with: saved, to: app.archive)
    let list = await app.archive.snapshot
    try Mismatch.unless(mirror.snapshot == list, "a mirror of the app has another list at \(mirror.state)")
    if let position = mirror.position { downstream.append((list, position)) }
    return saved != nil
  }
}
