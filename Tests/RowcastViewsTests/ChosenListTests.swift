import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore
@testable import RowcastViews

/// Lists of one list or of several, which a person chooses.
@Suite(.watched) struct ChosenListTests {
  typealias Store = ListStore<SoleSection, TestRow>
  typealias List = any LiveList<SoleSection, TestRow>

  /// A list of the chosen list, or of the only list of a set.
  private struct Choice {
    let list: ArrangedList<SoleSection, TestRow>
    let set: (List) async -> Void
    let value: () async -> AnyObject?
    let finish: () -> Void

    init(_ first: List, inSet: Bool) {
      let (one, some) = (Parameter(first), Parameter([first]))
      list = inSet ? MergedList(of: some) : Switched(one)
      set = { if inSet { await some.set([$0]) } else { await one.set($0) } }
      value = { () async -> AnyObject? in
        let lists = inSet ? await some.value : [await one.value]
        return lists.last.map { $0 as AnyObject }
      }
      finish = { if inSet { some.finish() } else { one.finish() } }
    }
  }

  @Test(arguments: [false, true])
  func `an exchange is one update with the least difference`(inSet: Bool) async throws {
    let (first, second) = (try ListStore((0..<10).map { TestRow($0) }), try ListStore((1..<11).map { TestRow($0) }))
    let choice = Choice(first, inSet: inSet)
    var updates = choice.list.updates().makeAsyncIterator()
    #expect(try #require(await updates.next()).snapshot.rowCount == 10)
    await choice.set(second)
    let changes = try #require(await updates.next()).changes
    #expect(changes.rows.deletes.count == 1 && changes.rows.inserts.count == 1 && changes.count == 2)
    // The same rows again are not an update, and neither is a change of a list that is no longer chosen.
    await choice.set(second.arranged { $0.filter { $0.id > 0 } })
    try await first.edit { try $0.remove(3) }
    try await second.edit { try $0.remove(5) }
    #expect(try #require(await updates.next()).snapshot.allRows.map(\.id) == [1, 2, 3, 4, 6, 7, 8, 9, 10])
  }

  @Test(arguments: [false, true])
  func `readers that wait for one choice together keep no store of the app`(inSet: Bool) async throws {
    weak var chosen: Store?
    let list = try await {
      let (first, next) = (Store(), try ListStore([TestRow(1)]))
      let choice = Choice(first, inSet: inSet)
      chosen = next
      let readers = (0..<2).map { _ in
        Task { [list = choice.list] in for await update in list.updates() where update.snapshot.rowCount == 1 { return }
        }
      }
      await eventually { await first.waiterCount == readers.count }
      await choice.set(next)
      for reader in readers { await reader.value }
      return choice.list
    }()
    await eventually { chosen == nil }
    withExtendedLifetime(list) {}
  }

  @Test func `the function of a parameter gets the list that the app has named, whatever else reads that`() async throws
  {
    let (all, named) = (try ListStore([TestRow(1), TestRow(2)]), try ListStore([TestRow(3)]))
    let choice = Parameter<List>(named)
    let found = all.arranged { $0.filter(by: choice) { ($1 as? Store) === named && $0.id == 2 } }
    // A parameter on two paths: all operators that read it are in one list.
    for list in [MergedList(Switched(choice), found), MergedList(found, Switched(choice))] {
      #expect(Set(await list.snapshot.allRows.map(\.id)) == [2, 3])
    }
    let plan = Parameter(Arrangement<SoleSection, TestRow, SoleSection, TestRow>())
    let later = MergedList(Switched(choice), all.arranged(by: plan))
    #expect(Set(await later.snapshot.allRows.map(\.id)) == [1, 2, 3])
    await plan.set(.init().filter(by: choice) { ($1 as? Store) === named && $0.id == 2 })
    #expect(Set(await later.snapshot.allRows.map(\.id)) == [2, 3])
    // Also from a list that is read after the parameter has ended.
    choice.finish()
    let newest = all.arranged { $0.filter(by: choice) { ($1 as? Store) === named && $0.id == 2 } }
    for list in [MergedList(Switched(choice), newest), MergedList(newest, Switched(choice)), later] {
      #expect(Set(await list.snapshot.allRows.map(\.id)) == [2, 3])
    }
  }

