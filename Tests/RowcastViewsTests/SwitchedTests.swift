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

  @Test func `whatever is chosen, and whatever is made of it, equals recomputing`() async throws {
    var seeds = SeededGenerator.forFuzzing("switched lists")
    for _ in 0..<SeededGenerator.rounds(60, long: 20_000) {
      let seed = seeds.next()
      var random = SeededGenerator(seed: seed)
      let stores = try (0..<3).map { number in try ListStore((0..<4).map { TestRow($0 + 2 * number) }) }
      let (choice, limit) = (Choice(stores[0]), Parameter(20))
      let nested = Choice(stores[1])
      let filtered = stores[2].arranged { $0.filter(by: limit) { $0.id < $1 } }
      let sources: [any LiveList<SoleSection, TestRow>] = [
        stores[0], stores[1], filtered, MergedList(stores[0], filtered), Switched(nested),
      ]
      let list = Switched(choice)
      let arranged = list.joined(withMany: stores[1], on: { $0.id + 1 }, summary: .count) {
        TestRow($0.id, "\($0.text) \($1)")
      }.arranged { $0.sorted(by: .descending(\.id)) }
      var (chosen, inner, bound) = (0, 1, 20)
      func rows(_ source: Int) async -> [TestRow] {
        switch source {
        case 2: return await stores[2].snapshot.allRows.filter { $0.id < bound }
        case 3:
          let first = await rows(0)
          return await first + rows(2).filter { row in !first.contains { $0.id == row.id } }
        case 4: return await rows(inner)
        default: return await stores[source].snapshot.allRows.map { $0 }
        }
      }
      for step in 0..<30 {
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
          chosen = Int.random(in: 0..<sources.count, using: &random)
          await choice.set(sources[chosen])
        case 1:
          inner = Int.random(in: 0..<3, using: &random)
          await nested.set(sources[inner])
        case 2:
          bound = Int.random(in: 0..<12, using: &random)
          await limit.set(bound)
        default:
          let (store, id) = (Int.random(in: 0..<3, using: &random), Int.random(in: 0..<12, using: &random))
          try await stores[store].edit { list in
            if list.snapshot.rowCount > 3, list.path(ofRow: id) != nil {
              try list.remove(id)
            } else {
              try list.upsert(TestRow(id, "\(step)"))
            }
          }
        }
        if Int.random(in: 0..<3, using: &random) == 0 { continue }
        let expected = await rows(chosen)
        let counted = await stores[1].snapshot.allRows.map { $0.id + 1 }
        #expect(await list.snapshot.allRows.map { $0 } == expected, "seed \(seed), step \(step)")
        let shown = await arranged.snapshot.allRows.map { $0 }
        let joined = expected.map { row in TestRow(row.id, "\(row.text) \(counted.contains(row.id) ? 1 : 0)") }
        #expect(shown == joined.sorted { $0.id > $1.id }, "seed \(seed), step \(step)")
        if shown != joined.sorted(by: { $0.id > $1.id }) { return }
      }
    }
  }
}
