import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore
@testable import RowcastViews

@Suite(.watched) struct MergedListTests {
  /// A row with an odd id is in one view, one with an even id in the other.
  private static func halves(of store: TestStore) -> [any LiveList<TestSection, TestRow>] {
    let open = store.arranged { $0.filter { $0.text == "open" }.sectioned(by: { _ in 0 }) { _ in TestSection("open") } }
    let done = store.arranged {
      $0.filter { $0.text != "open" }.sectioned(by: { _ in 0 }, keeping: [0]) { _ in TestSection("done") }
    }
    return [open, done]
  }

  @Test func `a list that has ended does not keep a watcher from waiting for the others`() async throws {
    let (ended, going) = (try TestStore.with([1]), try TestStore.with([2]))
    let merged = MergedList(ended, going)
    await ended.finish()
    var stream = merged.updates().makeAsyncIterator()
    #expect(await stream.next()?.snapshot.rowCount == 2)
    async let next = stream.next()
    await eventually { await going.waiterCount == 1 }
    try await going.edit { try $0.remove(2) }
    #expect(await next?.snapshot.rowCount == 1)
  }

  @Test(arguments: [false, true])
  func `under any schedule each revision of a store is shown whole, also if another store is read on two paths`(
    _ isShared: Bool
  ) async throws {
    await Schedule.explore("merged schedules", 100, long: 20_000) { _ in try await Self.scene(isShared) }
  }

  private static func scene(_ isShared: Bool) async throws -> String? {
    let rows = (0..<4).map { TestRow($0, "open") }
    let store = TestStore(try TestSnapshot([ListSection(TestSection("all"), rows: rows)]))
    let other = try TestStore.with([10])
    let merged = MergedList(MergedList(halves(of: store) + (isShared ? [other.arranged { $0 }] : [])), other)
    return try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<2 {
        group.addTask {
          var follower = Follower()
          for await update in merged.updates() {
            try follower.take(update)
            let ids = update.snapshot.sections.isEmpty ? [] : follower.list.parts.flatMap { $0.rows.map(\.id) }
            if ids.filter({ $0 < 10 }).sorted() != [0, 1, 2, 3] { return "half a state: \(ids)" }
          }
          return follower.list.parts.flatMap(\.rows).count == 7 ? nil : "ended at \(follower.list)"
        }
      }
      group.addTask {
        for id in [0, 1, 2, 3, 0, 2] {
          try await store.edit { try $0.update(id) { $0.text = $0.text == "open" ? "done" : "open" } }
        }
        await store.finish()
        return nil
      }
      group.addTask {
        for id in [11, 12] { try await other.edit { try $0.append(TestRow(id), to: "a") } }
        await other.finish()
        return nil
      }
      return try await group.firstFailure()
    }
  }

  @Test func `under any schedule a list that ends with an edit is shown, though the other never changes`() async throws
  {
    var random = SeededGenerator.forFuzzing("ends of one of two")
    for _ in 0..<SeededGenerator.rounds(2_000, long: 20_000) {
      let seed = random.next()
      let result = await Schedule.run(seed: seed) { await Self.oneEnds() }
      #expect(
        result.value == [4, 4], "seed \(random.seed), schedule \(seed): \(result.value.map { "\($0)" } ?? "stuck")")
    }
  }

  /// How many rows two readers saw at last.
  private static func oneEnds() async -> [Int] {
    let ending = TestStore()
    let other = TestStore()
    let merged = MergedList(ending, other)
    return await withTaskGroup(of: Int?.self) { group in
      for _ in 0..<2 {
        group.addTask {
          for await update in merged.updates() where update.snapshot.rowCount == 4 { return 4 }
          return 0
        }
      }
      group.addTask {
        for id in 1...4 { try? await ending.edit { try $0.append(TestSection("\(id)"), rows: [TestRow(id)]) } }
        await ending.finish()
        return nil
      }
      return await group.reduce(into: []) { if let count = $1 { $0.append(count) } }
    }
  }
}
