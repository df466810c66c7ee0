#if canImport(RowcastPlatform)
  import Foundation
  import RowcastDiff
  import RowcastModel
  import RowcastPlatform
  import RowcastStore
  import RowcastTestSupport
  import Testing

  @testable import RowcastSources

  /// Lists in files that are opened again.
  @Suite(.watched) struct ListArchiveTests {
    private let folder: TestFolder
    private var path: String { folder.path("list.jsonl") }
    private var bytes: [UInt8] { get throws { Array(try Data(contentsOf: URL(fileURLWithPath: path))) } }

    init() throws { folder = try TestFolder() }

    /// Opens the file, changes its list, and closes it. Returns the position that it ends at.
    @discardableResult
    private func run(
      history: ListHistory = .none, durability: ArchiveDurability = .written, adding rows: Range<Int> = 0..<0
    ) async throws -> ListPosition {
      let archive = try TestArchive(path, history: history, durability: durability)
      let store = try archive.open()
      if await store.revision == 0 { try await store.edit { try $0.append(TestSection("a")) } }
      for id in rows {
        try await store.edit { try $0.append(TestRow(id), to: "a") }
        // Revisions that share a line are one version of the history.
        try await archive.flush()
      }
      try await archive.close()
      return await store.position
    }

    @Test func `a list goes on with its lineage, its revision and its history, in a run of its own`() async throws {
      let history = ListHistory.last(3)
      var former: [ListPosition] = []
      for rows in [0..<3, 3..<5] { former.append(try await run(history: history, adding: rows)) }
      #expect(former.map(\.revision) == [4, 6] && former[0].epoch != former[1].epoch)
      let archive = try TestArchive(path, history: history)
      let store = try archive.open()
      #expect(await store.position.revision == 6 && ![former[0].epoch, former[1].epoch].contains(store.epoch))
      #expect(try await store.snapshot == TestSnapshot.of(("a", Array(0..<5))))
      try await store.edit { try $0.remove(0) }
      for (position, previous) in [
        (former[0], 4 as Int?), (former[1], 6), (.init(epoch: former[0].epoch, revision: 3), nil),
        (.init(epoch: former[0].epoch, revision: 5), nil),
      ] {
        var updates = store.updates(since: position).makeAsyncIterator()
        let update = try #require(await updates.next())
        #expect(update.previous == previous && update.revision == 7)
      }
      try await archive.close()
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func `former states become too old in a run that changes nothing, too`() async throws {
      let clock = ManualClock()
      let history = ListHistory.within(.seconds(10))
      // This run has the time of a clock on the wall, of which a busy machine needs much.
      try await run(history: .within(.seconds(100_000)), adding: 0..<3)
      let archive = try TestArchive(path, history: history, clock: clock)
      let store = try archive.open()
      #expect(await store.oldestRevision == 0)
      await clock.waitForSleepers(1)
      await clock.advance(by: .seconds(11))
      await eventually { await store.oldestRevision == 4 }
      try await archive.close()
    }

    @Test func `the line of a run is in the file when it is opened, and that of an idle one makes room for the next`()
      async throws
    {
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

    #if os(Linux)
      @Test func `a run for which the disk has no room is refused, and the file stays as it is`() async {
        await #expect(processExitsWith: .success) {
          let folder = try TestFolder()
          let path = folder.path("list.jsonl")
          for _ in 0..<2 { try await TestArchive(path).close() }
          let content = try Data(contentsOf: URL(fileURLWithPath: path))
          // Beyond the limit, writing fails as on a full disk.
          signal(SIGXFSZ, SIG_IGN)
          var limit = rlimit(rlim_cur: rlim_t(content.count), rlim_max: rlim_t(content.count))
          try #require(unsafe setrlimit(__rlimit_resource_t(1), &limit) == 0)
          #expect(throws: ArchiveError.failed(reason: "\(resolved(path)): File too large")) {
            try TestArchive(path)
          }
          #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == content)
        }
      }
    #endif

    @Test func `lines that were lost are not those of the next run`() async throws {
      let history = ListHistory.last(100)
      let former = try await run(history: history, adding: 0..<10)
      var lines = try bytes.split(separator: UInt8(ascii: "\n"))
      lines.removeLast(3)
      try Data(lines.joined(separator: [UInt8(ascii: "\n")]) + [UInt8(ascii: "\n")]).write(
        to: URL(fileURLWithPath: path))
      for edits in [0, 3, 2] {
        let archive = try TestArchive(path, history: history)
        let store = try archive.open()
        let first = await 1_000 * store.revision
        for id in 0..<edits { try await store.edit { try $0.append(TestRow(first + id), to: "a") } }
        try await archive.flush()
        for revision in 2...11 {
          let position = ListPosition(epoch: former.epoch, revision: revision)
          let isWhole = await !store.keeps(position)
          #expect(isWhole == (revision > 8), "\(revision)")
        }
        try await archive.close()
      }
    }

    @Test func `a run that is begun in between has an epoch of its own, and mirrors go on`() async throws {
      let archive = try TestArchive(
        at: path, startingWith: try .of(("a", Array(0..<40))), history: .last(9), encode: ArchiveCoding.encode,
        decode: ArchiveCoding.decode)
      let store = try archive.open()
      try await store.edit { try $0.remove(1) }
      try await archive.flush()
      let former = await store.position
      try await archive.beginRun()
      let position = await store.position
      #expect(position.epoch != former.epoch && position.revision == former.revision + 1)
      #expect(await store.message(since: former) == .progress(position, since: former))
      #expect(await archive.revision == position.revision)
      try await store.edit { try $0.remove(2) }
      try await archive.close()
      let next = try TestArchive(path, history: .last(9))
      guard case .changes(let changes) = try await next.open().message(since: former) else {
        Issue.record("the mirror got the whole list")
        return
      }
      #expect(changes.previous == former.revision && changes.previousEpoch == former.epoch)
      try await next.close()
    }

    @Test func `a file of a version without runs is opened, and its epoch is the first of the lineage`() async throws {
      let file = try ShortFile()
      try Data(file.bytes).write(to: URL(fileURLWithPath: path))
      let archive = try TestArchive(path, history: .last(9))
      let store = try archive.open()
      let epoch = store.epoch
      #expect(
        await store.lineage.runs == [.init(epoch: "e", revision: 0), .init(epoch: epoch, revision: 6)])
      #expect(await store.message(since: .init(epoch: "e", revision: 6)) != nil)
      try await store.edit { try $0.removeSection("a") }
      try await archive.close()
      let content = try #require(try ArchiveCoding.read(bytes, history: .last(9)))
      #expect(content.newest.position == .init(epoch: epoch, revision: 7) && content.states.count == 8)
    }

    @Test func `the device may be waited for as rarely as a duration can say`() async throws {
      await #expect(processExitsWith: .success) {
        let folder = try TestFolder()
        let path = folder.path("list.jsonl")
        func size() throws -> Int { try Data(contentsOf: URL(fileURLWithPath: path)).count }
        let archive = try TestArchive(path, durability: .synced(every: .seconds(Int64.max)))
        let store = try archive.open()
        // Between two lines, the writer waits for an edit or for its time.
        for number in 0..<20 {
          let former = try size()
          try await store.edit { try $0.append(TestSection("\(number)")) }
          await eventually { (try? size()) ?? 0 > former }
        }
        try await archive.close()
      }
    }

    @Test func `a new file begins with the list that it is given, and a list of rows with its section`() async throws {
      let list = try TestSnapshot.of(("b", [7]))
      let archive = try TestArchive(
        at: path, startingWith: list, encode: ArchiveCoding.encode, decode: ArchiveCoding.decode)
      #expect(await archive.snapshot == list)
      try await archive.close()
      #expect(try ArchiveCoding.read(bytes)?.newest.snapshot == list)
      for _ in 0..<2 {
        let rows = try ListArchive<SoleSection, TestRow>(at: folder.path("rows.jsonl")) {
          try JSONEncoder().encode($0)
        } decode: {
          try JSONDecoder().decode(WireMessage.self, from: Data($0))
        }
        let store = try rows.open()
        try await store.edit { try $0.upsert(TestRow(1, "\($0.snapshot.rowCount)")) }
        try await rows.close()
        #expect(await store.snapshot.rowCount == 1)
      }
    }

    @Test func `a list of rows that lost its section is the same in the next run, for mirrors, too`() async throws {
      func open() throws -> ListArchive<SoleSection, TestRow> {
        try ListArchive(at: path, history: .last(5)) {
          try JSONEncoder().encode($0)
        } decode: {
          try JSONDecoder().decode(WireMessage.self, from: Data($0))
        }
      }
      var archive = try open()
      var store = try archive.open()
      let first = await store.snapshot
      #expect(await archive.snapshot == first && first.sectionCount == 1)
      try await store.edit { try $0.upsert(TestRow(1)) }
      try await store.edit { $0.removeAll() }
      let saved = await (list: store.snapshot, position: store.position)
      try await archive.close()
      archive = try open()
      store = try archive.open()
      #expect(await store.snapshot == saved.list)
      #expect(await archive.snapshot == saved.list)
      try await store.edit { try $0.upsert(TestRow(2)) }
      try await archive.flush()
      let mirror = MirroredList(saved.list, at: saved.position)
      // Not the shortest message: that of a short list is the list.
      var updates = store.updates(since: saved.position).makeAsyncIterator()
      let update = try #require(await updates.next())
      #expect(update.previous == saved.position.revision)
      try await mirror.receive(WireMessage(update))
      #expect(await mirror.snapshot == store.snapshot)
      try await archive.close()
    }

    @Test func `mirrors of an archive resume with the difference in the next run`() async throws {
      guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
      let mirror = MirroredList<TestSection, TestRow>()
      var previous: [Int?] = []
      for run in 0..<3 {
        let archive = try TestArchive(path, history: .last(50))
        let store = try archive.open()
        if run == 0 { try await store.edit { try $0.append(TestSection("a")) } }
        for id in 0..<20 { try await store.edit { try $0.append(TestRow(run * 100 + id), to: "a") } }
        try await archive.flush()
        var messages = EncodedList(archive) { $0 }.lines(since: await mirror.position).makeAsyncIterator()
        let message = try #require(try await messages.next())
        if case .changes(let changes) = message { previous.append(changes.previous) } else { previous.append(nil) }
        try await mirror.receive(message)
        try await store.edit { try $0.update(run * 100) { $0.text = "seen" } }
        try await mirror.receive(try #require(try await messages.next()))
        #expect(await mirror.snapshot == store.snapshot)
        #expect(await mirror.position == store.position)
        try await archive.close()
      }
      #expect(previous == [nil, 22, 43])
      #expect(await mirror.revision == 6)
    }

    @Test func `a hundred mirrors of a killed server resume with the difference`() async throws {
      guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
      let first = try TestArchive(path, history: .last(1_000))
      let store = try first.open()
      try await store.edit { try $0.replace(with: .of(("a", Array(0..<200)))) }
      try await first.flush()
      let mirrors = (0..<100).map { _ in MirroredList<TestSection, TestRow>() }
      let lines = EncodedList(first) { $0 }
      let connections = mirrors.map { mirror in
        Task { for try await message in lines.lines() { try await mirror.receive(message) } }
      }
      for edit in 0..<300 {
        try await store.edit { try $0.update(edit % 10) { $0.text = "\(edit)" } }
        await Task.yield()
      }
      for mirror in mirrors { await eventually { await mirror.position != nil } }
      for connection in connections {
        connection.cancel()
        try await connection.value
      }
      // The file as it would be if the process were killed now, perhaps in the middle of a line.
      let next = folder.path("next.jsonl")
      try Data(bytes).write(to: URL(fileURLWithPath: next))
      let second = try TestArchive(next, history: .last(1_000))
      try await second.open().edit { try $0.remove(199) }
      try await second.flush()
      let resumed = EncodedList(second) { $0 }
      for mirror in mirrors {
        let position = try #require(await mirror.position)
        var messages = resumed.lines(since: position).makeAsyncIterator()
        guard case .changes(let changes) = try #require(try await messages.next()) else {
          Issue.record("the mirror at \(position) got the whole list")
          continue
        }
        #expect(changes.previous == position.revision)
        try await mirror.receive(.changes(changes))
        #expect(await mirror.snapshot == second.snapshot)
      }
      try await first.close()
      try await second.close()
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

    @Test func `an archive is in use until it is closed, and tells by whom`() async throws {
      let first = try TestArchive(path)
      #expect(throws: ArchiveError.inUse(path: resolved(path), process: Int(ProcessInfo.processInfo.processIdentifier)))
      {
        try TestArchive(path)
      }
      try await first.close()
      let second = try TestArchive(path)
      try await second.close()
      // The number that a dead process left is not in the way.
      try folder.overwrite("1234567", in: "list.jsonl.lock")
      let third = try TestArchive(path)
      #expect(throws: ArchiveError.inUse(path: resolved(path), process: Int(ProcessInfo.processInfo.processIdentifier)))
      {
        try TestArchive(path)
      }
      try await third.close()
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

    @Test func `the file of a short list stays short, whatever happens to the list`() async throws {
      for (history, limit) in [(ListHistory.none, 40_000), (.last(200), 160_000)] {
        let archive = try TestArchive(path, history: history)
        let store = try archive.open()
        try await store.edit { list in
          try list.replace(with: .of(("a", Array(0..<20))))
        }
        var largest = 0
        for edit in 0..<1_000 {
          try await store.edit { try $0.update(edit % 20) { $0.text = "\(edit) of \(history)" } }
          try await archive.flush()
          if edit % 50 == 0 { largest = max(largest, try bytes.count) }
        }
        #expect(largest < limit, "\(history)")
        let former = ListPosition(epoch: store.epoch, revision: await store.revision - 200)
        try await archive.close()
        let next = try TestArchive(path, history: history)
        #expect(await next.snapshot == store.snapshot)
        if history != .none {
          try await next.open().edit { try $0.remove(3) }
          var updates = try next.open().updates(since: ListPosition(epoch: former.epoch, revision: former.revision + 1))
            .makeAsyncIterator()
          #expect(await updates.next()?.previous == former.revision + 1)
        }
        try await next.close()
      }
    }

    @Test func `a torn line is cut, and a file that is damaged or none of ours stays as it is`() async throws {
      let file = try ShortFile()
      let url = URL(fileURLWithPath: path)
      try Data(file.bytes.dropLast(7)).write(to: url)
      let torn = try TestArchive(path)
      #expect(await torn.revision == 5)
      #expect(try bytes.starts(with: file.lines.dropLast().joined()))
      try await torn.open().edit { try $0.removeSection("a") }
      try await torn.close()
      #expect(try ArchiveCoding.read(bytes)?.newest.revision == 6)
      for text in [
        "# Notes\nof mine\n", "no end", String(decoding: file.bytes, as: UTF8.self).replacing("\"a\"", with: "\"A\""),
      ] {
        try Data(text.utf8).write(to: url)
        #expect(throws: ArchiveError.damaged(path: resolved(path), line: 1)) { try TestArchive(path) }
        #expect(try bytes == Array(text.utf8))
      }
    }

    @Test func `a damaged file is recovered from, and good again`() async throws {
      let file = try ShortFile()
      for (line, revision) in [(2, 6), (7, 5)] {
        var damaged = file.lines
        damaged[line][40] ^= 4
        try Data(damaged.joined()).write(to: URL(fileURLWithPath: path))
        #expect(throws: ArchiveError.damaged(path: resolved(path), line: line + 1)) { try TestArchive(path) }
        let recovered = try TestArchive(path, recovering: true)
        #expect(await recovered.snapshot == file.lists[revision])
        // Without the newest revisions, the list must not pass for the one that had them.
        let lineage = try await recovered.open().lineage
        for former in 0...6 {
          #expect(
            lineage.contains(.init(epoch: "e", revision: former), upTo: revision) == (former <= revision))
        }
        try await recovered.open().edit { try $0.removeSection("a") }
        try await recovered.close()
        let again = try TestArchive(path)
        #expect(await again.snapshot == recovered.snapshot)
        #expect(await again.revision == revision + 1)
        try await again.close()
      }
    }

    @Test func `places where no file can be are refused`() throws {
      for place in [folder.path("."), folder.path("none/list.jsonl"), "/proc/version", "/dev/null"] {
        let error = try #require(throws: ArchiveError.self) { try TestArchive(place) }
        guard case .failed(let reason) = error else {
          Issue.record("\(place): \(error)")
          continue
        }
        #expect(!reason.isEmpty)
      }
    }

    @Test func `a file that must not be written is refused, and stays as it is`() async throws {
      let before = try await run(adding: 0..<3)
      let content = try bytes
      try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
      do {
        // The superuser may write it all the same.
        let archive = try TestArchive(path)
        #expect(getuid() == 0)
        #expect(await archive.revision == before.revision)
        try await archive.close()
      } catch let error as ArchiveError {
        #expect(error == .failed(reason: "\(resolved(path)): Permission denied"))
      }
      #expect(try bytes.starts(with: content))
    }

    @Test func `a file keeps its permissions when it is replaced`() async throws {
      try await run(adding: 0..<3)
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
      let archive = try TestArchive(path)
      let number = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
      let text = String(repeating: "x", count: 20_000)
      try await archive.open().edit { try $0.append(TestRow(9, text), to: "a") }
      try await archive.close()
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.systemFileNumber] as? Int != number)
      #expect(attributes[.posixPermissions] as? Int == 0o640)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path(".")).sorted() == [
          "list.jsonl", "list.jsonl.lock",
        ])
    }

    @Test func `the path of a new file does not depend on the current folder`() throws {
      let name = "\(UUID()).jsonl"
      #expect(resolved(name) == FileManager.default.currentDirectoryPath + "/" + name)
      let link = folder.path("folder")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/tmp")
      #expect(resolved(link + "/" + name) == "/tmp/" + name)
      #expect(resolved("/" + name) == "/" + name)
      #expect(resolved("/no/such/folder/" + name) == "/no/such/folder/" + name)
    }

    @Test func `a file behind a link is locked and replaced like one without`() async throws {
      try await run(adding: 0..<3)
      let link = folder.path("link")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
      let archive = try TestArchive(link)
      #expect(throws: ArchiveError.self) { try TestArchive(path) }
      let text = String(repeating: "x", count: 20_000)
      try await archive.open().edit { try $0.append(TestRow(9, text), to: "a") }
      try await archive.close()
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
      let saved = await archive.snapshot
      #expect(try ArchiveCoding.read(bytes)?.newest.snapshot == saved)
    }

    @Test func `a list is saved by the device as well`() async throws {
      for interval in [Duration.zero, .milliseconds(1)] {
        let before = try await run(durability: .synced(every: interval), adding: 0..<0)
        let archive = try TestArchive(path, durability: .synced(every: interval))
        #expect(await archive.revision == before.revision)
        try await archive.open().edit { try $0.updateSection("a") { $0.content.title += "." } }
        try await archive.flush()
        #expect(await archive.revision == before.revision + 1)
        try await archive.close()
      }
    }
  }
#endif
