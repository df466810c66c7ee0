import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore
@testable import RowcastViews

/// Arranged lists as those see them who watch.
@Suite(.watched) struct ArrangedListTests {
  /// Rows with odd ids, the greatest first.
  static let odd: @Sendable (TestPlan) -> TestPlan = { $0.filter { $0.id % 2 == 1 }.sorted(by: .descending { $0.id }) }
  typealias TestPlan = Arrangement<TestSection, TestRow, TestSection, TestRow>

  static func ids(_ snapshot: TestSnapshot) -> [[Int]] { NaiveList(snapshot).parts.map { $0.rows.map(\.id) } }

  @Test func `an edit that the arrangement does not show gives no update`() async throws {
    let store = try TestStore.with([1, 2, 3])
    let view = store.arranged(by: Self.odd)
    var stream = view.updates().makeAsyncIterator()
    _ = await stream.next()
    try await store.edit { try $0.remove(2) }
    #expect(await view.revision == 0)
    try await store.edit { try $0.remove(1) }
    let next = try #require(await stream.next())
    // The update bears the revision of the store that brought it.
    #expect(next.previous == 0 && next.revision == 2 && Self.ids(next.snapshot) == [[3]])
  }

  @Test func `an arranged list does not keep its store, and ends with it`() async throws {
    var store: TestStore? = try TestStore.with([1, 3])
    let view = try #require(store?.arranged(by: Self.odd))
    var stream = view.updates().makeAsyncIterator()
    _ = await stream.next()
    try await store?.edit { try $0.append(TestRow(5), to: "a") }
    store = nil
    #expect(await stream.next()?.snapshot.rowCount == 3)
    #expect(await stream.next() == nil)
  }

  @Test func `another arrangement gives one update with the least difference, and none if nothing differs`()
    async throws
  {
    let store = try TestStore.with([1, 2, 3, 4, 5])
    let plan = Parameter(TestPlan().sorted(by: .ascending { $0.id }))
    let view = store.arranged(by: plan)
    var stream = view.updates().makeAsyncIterator()
    _ = await stream.next()
    await plan.set(TestPlan().filter { $0.id > 0 })
    #expect(await view.revision == 0)
    await plan.set(Self.odd(TestPlan()))
    try await store.edit { try $0.append(TestRow(7), to: "a") }
    let update = try #require(await stream.next())
    #expect(Self.ids(update.snapshot) == [[7, 5, 3, 1]] && update.previous == 0 && update.revision == 3)
    #expect(update.changes.rows.deletes.count == 2 && update.changes.rows.moves.count == 2)
    #expect(update.changes.rows.inserts.count == 1)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `operators that two arrangements have in common go on where they are`() async throws {
    let store = try TestStore.with(Array(0..<100))
    let calls = CallCount()
    let mapped = TestPlan().map { row in
      _ = calls.note(true)
      return TestRow(row.id, "seen")
    }
    let plan = Parameter(mapped.sectioned(by: { $0.id % 3 }, section: { TestSection("\($0)") }))
    let view = store.arranged(by: plan)
    #expect(await view.snapshot.sectionCount == 3)
    let fourths = mapped.sectioned(by: { $0.id % 4 }, section: { TestSection("\($0)") })
    // Also after an arrangement that is the same as a whole.
    for _ in 0..<2 {
      await plan.set(fourths)
      #expect(await view.snapshot.sectionCount == 4)
    }
    await plan.set(mapped.sectioned(by: { $0.id % 5 }, section: { TestSection("\($0)") }))
    #expect(await view.snapshot.sectionCount == 5)
    #expect(calls.value == 100)
    await plan.set(
      TestPlan().map { TestRow($0.id, "\(calls.note(true))") }
        .sectioned(by: { _ in 0 }, section: { _ in TestSection("0") }))
    #expect(await view.snapshot.sectionCount == 1)
    #expect(calls.value == 200)
  }

  @Test func `under any schedule subscribers of a view and of a view of it get all, and are not forgotten`()
    async throws
  {
    await Schedule.explore("arranged schedules", 100, long: 20_000) { try await Self.scene(finishes: $0 % 2 == 0) }
  }

  /// Writers, somebody who changes arrangements, and followers; gives back what went wrong.
  ///
  /// - Parameter finishes: Whether the store ends. If not, nothing but the last news wakes followers.
  /// - Returns: What went wrong.
  /// - Throws: What a follower finds wrong.
  private static func scene(finishes: Bool) async throws -> String? {
    let store = try TestStore.with([0])
    let plan = Parameter(odd(TestPlan()))
    let view = store.arranged(by: plan)
    let deeper = view.arranged { $0.map { TestRow($0.id, "deep") } }
    return try await withThrowingTaskGroup(of: Follower?.self) { group in
      for _ in 0..<2 {
        for stream in [view.updates(), deeper.updates()] {
          group.addTask {
            var follower = Follower()
            for await update in stream {
              try follower.take(update)
              if !finishes, update.snapshot.rowCount == 9 { break }
            }
            return follower
          }
        }
      }
      group.addTask {
        await withTaskGroup(of: Void.self) { writers in
          for writer in 0..<2 {
            writers.addTask {
              for id in 1...4 { try? await store.edit { try $0.append(TestRow(id * 2 + writer - 1), to: "a") } }
            }
          }
          writers.addTask {
            await plan.set(TestPlan().filter { $0.id % 2 == 0 })
            await Task.yield()
            await plan.set(TestPlan().sorted(by: .ascending { $0.id }))
          }
        }
        if finishes {
          await store.finish()
          plan.finish()
        }
        return nil
      }
      for try await case let follower? in group {
        let ids = follower.list.parts[0].rows.map(\.id)
        if finishes ? ids != Array(0...8) : ids.count != 9 { return "ended at \(ids)" }
      }
      return nil
    }
  }
}
