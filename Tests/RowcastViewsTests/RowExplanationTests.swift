import Testing

/// Why a list has a row, or not.
@Suite(.watched) struct RowExplanationTests {
  private struct Refused: Error, CustomStringConvertible { var description: String { "refused" } }

  private static func store(_ ids: Int...) throws -> ListStore<SoleSection, TestRow> {
    try ListStore(ids.map { TestRow($0, "\($0 % 3)") })
  }

  /// Checks the reasons of rows by their ids; a row without one is shown.
  private static func expect(
    _ reasons: KeyValuePairs<Int, String?>, of list: some LiveList<SoleSection, TestRow>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let ids = await list.snapshot.allRows.map(\.id)
    for (id, reason) in reasons {
      let explanation = await list.explain(id)
      #expect(
        explanation.reason == reason && explanation.isShown == (reason == nil) && ids.contains(id) == (reason == nil),
        "\(explanation)", sourceLocation: sourceLocation)
    }
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
    await Self.expect(
      [
        1: "filter 1 of 2 refuses it", 2: "filter 2 of 2 refuses it", 3: "its row cannot be made: refused",
        4: "a filter refuses it", 5: "a filter refuses it", 7: nil, 6: "it is outside of the window",
        8: "a row before it has the same key", 9: "no source has it",
      ], of: list)
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
    await Self.expect([1: nil, 2: "a row above it is collapsed, or its filter refuses it"], of: outline)
    let windows = store.arranged { $0.window(inEachSection: .first(3)) }
    await Self.expect([4: "it is outside of the window of its section"], of: windows)
    let recent = store.arranged { $0.recent({ Double($0.id) }, within: .seconds(2), now: { 4 }) }
    await Self.expect([1: "it is too old"], of: recent)
    let query = Parameter(2)
    let searched = store.arranged { $0.filter(by: query) { $0.id > $1 }.sorted(by: .descending(\.id)) }
    await Self.expect([2: "a filter refuses it", 3: nil], of: searched)
  }

  @Test func `lists of several lists name the side that decides`() async throws {
    let (left, right) = (try Self.store(1, 2, 3), try Self.store(2, 7))
    let joined = left.arranged { $0.filter { $0.id != 3 } }.joined(with: right, on: { $0.id }) { row, _ in row }
    await Self.expect([1: "it has no partner", 2: nil, 3: "a filter refuses it", 7: "no source has it"], of: joined)
    await Self.expect([2: "the other list has it"], of: left.excluding(right))
    await Self.expect([1: "the other list does not have it"], of: left.intersecting(right))
    await Self.expect([2: "a row of the other list refers to it"], of: left.excluding(right, on: { $0.id }))
    await Self.expect([1: "no row of the other list refers to it"], of: left.intersecting(right, on: { $0.id }))
    let merged = MergedList(left.arranged { $0.filter { $0.id > 1 } }, right.arranged { $0.filter { $0.id < 7 } })
    await Self.expect([1: "a filter refuses it", 2: nil, 7: "a filter refuses it"], of: merged)
    let keyed = left.keyed { $0.id == 3 ? nil : TestRow($0.id + 10) }.arranged { $0.window(.first(1)) }
    await Self.expect([11: nil, 12: "it is outside of the window"], of: keyed)
    // It is the id of no row of this list.
    await Self.expect([1: "no source has it"], of: keyed)
  }

  @Test func `a list that is read on several paths is made anew on each, also if its store has finished`() async throws
  {
    let store = try Self.store(1, 2, 3)
    let odd = store.arranged { $0.filter { $0.id % 2 == 1 } }
    let (first, last) = (odd.arranged { $0.window(.first(1)) }, odd.arranged { $0.filter { $0.id > 2 } })
    let both = MergedList(first, last)
    for _ in 0..<2 {
      await Self.expect([1: nil, 2: "a filter refuses it", 3: nil], of: both)
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
          await Self.expect([1: "an edit that is not confirmed removes it", 2: nil, 9: "no source has it"], of: list)
        }
        await Self.expect([3: "a filter refuses it"], of: list)
        await Self.expect([1: nil], of: store)
        throw Refused()
      }
    }
    await Self.expect([1: nil], of: list)
  }
}
