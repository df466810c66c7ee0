@testable import RowcastSources

/// A file in memory, which fails and dawdles as a test wishes.
actor MemoryFile: ArchiveStorage {
  private(set) var bytes: [UInt8]
  /// The bytes that the device has.
  private(set) var synced: [UInt8]
  private(set) var replacements = 0
  private(set) var appends = 0
  private(set) var isClosed = false
  /// The most bytes that fit.
  var capacity = Int.max
  var syncFails = false
  var gate: Gate?
  /// Holds a line that was written, and seen to be where the path leads.
  var lastGate: Gate?
  /// What is wrong with the place of the file.
  var misplacement: ArchiveError?
  let isUnlocked = false

  init(_ bytes: [UInt8]) { (self.bytes, synced) = (bytes, bytes) }

  func set(_ change: @Sendable (isolated MemoryFile) -> Void) { change(self) }

  func append(_ bytes: [UInt8], at size: Int) async throws(ArchiveError) {
    appends += 1
    await gate?.pass()
    self.bytes = Array(self.bytes.prefix(size))
    guard size + bytes.count <= capacity else { throw .failed(reason: "No space left on device") }
    self.bytes += bytes
    try await verify(orNothing: false)
    await lastGate?.pass()
  }

  func synchronize() async throws(ArchiveError) {
    await gate?.pass()
    if syncFails { throw .failed(reason: "Input/output error") }
    synced = bytes
    try await verify(orNothing: false)
  }

  func replace(keeping range: Range<Int>, appending bytes: [UInt8]) async throws(ArchiveError) {
    await gate?.pass()
    guard range.count + bytes.count <= capacity else { throw .failed(reason: "No space left on device") }
    self.bytes = self.bytes[range] + bytes
    replacements += 1
    misplacement = nil
  }

  func verify(orNothing: Bool) async throws(ArchiveError) { if let misplacement, !orNothing { throw misplacement } }

  func close() { isClosed = true }
}

/// The task that writes, on a file in memory.
@Suite(.watched) struct ArchiveWriterTests {
  /// A store, its file, and the task between them.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  struct Rig: Sendable {
    let store: TestStore
    let file: MemoryFile
    let writer: ArchiveWriter<TestSection, TestRow>
    let clock = ManualClock()
    let writing: Task<Void, Never>

    init(_ durability: ArchiveDurability = .written, history: ListHistory = .none) throws {
      let first = try ArchiveCoding.line(.initial(revision: 0, snapshot: .of(("a", [])), epoch: "e"))
      let content = try #require(try ArchiveCoding.read(first))
      store = TestStore(content.newest.snapshot, epoch: "e", history: history)
      file = MemoryFile(first)
      writer = ArchiveWriter(
        store.core, content: content, path: ArchiveCoding.path, storage: file, durability: durability,
        clock: AnyClock(clock), encoder: ArchiveCoding.encoder)
      writing = Task(name: "writer") { [writer] in await writer.run() }
    }

    func add(_ id: Int) async throws { try await store.edit { try $0.append(TestRow(id), to: "a") } }

    func flush() async -> ArchiveError? { await writer.flush(await store.revision) }

