import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

@testable import RowcastViews

/// V5: lists that are made of one list share its operators.
@Suite(.watched) struct SharedWorkTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a hundred filters of one mapped and sorted list map and sort it once`() async throws {
    let store = try TestStore.with(Array(0..<100))
    let (maps, keys, filters) = (CallCount(), CallCount(), CallCount())
    let sorted = store.arranged {
      $0.map { row in maps.note(TestRow(row.id, "mapped")) }.sorted(by: .descending { row in keys.note(row.id) })
    }
    let views = (0..<100).map { number in sorted.arranged { $0.filter { row in filters.note(row.id % 100 != number) } }
    }
    for view in views { #expect(await view.snapshot.rowCount == 99) }
    #expect(maps.value == 100)
    #expect(filters.value == 10_000)
    let built = keys.value
    try await store.edit { try $0.append(TestRow(1_000), to: "a") }
    for view in views { #expect(await view.snapshot.rowCount == 99 + (view === views[0] ? 0 : 1)) }
    #expect(maps.value == 101)
    #expect(filters.value == 10_100)
    // A descent of a tree of 100 rows, once.
    #expect(keys.value - built <= 40)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a list costs nothing for lists that nobody watches`() async throws {
    let store = try TestStore.with(Array(0..<100))
    let calls = CallCount()
    let view = store.arranged { $0.map { row in calls.note(row) } }
    let child = view.arranged { $0.sorted(by: .descending(\.id)) }
    let others = (0..<10).map { number in child.arranged { $0.filter { $0.id != number } } }
    for id in 100..<110 { try await store.edit { try $0.append(TestRow(id), to: "a") } }
    #expect(calls.value == 0)
    #expect(await others[3].snapshot.rowCount == 109)
    #expect(calls.value == 110)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a summary, a watched row and a merge take part in the work of the list that they are made of`()
    async throws
  {
    let store = try TestStore.with(Array(0..<50))
    let calls = CallCount()
    let view = store.arranged { $0.map { row in calls.note(TestRow(row.id, "mapped")) } }
    #expect(await view.summary(.count).value == 50)
    let row = view.row(7)
    #expect(await row.value?.text == "mapped")
    let merged = MergedList(view, try TestStore.with([100]))
    #expect(await merged.snapshot.rowCount == 51)
    #expect(calls.value == 50)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `lists that meet on another path are made of one revision, and only these are made again`() async throws {
    let store = try TestStore.with(Array(0..<10))
    let (shared, apart) = (CallCount(), CallCount())
    let other = try TestStore.with(Array(100..<110))
    let first = store.arranged { $0.map { row in apart.note(row) } }
    let second = other.arranged { $0.map { row in shared.note(row) } }
    #expect(await first.snapshot.rowCount == 10)
    #expect(await second.snapshot.rowCount == 10)
    // The first list meets its own store; the second one does not.
    let merged = MergedList(first.arranged { $0.filter { $0.id % 2 == 0 } }, second, store)
    #expect(await merged.snapshot.rowCount == 20)
    #expect(shared.value == 10)
    #expect(apart.value == 20)
  }
}

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
  @Test func `what was read on several paths, or was made to explain a row, is freed with its list`() async throws {
    final class Token: Sendable {}
    weak var kept: Token?
    do {
      let token = Token()
      kept = token
      let (store, right) = (try TestStore.with([1, 2, 3]), try TestStore.with([1]))
      let first = store.arranged { $0.filter { [token] in $0.id != 2 || ObjectIdentifier(token).hashValue == 0 } }
      let merged = MergedList(
        first, first.arranged { $0.map { TestRow($0.id, "mapped") } }, first.excluding(right),
        first.joined(with: right, on: \.id) { row, _ in row })
      let plan = Parameter(Arrangement<TestSection, TestRow, TestSection, TestRow>().sorted(by: .descending(\.id)))
      let top = MergedList(merged, merged.arranged { $0.filter { $0.id > 100 } }).arranged(by: plan)
      #expect(await top.snapshot.rowCount == 2)
      await plan.set(.init().filter { $0.id < 3 })
      #expect(await top.snapshot.rowCount == 1)
      for id in 0...3 { #expect(await top.explain(id).isShown == (id == 1)) }
      #expect(kept != nil)
    }
    #expect(kept == nil)
  }
}
