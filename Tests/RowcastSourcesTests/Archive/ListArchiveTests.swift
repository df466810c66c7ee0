@testable import RowcastSources

/// Lists in files that are opened again.
@Suite(.watched) struct ListArchiveTests {
  private let folder = TestFolder()
  private var path: String { folder.path("list.jsonl") }
  private var bytes: [UInt8] { get throws { try folder.bytes("list.jsonl") } }

  /// Opens the file, changes its list, and closes it.
  private func run(history: ListHistory = .none, adding rows: Range<Int>) async throws {
    let archive = try TestArchive(path, history: history)
    let store = try archive.open()
    if await store.revision == 0 { try await store.edit { try $0.append(TestSection("a")) } }
    for id in rows {
      try await store.edit { try $0.append(TestRow(id), to: "a") }
      // Revisions that share a line are one version of the history.
      try await archive.flush()
    }
    try await archive.close()
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `former states become too old in a run that changes nothing, too`() async throws {
    let clock = ManualClock()
    let history = ListHistory.within(.seconds(10))
    // This run uses wall-clock time, and a busy machine needs much of it.
    try await run(history: .within(.seconds(100_000)), adding: 0..<3)
    let archive = try TestArchive(path, history: history, clock: clock)
    let store = try archive.open()
    #expect(await store.oldestRevision == 0)
    await clock.waitForSleepers(1)
    await clock.advance(by: .seconds(11))
    await eventually { await store.oldestRevision == 4 }
    try await archive.close()
  }

  @Test func `an open file has the line of its run, and that of an idle one makes room for the next`() async throws {
    try await run(adding: 0..<3)
    let content = try bytes
    var epochs: [String] = []
    for _ in 0..<70 {
      let archive = try TestArchive(path, history: .last(9))
      epochs.append(try archive.open().epoch)
      #expect(try String(decoding: bytes, as: UTF8.self).hasSuffix(#"","revision":4}],"revision":4,"v":1}"# + "\n"))
      try await archive.close()
    }
    #expect(try bytes.starts(with: content) && bytes.count < content.count + 5_000)
    let archive = try TestArchive(path, history: .last(9))
    let runs = try await archive.open().lineage.runs
    #expect(runs.count <= 66 && runs.dropLast().suffix(63).map(\.epoch) == epochs.suffix(63))
    // A mirror of any of these runs is up to date.
    let position = ListPosition(epoch: epochs[60], revision: 4)
    #expect(try await archive.open().message(since: position) == .progress(archive.open().position, since: position))
    try await archive.close()
  }

  @Test func `a whole list behind the line of an idle run stays where it is`() async throws {
    let file = try ShortFile()
    var lineage = Lineage(of: "e")
    lineage.begin("f", at: 6)
    let run = try ArchiveCoding.line(.run(Lineage(lineage.runs.suffix(1)) ?? lineage))
    let whole = try ArchiveCoding.line(.initial(revision: 6, snapshot: file.lists[6], epoch: "f", lineage: lineage))
    let content = file.bytes + run + whole
    try folder.write(content, to: "list.jsonl")
    // The line of another idle run makes room for the next, and not what is before it.
    for _ in 0..<3 {
      let archive = try TestArchive(path, history: .last(9))
      #expect(try await archive.open().lineage.runs.prefix(2) == lineage.runs.prefix(2))
      try await archive.close()
      #expect(try bytes.starts(with: content))
      #expect(try bytes.dropFirst(content.count).count { $0 == UInt8(ascii: "\n") } == 1)
    }
    let lists = try #require(try ArchiveCoding.read(bytes, history: .last(9))).states.map(\.snapshot)
    #expect(lists == file.lists)
  }

  @Test func `a file of a version without runs is opened, and its epoch is the first of the lineage`() async throws {
    let file = try ShortFile()
    try folder.write(file.bytes, to: "list.jsonl")
    let archive = try TestArchive(path, history: .last(9))
    let store = try archive.open()
    let epoch = store.epoch
    #expect(await store.lineage.runs == [.init(epoch: "e", revision: 0), .init(epoch: epoch, revision: 6)])
    #expect(await store.message(since: .init(epoch: "e", revision: 6)) != nil)
    try await store.edit { try $0.removeSection("a") }
    try await archive.close()
    let content = try #require(try ArchiveCoding.read(bytes, history: .last(9)))
    #expect(content.newest.position == .init(epoch: epoch, revision: 7) && content.states.count == 8)
  }

  @Test func `the device may be waited for as rarely as a duration can say`() async throws {
    let archive = try TestArchive(path, durability: .synced(every: .seconds(Int64.max)))
    let store = try archive.open()
    // Between two lines, the writer waits for an edit or for its time.
    for number in 0..<20 {
      let former = try bytes.count
      try await store.edit { try $0.append(TestSection("\(number)")) }
      await eventually { (try? bytes.count) ?? 0 > former }
    }
    try await archive.close()
  }

  @Test func `a list of rows that lost its section is the same in the next run, for mirrors, too`() async throws {
    typealias Rows = ListArchive<SoleSection, TestRow>
    var archive = try Rows(json: path, history: .last(5))
    var store = try archive.open()
    let first = await store.snapshot
    #expect(await archive.snapshot == first && first.sectionCount == 1)
    try await store.edit { try $0.upsert(TestRow(1)) }
    try await store.edit { $0.removeAll() }
    let saved = await (list: store.snapshot, position: store.position)
    try await archive.close()
    archive = try Rows(json: path, history: .last(5))
    store = try archive.open()
    #expect(await store.snapshot == saved.list)
    #expect(await archive.snapshot == saved.list)
    try await store.edit { try $0.upsert(TestRow(2)) }
    try await archive.flush()
    let mirror = MirroredList(saved.list, at: saved.position)
    // Not the shortest message: a short list is sent whole.
    var updates = store.updates(since: saved.position).makeAsyncIterator()
    let update = try #require(await updates.next())
    #expect(update.previous == saved.position.revision)
    try await mirror.receive(WireMessage(update))
    #expect(await mirror.snapshot == store.snapshot)
    try await archive.close()
  }

  @Test func `a lock ends with its file, whoever has a copy of the descriptor`() throws {
    var file: OpenFile? = OpenFile(descriptor: try Platform.openForUpdating(path))
    #expect(try file.map { try Platform.lock($0.descriptor) } == true)
    let copy = try #require(file.map { dup($0.descriptor) })
    defer { close(copy) }
    file = nil
    let other = OpenFile(descriptor: try Platform.openForUpdating(path))
    #expect(try Platform.lock(other.descriptor))
  }

  /// Makes a descriptor one for the file of another. Programs that are started do not have it.
  private func replace(_ descriptor: Int32, with other: Int32) throws {
    try #require(dup2(other, descriptor) == descriptor)
    try #require(fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0)
  }

  @Test func `what a device has written of a line before it failed is gone with the next line`() async throws {
    var random = SeededGenerator.forFuzzing("lines that a device has in part")
    let path = resolved(path)
    for _ in 0..<SeededGenerator.rounds(20, long: 4_000) {
      func line() -> [UInt8] {
        Array(repeating: UInt8(ascii: "a"), count: .random(in: 0...9, using: &random)) + [UInt8(ascii: "\n")]
      }
      let first = line()
      let (file, _) = try ArchiveFile.open(path, isSynced: false) { (_, _) throws(ArchiveError) in (first, nil, []) }
      var content = first
      let device = OpenFile(descriptor: try Platform.openForUpdating(path, creates: false))
      let status = try Platform.status(of: device.descriptor)
      // It is -1 if there is no limit.
      let limit = Int32(clamping: sysconf(Int32(_SC_OPEN_MAX)))
      let own = try #require(
        (0..<(limit < 0 ? .max : limit)).first {
          $0 != device.descriptor && (try? Platform.status(of: $0))?.isSameFile(as: status) == true
        })
      for _ in 0..<12 {
        let line = line()
        if Int.random(in: 0...3, using: &random) == 0 {
          // Until it is replaced again, the descriptor of the archive only reads: truncating fails as well.
          let reading = OpenFile(descriptor: try Platform.open(path))
          let working = fcntl(own, F_DUPFD_CLOEXEC, 0)
          try #require(working >= 0)
          try replace(own, with: reading.descriptor)
          await #expect(throws: ArchiveError.self) { try await file.append(line, at: content.count) }
          try replace(own, with: working)
          close(working)
          let part = line.prefix(.random(in: 0...line.count, using: &random))
          try Platform.write(part, to: device.descriptor, at: content.count)
        } else {
          // Sometimes the line replaces the end of the file.
          let isCut = Int.random(in: 0...2, using: &random) == 0
          let size = isCut ? Int.random(in: 0...content.count, using: &random) : content.count
          try await file.append(line, at: size)
          content = content[..<size] + line
          try #require(try bytes == content, "seed \(random.seed)")
        }
      }
      await file.close()
    }
  }