    /// The list in the file.
    var saved: TestState { get async throws { try #require(try ArchiveCoding.read(await file.bytes)).newest } }

    func close() async {
      await store.finish()
      await writing.value
    }
  }

  private static let (full, broken) = (
    ArchiveError.failed(reason: "No space left on device"), ArchiveError.failed(reason: "Input/output error")
  )

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `each revision has a line if the file keeps up, and further ones share a line if not`() async throws {
    let rig = try Rig()
    for id in 0..<4 {
      try await rig.add(id)
      #expect(await rig.flush() == nil)
    }
    func revisions() async throws -> [Int] {
      try #require(try ArchiveCoding.read(await rig.file.bytes, history: .within(.zero))).states.map(\.revision)
    }
    #expect(try await revisions() == [0, 1, 2, 3, 4])
    let gate = Gate()
    await rig.file.set { $0.gate = gate }
    for id in 4..<40 { try await rig.add(id) }
    // No edit has waited, and no reader of what is saved sees them.
    #expect(await rig.store.revision == 40)
    #expect(await rig.writer.saved.revision == 4)
    await rig.file.set { $0.gate = nil }
    await gate.open()
    await rig.close()
    let all = try await revisions()
    #expect(all.last == 40 && all.count < 10)
    #expect(try await rig.saved.snapshot == rig.store.snapshot)
    #expect(await rig.file.isClosed)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a full disk loses nothing, and writing goes on when there is room`() async throws {
    let rig = try Rig()
    try await rig.add(1)
    #expect(await rig.flush() == nil)
    var statuses = rig.writer.values.makeAsyncIterator()
    #expect(await statuses.next() == .saved(ListPosition(epoch: "e", revision: 1)))
    await rig.file.set { $0.capacity = 0 }
    for id in 2..<5 {
      try await rig.add(id)
      #expect(await rig.flush() == Self.full)
      #expect(await statuses.next() == .failing(Self.full))
      #expect(try await rig.saved.revision == 1)
    }
    #expect(await rig.writer.saved.revision == 1)
    await rig.file.set { $0.capacity = .max }
    // Without another edit, a second later.
    await rig.clock.waitForSleepers(1)
    await rig.clock.advance(by: .seconds(1))
    #expect(await statuses.next() == .saved(ListPosition(epoch: "e", revision: 4)))
    #expect(try await rig.saved.snapshot == rig.store.snapshot)
    await rig.file.set { $0.capacity = 0 }
    try await rig.add(5)
    #expect(await rig.flush() == Self.full)
    await rig.file.set { $0.capacity = .max }
    // Whoever waits for it need not wait for the second.
    #expect(await rig.flush() == nil)
    await rig.close()
    #expect(await statuses.next() == .closed)
    #expect(await statuses.next() == nil)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `who waits for a revision is not told of an attempt that began before`() async throws {
    let rig = try Rig()
    var statuses = rig.writer.values.makeAsyncIterator()
    _ = await statuses.next()
    let gates = (Gate(), Gate())
    await rig.file.set { $0.gate = gates.0 }
    try await rig.add(1)
    await eventually { await rig.file.appends == 1 }
    let flush = Task { await rig.flush() }
    await eventually { await rig.writer.isUrgent }
    await rig.file.set { $0.capacity = 0 }
    await rig.file.set { $0.gate = gates.1 }
    await gates.0.open()
    #expect(await statuses.next() == .failing(Self.full))
    await rig.file.set { $0.capacity = .max }
    await gates.1.open()
    #expect(await flush.value == nil)
    await rig.close()
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `who waits after the file is gone is told so, also if a line was written just before`() async throws {
    let rig = try Rig()
    let (gate, place) = (Gate(), ArchiveError.replaced(path: "file"))
    await rig.file.set { $0.lastGate = gate }
    try await rig.add(1)
    await eventually { await rig.file.appends == 1 }
    await rig.file.set { $0.misplacement = place }
    let flush = Task { await rig.flush() }
    await eventually { await rig.writer.isUrgent }
    await gate.open()
    #expect(await flush.value == place)
    await rig.file.set { $0.misplacement = nil }
    #expect(await rig.flush() == nil)
    await rig.close()
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `with an interval, a revision counts when the device has it`() async throws {
    let rig = try Rig(.synced(every: .seconds(10)))
    try await rig.add(1)
    await rig.clock.waitForSleepers(1)
    #expect(try await rig.saved.revision == 1)
    #expect(await rig.writer.saved.revision == 0)
    #expect(await rig.file.synced != rig.file.bytes)
    try await rig.add(2)
    await eventually { (try? await rig.saved.revision) == 2 }
    await rig.clock.advance(by: .seconds(10))
    await eventually { await rig.writer.saved.revision == 2 }
    #expect(await rig.file.synced == rig.file.bytes)
    // Tasks that wait for it do not wait for the interval, nor does the end.
    try await rig.add(3)
    #expect(await rig.flush() == nil)
    #expect(await rig.writer.saved.revision == 3)
    try await rig.add(4)
    await rig.close()
    #expect(await rig.writer.saved.revision == 4)
    #expect(await rig.file.synced == rig.file.bytes)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `after a device has failed, the file is written anew, and saved when the device has it`() async throws {
    let rig = try Rig(.synced(every: .zero))
    try await rig.add(1)
    #expect(await rig.flush() == nil)
    await rig.file.set { $0.syncFails = true }
    for id in 2..<4 {
      try await rig.add(id)
      #expect(await rig.flush() == Self.broken)
      #expect(await rig.writer.saved.revision == 1)
      #expect(try await rig.saved.snapshot == rig.store.snapshot)
    }
    await rig.file.set { $0.syncFails = false }
    // It was rewritten for the second failure at least.
    let replacements = await rig.file.replacements
    #expect(replacements > 0)
    #expect(await rig.flush() == nil)
    #expect(await rig.file.replacements == replacements + 1)
    #expect(await rig.file.synced == rig.file.bytes)
    try await rig.add(4)
    await rig.close()
    #expect(try await rig.saved.snapshot == rig.store.snapshot)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `who reads what is saved does not wait for a line that is encoded`() async throws {
    let folder = TestFolder()
    let (begun, read, ended) = (CallCount(), CallCount(), CallCount())
    let archive = try TestArchive(folder.path("list.jsonl")) { message in
      if case .changes = message {
        begun.note(())
        // With a limit, as a test that fails must end as well.
        let start = ContinuousClock.now
        while read.value == 0, start.duration(to: .now) < .seconds(30) {}
        ended.note(())
      }
      return try ArchiveCoding.encode(message)
    }
    try await archive.open().edit { try $0.append(TestSection("a")) }
    await eventually { begun.value == 1 }
    #expect(await archive.revision == 0 && ended.value == 0)
    read.note(())
    try await archive.close()
    #expect(await archive.revision == 1)
  }

  // MARK: - Orders of jobs

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `in every order of jobs, what is told as saved is in the file`() async throws {
    var random = SeededGenerator.forFuzzing("archives")
    for round in 0..<SeededGenerator.rounds(40, long: 20_000) {
      let (seed, durability) = (random.next(), round % 2 == 0 ? ArchiveDurability.written : .synced(every: .zero))
      let result = await Schedule.run(seed: seed) { () async -> String? in
        do { return try await Self.scene(durability) } catch { return "\(error)" }
      }
      #expect(result.value == .some(nil), "\(durability), schedule \(seed): \(result.value ?? "stuck")")
    }
  }

  /// Edits, failures and readers at the same time. Returns the problem, if there is one.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func scene(_ durability: ArchiveDurability) async throws -> String? {
    let rig = try Rig(durability)
    let reader = Task(name: "reader") {
      var last = -1
      for await update in Subscription(to: rig.writer).stream {
        let bytes = durability == .written ? await rig.file.bytes : await rig.file.synced
        let found = try #require(try ArchiveCoding.read(bytes)).newest.revision
        guard update.revision > last, found >= update.revision else { return -1 }
        last = update.revision
      }
      return last
    }
    let disk = Task(name: "disk") {
      await rig.file.set { $0.capacity = 0 }
      await Task.yield()
      await rig.file.set { $0.capacity = .max }
    }
    for id in 0..<3 { try await rig.add(id) }
    await disk.value
    let error = await rig.flush()
    await rig.close()
    let (last, saved, list) = (try await reader.value, try await rig.saved, await rig.store.snapshot)
    let isRight = saved.revision == 3 && last == 3 && saved.snapshot == list
    return isRight ? nil : "\(saved.revision) is saved, \(last) told; \(String(describing: error))"
  }
}
