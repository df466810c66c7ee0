import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastSources
@testable import RowcastStore

/// The six guarantees of a watch, over any number of runs of one archive.
@Suite(.watched) struct WatchGuaranteeTests {
  typealias Message = WireMessage<TestSection, TestRow>
  typealias Mirror = WireReader<TestSection, TestRow>

  /// A list of 40 rows in a file, and the messages that a watcher got of its runs.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private func watch(
    runs: Int, edits: Int, reading: (Message, TestSnapshot) throws -> Void
  ) async throws {
    let folder = try TestFolder()
    var mirror = Mirror()
    for run in 0..<runs {
      let archive = try TestArchive(folder.path("list.jsonl"), history: .last(100))
      let store = try archive.open()
      if run == 0 { try await store.edit { try $0.replace(with: .of(("a", Array(0..<40)))) } }
      try await archive.flush()
      var messages = EncodedList(archive) { $0 }.lines(since: mirror.position).makeAsyncIterator()
      for edit in 0...edits {
        let message = try #require(try await messages.next())
        _ = try mirror.fold(message)
        try reading(message, mirror.snapshot)
        #expect(await mirror.snapshot == archive.snapshot)
        // Two rows at once.
        try await store.edit { list in
          for id in [edit % 40, (edit + 7) % 40] { try list.update(id) { $0.text = "\(run) \(edit)" } }
        }
        try await archive.flush()
      }
      let last = try #require(try await messages.next())
      _ = try mirror.fold(last)
      try reading(last, mirror.snapshot)
      try await archive.close()
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `ordered, unique, reliable and atomic: each change of each run comes once and as a whole, in its order`()
    async throws
  {
    var (revision, count) = (-1, 0)
    try await watch(runs: 4, edits: 10) { message, list in
      count += 1
      if case .initial = message {
        #expect(count == 1)
      } else {
        #expect(message.start?.revision == revision)
      }
      #expect(message.revision >= revision)
      revision = message.revision
      guard case .changes(let changes) = message else { return }
      #expect(changes.updatedRows.count == 2 && Set(changes.updatedRows.map(\.text)).count == 1)
      let text = changes.updatedRows[0].text
      #expect(list.allRows.count { $0.text == text } == 2)
    }
    #expect(count == 48)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `resumable: a watcher goes on from any position that it was at`() async throws {
    var positions: [(position: ListPosition, list: TestSnapshot)] = []
    let folder = try TestFolder()
    for run in 0..<3 {
      let archive = try TestArchive(folder.path("list.jsonl"), history: .last(100))
      let store = try archive.open()
      if run == 0 { try await store.edit { try $0.replace(with: .of(("a", Array(0..<40)))) } }
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
    var messages = EncodedList(store) { $0 }.lines(since: await store.position).makeAsyncIterator()
    var mirror = Mirror(list, at: ListPosition(epoch: "e", revision: 0))
    let first = try #require(try await messages.next())
    #expect(first == .progress(ListPosition(epoch: "e", revision: 0), since: ListPosition(epoch: "e", revision: 0)))
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
