@testable import RowcastSources

/// Archives of lists that are made elsewhere, and what an operator sees of an archive.
@Suite(.watched) struct FollowingArchiveTests {
  private let folder = TestFolder()
  private var path: String { folder.path("list.jsonl") }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `mirrors of an archive that follows a list resume with the difference after each restart`() async throws {
    var random = SeededGenerator.forFuzzing("following archives")
    var mirrors = (0..<6).map { _ in WireReader<TestSection, TestRow>() }
    var former: Set<String> = []
    var last = TestSnapshot()
    for round in 0..<SeededGenerator.rounds(2, long: 300) {
      // The list has another epoch in each run, like every list made of others.
      let source = TestStore(try .random(sections: 3, rows: 12, using: &random))
      let archive = try TestArchive(path, history: .last(1_000))
      #expect(await archive.snapshot == last, "seed \(random.seed), round \(round)")
      let store = try await archive.open(following: source)
      #expect(former.insert(store.epoch).inserted && store.epoch != source.epoch)
      await eventually { await store.snapshot == source.snapshot }
      for _ in 0..<Int.random(in: 0..<4, using: &random) {
        try await source.replace(with: try .random(sections: 3, rows: 12, using: &random))
        await eventually { await store.snapshot == source.snapshot }
      }
      try await archive.flush()
      let lines = EncodedList(archive) { $0 }
      for index in mirrors.indices where Bool.random(using: &random) || round == 0 {
        let position = mirrors[index].position
        var messages = lines.lines(since: position).makeAsyncIterator()
        let message = try #require(try await messages.next())
        if case .changes(let changes) = message {
          #expect(changes.previous == position?.revision, "seed \(random.seed), round \(round)")
        }
        if case .initial(_, let list, _, _) = message, let position {
          // Only where it is the shorter line.
          let update = TestUpdate(
            revision: position.revision + 1, previous: position.revision,
            changes: mirrors[index].snapshot.changes(to: list), snapshot: list)
          #expect(update.isLongerThanList, "seed \(random.seed), round \(round)")
        }
        _ = try mirrors[index].fold(message)
        #expect(await mirrors[index].snapshot == source.snapshot, "seed \(random.seed), round \(round)")
      }
      try await archive.close()
      last = await archive.snapshot
    }
  }

  @Test func `an archive becomes what it follows in one revision, and does not end with it`() async throws {
    let (source, archive) = (try TestStore.with([1, 2, 3]), try TestArchive(path))
    try await archive.open().replace(with: .of(("a", [1, 9]), ("b", [2])))
    let store = try await archive.open(following: source)
    await eventually { await store.snapshot == source.snapshot }
    #expect(await store.revision == 2)
    await source.finish()
    try await archive.flush()
    await #expect(store.core.isFinished == false)
    #expect(await archive.snapshot == source.snapshot)
    try await archive.close()
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `of two lists given in a row an archive follows the second, whatever runs first`() async throws {
    let (first, second, calls) = (try TestStore.with([1]), try TestStore.with([2]), CallCount())
    let archive = try TestArchive(path)
    let store = try archive.open()
    for round in 1...100 {
      Task.detached(priority: .background) {
        try await archive.open(following: first)
        calls.note(())
      }
      await eventually { calls.value == round }
      try await archive.open(following: second)
      await eventually { await first.waiterCount == 0 }
      try await first.edit { try $0.append(TestRow(1_000 + round), to: "a") }
      try await second.edit { try $0.append(TestRow(10 + round), to: "a") }
      await eventually { await store.snapshot == second.snapshot }
    }
    try await archive.close()
    await eventually { await second.waiterCount == 0 }
  }

  @Test func `an archive that follows a list which delivers nothing is closed all the same`() async throws {
    struct SilentList: LiveList {
      var snapshot: TestSnapshot { get async { TestSnapshot() } }
      var revision: Int { get async { 0 } }
      func updates() -> AsyncStream<TestUpdate> { AsyncStream { _ in } }
    }
    let archive = try TestArchive(path)
    try await archive.open(following: SilentList()).edit { try $0.append(TestSection("a")) }
    try await archive.close()
    #expect(await archive.snapshot.sectionCount == 1)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [false, true])
  func `what a followed list is when an archive is flushed or closed is in the file, whatever the pace`(isPaced: Bool)
    async throws
  {
    for round in 0..<40 {
      let (source, clock) = (try TestStore.with([]), ManualClock())
      let archive = try TestArchive(path, clock: clock)
      try await archive.open(following: source, every: isPaced ? .seconds(3_600) : .zero)
      for id in 0..<3 {
        try await source.edit { try $0.append(TestRow(3 * round + id), to: "a") }
        if id == 1 {
          try await archive.flush()
          #expect(await archive.snapshot == source.snapshot)
        }
      }
      if round % 2 == 0 { await source.finish() }
      let closing = Task { try await archive.close() }
      if round % 3 == 0 { closing.cancel() }
      try await closing.value
      #expect(await archive.snapshot == source.snapshot, "round \(round)")
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `an archive follows a list at a pace`() async throws {
    let (source, clock) = (try TestStore.with([]), ManualClock())
    let archive = try TestArchive(path, clock: clock)
    let store = try await archive.open(following: source, every: .seconds(1))
    await clock.waitForSleepers(1)
    let before = await store.revision
    for id in 0..<20 { try await source.edit { try $0.append(TestRow(id), to: "a") } }
    await eventually {
      await clock.advance(by: .seconds(1))
      return await store.snapshot == source.snapshot
    }
    #expect(await store.revision == before + 1)
    try await archive.close()
  }

  @Test func `an archive does not follow a mirror at a pace`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let folder = TestFolder()
      let archive = try TestArchive(folder.path("list.jsonl"))
      try await archive.open(following: MirroredList<TestSection, TestRow>(), every: .seconds(1))
      withExtendedLifetime(folder) {}
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("message by message, and not every 1.0 seconds"), "\(message)")
  }

  @Test func `the lag of an archive is what is not saved, and it prints its path and run`() async throws {
    let archive = try TestArchive(path)
    let store = try archive.open()
    #expect(await archive.lag == 0)
    for id in 0..<5 { try await store.edit { try $0.append(TestSection("\(id)")) } }
    #expect(await (0...5).contains(archive.lag))
    try await archive.flush()
    #expect(await archive.lag == 0)
    let text = "\(archive)"
    #expect(text == "ListArchive of TestSection and TestRow, opened as run \(store.epoch), at \(resolved(path))")
    var dumped = ""
    dump(archive, to: &dumped)
    #expect(dumped.split(separator: "\n").count == 3)
    // Positions have another epoch now. The text contains the epoch with which a search of the logs begins.
    try await archive.beginRun()
    #expect("\(archive)" == text)
    try await archive.close()
  }
}
