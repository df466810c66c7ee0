import RowcastDiff
import RowcastModel
import RowcastViews
import TestSupport
import Testing

@testable import RowcastStore

/// An edit that moves one row is told as that row's move, and not as its neighbour's, on every path from a store.
@Suite struct MoveTellingTests {
  typealias Update = ListUpdate<TestSection, TestRow>
  typealias Iterator = AsyncStream<Update>.AsyncIterator

  private func move(_ from: Int, _ to: Int, section: Int = 0) -> Changeset<RowPath>.Transition {
    .init(from: RowPath(section: section, row: from), to: RowPath(section: section, row: to))
  }

  /// Checks what a stream tells of a row's move by one, up and down.
  private func check(
    _ store: TestStore, _ stream: AsyncStream<Update>, section: Int = 0, _ note: Comment
  ) async throws {
    var updates = stream.makeAsyncIterator()
    _ = await updates.next()
    for (row, destination) in [(3, 2), (2, 3), (1, 0), (4, 3)] {
      let id = await store.snapshot.row(at: RowPath(section: 0, row: row)).id
      try await store.edit { try $0.move(id, to: RowPath(section: 0, row: destination)) }
      #expect(await updates.next()?.changes.rows.moves == [move(row, destination, section: section)], note)
    }
  }

  @Test func `the stream of a store tells the row that moved`() async throws {
    let store = TestStore(try .of(("a", [0, 1, 2, 3, 4])))
    try await check(store, store.updates(), "updates")
  }

  @Test func `views tell the row that moved`() async throws {
    let store = TestStore(try .of(("a", [0, 1, 2, 3, 4])))
    try await check(store, store.arranged { $0.filter { $0.id >= 0 } }.updates(), "arranged")
    let other = TestStore(try .of(("b", [10, 11])))
    try await check(store, MergedList([other, store]).updates(), section: 1, "merged")
  }

  @Test func `a view without the rows that it passed tells the row that moved`() async throws {
    let store = TestStore(try .of(("a", [0, 1, 2, 3, 4])))
    var updates = store.arranged { $0.filter { $0.id % 2 == 0 } }.updates().makeAsyncIterator()
    _ = await updates.next()
    try await store.edit { try $0.move(4, to: RowPath(section: 0, row: 1)) }
    #expect(await updates.next()?.changes.rows.moves == [move(2, 1)])
  }

  @Test func `a position and a message tell the row that moved, and so does a mirror`() async throws {
    let store = TestStore(try .of(("a", [0, 1, 2, 3])), epoch: "e", history: .last(5))
    let mirror = MirroredList<TestSection, TestRow>(await store.snapshot, at: await store.position)
    var mirrored = mirror.updates().makeAsyncIterator()
    _ = await mirrored.next()
    let position = await store.position
    try await store.edit { try $0.move(3, to: RowPath(section: 0, row: 2)) }
    var updates = store.updates(since: position).makeAsyncIterator()
    #expect(await updates.next()?.changes.rows.moves == [move(3, 2)])
    let message = try #require(await store.message(since: position))
    guard case .changes(let changes) = message else {
      Issue.record("no changes")
      return
    }
    #expect(changes.changes.rows.moves == [move(3, 2)])
    try await mirror.receive(message)
    #expect(await mirrored.next()?.changes.rows.moves == [move(3, 2)])
  }
}
