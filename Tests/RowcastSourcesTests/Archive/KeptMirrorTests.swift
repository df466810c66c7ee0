#if canImport(RowcastPlatform)
  import Foundation
  import RowcastDiff
  import RowcastModel
  import RowcastTestSupport
  import Testing

  @testable import RowcastSources
  @testable import RowcastStore

  /// Archives that keep a mirror: its list, and the position of its origin.
  @Suite(.watched) struct KeptMirrorTests {
    private typealias Mirror = MirroredList<TestSection, TestRow>

    private let folder: TestFolder
    private var path: String { folder.path("list.jsonl") }

    /// Cases that failed before.
    static let found: [String] = []

    init() throws { folder = try TestFolder() }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func `whatever is left of its file, a mirror begins where it was, and is its origin after one message`()
      async throws
    {
      typealias Pairs = FeaturePairs<KeptMirrorFeature>
      try await Pairs.drive("kept mirrors", runs: 12, long: 10_000, steps: 30, found: Self.found) {
        try await KeptMirrorFuzz.play($0)
      }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func `a position that is kept without its list is seen`() async throws {
      await #expect(throws: Mismatch.self) {
        try await FeaturePairs<KeptMirrorFeature>.drive("positions without lists", runs: 400, long: 400, steps: 40) {
          try await KeptMirrorFuzz.play($0, .keptPosition)
        }
      }
    }

    private static func lines(_ path: String) throws -> [String] {
      try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    private static func at(_ revision: Int, _ epoch: String = "e") -> ListPosition {
      ListPosition(epoch: epoch, revision: revision)
    }

    @Test func `a position that moves alone is one line at the end of the file, and is saved at close`() async throws {
      let mirror = Mirror()
      var archive = try TestArchive(path)
      let store = try await archive.open(following: mirror)
      try await mirror.receive(.initial(revision: 1, snapshot: .of(("a", [1, 2])), epoch: "e"))
      try await archive.flush()
      let (count, revision) = (try Self.lines(path).count, await store.revision)
      for next in 2..<40 {
        try await mirror.receive(.progress(Self.at(next), since: Self.at(next - 1)))
        try await archive.flush()
        #expect(try Self.lines(path).count <= count + 1)
      }
      try await mirror.receive(.progress(Self.at(40, "f\"\\}{"), since: Self.at(39)))
      try await archive.close()
      #expect(await store.revision == revision)
      #expect(try Self.lines(path).count <= count + 1)

      let restored = Mirror()
      archive = try TestArchive(path)
      try await archive.open(following: restored)
      #expect(await restored.position == Self.at(40, "f\"\\}{"))
      #expect(await restored.checkpoint == mirror.checkpoint)
      try await archive.close()
    }

    @Test func `a list changes after its origin's position has moved alone in a new run`() async throws {
      let mirror = Mirror()
      var archive = try TestArchive(path)
      try await archive.open(following: mirror)
      let list = try TestSnapshot.of(("a", Array(0..<400)))
      try await mirror.receive(.initial(revision: 1, snapshot: list, epoch: "e"))
      try await archive.close()
      archive = try TestArchive(path)
      let kept = try await archive.open(following: mirror)
      let size = try Self.lines(path).count
      try await mirror.receive(.progress(Self.at(2), since: Self.at(1)))
      try await archive.flush()
      await eventually { (try? Self.lines(path).count) == size + 1 }
      let store = TestStore(list)
      try await store.edit { try $0.remove(7) }
      let update = await TestUpdate(
        revision: 3, previous: 2, changes: list.changes(to: store.snapshot), snapshot: store.snapshot, epoch: "e")
      try await mirror.receive(TestMessage(update))
      try await archive.flush()
      let content = try ArchiveCoding.read(try Data(contentsOf: URL(fileURLWithPath: path)))
      #expect(await content?.newest.snapshot == store.snapshot)
      #expect(content?.origin?.position == Self.at(3))
      // Readers of the wire form, and of files before there were origins, see nothing of them.
      var reader = WireReader<TestSection, TestRow>()
      for line in try Self.lines(path) { _ = try reader.fold(ArchiveCoding.decode(Array(line.utf8))) }
      #expect(await reader.snapshot == store.snapshot)
      #expect(await reader.position == kept.position)
      try await archive.close()
    }

    @Test func `a row that cannot be encoded leaves no position for the others`() async throws {
      struct Refused: Error {}
      let encode: @Sendable (TestMessage) throws -> [UInt8] = { message in
        let bytes = try ArchiveCoding.encode(message)
        if String(decoding: bytes, as: UTF8.self).contains("refused") { throw Refused() }
        return bytes
      }
      let mirror = Mirror()
      var archive = try TestArchive(path, encode: encode)
      try await archive.open(following: mirror)
      try await mirror.receive(.initial(revision: 1, snapshot: .of(("a", [1])), epoch: "e"))
      try await archive.flush()
      let rows = [TestRow(1), TestRow(2, "refused"), TestRow(3)]
      let list = TestSnapshot(unchecked: [ListSection(TestSection("a"), rows: rows)])
      try await mirror.receive(.initial(revision: 2, snapshot: list, epoch: "e"))
      await #expect(throws: ArchiveError.self) { try await archive.close() }

      let restored = Mirror()
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
    @Test func `mirrors of a space that files of different moments restore are at one moment after one line`()
      async throws
    {
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
        // One file ends before the next line comes.
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
      var mirror: Mirror? = Mirror()
      weak let released = mirror
      weak let receiver = mirror?.receiver
      let store = try await archive.open(following: #require(mirror))
      try await mirror?.receive(.initial(revision: 1, snapshot: .of(("a", [1])), epoch: "e"))
      mirror = nil
      #expect(released == nil)
      await eventually { await store.snapshot.rowCount == 1 }
      await eventually { receiver == nil }
      let (next, other) = (Mirror(), try TestStore.with([5]))
      try await archive.open(following: next)
      #expect(await next.position == Self.at(1))
      try await archive.open(following: other)
      await eventually { await store.snapshot == other.snapshot }
      try await next.receive(.initial(revision: 2, snapshot: .of(("a", [1, 2])), epoch: "e"))
      try await archive.flush()
      #expect(await store.snapshot == other.snapshot)
      try await archive.close()
    }
  }
#endif
