@testable import RowcastStore

/// Stores that share one order of transactions.
@Suite(.watched) struct ListSpaceTests {
  typealias Rows = ListStore<SoleSection, TestRow>

  @Test func `stores that come twice, are foreign or finished are refused before the body runs`() async throws {
    let (space, foreign) = (ListSpace(), Rows(epoch: "foreign"))
    let orders = space.store(try TestSnapshot.of(("a", [1])), epoch: "orders")
    let customers: Rows = space.store(epoch: "customers")
    @Sendable func run() { Issue.record("the body has run") }
    let refusals: [(ListStoreError, @Sendable () async throws -> Void)] = [
      (.repeatedStore(epoch: "orders"), { try await space.edit(orders, orders) { _, _ in run() } }),
      (.repeatedStore(epoch: "orders"), { try await space.edit(orders, customers, orders) { _, _, _ in run() } }),
      (.repeatedStore(epoch: "customers"), { try await space.edit(orders, customers, customers) { _, _, _ in run() } }),
      (.foreignStore(epoch: "foreign"), { try await space.edit(foreign, orders) { _, _ in run() } }),
      (.foreignStore(epoch: "foreign"), { try await space.edit(orders, customers, foreign) { _, _, _ in run() } }),
    ]
    for (error, edit) in refusals { await #expect(throws: error) { try await edit() } }
    #expect("\(ListStoreError.repeatedStore(epoch: "orders"))".contains("orders"))
    #expect("\(ListStoreError.foreignStore(epoch: "orders"))".contains("orders"))
    await customers.finish()
    await #expect(throws: ListStoreError.finished) { try await space.edit(orders, customers) { _, _ in run() } }
    await #expect(throws: ListStoreError.finished) { try await space.edit(customers, orders) { _, _ in run() } }
    try await orders.edit { try $0.append(TestRow(2), to: "a") }
    #expect(await [orders.revision, customers.revision] == [1, 0])
  }

  @Test func `stores outlive their space, and a space its stores`() async throws {
    var space: ListSpace? = ListSpace()
    let kept = try #require(space?.store(of: TestRow.self))
    var dropped: Rows? = space?.store(of: TestRow.self)
    weak let core = dropped?.core
    var stream = try #require(dropped?.updates().makeAsyncIterator())
    try await dropped?.edit { try $0.upsert(TestRow(1)) }
    dropped = nil
    #expect(await stream.next()?.snapshot.rowCount == 1)
    #expect(await stream.next() == nil)
    stream = AsyncStream { nil }.makeAsyncIterator()
    await eventually { core == nil }
    weak let former = space
    let another = try #require(space?.store(of: TestRow.self))
    space = nil
    try await kept.edit { try $0.upsert(TestRow(2)) }
    try await former?.edit(kept, another) {
      try $0.upsert(TestRow(3))
      try $1.upsert(TestRow(3))
    }
    #expect(await kept.snapshot.allRows.map(\.id) == [2, 3])
    #expect(await another.snapshot.rowCount == 1)
  }

  @Test(arguments: [false, true]) func `exchanged editors stop the process, before a store has another's list`(
    _ fails: Bool
  ) async throws {
    await #expect(processExitsWith: .failure) { [fails] in
      let space = ListSpace()
      let (first, second) = (space.store(try TestSnapshot.of(("a", [1]))), space.store(TestSnapshot()))
      _ = try? await space.edit(first, second) {
        swap(&$0, &$1)
        if fails { throw CancellationError() }
      }
    }
  }
}
