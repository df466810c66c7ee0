import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore
@testable import RowcastViews

/// Lists that show another list when a person chooses it.
@Suite(.watched) struct SwitchedTests {
  typealias Store = ListStore<SoleSection, TestRow>
  typealias Choice = Parameter<any LiveList<SoleSection, TestRow>>

  @Test func `an exchange is one update with the least difference`() async throws {
    let (first, second) = (try ListStore((0..<10).map { TestRow($0) }), try ListStore((1..<11).map { TestRow($0) }))
    let choice = Choice(first)
    var updates = Switched(choice).updates().makeAsyncIterator()
    #expect(try #require(await updates.next()).snapshot.rowCount == 10)
    await choice.set(second)
    let update = try #require(await updates.next())
    #expect(
      update.changes.rows.deletes.count == 1 && update.changes.rows.inserts.count == 1 && update.changes.count == 2)
    // The same rows again are no update, and a list that is not chosen any more is no news.
    await choice.set(second.arranged { $0.filter { $0.id > 0 } })
    try await first.edit { try $0.remove(3) }
    try await second.edit { try $0.remove(5) }
    #expect(try #require(await updates.next()).snapshot.allRows.map(\.id) == [1, 2, 3, 4, 6, 7, 8, 9, 10])
  }

  @Test func `a list that is not shown any more is let go`() async throws {
    let choice = Choice(Store())
    let list = Switched(choice)
    _ = await list.snapshot
    weak var former: (any AnyObject)?
    try await {
      let view = try ListStore([TestRow(1)]).arranged { $0.filter { $0.id > 0 } }
      former = view.core
      await choice.set(view)
      #expect(await list.snapshot.rowCount == 1)
    }()
    #expect(former != nil)
    await choice.set(Store())
    #expect(await list.snapshot.rowCount == 0)
    #expect(former == nil)
  }

  @Test func `it ends with the parameter and the list that was chosen last`() async throws {
    let (first, last) = (Store(), Store())
    let choice = Choice(first)
    var updates = Switched(choice).updates().makeAsyncIterator()
    _ = await updates.next()
    await first.finish()
    await choice.set(last)
    try await last.edit { try $0.upsert(TestRow(1)) }
    #expect(try #require(await updates.next()).snapshot.rowCount == 1)
    choice.finish()
    // Dropped, and after the end. The app gets what it has set.
    await choice.set(ListStore())
    #expect(await choice.value as AnyObject === last)
    try await last.edit { try $0.upsert(TestRow(2)) }
    #expect(try #require(await updates.next()).snapshot.rowCount == 2)
    await last.finish()
    #expect(await updates.next() == nil)
  }

  @Test func `a list is made of no parameter that got the memory of one that it has read before`() async throws {
    let store = try ListStore([TestRow(1)])
    // Where memory is used again is decided by what else runs: a few rounds suffice, but not always one.
    for round in 0..<300 {
      weak var former: (any AnyObject)?
      let list = await {
        let query = Parameter<[any LiveList<SoleSection, TestRow>]>([])
        former = query.core
        let list = store.arranged { $0.filter(by: query) { row, _ in row.id > 0 } }
        _ = await list.snapshot
        await FormerCalls(list).rearrange { $0 }
        _ = await list.snapshot
        return list
      }()
      while former != nil { await Task.yield() }
      let chosen = (0..<20).map { _ in Parameter<[any LiveList<SoleSection, TestRow>]>([list]) }
      try #require(!chosen.contains { isMade(list, of: $0) }, "round \(round)")
      #expect(await MergedList(of: chosen[0]).snapshot.rowCount == 1)
    }
  }

  @Test(arguments: [false, true])
  func `under any schedule the last choice is shown, without another change`(isPlan: Bool) async throws {
    typealias Plan = Arrangement<SoleSection, TestRow, SoleSection, TestRow>
    await Schedule.explore("the last choice, \(isPlan)", 400, long: 20_000) { _ in
      let stores = try (0..<2).map { try Store([TestRow($0)]) }
      let (all, limit) = (try Store([TestRow(0), TestRow(1)]), Parameter(0))
      // The second choice has a source that is read after it, the last one only sources that are read already.
      let (choice, plan) = (Choice(stores[0]), Parameter(Plan().filter(by: limit) { $0.id >= $1 }))
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
}
