import RowcastConsole
import Testing

/// Apps that show a stream of updates, made with public calls alone.
@Suite(.watched) struct AppStreamTests {
  private struct NotingSink: ConsoleSink {
    let note: @Sendable (String) -> Void

    func show(_ update: ListUpdate<TestSection, TestRow>, in table: RetainedTable<TestSection, TestRow>) {
      note("sink \(update.position), \(table.snapshot.rowCount) rows")
    }

    func write(_ lines: String) { note(lines) }
  }

  @Test func `an app shows the updates of a stream with their positions, and calls its hooks in order`() async throws {
    let store = try TestStore.rows(2)
    let epoch = await store.position.epoch
    let (notes, add) = AsyncStream.makeStream(of: String.self)
    var app = ConsoleApp(updates: { store.updates() }, cells: CellRegistry<TestRow>.texts, columns: .text)
    app.usesScreen = false
    app.sink = NotingSink { add.yield($0) }
    app.onUpdate = { add.yield("update \($0.revision)") }
    app.willApply = { add.yield("apply") }
    app.onFrame = { revision in
      add.yield("frame \(revision)")
      if revision > 0 { return await store.finish() }
      _ = try? await store.edit { try $0.remove(1) }
    }
    app.lastWords = { "\($0.revision) at the end" }
    #expect(try await app.run() == .finished)
    add.finish()
    let all = await notes.reduce(into: []) { $0.append($1) }
    #expect(
      all == [
        "update 0", "apply", "sink \(ListPosition(epoch: epoch, revision: 0)), 2 rows", "frame 0",
        "update 1", "apply", "sink \(ListPosition(epoch: epoch, revision: 1)), 1 rows", "frame 1",
        "1 at the end",
      ])
  }

  @Test func `a log whose list waits for the parameter of its arrangement ends with the store`() async throws {
    let (store, plan) = (try TestStore.rows(2), Parameter(Arrangement<TestSection, TestRow, TestSection, TestRow>()))
    let list = store.arranged(by: plan)
    var app = ConsoleApp(updates: { list.updates() }, arrangement: plan, list: list, cells: CellRegistry<TestRow>.texts)
    app.usesScreen = false
    app.sink = NotingSink { _ in }
    app.onFrame = { _ in await store.finish() }
    #expect(try await app.run() == .finished)
  }
}