  @Test(arguments: [false, true])
  func `a list that is not shown any more is let go, and the end is that of the last list and of the parameter`(
    inSet: Bool
  ) async throws {
    let (first, last) = (Store(), Store())
    let choice = Choice(first, inSet: inSet)
    weak var former: (any AnyObject)?
    try await {
      let view = try ListStore([TestRow(1)]).arranged { $0.filter { $0.id > 0 } }
      former = view.core
      await choice.set(view)
      #expect(await choice.list.snapshot.rowCount == 1)
    }()
    #expect(former != nil)
    await choice.set(first)
    #expect(await choice.list.snapshot.rowCount == 0)
    #expect(former == nil)
    var updates = choice.list.updates().makeAsyncIterator()
    _ = await updates.next()
    await first.finish()
    await choice.set(last)
    try await last.edit { try $0.upsert(TestRow(1)) }
    #expect(try #require(await updates.next()).snapshot.rowCount == 1)
    choice.finish()
    // Dropped, and after the end. The app gets what it has set.
    await choice.set(ListStore())
    #expect(await choice.value() === last)
    try await last.edit { try $0.upsert(TestRow(2)) }
    #expect(try #require(await updates.next()).snapshot.rowCount == 2)
    await last.finish()
    #expect(await updates.next() == nil)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a list that stays does its work once, and one that comes costs its own rows`() async throws {
    let calls = CallCount()
    let stores = try (0..<4).map { store in try ListStore((0..<500).map { TestRow(store * 1_000 + $0) }) }
    let lists = stores.map { store in store.arranged { $0.filter { calls.note($0.id >= 0) } } }
    let choice = Parameter<[List]>([lists[0], lists[1], lists[2]])
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
    let choice = Parameter<[List]>([low])
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

  @Test func `a set that names a list made of its parameter is refused`() async {
    await #expect(processExitsWith: .failure) {
      let choice = Parameter<[List]>([])
      let list = MergedList(of: choice)
      await choice.set([list])
      _ = await list.snapshot
    }
  }

  @Test func `a list is made of no parameter that got the memory of one that it has read before`() async throws {
    let store = try ListStore([TestRow(1)])
    // Where memory is used again is decided by what else runs: a few rounds suffice, but not always one.
    for round in 0..<300 {
      weak var former: (any AnyObject)?
      let list = await {
        let query = Parameter<[List]>([])
        former = query.core
        let list = store.arranged { $0.filter(by: query) { row, _ in row.id > 0 } }
        _ = await list.snapshot
        await formerly(list).rearrangeFormerly { $0 }
        _ = await list.snapshot
        return list
      }()
      while former != nil { await Task.yield() }
      let chosen = (0..<20).map { _ in Parameter<[List]>([list]) }
      try #require(!chosen.contains { isMade(list, of: $0) }, "round \(round)")
      #expect(await MergedList(of: chosen[0]).snapshot.rowCount == 1)
    }
  }

  @Test(arguments: [false, true])
  func `under any schedule the last choice is shown, without another change`(isPlan: Bool) async throws {
    typealias Plan = Arrangement<SoleSection, TestRow, SoleSection, TestRow>
    await Schedule.explore("the last choice, \(isPlan)", 80, long: 20_000) { _ in
      let stores = try (0..<2).map { try Store([TestRow($0)]) }
      let (all, limit) = (try Store([TestRow(0), TestRow(1)]), Parameter(0))
      // The second choice has a source that is read after it, the last one only sources that are read already.
      let (choice, plan) = (Parameter<List>(stores[0]), Parameter(Plan().filter(by: limit) { $0.id >= $1 }))
      let shown = isPlan ? all.arranged(by: plan) : MergedList(Switched(choice), stores[1])
      let readers = (0..<3).map { _ in
        Task { for await update in shown.updates() where update.snapshot.allRows.map(\.id) == [1] { return } }
      }
      await choice.set(stores[0].arranged { $0.filter { $0.id >= 0 } })
      await plan.set(Plan().filter(by: limit) { $0.id >= $1 }.filter(by: Parameter(0)) { $0.id >= $1 })
      await choice.set(stores[1])
      await plan.set(Plan().filter(by: limit) { $0.id > $1 })
      for reader in readers { await reader.value }
      return nil
    }
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

  @Test func `under any schedule a list that ends with an edit is shown, though the other never changes`() async {
    await Schedule.explore("ends of one of two", 400, long: 20_000) { _ in
      let (ending, other) = (TestStore(), TestStore())
      let merged = MergedList(ending, other)
      let readers = (0..<2).map { _ in
        Task { await merged.updates().contains { $0.snapshot.rowCount == 4 } }
      }
      for id in 1...4 { try await ending.edit { try $0.append(TestSection("\(id)"), rows: [TestRow(id)]) } }
      await ending.finish()
      for reader in readers { if await !reader.value { return "ended before the last row" } }
      return nil
    }
  }
}
