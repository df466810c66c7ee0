import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

@testable import RowcastViews

/// What several readers of one view read of its sources, in any order.
@Suite(.watched) struct UpstreamTests {
  @Test func `a value that arrives after a later one changes nothing`() {
    let state = UpstreamState<Int>(hasRows: true)
    state.take((1, revision: 1, isFinal: false))
    state.take((3, revision: 3, isFinal: false))
    state.take((2, revision: 2, isFinal: false))
    #expect(state.value == 3 && state.revision == 3)
    state.take((3, revision: 3, isFinal: true))
    state.take((3, revision: 3, isFinal: false))
    #expect(state.isFinal)
  }

  /// A source that is slow to answer, but for the first time.
  private actor SlowSource: Upstream {
    let gate = Gate()
    private(set) var reads = 0

    func value(after revision: Int?) async -> UpstreamValue<Int>? {
      reads += 1
      if reads > 1 { await gate.pass() }
      return revision == nil ? (0, 0, false) : nil
    }

    func enqueue(_ signal: Signal, after revision: Int) -> WaiterRemoval? { {} }
  }

  @Test func `nobody waits for the next change while one was read that the list does not have yet`() async throws {
    let store = try TestStore.with([0])
    let slow = SlowSource()
    let view = ViewCore<TestSection, TestRow> { upstreams in
      _ = upstreams.state(of: slow)
      return .reading(upstreams.state(of: store.core))
    }
    let revision = await view.state().revision
    try await store.edit { try $0.append(TestRow(1), to: "a") }
    // The store is read first.
    let reader = Task { await view.state() }
    await eventually { await slow.reads == 2 }
    #expect(await view.enqueue(Signal(), after: revision) == nil)
    await slow.gate.open()
    let newest = await reader.value
    #expect(newest.snapshot.rowCount == 2)
    #expect(await view.enqueue(Signal(), after: newest.revision) != nil)
  }

  @Test func `under any schedule no reader of a view sees its list go back`() async throws {
    await Schedule.explore("older answers", 500, long: 20_000) { _ in try await Self.readWhileWriting() }
  }

  /// Readers of one view whose store grows; gives back what went wrong.
  private static func readWhileWriting() async throws -> String? {
    let store = try TestStore.with([])
    let view = store.arranged { $0.filter { $0.id >= 0 } }
    return try await withThrowingTaskGroup(of: String?.self) { group in
      for reader in 0..<3 {
        group.addTask {
          var last = 0
          for _ in 0..<8 {
            let count = await view.snapshot.rowCount
            if count < last { return "reader \(reader) saw \(count) rows after \(last)" }
            last = count
          }
          return nil
        }
      }
      group.addTask {
        for id in 0..<8 { try await store.edit { try $0.append(TestRow(id), to: "a") } }
        return nil
      }
      return try await group.firstFailure()
    }
  }

  @Test func `under any schedule an arrangement from before the end of the source is shown before the end`()
    async throws
  {
    var random = SeededGenerator.forFuzzing("arrangements at the end")
    for _ in 0..<SeededGenerator.rounds(2_000, long: 50_000) {
      let seed = random.next()
      let result = await Schedule.run(seed: seed) { await Self.rearrangeAtTheEnd() }
      let counts = result.value.map { "\($0)" } ?? "stuck"
      #expect(result.value == [2, 2, 2], "seed \(random.seed), schedule \(seed): rows at the end \(counts)")
    }
  }

  /// How many rows each of some readers saw at last.
  private static func rearrangeAtTheEnd() async -> [Int] {
    let store = TestStore()
    try? await store.edit { try $0.append(TestSection("a"), rows: (0..<4).map { TestRow($0) }) }
    let view = store.arranged { $0.filter { $0.id >= 0 } }
    // The view and what is made of it read the arrangement on executors of their own.
    let merged = MergedList(view)
    return await withTaskGroup(of: Int?.self) { group in
      for _ in 0..<3 {
        group.addTask {
          var last = 0
          for await update in merged.updates() { last = update.snapshot.rowCount }
          return last
        }
      }
      group.addTask {
        await view.rearrange { $0.filter { $0.id % 2 == 0 } }
        await store.finish()
        return nil
      }
      return await group.reduce(into: []) { if let count = $1 { $0.append(count) } }
    }
  }
}
