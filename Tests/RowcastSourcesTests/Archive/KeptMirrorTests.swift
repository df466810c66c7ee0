@testable import RowcastSources
@testable import RowcastStore

/// Archives that keep a mirror: its list, and the position of its origin.
@Suite(.watched) struct KeptMirrorTests {

  private let folder = TestFolder()
  private var path: String { folder.path("list.jsonl") }

  private var lines: [String] {
    get throws {
      String(decoding: try folder.bytes("list.jsonl"), as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }

  @Test func `a position that moves alone is one line at the end of the file, until the list changes`() async throws {
    let (mirror, list, epoch) = (TestMirror(), try TestSnapshot.of(("a", Array(0..<400))), "f\"\\}{")
    var archive = try TestArchive(path)
    var store = try await archive.open(following: mirror)
    try await mirror.receive(.initial(revision: 1, snapshot: list, epoch: "e"))
    try await archive.flush()
    let (count, revision) = (try lines.count, await store.revision)
    for next in 2..<40 {
      try await mirror.receive(.progress(.at(next), since: .at(next - 1)))
      try await archive.flush()
      #expect(try lines.count <= count + 1)
    }
    try await mirror.receive(.progress(.at(40, epoch), since: .at(39)))
    try await archive.close()
    #expect(await store.revision == revision)
    #expect(try lines.count <= count + 1)

    let restored = TestMirror()
    archive = try TestArchive(path)
    store = try await archive.open(following: restored)
    #expect(await restored.position == .at(40, epoch))
    #expect(await restored.checkpoint == mirror.checkpoint)
    let size = try lines.count
    try await restored.receive(.progress(.at(41, epoch), since: .at(40, epoch)))
    try await archive.flush()
    await eventually { (try? lines.count) ?? 0 > size }
    let origin = TestStore(list)
    try await origin.edit { try $0.remove(7) }
    let after = await origin.snapshot
    let changes = list.changes(to: after)
    try await restored.receive(
      TestMessage(TestUpdate(revision: 42, previous: 41, changes: changes, snapshot: after, epoch: epoch)))
    try await archive.flush()
    let content = try ArchiveCoding.read(folder.bytes("list.jsonl"))
    #expect(content?.newest.snapshot == after)
    #expect(content?.origin?.position == .at(42, epoch))
    // Readers of the wire form, and of files before there were origins, see nothing of them.
    var reader = WireReader<TestSection, TestRow>()
    for line in try lines { _ = try reader.fold(ArchiveCoding.decode(Array(line.utf8))) }
    #expect(reader.snapshot == after)
    #expect(await reader.position == store.position)
    try await archive.close()
  }

  @Test func `a row that cannot be encoded leaves no position for the others`() async throws {
    struct Refused: Error {}
    let encode: @Sendable (TestMessage) throws -> [UInt8] = { message in
      let bytes = try ArchiveCoding.encode(message)
      if String(decoding: bytes, as: UTF8.self).contains("refused") { throw Refused() }
      return bytes
    }
    let mirror = TestMirror()
    var archive = try TestArchive(path, encode: encode)
    try await archive.open(following: mirror)
    try await mirror.receive(.initial(revision: 1, snapshot: .of(("a", [1])), epoch: "e"))
    try await archive.flush()
    let rows = [TestRow(1), TestRow(2, "refused"), TestRow(3)]
    let list = TestSnapshot(unchecked: [ListSection(TestSection("a"), rows: rows)])
    try await mirror.receive(.initial(revision: 2, snapshot: list, epoch: "e"))
    await #expect(throws: ArchiveError.self) { try await archive.close() }

    let restored = TestMirror()
    archive = try TestArchive(path)
    let store = try await archive.open(following: restored)
    #expect(await store.snapshot.allRows.map(\.id) == [1, 3])
    #expect(await restored.position == nil)
    try await archive.close()
  }

  struct Shop: Codable, Sendable {
    var orders: TestMessage?
    var customers: TestMessage?
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `mirrors of a space from files of different moments are at one moment after one line`() async throws {
    let space = ListSpace()
    let stores: [TestStore] = (0..<2).map { _ in space.store(history: .last(100)) }
    var server = EncodedSpace(Shop()) { $0 }
    server.add(stores[0], as: \.orders)
    server.add(stores[1], as: \.customers)
    for round in 0..<8 {
      var shop = MirroredSpace<Shop>()
      let mirrors = [shop.list(\.orders), shop.list(\.customers)]
      let archives = try (0..<2).map { try TestArchive(folder.path("\($0).jsonl")) }
      for (archive, mirror) in zip(archives, mirrors) { try await archive.open(following: mirror) }
      let positions = await shop.beginStream()
      #expect(positions.count == (round == 0 ? 0 : 2), "round \(round)")
      let line = await server.lines(since: positions).first { _ in true }
      try await shop.receive(try #require(line))
      for (store, mirror) in zip(stores, mirrors) {
        #expect(await mirror.snapshot == store.snapshot, "round \(round)")
        #expect(await mirror.position == store.position, "round \(round)")
      }
      // One file ends before the next line arrives.
      try await archives[round % 2].close()
      try await space.edit(stores[0], stores[1]) {
        try $0.replace(with: .of(("a", [round, 100 + round])))
        try $1.replace(with: .of(("b", [round])))
      }
      if round % 3 > 0 {
        let next = await server.lines(since: await shop.beginStream()).first { _ in true }
        try await shop.receive(try #require(next))
      }
      try await archives[1 - round % 2].close()
    }
  }

  @Test func `an archive lets a mirror go, and follows the next one`() async throws {
    let archive = try TestArchive(path)
    var mirror: TestMirror? = TestMirror()
    weak let released = mirror
    weak let receiver = mirror?.receiver
    let store = try await archive.open(following: #require(mirror))
    try await mirror?.receive(.initial(revision: 1, snapshot: .of(("a", [1])), epoch: "e"))
    mirror = nil
    #expect(released == nil)
    await eventually { await store.snapshot.rowCount == 1 }
    await eventually { receiver == nil }
    let (next, other) = (TestMirror(), try TestStore.with([5]))
    try await archive.open(following: next)
    #expect(await next.position == .at(1))
    try await archive.open(following: other)
    await eventually { await store.snapshot == other.snapshot }
    try await next.receive(.initial(revision: 2, snapshot: .of(("a", [1, 2])), epoch: "e"))
    try await archive.flush()
    #expect(await store.snapshot == other.snapshot)
    try await archive.close()
  }
}
