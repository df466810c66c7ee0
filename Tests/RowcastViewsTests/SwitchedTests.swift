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
}
