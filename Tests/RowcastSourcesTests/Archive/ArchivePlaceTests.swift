@testable import RowcastSources

/// Files that are moved, deleted, replaced, linked and damaged while archives have them, and before.
@Suite(.watched) struct ArchivePlaceTests {
  private let folder = TestFolder()
  private var path: String { folder.path("list.jsonl") }
  private var files: FileManager { .default }

  private func open(_ rows: [Int] = [1, 2], history: ListHistory = .none) async throws -> (TestArchive, TestStore) {
    let archive = try TestArchive(path, history: history)
    try await archive.open().replace(with: .of(("a", rows)))
    try await archive.flush()
    return (archive, try archive.open())
  }

  private func error(_ work: () async throws -> Void) async -> ArchiveError? {
    do {
      try await work()
      return nil
    } catch { return error as? ArchiveError }
  }

  // MARK: - Files

  @Test(arguments: [false, true])
  func `a file that was moved or deleted is told, and the list is written where it was`(isMoved: Bool) async throws {
    let (archive, store) = try await open()
    if isMoved { try folder.rename("list.jsonl", to: "away") } else { try folder.remove("list.jsonl") }
    // Also without an edit: nothing may be called saved that no path leads to.
    #expect(await error { try await archive.flush() } == .replaced(path: resolved(path)))
    try await store.edit { try $0.append(TestRow(3), to: "a") }
    try await archive.flush()
    let list = await store.snapshot
    #expect(try folder.saved() == list)
    if isMoved { #expect(try folder.saved("away")?.rowCount == 2) }
    if isMoved {
      // A file that returns is continued.
      try folder.rename("list.jsonl", to: "away")
      #expect(await error { try await archive.flush() } == .replaced(path: resolved(path)))
      try folder.rename("away", to: "list.jsonl")
      try await store.edit { try $0.append(TestRow(4), to: "a") }
      try await archive.flush()
      #expect(try folder.saved()?.rowCount == 4)
    }
    try folder.remove("list.jsonl")
    let last = await store.snapshot
    try await archive.close()
    #expect(try folder.saved() == last)
    #expect(try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o644)
  }

  @Test func `what others put in the place of the file stays, and closing fails unless it is gone`() async throws {
    let (archive, store) = try await open()
    let place = ArchiveError.replaced(path: resolved(path))
    try folder.remove("list.jsonl")
    try files.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(await error { try await archive.flush() } == place)
    try folder.remove("list.jsonl")
    try await archive.flush()
    let list = await store.snapshot
    #expect(try folder.saved() == list)
    try folder.remove("list.jsonl")
    try folder.write("mine\n", to: "list.jsonl")
    try await store.edit { try $0.append(TestRow(3), to: "a") }
    for _ in 0..<3 { #expect(await error { try await archive.flush() } == place) }
    #expect(await error { try await archive.compact() } == place)
    #expect(await error { try await archive.close() } == place)
    #expect(try folder.bytes("list.jsonl") == Array("mine\n".utf8))
    var statuses = archive.statuses.makeAsyncIterator()
    #expect(await statuses.next() == .failed(place))
  }

  @Test(arguments: ["list.jsonl", "list.jsonl.lock"])
  func `a link in the place of the file or its lock is not it: under another name it would have another lock`(
    name: String
  ) async throws {
    let (archive, store) = try await open()
    let place = ArchiveError.replaced(path: resolved(folder.path(name)))
    try folder.rename(name, to: "moved")
    try folder.link(name, to: "moved")
    try await store.edit { try $0.append(TestRow(3), to: "a") }
    for _ in 0..<2 { #expect(await error { try await archive.flush() } == place) }
    #expect(await error { try await archive.close() } == place)
    #expect(try files.destinationOfSymbolicLink(atPath: folder.path(name)) == "moved")
    if name.hasSuffix("lock") {
      // An invalid lock makes nobody wait for ever, also if the link leads nowhere.
      for _ in 0..<2 {
        #expect(
          throws: ArchiveError.failed(reason: "\(resolved(path)).lock: it is no regular file; remove it")
        ) { try TestArchive(path) }
        try? folder.remove("moved")
      }
      #expect(try folder.names == ["list.jsonl", name])
    }
  }

  @Test(arguments: [false, true])
  func `what a link leads to is the file for as long as it leads there`(isFolder: Bool) async throws {
    for name in ["one", "two"] {
      try files.createDirectory(atPath: folder.path(name), withIntermediateDirectories: false)
    }
    let (link, end) = isFolder ? ("link", "") : ("link.jsonl", "/list.jsonl")
    try folder.link(link, to: "one" + end)
    let given = folder.path(isFolder ? "link/list.jsonl" : link)
    let archive = try TestArchive(given)
    let store = try archive.open()
    try await store.edit { try $0.append(TestSection("a")) }
    try await archive.compact()
    try await archive.flush()
    for (row, target) in [nil, "two" + end].enumerated() {
      if let target { try folder.link(link, to: target) } else { try folder.remove(link) }
      try await store.edit { try $0.append(TestRow(row), to: "a") }
      #expect(await error { try await archive.flush() } == .replaced(path: given))
    }
    // The link leads elsewhere: nothing is written to the former folder.
    try folder.rename("one/list.jsonl", to: "two/list.jsonl")
    #expect(await error { try await archive.flush() } == .replaced(path: given))
    #expect(try files.contentsOfDirectory(atPath: folder.path("one")) == ["list.jsonl.lock"])
    // The same if there is nothing, and if there is no link.
    try folder.rename("two/list.jsonl", to: "kept.jsonl")
    for isThere in [true, false] {
      if !isThere { try folder.remove(link) }
      #expect(await error { try await archive.flush() } == .replaced(path: given))
    }
    #expect(try files.contentsOfDirectory(atPath: folder.path("one")) == ["list.jsonl.lock"])
    try folder.rename("kept.jsonl", to: "one/list.jsonl")
    // It leads there again.
    try folder.link(link, to: "one" + end)
    let list = await store.snapshot
    try await archive.close()
    #expect(try folder.saved("one/list.jsonl") == list)
    #expect(try files.contentsOfDirectory(atPath: folder.path("two")).isEmpty)
  }

  // MARK: - Locks

  @Test(arguments: [false, true], [false, true])
  func `an archive whose lock is gone or another's writes nothing more, and says so`(
    isReplaced: Bool, isEdited: Bool
  ) async throws {
    let (archive, store) = try await open()
    try folder.remove("list.jsonl.lock")
    let second = isReplaced ? try TestArchive(path) : nil
    let content = try folder.bytes("list.jsonl")
    let place = ArchiveError.replaced(path: resolved(path) + ".lock")
    if isEdited { try await store.edit { try $0.append(TestRow(3), to: "a") } }
    #expect(await error { try await archive.flush() } == place)
    // It may be failing for a moment before it has failed.
    var last: ArchiveStatus?
    for await status in archive.statuses { last = status }
    #expect(last == .failed(place))
    #expect(try folder.bytes("list.jsonl") == content)
    if let second {
      try await second.open().edit { try $0.append(TestRow(4), to: "a") }
      try await second.flush()
    }
    try await store.edit { try $0.append(TestRow(5), to: "a") }
    #expect(await error { try await archive.flush() } == place)
    #expect(await error { try await archive.close() } == place)
    try await second?.close()
    #expect(try folder.saved()?.rowCount == (isReplaced ? 3 : 2))
  }

  @Test func `a file that is refused stays as it is, and has no lock unless there was one`() throws {
    try files.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(throws: ArchiveError.failed(reason: "\(resolved(path)): it is a directory; take another path")) {
      try TestArchive(path)
    }
    #expect(try folder.names == ["list.jsonl"])
    let (damaged, notes) = (String(decoding: try ShortFile().bytes, as: UTF8.self), folder.path("notes"))
    for hasLock in [false, true] {
      if hasLock { try folder.write("", to: "notes.lock") }
      for text in ["# Notes\nof mine\n", "no end", damaged.replacing("\"a\"", with: "\"A\"")] {
        try folder.write(text, to: "notes")
        #expect(throws: ArchiveError.damaged(path: resolved(notes), line: 1)) { try TestArchive(notes) }
        #expect(try folder.bytes("notes") == Array(text.utf8))
        #expect(try folder.names == ["list.jsonl", "notes"] + (hasLock ? ["notes.lock"] : []))
      }
    }
  }

  @Test func `a file that an archive is about to be replaced by is no other list's`() async throws {
    // The name that Rowcast 0.2 gave to it.
    let other = try TestArchive(folder.path("list.jsonl.new"))
    try await other.open().edit { try $0.append(TestSection("a")) }
    try await other.flush()
    let (archive, _) = try await open()
    try await archive.compact()
    try await archive.close()
    try await other.close()
    #expect(try folder.saved("list.jsonl.new")?.sectionCount == 1)
    // A link in its place leads to a file that stays as it is.
    try folder.write("mine\n", to: "mine")
    try folder.link("list.jsonl.lock.new", to: "mine")
    let again = try TestArchive(path)
    try folder.link("list.jsonl.lock.new", to: "mine")
    try await again.compact()
    #expect(try folder.names == ["list.jsonl", "list.jsonl.lock", "list.jsonl.new", "list.jsonl.new.lock", "mine"])
    try await again.close()
    #expect(try folder.bytes("mine") == Array("mine\n".utf8))
  }

  // MARK: - Names

  @Test(arguments: ["", "no\u{0}name"])
  func `what is no path is refused, and makes no file`(path: String) {
    #expect(throws: ArchiveError.failed(reason: "\"\(path)\" is no path; give that of a file")) {
      try TestArchive(path)
    }
  }

  @Test func `a link that leads nowhere names the file that is made`() async throws {
    try files.createDirectory(atPath: folder.path("b"), withIntermediateDirectories: false)
    let targets = [folder.path("b/one"), "b/two", "chain"]
    try folder.link("chain", to: "b/three")
    for (target, name) in zip(targets, ["b/one", "b/two", "b/three"]) {
      let link = folder.path("link")
      try folder.link("link", to: target)
      try await TestArchive(link).close()
      #expect(try files.destinationOfSymbolicLink(atPath: link) == target)
      #expect(try folder.saved(name) != nil)
      try folder.remove("link")
    }
    #expect(try folder.names == ["b", "chain"])
    try folder.link("loop", to: "loop")
    let error = try #require(throws: ArchiveError.self) { try TestArchive(folder.path("loop")) }
    #expect("\(error)".contains("loop: "))
  }

  @Test func `a file with two names is refused, with both`() async throws {
    try await open().0.close()
    try files.linkItem(atPath: path, toPath: folder.path("other"))
    let content = try folder.bytes("list.jsonl")
    for name in ["list.jsonl", "other"] {
      let error = try #require(throws: ArchiveError.self) { try TestArchive(folder.path(name)) }
      #expect("\(error)".contains(resolved(folder.path("list.jsonl"))) && "\(error)".contains("/other"))
    }
    #expect(try folder.bytes("list.jsonl") == content)
    #expect(try folder.names == ["list.jsonl", "list.jsonl.lock", "other"])
    try folder.remove("other")
    try await TestArchive(path).close()
  }

  @Test func `errors of the system name the path`() throws {
    for place in [folder.path("none/list.jsonl"), "/proc/version", "/dev/null", folder.path(".")] {
      let error = try #require(throws: ArchiveError.self) { try TestArchive(place) }
      #expect("\(error)".contains(resolved(place)))
    }
    // The name of a file in the place of a folder that has to be made.
    try files.createDirectory(atPath: path + ".lock.new", withIntermediateDirectories: false)
    #expect(
      throws: ArchiveError.failed(reason: "\(resolved(path)): cannot make \(resolved(path)).lock.new: File exists")
    ) { try TestArchive(path) }
  }

