import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore

/// Stores that share one order of transactions.
@Suite(.watched) struct ListSpaceTests {
  typealias Rows = ListStore<SoleSection, TestRow>

  /// Two stores of one space, of different sections, each with the row 1.
  private static func stores() throws -> (space: ListSpace, orders: TestStore, customers: Rows) {
    let space = ListSpace()
    let orders = space.store(try TestSnapshot.of(("a", [1])), epoch: "orders", history: .last(10))
    let rows = ListSection(SoleSection(), rows: [TestRow(1)])
    return (space, orders, space.store(try ListSnapshot([rows]), epoch: "customers", history: .last(10)))
  }

  // MARK: - Transactions

  @Test func `under any schedule rows that transactions carry from store to store are in one of them`() async throws {
    for seed in 0..<UInt64(SeededGenerator.rounds(60, long: 20_000)) {
      let result = await Schedule.run(seed: seed) { try? await Self.carryRows() }
      #expect(result.value == .some(nil), "seed \(seed): \(result.value as Any)")
    }
  }

  /// Tasks that take rows from one store to the other, and readers of both; gives back what went wrong.
  private static func carryRows() async throws -> String? {
    let space = ListSpace()
    let (left, right) = (space.store(of: TestRow.self), space.store(of: TestRow.self))
    try await left.edit { try $0.set((0..<4).map { TestRow($0) }) }
    return try await withThrowingTaskGroup(of: String?.self) { group in
      for carrier in 0..<3 {
        group.addTask {
          for step in 0..<3 {
            let id = (carrier + step) % 4
            // Whichever store has it; the order in which the stores are named makes no difference.
            if step == 1 {
              try await space.edit(right, left) {
                guard $0.row(id) != nil else { return }
                try $1.upsert($0.remove(id))
              }
            } else {
              try await space.edit(left, right) {
                guard $0.row(id) != nil else { return }
                try $1.upsert($0.remove(id))
              }
            }
          }
          return nil
        }
      }
      group.addTask {
        for _ in 0..<4 {
          let ids = try await space.edit(left, right) { $0.snapshot.allRows.map(\.id) + $1.snapshot.allRows.map(\.id) }
          if ids.sorted() != [0, 1, 2, 3] { return "the rows are \(ids)" }
        }
        return nil
      }
      for try await case let wrong? in group { return wrong }
      return nil
    }
  }

  // MARK: - Refusals

  @Test func `stores that come twice, are of another space or finished are refused before the body runs`() async throws
  {
    let (space, orders, customers) = try Self.stores()
    let foreign = Rows(epoch: "foreign")
    let refusals: [(ListStoreError, @Sendable () async throws -> Void)] = [
      (.repeatedStore(epoch: "orders"), { try await space.edit(orders, orders) { _, _ in Self.hasRun() } }),
      (
        .repeatedStore(epoch: "orders"),
        { try await space.edit(orders, customers, orders) { _, _, _ in Self.hasRun() } }
      ),
      (
        .repeatedStore(epoch: "customers"),
        { try await space.edit(orders, customers, customers) { _, _, _ in Self.hasRun() } }
      ),
      (.foreignStore(epoch: "foreign"), { try await space.edit(foreign, orders) { _, _ in Self.hasRun() } }),
      (
        .foreignStore(epoch: "foreign"),
        { try await space.edit(orders, customers, foreign) { _, _, _ in Self.hasRun() } }
      ),
    ]
    for (error, edit) in refusals { await #expect(throws: error) { try await edit() } }
    #expect("\(ListStoreError.repeatedStore(epoch: "orders"))".contains("orders"))
    #expect("\(ListStoreError.foreignStore(epoch: "orders"))".contains("orders"))
    await customers.finish()
    await #expect(throws: ListStoreError.finished) { try await space.edit(orders, customers) { _, _ in Self.hasRun() } }
    await #expect(throws: ListStoreError.finished) { try await space.edit(customers, orders) { _, _ in Self.hasRun() } }
    try await orders.edit { try $0.append(TestRow(2), to: "a") }
    #expect(await [orders.revision, customers.revision] == [1, 0])
  }

  private static func hasRun() { Issue.record("the body has run") }

  // MARK: - Each store

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