  @Test func `an archive is in use until it is closed, and tells by whom`() async throws {
    let number = Int(ProcessInfo.processInfo.processIdentifier)
    for _ in 0..<2 {
      let archive = try TestArchive(path)
      #expect(throws: ArchiveError.inUse(path: resolved(path), process: number)) { try TestArchive(path) }
      try await archive.close()
      // The number that a dead process left is not in the way.
      try folder.overwrite("1234567", in: "list.jsonl.lock")
    }
  }

  @Test func `a store that is released saves its last list, and gives the file free`() async throws {
    do {
      let store = try TestArchive(path).open()
      try await store.edit { try $0.append(TestSection("a")) }
    }
    await eventually { (try? ArchiveCoding.read(bytes)?.newest.revision) == 1 }
    var next: TestArchive?
    await eventually {
      next = try? TestArchive(path)
      return next != nil
    }
    #expect(await next?.revision == 1)
    try await next?.close()
  }

  @Test func `after closing, edits are refused, and the archive stays as it is`() async throws {
    let archive = try TestArchive(path)
    let store = try archive.open()
    try await archive.close()
    await #expect(throws: ListStoreError.finished) { try await store.edit { try $0.append(TestSection("a")) } }
    try await archive.close()
    try await archive.flush()
    var statuses = archive.statuses.makeAsyncIterator()
    #expect(await statuses.next() == .closed)
    #expect(await statuses.next() == nil)
    var updates = archive.updates().makeAsyncIterator()
    #expect(await updates.next()?.revision == 0)
    #expect(await updates.next() == nil)
  }