  @Test func `each error of a file names it first, and says what can be done`() {
    let errors: [ArchiveError] = [
      .inUse(path: "/a", process: 7), .inUse(path: "/a", process: nil), .replaced(path: "/a"),
      .damaged(path: "/a", line: 3), .unreadable(path: "/a", line: 3, reason: "why"),
    ]
    for error in errors {
      #expect("\(error)".hasPrefix("/a: "))
      #expect("\(error)".contains("; "))
    }
  }

  // MARK: - Last lines and damaged lines

  @Test func `recovering keeps the damaged lines, and what has nothing to follow, beside the file`() async throws {
    let file = try ShortFile()
    var damaged = file.lines
    damaged[6][40] ^= 4
    for (round, cut) in zip(1...3, [0, 1, 20]) {
      // A file may end amid a line, which gets an end where it is kept.
      damaged[7] = Array(file.lines[7].dropLast(cut))
      try folder.write(damaged.joined(), to: "list.jsonl")
      try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      let archive = try TestArchive(path, recovering: true)
      let rest = try #require(archive.rest)
      let kept = damaged[6] + damaged[7] + (cut == 0 ? [] : [UInt8(ascii: "\n")])
      #expect(rest.lines == 2 && rest.bytes == kept.count)
      #expect(rest.path == resolved(path) + ".damaged-\(round)")
      #expect(try folder.bytes("list.jsonl.damaged-\(round)") == kept)
      #expect(try files.attributesOfItem(atPath: rest.path)[.posixPermissions] as? Int == 0o600)
      #expect(await archive.snapshot == file.lists[4])
      try await archive.compact()
      try await archive.close()
      #expect(files.fileExists(atPath: rest.path))
      let again = try TestArchive(path, recovering: true)
      #expect(again.rest == nil)
      try await again.close()
    }
  }

