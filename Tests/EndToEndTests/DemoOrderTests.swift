import Rowcast
@testable import RowcastConsole
import RowcastSchedules
import Testing

@testable import RowcastDemo

/// What a person asks of the demo in a burst is done in its order.
@Suite(.watched) struct DemoOrderTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `messages are shown and answered in the order in which they were written`() async throws {
    try await Schedules.explore(200) { _ in
      let store = Store()
      try await store.edit { try $0.append(Group(id: ChatScript.section)) }
      let shown = OptimisticList(store)
      let writer = ChatWriter(shown, in: store, delay: .milliseconds(500), seed: 3)
      guard case .text(_, let send)? = writer.commands.first?.effect else { throw Mismatch("no command that sends") }
      let watching = Task {
        for await update in shown.updates() {
          // The numbers tell the order.
          let ids = update.snapshot.allRows.map(\.id)
          if ids != ids.sorted() { throw Mismatch("\(ids)") }
        }
      }
      await withTaskGroup { group in
        for text in ["a", "b", "c", "d"] { group.addTask { _ = await send(text) } }
      }
      await store.finish()
      try await watching.value
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `messages that were taken back come back in their order`() async throws {
    try await Schedules.explore(100) { _ in
      let store = Store()
      try await store.edit { try $0.append(Group(id: ChatScript.section)) }
      let writer = ChatWriter(OptimisticList(store), in: store, delay: .zero, seed: 3)
      guard case .text(_, let send)? = writer.commands.first?.effect else { throw Mismatch("no command that sends") }
      for text in ["a", "b", "c", "d", "e", "f"] { _ = await send(text) }
      let ids = await store.snapshot.allRows.map(\.id)
      await withTaskGroup { group in for _ in ids { group.addTask { _ = await writer.undo() } } }
      guard await store.snapshot.rowCount == 0, ids.count > 1 else { throw Mismatch("\(await store.snapshot)") }
      await withTaskGroup { group in for _ in ids { group.addTask { _ = await writer.redo() } } }
      guard await store.snapshot.allRows.map(\.id) == ids else { throw Mismatch("\(await store.snapshot)") }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `the settings that are shown are the newest, however many change at the same time`() async throws {
    try await Schedules.explore(100) { _ in
      let store = Store()
      let run = ScenarioRun(
        options: try Options(["--json", "--quiet"]), store: store, pacer: Pacer(lockstep: false),
        diagnostics: Diagnostics(isQuiet: true, isDeferred: false), board: SourceBoard(), hasKeys: true)
      let settings = Settings(run)
      let ids = SettingsTable().models.map(\.rawValue)
      for id in ids { await settings.change(id) }
      await withTaskGroup { group in
        for _ in 0..<2 { group.addTask { _ = await settings.undo() } }
        for id in ids.prefix(2) { group.addTask { await settings.change(id) } }
      }
      // The state after it is taken back and made again is the one before.
      let shown = await store.snapshot
      _ = await settings.undo()
      _ = await settings.redo()
      if await store.snapshot != shown { throw Mismatch("\(shown)") }
    }
  }
}