  @Test func `whatever is asked for while an archive closes, its file has the last list`() async throws {
    for round in 0..<48 {
      let archive = try TestArchive(path)
      let store = try archive.open()
      // Most of a file of lines about one row is not needed at the end.
      for edit in 0..<8 {
        try await store.replace(with: .of(("a", [edit])))
        try await archive.flush()
      }
      let closing = Task { try await archive.close() }
      for _ in 0..<round / 4 % 4 { await Task.yield() }
      switch round % 4 {
      case 0, 1: try? await archive.beginRun()
      case 2: try? await archive.compact()
      default: try? await store.edit { try $0.replace(with: .of(("a", [99]))) }
      }
      try await closing.value
      let next = try TestArchive(path)
      #expect(await next.snapshot == store.snapshot, "round \(round)")
      try await next.close()
    }
    // The list of a store that has finished has no further runs.
    let archive = try TestArchive(path)
    let store = try archive.open()
    await store.finish()
    let revision = await store.revision
    try await archive.beginRun()
    #expect(await store.revision == revision)
    try await archive.close()
    try await TestArchive(path).close()
  }

  @Test func `the file of a short list stays short, whatever happens to the list`() async throws {
    for (history, limit) in [(ListHistory.none, 40_000), (.last(200), 160_000)] {
      let archive = try TestArchive(path, history: history)
      let store = try archive.open()
      try await store.replace(with: .of(("a", Array(0..<20))))
      for edit in 0..<1_000 {
        try await store.edit { try $0.update(edit % 20) { $0.text = "\(edit) of \(history)" } }
        try await archive.flush()
        if edit % 50 == 0 { #expect(try bytes.count < limit, "\(history)") }
      }
      try await archive.close()
      let list = await store.snapshot
      #expect(try folder.saved() == list)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `resumable: a mirror continues from any position that it was at, in any run`() async throws {
    var seen: [(position: ListPosition, list: TestSnapshot)] = []
    for run in 0..<3 {
      let archive = try TestArchive(path, history: .last(100))
      let store = try archive.open()
      if run == 0 { try await store.replace(with: .of(("a", Array(0..<40)))) }
      for edit in 0..<10 {
        // A run may begin in between as well.
        if edit == 5 { try await archive.beginRun() }
        try await store.edit { try $0.update(edit) { $0.text = "\(run)" } }
        try await archive.flush()
        seen.append((await store.position, await store.snapshot))
      }
      for (position, list) in seen {
        var mirror = TestReader(list, at: position)
        let message = try #require(try await EncodedList(archive) { $0 }.lines(since: position).next())
        if case .initial = message { Issue.record("\(position) got the whole list") }
        _ = try mirror.fold(message)
        #expect(await mirror.snapshot == archive.snapshot)
        #expect(await mirror.position == store.position)
      }
      try await archive.close()
    }
  }

  @Test func `the path of a new file does not depend on the current folder`() throws {
    let name = "\(UUID()).jsonl"
    #expect(resolved(name) == FileManager.default.currentDirectoryPath + "/" + name)
    let link = folder.path("folder")
    try folder.link("folder", to: "/tmp")
    #expect(resolved(link + "/" + name) == "/tmp/" + name)
    #expect(resolved("/" + name) == "/" + name)
    #expect(resolved("/no/such/folder/" + name) == "/no/such/folder/" + name)
  }

  @Test func `a file behind a link is locked and replaced like one without, and keeps its permissions`() async throws {
    try await run(adding: 0..<3)
    let (files, link) = (FileManager.default, folder.path("link"))
    try files.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    try folder.link("link", to: path)
    let archive = try TestArchive(link)
    #expect(throws: ArchiveError.self) { try TestArchive(path) }
    let former = try files.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
    let text = String(repeating: "x", count: 20_000)
    try await archive.open().edit { try $0.append(TestRow(9, text), to: "a") }
    try await archive.close()
    let attributes = try files.attributesOfItem(atPath: path)
    #expect(attributes[.systemFileNumber] as? Int != former)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(try files.destinationOfSymbolicLink(atPath: link) == path)
    #expect(try folder.names == ["link", "list.jsonl", "list.jsonl.lock"])
    let saved = await archive.snapshot
    #expect(try folder.saved() == saved)
  }
}
