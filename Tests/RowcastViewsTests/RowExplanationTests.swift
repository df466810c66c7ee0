import RowcastModel
import RowcastStore
import RowcastTestSupport
import RowcastViews
import Testing

/// Why a list has a row, or not.
@Suite(.watched) struct RowExplanationTests {
  private struct Refused: Error, CustomStringConvertible { var description: String { "refused" } }

  private static func store(_ ids: Int...) throws -> ListStore<SoleSection, TestRow> {
    try ListStore(ids.map { TestRow($0, "\($0 % 3)") })
  }

  private static func reason(_ id: Int, _ list: some LiveList<SoleSection, TestRow>) async -> String? {
    let explanation = await list.explain(id)
    let isShown = await list.snapshot.allRows.contains { $0.id == id }
    #expect(explanation.isShown == isShown, "\(explanation)")
    return explanation.reason
  }

  @Test func `a row that the list alone has kept is in it, with its error, whatever order and filter follow`()
    async throws
  {
    let store = try Self.store(1, 2)
    let kept = Arrangement<SoleSection, TestRow, SoleSection, TestRow>().map(onFailure: .keepLast) { row in
      if row.text == "?" { throw Refused() }
      return row
    }
    let plan = Parameter(kept.sorted(by: \.id))
    let list = store.arranged(by: plan)
    #expect(await list.snapshot.rowCount == 2)
    try await store.edit { try $0.update(1) { $0.text = "?" } }
    for next in [
      kept, kept.sorted(by: .descending(\.id)), kept.filter { $0.id < 3 },
      kept.filter { $0.id < 2 }.window(.rows(0..<1)),
    ] {
      #expect(await list.snapshot.allRows.first { $0.id == 1 }?.text == "1")
      #expect(await Self.reason(1, list) == "it has an error: refused")
      await plan.set(next)
    }
    #expect(await list.snapshot.allRows.map(\.id) == [1])
    await plan.set(kept.filter { $0.id > 1 })
    #expect(await Self.reason(1, list) == "its row cannot be made: refused")
  }

  @Test func `a row whose place has one that was kept is not in the list`() async throws {
    let store = try Self.store(1, 2)
    let list = store.arranged { plan in
      plan.map(onFailure: .keepLast) { (row: TestRow) throws -> TestRow in
        if row.text == "?" { throw Refused() }
        return row
      }.window(.first(1))
    }
    #expect(await list.snapshot.allRows.map(\.id) == [1])
    try await store.edit { try $0.update(1) { $0.text = "?" } }
    let reason = await Self.reason(2, list)
    #expect(reason?.hasPrefix("only a newly built list has it; this one has rows that it keeps") == true)
    #expect(await Self.reason(1, list) == "it has an error: refused")
  }

  @Test func `each operator says that it leaves a row out`() async throws {
    let store = try Self.store(1, 2, 3, 4, 5, 6, 7, 8)
    let list = store.arranged {
      $0.filter { $0.id != 1 }.filter { $0.id != 2 }
        .map { row in
          if row.id == 3 { throw Refused() }
          return row
        }
        .filter { $0.id != 4 }.distinct(by: \.text).sorted(by: .descending(\.id)).filter { $0.id != 5 }
        .window(.first(1))
    }
    #expect(await list.snapshot.allRows.map(\.id) == [7])
    #expect(await Self.reason(1, list) == "filter 1 of 2 refuses it")
    #expect(await Self.reason(2, list) == "filter 2 of 2 refuses it")
    #expect(await Self.reason(3, list) == "its row cannot be made: refused")
    #expect(await Self.reason(4, list) == "a filter refuses it")
    #expect(await Self.reason(5, list) == "a filter refuses it")
    #expect(await Self.reason(7, list) == nil)
    #expect(await Self.reason(6, list) == "it is outside of the window")
    #expect(await Self.reason(8, list) == "a row before it has the same key")
    #expect(await Self.reason(9, list) == "no source has it")
    #expect("\(await list.explain(2))" == "row 2 is not in the list: filter 2 of 2 refuses it")
    #expect("\(await list.explain(7))" == "row 7 is in the list")
    #expect("\(await list.explain(9))" == "row 9 is not in the list: no source has it")
  }