  @Test func `a line that is whole and cannot be read is an error, also when recovering, and stays`() throws {
    let file = try ShortFile()
    let text = String(decoding: file.lines[6], as: UTF8.self)
    let content = text.drop { $0 != "," }.dropFirst().dropLast()
    let newer = try ArchiveLine.line(of: Array("{\(content)".replacing("\"v\":1", with: "\"v\":2").utf8), .changes)
    for isDamaged in [false, true] {
      var lines = file.lines
      lines[6] = newer
      if isDamaged { lines[1][40] ^= 4 }
      try folder.write(lines.joined(), to: "list.jsonl")
      let error = ArchiveError.unreadable(
        path: resolved(path), line: 7, reason: "this is version 2 of the wire form; only version 1 can be read")
      #expect(throws: error) { try TestArchive(path, recovering: true) }
      #expect(try folder.bytes("list.jsonl") == Array(lines.joined()))
      #expect(try folder.names == ["list.jsonl"])
    }
  }

  // MARK: - Short files

  @Test func `a file of a list that became short becomes short, and has nothing of what was deleted`() async throws {
    for history in [ListHistory.none, .last(5)] {
      let archive = try TestArchive(path, history: history)
      let store = try archive.open()
      try await store.edit { list in
        try list.append(TestSection("a"))
        for id in 0..<2_000 { try list.append(TestRow(id, "secret \(id) of many"), to: "a") }
      }
      try await archive.flush()
      try await store.edit { list in for id in 0..<2_000 { try list.remove(id) } }
      for id in 0..<6 {
        try await store.edit { try $0.append(TestRow(id, "new"), to: "a") }
        try await archive.flush()
      }
      try await archive.close()
      #expect(try folder.bytes("list.jsonl").count < 4_000, "\(history)")
      #expect(try !String(decoding: folder.bytes("list.jsonl"), as: UTF8.self).contains("secret"))
      let next = try TestArchive(path, history: history)
      #expect(await next.snapshot == store.snapshot)
      let former = ListPosition(epoch: store.epoch, revision: await store.revision - 2)
      try await next.open().edit { try $0.remove(0) }
      var updates = try next.open().updates(since: former).makeAsyncIterator()
      #expect(await updates.next()?.previous == (history == .none ? nil : former.revision))
      try await next.close()
      try folder.remove("list.jsonl")
    }
  }

