import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastSources
@testable import RowcastStore

/// The six guarantees of a watch, over any number of runs of one archive.
@Suite(.watched) struct WatchGuaranteeTests {
  private typealias Mirror = WireReader<TestSection, TestRow>

  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Begins a run of a list of 40 rows in a file.
  private func open() async throws -> (archive: TestArchive, store: TestStore) {
    let archive = try TestArchive(folder.path("list.jsonl"), history: .last(100))
    let store = try archive.open()
    if await store.revision == 0 { try await store.replace(with: .of(("a", Array(0..<40)))) }
    try await archive.flush()
    return (archive, store)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `ordered, unique, reliable and atomic: each change of each run comes once and as a whole, in its order`()
    async throws
  {
    var mirror = Mirror()
    for run in 0..<4 {
      let (archive, store) = try await open()
      var messages = EncodedList(archive) { $0 }.lines(since: mirror.position).makeAsyncIterator()
      for edit in 0...11 {
        let former = mirror.revision
        let message = try #require(try await messages.next())
        #expect(former == nil || message.start?.revision == former)
        _ = try mirror.fold(message)
        #expect(await mirror.snapshot == archive.snapshot)
        if case .changes(let changes) = message {
          #expect(changes.updatedRows.map(\.text) == ["\(run) \(edit)", "\(run) \(edit)"])
        } else {
          #expect(edit == 0)
        }
        if edit == 11 { continue }
        // Two rows at once.
        try await store.edit { list in
          for id in [edit % 40, (edit + 7) % 40] { try list.update(id) { $0.text = "\(run) \(edit + 1)" } }
        }
        try await archive.flush()
      }
      try await archive.close()
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `resumable: a watcher goes on from any position that it was at`() async throws {
    var positions: [(position: ListPosition, list: TestSnapshot)] = []
    for run in 0..<3 {
      let (archive, store) = try await open()
      for edit in 0..<10 {
        // A run may begin in between as well.
        if edit == 5 { try await archive.beginRun() }
        try await store.edit { list in try list.update(edit) { $0.text = "\(run)" } }
        try await archive.flush()
        positions.append((await store.position, await store.snapshot))
      }
      for (position, list) in positions {
        var mirror = Mirror(list, at: position)
        var messages = EncodedList(archive) { $0 }.lines(since: position).makeAsyncIterator()
        let message = try #require(try await messages.next())
        if case .initial = message { Issue.record("\(position) got the whole list") }
        _ = try mirror.fold(message)
        #expect(await mirror.snapshot == archive.snapshot)
        #expect(mirror.position == (await store.position))
      }
      try await archive.close()
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `bookmarkable: a watcher that is up to date is told so, and its position moves along`() async throws {
    let store = TestStore(try .of(("a", Array(0..<40))), epoch: "e", history: .last(2))
    let list = await store.snapshot
    let start = await store.position
    var messages = EncodedList(store) { $0 }.lines(since: start).makeAsyncIterator()
    var mirror = Mirror(list, at: start)
    #expect(try await messages.next() == .progress(start, since: start))
    // What is undone again leaves no change, but other revisions: without a sign, the watcher would fall out of the history.
    for _ in 0..<5 {
      try await store.edit { try $0.update(0) { $0.text = "new" } }
      try await store.edit { try $0.update(0) { $0.text = list.rows(inSection: 0)[0].text } }
      _ = try mirror.fold(try #require(try await messages.next()))
      #expect(mirror.position == (await store.position))
    }
    #expect(mirror.snapshot == list)
    await store.finish()
    #expect(try await messages.next() == .end(revision: 10, updates: 6, epoch: "e"))
  }
}
