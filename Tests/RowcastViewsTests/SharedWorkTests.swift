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

  @Test func `failures of the list before are those of the list made of it, then and after it is repaired`()
    async throws
  {
    struct Broken: Error {}
    let store = try TestStore.with([1, 2, 3])
    let view = store.arranged { $0.map { row in if row.text == "broken" { throw Broken() } else { row } } }
    let child = view.arranged { $0.sorted(by: .descending(\.id)) }
    #expect(await child.failures.isEmpty)
    try await store.edit { try $0.update(2) { $0.text = "broken" } }
    #expect(await child.failures.keys.sorted() == [2])
    #expect(await child.snapshot.rowCount == 2)
    try await store.edit { try $0.update(2) { $0.text = "whole" } }
    #expect(await child.failures.isEmpty)
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
