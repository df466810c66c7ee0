import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import RowcastViews
import Testing

/// Rows and their places in a list: neighbours, the list backwards, ranks.
@Suite(.watched) struct NeighbourTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [100, 5_000])
  func `an event makes a row and at most four neighbours anew, however long the list is`(count: Int) async throws {
    let made = CallCount()
    let store = try ListStore((0..<count).map { TestRow($0, "0") })
    let list = store.arranged { $0.withNeighbours().map { made.note(TestRow($0.id, $0.row.text)) } }
    _ = await list.snapshot
    #expect(made.value == count)
    for (event, most) in try await [
      work { try $0.update(50) { $0.text = "1" } },
      work { try $0.insert(TestRow(-1, "2"), at: RowPath(section: 0, row: 20)) },
      work { try $0.remove(70) }, work { try $0.move(40, to: RowPath(section: 0, row: 60)) },
    ].enumerated() {
      #expect(most == [3, 3, 2, 5][event], "event \(event)")
    }
    func work(
      _ edit: @Sendable @escaping (inout ListEditor<SoleSection, TestRow>) throws -> Void
    ) async throws -> Int {
      let before = made.value
      try await store.edit { try edit(&$0) }
      _ = await list.snapshot
      return made.value - before
    }
  }

  @Test func `ranks equal counting, whatever becomes of sections and rows`() async throws {
    var random = SeededGenerator.forFuzzing("ranks")
    for _ in 0..<SeededGenerator.rounds(20, long: 2_000) {
      let rig = ArrangedRig(SeededGenerator(seed: random.next())) { $0 }
      let store = ListStore<TestSection, Card<Int>>()
      let list = store.arranged { $0.sorted(by: .ascending { $0.b }) }
      let ids = [0, 3, 7, 13]
      let ranks = ids.map { (store.rank(of: $0), list.rank(of: $0)) }
      for event in 0..<40 {
        for _ in 0..<rig.int(0..<4) { rig.edit() }
        rig.draft.commit()
        try await store.replace(with: rig.draft.snapshot)
        let (all, sorted) = (rig.draft.snapshot.allRows.map { $0.id }, await list.snapshot.allRows.map { $0.id })
        for (id, rank) in zip(ids, ranks) {
          let (inStore, inList) = (await rank.0.value, await rank.1.value)
          #expect(inStore == all.firstIndex(of: id), "seed \(random.seed), event \(event), row \(id)")
          #expect(inList == sorted.firstIndex(of: id), "seed \(random.seed), event \(event), row \(id)")
        }
      }
    }
  }

  @Test func `a rank wakes its watchers when it changes, and only then`() async throws {
    let store = try ListStore([TestRow(1, "b"), TestRow(2, "c"), TestRow(3, "d")])
    var ranks = store.arranged { $0.sorted(by: \.text) }.rank(of: 2).updates().makeAsyncIterator()
    #expect(await ranks.next() == .some(1))
    try await store.edit { try $0.update(3) { $0.text = "e" } }
    try await store.edit { try $0.update(3) { $0.text = "a" } }
    #expect(await ranks.next() == .some(2))
    try await store.edit { try $0.remove(2) }
    #expect(await ranks.next() == .some(nil))
    await store.finish()
    #expect(await ranks.next() == nil)
  }

  private struct Reading: RowViewModel {
    let id: Int
    var value: Double
  }

  @Test func `neighbours that are not equal to themselves are as unchanged as they are without neighbours`()
    async throws
  {
    let store = try ListStore((0..<200).map { Reading(id: $0, value: $0 < 20 ? .nan : 0) })
    let list = store.arranged { $0.withNeighbours() }
    var updates = list.updates().makeAsyncIterator()
    _ = try #require(await updates.next())
    // So many changes that all rows are made anew, the unchanged ones, too.
    try await store.edit { for id in 60..<200 { try $0.update(id) { $0.value = 1 } } }
    let rows = try #require(await updates.next()).changes.rows
    #expect(Set(rows.updates.map(\.to.row)) == Set(59..<200))
    #expect(rows.inserts.isEmpty && rows.deletes.isEmpty)
  }
}
