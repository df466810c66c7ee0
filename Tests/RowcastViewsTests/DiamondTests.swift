import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

@testable import RowcastViews

/// Lists that read one list on several paths, one upon another.
@Suite(.watched) struct DiamondTests {
  private typealias Naive = NaiveList<TestSection, TestRow>

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [2, 3]) func `lists of several paths cost what their levels cost, however many`(paths: Int)
    async throws
  {
    let (depth, rows) = (paths == 2 ? 12 : 8, 10)
    let store = try TestStore.with(Array(0..<rows))
    let calls = CallCount()
    var list: any LiveList<TestSection, TestRow> = store
    for level in 0..<depth {
      list = MergedList(
        (0..<paths).map { path in list.arranged { $0.filter { calls.note(($0.id + level) % paths == path) } } })
    }
    #expect(await list.snapshot.rowCount == rows)
    // Each filter of each level looks at each row once.
    #expect(calls.value == depth * paths * rows)
    for id in 0..<5 {
      let before = calls.value
      try await store.edit { try $0.update(id) { $0.text += "+" } }
      #expect(Naive(await list.snapshot).parts.flatMap(\.rows).contains(TestRow(id, "+")))
      #expect(calls.value - before <= 2 * depth * paths)
    }
  }

  @Test func `a list on many lists has the roots of the first one alone`() async throws {
    let store = try TestStore.with([1, 2, 3])
    var list: any LiveList<TestSection, TestRow> = store
    for _ in 0..<50 { list = list.arranged { $0.filter { $0.id != 2 } } }
    #expect(rootCount(of: list) == 1)
    list = MergedList(list, try TestStore.with([4]))
    for _ in 0..<50 { list = list.arranged { $0.sorted(by: .descending(\.id)) } }
    #expect(rootCount(of: list) == 2)
    #expect(Naive(await list.snapshot).parts.flatMap(\.rows).map(\.id) == [4, 3, 1])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `what was read on several paths is freed with its list`() async throws {
    final class Token: Sendable {}
    weak var kept: Token?
    do {
      let token = Token()
      kept = token
      let store = try TestStore.with([1, 2, 3])
      let first = store.arranged { $0.filter { [token] in $0.id != 2 || ObjectIdentifier(token).hashValue == 0 } }
      let merged = MergedList(first, first.arranged { $0.map { TestRow($0.id, "mapped") } })
      let plan = Parameter(Arrangement<TestSection, TestRow, TestSection, TestRow>().sorted(by: .descending(\.id)))
      let top = MergedList(merged, merged.arranged { $0.filter { $0.id > 100 } }).arranged(by: plan)
      #expect(await top.snapshot.rowCount == 2)
      await plan.set(.init().filter { $0.id < 3 })
      #expect(await top.snapshot.rowCount == 1)
      #expect(kept != nil)
    }
    #expect(kept == nil)
  }
}