  @Test func `after compacting, nothing that was deleted is in the file, and mirrors go on`() async throws {
    let (archive, store) = try await open(Array(0..<100), history: .last(9))
    try await store.edit { try $0.upsert(TestRow(3, "secret")) }
    try await archive.flush()
    let former = await store.position
    try await store.edit { try $0.remove(3) }
    try await archive.flush()
    #expect(try String(decoding: folder.bytes("list.jsonl"), as: UTF8.self).contains("secret"))
    try await archive.compact()
    #expect(try !String(decoding: folder.bytes("list.jsonl"), as: UTF8.self).contains("secret"))
    let list = await store.snapshot
    #expect(try folder.saved() == list)
    guard case .changes = await store.message(since: former) else {
      Issue.record("the history is gone")
      return
    }
    try await store.edit { try $0.remove(4) }
    try await archive.close()
    #expect(try folder.saved()?.rowCount == 98)
    #expect(
      await error { try await archive.compact() }
        == .failed(reason: "\(resolved(path)): the archive is closed; open it again"))
  }

  // MARK: - What cannot be encoded

  /// A list of rows with numbers, encoded as JSON does by default.
  private struct Number: RowViewModel, Codable {
    var id: Int
    var value: Double
  }

  private typealias Numbers = ListArchive<SoleSection, Number>

  /// Opens the file, in which there are thirty numbers.
  private func numbers() async throws -> Numbers {
    let archive = try Numbers(json: path, history: .last(20))
    let store = try archive.open()
    if await store.revision > 0 { return archive }
    try await store.edit { list in for id in 0..<30 { try list.upsert(Number(id: id, value: Double(id))) } }
    try await archive.flush()
    return archive
  }

  private func put(_ id: Int, _ value: Double, in archive: Numbers) async throws -> ArchiveError? {
    try await archive.open().edit { try $0.upsert(Number(id: id, value: value)) }
    return await error { try await archive.flush() }
  }

  private func rows(of archive: Numbers) async -> [Int: Double] {
    Dictionary(uniqueKeysWithValues: await archive.snapshot.allRows.map { ($0.id, $0.value) })
  }

  @Test func `a row that cannot be encoded is named, and the file has all others`() async throws {
    var archive = try await numbers()
    var store = try archive.open()
    let complete = await store.position
    // An existing row, and a new one.
    for id in [3, 40] {
      let error = "\(String(describing: try await put(id, .nan, in: archive)))"
      #expect([3, id].contains { error.contains("the list cannot be encoded: row \($0): value: ") }, "\(error)")
    }
    for id in 5..<8 { #expect(try await put(id, 100, in: archive) != nil) }
    #expect(await archive.revision == complete.revision)
    let diverged = await store.position
    #expect(await error { try await archive.close() } != nil)
    archive = try await numbers()
    store = try archive.open()
    let saved = await rows(of: archive)
    #expect(saved.count == 30 && saved[3] == 3 && saved[40] == nil && saved[5] == 100 && saved[8] == 8)
    // No position names the list with such a row, and the one without.
    #expect(await !store.keeps(diverged))
    #expect(await store.keeps(complete))
    let lineage = await store.lineage
    #expect(!lineage.contains(diverged, upTo: await store.revision))
    #expect(try await put(1, 7, in: archive) == nil)
    try await archive.close()
  }

  private struct Shelf: WireSection {
    struct Content: Codable, Equatable, Sendable { var load: Double }
    var id: String
    var content: Content
  }

  @Test func `a section that cannot be encoded is named, and the file has all others`() async throws {
    var archive = try ListArchive<Shelf, Number>(json: path)
    try await archive.open().edit { for id in ["a", "b"] { try $0.append(Shelf(id: id, content: .init(load: 1))) } }
    try await archive.flush()
    try await archive.open().edit { list in
      try list.updateSection("a") { $0.content.load = .nan }
      try list.append(Shelf(id: "new", content: .init(load: .infinity)))
      try list.append(Number(id: 1, value: 1), to: "new")
      try list.append(Number(id: 2, value: 2), to: "b")
    }
    let error = "\(String(describing: await error { try await archive.flush() }))"
    #expect(["a", "new"].contains { error.contains("section \($0): load: ") }, "\(error)")
    #expect(await self.error { try await archive.close() } != nil)
    archive = try ListArchive<Shelf, Number>(json: path)
    _ = try archive.open()
    let saved = await archive.snapshot
    #expect(saved.sections.map(\.content.load) == [1, 1] && saved.rows(inSection: 1).map(\.id) == [2])
    try await archive.close()
  }

  @Test(arguments: [false, true])
  func `when the row can be encoded again, the file goes on with its history`(isCompacted: Bool) async throws {
    var archive = try await numbers()
    let complete = try await archive.open().position
    #expect(try await put(40, .infinity, in: archive) != nil)
    #expect(try await put(1, 70, in: archive) != nil)
    // The whole list is in the file then, as far as it can be.
    if isCompacted { #expect(await error { try await archive.compact() } != nil) }
    #expect(try await put(40, 4, in: archive) == nil)
    let mended = try await archive.open().position
    #expect(await archive.revision == mended.revision)
    #expect(try await put(2, 8, in: archive) == nil)
    try await archive.close()
    archive = try await numbers()
    let saved = await rows(of: archive)
    #expect(saved.count == 31 && saved[1] == 70 && saved[40] == 4 && saved[2] == 8)
    #expect(try await archive.open().keeps(mended))
    #expect(try await archive.open().keeps(complete) == !isCompacted)
    try await archive.close()
  }

  @Test func `a validating archive refuses the edit, and names row and field`() async throws {
    let archive = try Numbers(json: path, validating: true)
    let store = try archive.open()
    try await store.edit { try $0.upsert(Number(id: 1, value: 1)) }
    let list = await store.snapshot
    let error = await error {
      try await store.edit { list in
        try list.upsert(Number(id: 2, value: 2))
        try list.upsert(Number(id: 7, value: .nan))
      }
    }
    guard case .unencodable(let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.hasPrefix("row 7: value: "))
    #expect(await store.snapshot == list)
    #expect(await store.revision == 1)
    try await archive.close()
  }

  @Test func `a new file whose list cannot be encoded is refused, with the row, and is not made`() throws {
    let list = try ListSnapshot<SoleSection, Number>([
      ListSection(SoleSection(), rows: [Number(id: 1, value: 1), Number(id: 2, value: .nan)])
    ])
    let error = try #require(throws: ArchiveError.self) { try Numbers(json: path, startingWith: list) }
    #expect("\(error)".contains("row 2: value: "))
    #expect(try folder.names == [])
  }
}
