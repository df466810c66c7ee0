import Foundation
import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTable
import RowcastViews
import RowcastTestSupport
import Testing

@testable import RowcastConsole

/// What stands behind a mirror works as behind the store that it mirrors.
@Suite(.watched) struct MirroredAppTests {
  typealias Mirrored = MirroredList<TestSection, TestRow>
  private static let edits = SeededGenerator.rounds(40, long: 2_000)

  /// A store and its mirror, which takes each message before the next edit, with what is done at each step.
  private static func edit(
    _ store: TestStore, _ mirror: Mirrored, _ random: inout SeededGenerator, then step: () async throws -> Void
  ) async throws {
    var updates = store.updates().makeAsyncIterator()
    for _ in 0..<edits {
      if let update = await updates.next() { try await mirror.receive(WireMessage(update, epoch: store.epoch)) }
      try await step()
      let (next, revision) = try await (
        TestSnapshot.random(sections: 4, rows: 30, using: &random), store.revision
      )
      try await store.replace(with: next)
      // Each round has an update, so that the next one does not wait for ever.
      if await store.revision == revision { try await store.edit { try $0.append(TestSection("new \(revision)")) } }
    }
    if let update = await updates.next() { try await mirror.receive(WireMessage(update, epoch: store.epoch)) }
  }

  @Test func `a table of a mirror shows what a table of the store shows`() async throws {
    var random = SeededGenerator.forFuzzing("tables of mirrors")
    let seed = random.seed
    let (store, mirror) = (TestStore(epoch: "e"), Mirrored())
    func table() -> RetainedTable<TestSection, TestRow> {
      var registry = CellRegistry<TestRow>()
      registry.register(ConsoleCell<TestRow>.self)
      return RetainedTable(cells: registry, height: 12)
    }
    let (near, far) = (table(), table())
    var nearUpdates = store.updates().makeAsyncIterator()
    var farUpdates = mirror.updates().makeAsyncIterator()
    if let first = await farUpdates.next() { try far.apply(first) }
    try await Self.edit(store, mirror, &random) {
      if let update = await nearUpdates.next() { try near.apply(update) }
      if await mirror.revision > far.revision ?? 0, let update = await farUpdates.next() { try far.apply(update) }
      #expect(near.snapshot == far.snapshot, "seed \(seed)")
      #expect(near.visibleRows.map(\.row) == far.visibleRows.map(\.row), "seed \(seed)")
      let texts = far.visibleRows.map { ($0.cell as? any ConsoleDrawable)?.texts }
      #expect(near.visibleRows.map { ($0.cell as? any ConsoleDrawable)?.texts } == texts, "seed \(seed)")
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `lists that are arranged, merged and encoded behind a mirror are those behind its store`() async throws {
    var random = SeededGenerator.forFuzzing("arranged mirrors")
    let seed = random.seed
    let (store, mirror) = (TestStore(epoch: "e"), Mirrored())
    func arranged(
      _ list: some LiveList<TestSection, TestRow>
    ) -> ArrangedList<TestSection, TestRow> {
      list.arranged { $0.filter { $0.id % 3 > 0 }.sorted(by: .ascending(\.text)) }
    }
    let (near, far) = (arranged(store), arranged(mirror))
    let merged = MergedList(far)
    var updates = far.updates().makeAsyncIterator()
    var list = NaiveList<TestSection, TestRow>()
    // A mirror of the arranged mirror.
    let second = Mirrored()
    let lines = EncodedList(far) { try JSONEncoder().encode($0) }.lines()
    var seen: Int?
    try await Self.edit(store, mirror, &random) {
      let snapshot = await near.snapshot
      #expect(await far.snapshot == snapshot, "seed \(seed)")
      #expect(await merged.snapshot == snapshot, "seed \(seed)")
      guard await snapshot != second.snapshot || seen == nil else { return }
      seen = 0
      if let update = await updates.next() { try list.fold(update.changes, after: update.snapshot) }
      #expect(list == NaiveList(snapshot), "seed \(seed)")
      var iterator = lines.makeAsyncIterator()
      let line = try #require(try await iterator.next())
      try await second.receive(try JSONDecoder().decode(WireMessage<TestSection, TestRow>.self, from: line))
      #expect(await second.snapshot == snapshot, "seed \(seed)")
    }
  }

  /// Writes what is seen after each update. Of several ways to tell a move each app may take its own.
  private struct SightSink: ConsoleSink {
    let log: Log

    func show(_ update: TestUpdate, in table: RetainedTable<TestSection, TestRow>) throws {
      let texts = table.visibleRows.map { "\($0.path) \(($0.cell as? any ConsoleDrawable)?.texts.first?.title ?? "")" }
      log.add("\(update.revision): \(texts)")
    }
  }

  /// What an app writes that shows a list.
  private final class Log: Sendable {
    private let (written, line) = AsyncStream.makeStream(of: String.self)

    func add(_ text: String) { line.yield(text) }

    /// All that was written.
    func lines() async -> [String] {
      line.finish()
      var lines: [String] = []
      for await line in written { lines.append(line) }
      return lines
    }
  }

  @Test func `an app that shows a mirror writes what an app writes that shows the store`() async throws {
    var random = SeededGenerator.forFuzzing("apps on mirrors")
    let seed = random.seed
    let (store, mirror) = (TestStore(epoch: "e"), Mirrored())
    // Both begin when the whole list is there, so that both count the same updates.
    let start = try TestSnapshot.random(sections: 4, rows: 30, using: &random)
    try await store.replace(with: start)
    try await mirror.receive(.initial(revision: await store.revision, snapshot: start, epoch: "e"))
    let (near, far) = (Log(), Log())
    let (steps, step) = AsyncStream.makeStream(of: Void.self)
    func run(_ list: some LiveList<TestSection, TestRow>, _ log: Log) -> Task<ConsoleEnding, any Error> {
      var registry = CellRegistry<TestRow>()
      registry.register(ConsoleCell<TestRow>.self)
      return Task { [registry] in
        var app = ConsoleApp(list, cells: registry)
        app.sink = SightSink(log: log)
        app.onFrame = { _ in step.yield() }
        // All rows are seen, wherever the table is scrolled to.
        app.rowLimit = 100
        return try await app.run()
      }
    }
    let apps = [run(store, near), run(mirror, far)]
    var taken = steps.makeAsyncIterator()
    for _ in apps { _ = await taken.next() }
    var isFirst = true
    try await Self.edit(store, mirror, &random) {
      if !isFirst { for _ in apps { _ = await taken.next() } }
      isFirst = false
    }
    await store.finish()
    await mirror.store.finish()
    for app in apps { #expect(try await app.value == .finished) }
    let (expected, seen) = await (near.lines(), far.lines())
    #expect(expected.count > Self.edits / 2 && seen.count == expected.count, "seed \(seed)")
    for (line, other) in zip(expected, seen) { #expect(line == other, "seed \(seed)") }
  }
}
