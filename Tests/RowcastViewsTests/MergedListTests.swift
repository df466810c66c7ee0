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

  @Test func `a row that goes from one view of a store to another is one move, and never in both or in none`()
    async throws
  {
    let store = TestStore(
      try TestSnapshot([ListSection(TestSection("all"), rows: [TestRow(1, "open"), TestRow(2, "open")])]))
    var stream = MergedList(Self.halves(of: store)).updates().makeAsyncIterator()
    _ = await stream.next()
    try await store.edit { try $0.update(1) { $0.text = "done" } }
    let update = try #require(await stream.next())
    let move = Changeset<RowPath>.Transition(from: RowPath(section: 0, row: 0), to: RowPath(section: 1, row: 0))
    #expect(update.changes == ListChanges(rows: Changeset(moves: [move], updates: [move])))
  }

  @Test(arguments: [false, true])
  func `under any schedule each revision of a store is shown whole, also if another store is read on two paths`(
    _ isShared: Bool
  ) async throws {
    await Schedule.explore("merged schedules", 300, long: 20_000) { _ in try await Self.scene(isShared) }
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

  @Test func `stores of one section give one section, with the rows of all of them`() async throws {
    let stores = try [[TestRow(1), TestRow(2, "first")], [TestRow(2, "second"), TestRow(3)], []].map {
      try ListStore($0)
    }
    let (first, last) = (MergedList(stores), MergedList(stores, preferring: .last))
    func texts(_ list: MergedList<SoleSection, TestRow>) async -> [String] {
      await list.snapshot.contents.map { $0.rows.map { "\($0.id)\($0.text)" }.joined(separator: " ") }
    }
    #expect(await texts(first) == ["1 2first 3"])
    #expect(await texts(last) == ["1 2second 3"])
    try await stores[0].edit { try $0.remove(2) }
    try await stores[2].edit { try $0.append(TestRow(1, "third"), to: 0) }
    #expect(await texts(first) == ["1 2second 3"])
    #expect(await texts(last) == ["2second 3 1third"])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [1_000, 100_000])
  func `a row of lists that share ids is merged without looking at the others`(_ count: Int) async throws {
    let comparisons = CallCount()
    @Sendable func row(_ id: Int, _ key: Int) -> CountedRow { CountedRow(id: id, key: key, comparisons: comparisons) }
    // Half of the rows are in both lists.
    let stores = try [0, count / 2].map { start in try ListStore((start..<start + count).map { row($0, 0) }) }
    let merged = MergedList(stores, preferring: .last)
    _ = await merged.snapshot
    try await stores[0].edit { try $0.upsert(row(0, 1)) }
    var before = await merged.snapshot
    for round in 0..<6 {
      let id = count / 2 + round * 31
      let calls = comparisons.value
      if round < 3 {
        try await stores[round % 2].edit { try $0.upsert(row(id, round + 1)) }
      } else {
        try await stores[1].edit { try $0.remove(id) }
      }
      let after = await merged.snapshot
      #expect(comparisons.value - calls <= 200, "\(comparisons.value - calls)")
      #expect(after.nodeCount(besides: before) <= 12, "\(after.nodeCount(besides: before))")
      before = after
    }
    #expect(before.rowCount == count + count / 2)
  }

  @Test func `a merged list ends when all its lists have ended`() async throws {
    let first = try TestStore.with([1])
    let second = TestStore(try .of(("b", [2])))
    var stream = MergedList(first, second).updates().makeAsyncIterator()
    _ = await stream.next()
    await first.finish()
    try await second.edit { try $0.append(TestRow(3), to: "b") }
    #expect(await stream.next()?.snapshot.rowCount == 3)
    await second.finish()
    #expect(await stream.next() == nil)
  }
}
