import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore
@testable import RowcastViews

/// Merged lists of a set of lists that a person changes.
@Suite(.watched) struct MergedSetTests {
  typealias Store = ListStore<SoleSection, TestRow>
  typealias Choice = Parameter<[any LiveList<SoleSection, TestRow>]>

  @Test func `another set is one update with the least difference, and the rest of the lists are followed`()
    async throws
  {
    let stores = try (0..<3).map { store in try ListStore((0..<5).map { TestRow(store * 10 + $0) }) }
    let choice = Choice([stores[0], stores[1]])
    let list = MergedList(of: choice)
    var updates = list.updates().makeAsyncIterator()
    #expect(await updates.next()?.snapshot.rowCount == 10)
    await choice.set([stores[0], stores[2], stores[1], stores[0]])
    let update = try #require(await updates.next())
    #expect(update.changes.rows.inserts.count == 5 && update.changes.count == 5)
    #expect(update.snapshot.allRows.map { $0.id / 10 } == [0, 0, 0, 0, 0, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1])
    await choice.set([stores[2], stores[1]])
    #expect(await updates.next()?.changes.rows.deletes.count == 5)
    // A list that is not chosen any more is no news.
    try await stores[0].edit { try $0.remove(3) }
    try await stores[1].edit { try $0.remove(13) }
    #expect(await updates.next()?.snapshot.rowCount == 9)
    await choice.set([])
    #expect(await updates.next()?.snapshot.rowCount == 0)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a list that stays does its work once, and one that comes costs its own rows`() async throws {
    let calls = CallCount()
    let stores = try (0..<4).map { store in try ListStore((0..<500).map { TestRow(store * 1_000 + $0) }) }
    let lists = stores.map { store in store.arranged { $0.filter { calls.note($0.id >= 0) } } }
    let choice = Choice([lists[0], lists[1], lists[2]])
    let merged = MergedList(of: choice)
    #expect(await merged.snapshot.rowCount == 1_500)
    #expect(calls.value == 1_500)
    await choice.set([lists[0], lists[3], lists[2]])
    let before = await merged.snapshot
    #expect(before.rowCount == 1_500 && calls.value == 2_000)
    await choice.set([lists[2], lists[3], lists[0]])
    #expect(await merged.snapshot.rowCount == 1_500)
    #expect(calls.value == 2_000)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `lists of one store are made anew once, keep their operators then, and are let go`() async throws {
    let calls = CallCount()
    let store = try ListStore((0..<500).map { TestRow($0) })
    let low = store.arranged { $0.filter { calls.note($0.id < 250) } }
    let choice = Choice([low])
    let merged = MergedList(of: choice)
    #expect(await merged.snapshot.rowCount == 250)
    #expect(calls.value == 500)
    weak var former: (any AnyObject)?
    try await {
      let high = store.arranged { $0.filter { calls.note($0.id >= 250) } }
      former = high.core
      await choice.set([low, high])
      #expect(await merged.snapshot.rowCount == 500)
      #expect(calls.value == 1_500)
      await choice.set([high, low])
      try await store.edit { try $0.upsert(TestRow(3, "new")) }
      #expect(await merged.snapshot.rowCount == 500)
      #expect(calls.value <= 1_504)
    }()
    #expect(former != nil)
    await choice.set([low])
    #expect(await merged.snapshot.rowCount == 250)
    #expect(former == nil)
    #expect(calls.value <= 1_504)
  }

  @Test func `a list that left is let go, and the merged list ends with the parameter and the last lists`() async throws
  {
    let (first, last) = (Store(), Store())
    let choice = Choice([first])
    let list = MergedList(of: choice)
    weak var former: (any AnyObject)?
    try await {
      let view = try ListStore([TestRow(1)]).arranged { $0.filter { $0.id > 0 } }
      former = view.core
      await choice.set([first, view])
      #expect(await list.snapshot.rowCount == 1)
    }()
    #expect(former != nil)
    await choice.set([first, last])
    #expect(await list.snapshot.rowCount == 0)
    #expect(former == nil)
    var updates = list.updates().makeAsyncIterator()
    _ = await updates.next()
    await first.finish()
    choice.finish()
    try await last.edit { try $0.upsert(TestRow(2)) }
    #expect(await updates.next()?.snapshot.rowCount == 1)
    await last.finish()
    #expect(await updates.next() == nil)
  }

  @Test func `a set that names a list made of its parameter is refused`() async {
    await #expect(processExitsWith: .failure) {
      let choice = Parameter<[any LiveList<SoleSection, TestRow>]>([])
      let list = MergedList(of: choice)
      await choice.set([list])
      _ = await list.snapshot
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `under any schedule chosen lists of one store are read at one revision of it`() async throws {
    await Schedule.explore("chosen lists of one store", 100, long: 75_000) { seed in
      var random = SeededGenerator(seed: seed)
      let (first, second) = (try ListStore((0..<3).map { TestRow($0) }), try ListStore((10..<12).map { TestRow($0) }))
      // The parts of each store, of which a row is in one.
      func parts(_ store: Store) -> [any LiveList<SoleSection, TestRow>] {
        [store.arranged { $0.filter { $0.text.isEmpty } }, store.arranged { $0.filter { !$0.text.isEmpty } }]
      }
      let (left, right) = (parts(first), parts(second))
      // Whatever is chosen has both parts of the first store, and both of the second or none.
      let sets: [[any LiveList<SoleSection, TestRow>]] = [
        [left[0], left[1]], [left[1], right[0], left[0], right[1]], [MergedList(left[0], right[0]), left[1], right[1]],
        [left[1], MergedList(left[0], MergedList(right[1], right[0]))], [right[0], first, right[1]], [first, second],
        [MergedList(left[0], left[1]), right[1], right[0]],
      ]
      let choice = Choice(sets.randomElement(using: &random) ?? [])
      let choices = (0..<3).compactMap { _ in sets.randomElement(using: &random) }
      let edits = (0..<6).map { _ in [0, 1, 2, 10, 11].randomElement(using: &random) ?? 0 }
      let list = MergedList(of: choice)
      return await withTaskGroup(of: String?.self) { group in
        group.addTask {
          for await update in list.updates() {
            let ids = update.snapshot.allRows.map(\.id).sorted()
            if ids != [0, 1, 2], ids != [0, 1, 2, 10, 11] { return "a list has the rows \(ids)" }
          }
          return nil
        }
        group.addTask {
          for lists in choices {
            await choice.set(lists)
            await Task.yield()
          }
          choice.finish()
          return nil
        }
        group.addTask {
          for id in edits {
            try? await (id < 10 ? first : second).edit {
              try $0.update(id) { $0.text = $0.text.isEmpty ? "pinned" : "" }
            }
          }
          await first.finish()
          await second.finish()
          return nil
        }
        return await group.first { $0 != nil } ?? nil
      }
    }
  }
}
