import RowcastModel
import RowcastStore
import RowcastTestSupport
import RowcastViews
import Testing

/// What several readers of one view read of its sources, in any order.
@Suite(.watched) struct UpstreamTests {
  @Test func `under any schedule no reader of a view sees its list go back`() async throws {
    await Schedule.explore("older answers", 100, long: 20_000) { _ in try await Self.readWhileWriting() }
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
    for _ in 0..<SeededGenerator.rounds(400, long: 50_000) {
      let seed = random.next()
      let result = await Schedule.run(seed: seed) { await Self.rearrangeAtTheEnd(waits: seed % 2 == 0) }
      let counts = result.value.map { "\($0)" } ?? "stuck"
      #expect(result.value == [2, 2, 2], "seed \(random.seed), schedule \(seed): rows at the end \(counts)")
    }
  }

  /// How many rows each of some readers saw at last of a list that waits for its arrangement at its end, or does not.
  private static func rearrangeAtTheEnd(waits: Bool) async -> [Int] {
    let store = TestStore()
    try? await store.edit { try $0.append(TestSection("a"), rows: (0..<4).map { TestRow($0) }) }
    let plan = Parameter(Arrangement<TestSection, TestRow, TestSection, TestRow>().filter { $0.id >= 0 })
    let view = waits ? store.arranged(by: plan) : store.arrangedToTheEnd(by: plan)
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
        await plan.set(.init().filter { $0.id % 2 == 0 })
        if waits { plan.finish() }
        await store.finish()
        return nil
      }
      return await group.reduce(into: []) { if let count = $1 { $0.append(count) } }
    }
  }
}