  @Test func `outlines, windows of sections and operators of time say so, too`() async throws {
    let store = try Self.store(1, 2, 3, 4)
    let expansion = OutlineExpansion<Int>(depth: 0)
    let outline = store.arranged {
      $0.outlined(parent: { $0.id == 1 ? nil : 1 }, expansion: expansion) { row, _ in row }
    }
    #expect(await Self.reason(1, outline) == nil)
    #expect(await Self.reason(2, outline) == "a row above it is collapsed, or its filter refuses it")
    let windows = store.arranged { $0.window(inEachSection: .first(3)) }
    #expect(await Self.reason(4, windows) == "it is outside of the window of its section")
    let recent = store.arranged { $0.recent({ Double($0.id) }, within: .seconds(2), now: { 4 }) }
    #expect(await Self.reason(1, recent) == "it is too old")
    let query = Parameter(2)
    let searched = store.arranged { $0.filter(by: query) { $0.id > $1 }.sorted(by: .descending(\.id)) }
    #expect(await Self.reason(2, searched) == "a filter refuses it")
    #expect(await Self.reason(3, searched) == nil)
  }

  @Test func `lists of several lists name the side that decides`() async throws {
    let (left, right) = (try Self.store(1, 2, 3), try Self.store(2, 7))
    let joined = left.arranged { $0.filter { $0.id != 3 } }.joined(with: right, on: { $0.id }) { row, _ in row }
    #expect(await Self.reason(1, joined) == "it has no partner")
    #expect(await Self.reason(2, joined) == nil)
    #expect(await Self.reason(3, joined) == "a filter refuses it")
    #expect(await Self.reason(7, joined) == "no source has it")
    #expect(await Self.reason(2, left.excluding(right)) == "the other list has it")
    #expect(await Self.reason(1, left.intersecting(right)) == "the other list does not have it")
    #expect(await Self.reason(2, left.excluding(right, on: { $0.id })) == "a row of the other list refers to it")
    #expect(await Self.reason(1, left.intersecting(right, on: { $0.id })) == "no row of the other list refers to it")
    let merged = MergedList(left.arranged { $0.filter { $0.id > 1 } }, right.arranged { $0.filter { $0.id < 7 } })
    #expect(await Self.reason(1, merged) == "a filter refuses it")
    #expect(await Self.reason(2, merged) == nil)
    #expect(await Self.reason(7, merged) == "a filter refuses it")
    let keyed = left.keyed { $0.id == 3 ? nil : TestRow($0.id + 10) }.arranged { $0.window(.first(1)) }
    #expect(await Self.reason(11, keyed) == nil)
    #expect(await Self.reason(12, keyed) == "it is outside of the window")
    // It is the id of no row of this list.
    #expect(await Self.reason(1, keyed) == "no source has it")
  }

  @Test func `a list that is read on several paths is made anew on each, also if its store has finished`() async throws
  {
    let store = try Self.store(1, 2, 3)
    let odd = store.arranged { $0.filter { $0.id % 2 == 1 } }
    let (first, last) = (odd.arranged { $0.window(.first(1)) }, odd.arranged { $0.filter { $0.id > 2 } })
    let both = MergedList(first, last)
    for _ in 0..<2 {
      #expect(await Self.reason(1, both) == nil)
      #expect(await Self.reason(2, both) == "a filter refuses it")
      #expect(await Self.reason(3, both) == nil)
      await store.finish()
    }
  }

  @Test func `a pending edit that removes a row says so until it is answered`() async throws {
    let store = try Self.store(1, 2, 3)
    let shown = OptimisticList(store)
    let list = shown.arranged { $0.filter { $0.id < 3 } }
    await #expect(throws: Refused.self) {
      try await shown.edit {
        try $0.remove(1)
      } confirming: {
        for list in [shown, list] as [any LiveList<SoleSection, TestRow>] {
          #expect(await Self.reason(1, list) == "an edit that is not confirmed removes it")
          #expect(await Self.reason(2, list) == nil)
          #expect(await Self.reason(9, list) == "no source has it")
        }
        #expect(await Self.reason(3, list) == "a filter refuses it")
        #expect(await Self.reason(1, store) == nil)
        throw Refused()
      }
    }
    #expect(await Self.reason(1, list) == nil)
  }
}
