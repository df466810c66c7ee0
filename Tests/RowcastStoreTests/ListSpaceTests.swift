import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore

/// Stores that share one order of transactions.
@Suite(.watched) struct ListSpaceTests {
  typealias Rows = ListStore<SoleSection, TestRow>

  private struct Abort: Error, Equatable {}

  /// Two stores of one space, of different sections, each with the row 1.
  private static func stores() throws -> (space: ListSpace, orders: TestStore, customers: Rows) {
    let space = ListSpace()
    let orders = space.store(try TestSnapshot.of(("a", [1])), epoch: "orders", history: .last(10))
    let rows = ListSection(SoleSection(), rows: [TestRow(1)])
    return (space, orders, space.store(try ListSnapshot([rows]), epoch: "customers", history: .last(10)))
  }

  // MARK: - Transactions

  @Test func `random transactions over stores, of which many throw, leave lists and revisions of plain arrays`()
    async throws
  {
    var random = SeededGenerator.forFuzzing("space transactions")
    let space = ListSpace()
    let stores = (0..<3).map { _ in space.store(of: TestRow.self) }
    var (model, revisions): ([[Int]], [Int]) = ([[], [], []], [0, 0, 0])
    for _ in 0..<SeededGenerator.rounds(500, long: 20_000) {
      let order = [0, 1, 2].shuffled(using: &random)
      let steps = (0..<3).map { _ in (0..<3).map { _ in Int.random(in: -6..<7, using: &random) } }
      let throwsAfter = Int.random(in: 0..<9, using: &random)
      let edits = Int.random(in: 2...3, using: &random)
      let edit: @Sendable (inout ListEditor<SoleSection, TestRow>, Int) throws -> Void = { list, part in
        for step in steps[part] {
          if step > 0 { try list.upsert(TestRow(step)) } else if list.row(-step) != nil { try list.remove(-step) }
        }
        if throwsAfter == part { throw Abort() }
      }
      do {
        if edits == 2 {
          try await space.edit(stores[order[0]], stores[order[1]]) {
            try edit(&$0, 0)
            try edit(&$1, 1)
          }
        } else {
          try await space.edit(stores[order[0]], stores[order[1]], stores[order[2]]) {
            try edit(&$0, 0)
            try edit(&$1, 1)
            try edit(&$2, 2)
          }
        }
        #expect(throwsAfter >= edits, "seed \(random.seed)")
        for part in 0..<edits {
          let before = model[order[part]]
          for step in steps[part] {
            if step <= 0 { model[order[part]].removeAll { $0 == -step } }
            if step > 0, !model[order[part]].contains(step) { model[order[part]].append(step) }
          }
          // A store that is as before in the end has no revision of it.
          if model[order[part]] != before { revisions[order[part]] += 1 }
        }
      } catch {
        #expect(error is Abort && throwsAfter < edits, "seed \(random.seed): \(error)")
      }
      for index in stores.indices {
        let found = await stores[index].snapshot.allRows.map(\.id)
        #expect(found == model[index], "seed \(random.seed), store \(index)")
        #expect(await stores[index].revision == revisions[index], "seed \(random.seed), store \(index)")
      }
    }
  }

  @Test func `under any schedule rows that transactions carry from store to store are in one of them`() async throws {
    for seed in 0..<UInt64(SeededGenerator.rounds(300, long: 20_000)) {
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

  @Test func `a store that is given twice is refused before the body runs`() async throws {
    let (space, orders, customers) = try Self.stores()
    await #expect(throws: ListStoreError.repeatedStore(epoch: "orders")) {
      try await space.edit(orders, orders) { _, _ in Issue.record("the body has run") }
    }
    await #expect(throws: ListStoreError.repeatedStore(epoch: "orders")) {
      try await space.edit(orders, customers, orders) { _, _, _ in Issue.record("the body has run") }
    }
    await #expect(throws: ListStoreError.repeatedStore(epoch: "customers")) {
      try await space.edit(orders, customers, customers) { _, _, _ in Issue.record("the body has run") }
    }
    #expect("\(ListStoreError.repeatedStore(epoch: "orders"))".contains("orders"))
  }

  @Test func `a store of another space is refused before the body runs`() async throws {
    let (space, orders, customers) = try Self.stores()
    let foreign = [ListSpace().store(epoch: "foreign"), Rows(epoch: "foreign")]
    for store in foreign {
      await #expect(throws: ListStoreError.foreignStore(epoch: "foreign")) {
        try await space.edit(store, orders) { _, _ in Issue.record("the body has run") }
      }
      await #expect(throws: ListStoreError.foreignStore(epoch: "foreign")) {
        try await space.edit(orders, customers, store) { _, _, _ in Issue.record("the body has run") }
      }
    }
    #expect("\(ListStoreError.foreignStore(epoch: "orders"))".contains("orders"))
  }

  @Test func `a store that is finished refuses the transaction, and the others go on`() async throws {
    let (space, orders, customers) = try Self.stores()
    await customers.finish()
    await #expect(throws: ListStoreError.finished) {
      try await space.edit(orders, customers) { _, _ in Issue.record("the body has run") }
    }
    await #expect(throws: ListStoreError.finished) {
      try await space.edit(customers, orders) { _, _ in Issue.record("the body has run") }
    }
    try await orders.edit { try $0.append(TestRow(2), to: "a") }
    #expect(await [orders.revision, customers.revision] == [1, 0])
  }

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

  // MARK: - Callers

  /// The model of a screen, which edits with values that it has.
  @MainActor private final class Screen {
    let (space, orders, customers): (ListSpace, TestStore, Rows)
    var text = "x"

    init() throws { (space, orders, customers) = try ListSpaceTests.stores() }

    func edit(throwing: Bool) async throws -> Int {
      let text = text
      return try await space.edit(orders, customers) {
        try $0.update(1) { $0.text = text }
        try $1.update(1) { $0.text = text }
        if throwing { throw Abort() }
        return $0.snapshot.rowCount + $1.snapshot.rowCount
      }
    }
  }

  @MainActor @Test func `a caller on the main actor is there again after a transaction`() async throws {
    let screen = try Screen()
    #expect(try await screen.edit(throwing: false) == 2)
    MainActor.preconditionIsolated()
    _ = try? await screen.edit(throwing: true)
    MainActor.preconditionIsolated()
    _ = try? await screen.space.edit(screen.orders, screen.orders) { _, _ in }
    MainActor.preconditionIsolated()
    #expect(await screen.customers.snapshot.allRows.map(\.text) == ["x"])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `callers whose executor is busy for good hold up no store of the space`() async throws {
    let (space, orders, customers) = try Self.stores()
    let executor = QueueExecutor()
    let callers = (10..<40).map { id in
      Task(executorPreference: executor) {
        while !Task.isCancelled {
          try? await space.edit(orders, customers) {
            try $0.append(TestRow(id), to: "a")
            try $0.remove(id)
            try $1.upsert(TestRow(id))
          }
        }
      }
    }
    await eventually { await customers.snapshot.rowCount > 20 }
    executor.suspend()
    for id in 100..<200 {
      try await orders.edit { try $0.append(TestRow(id), to: "a") }
      try await customers.edit { try $0.upsert(TestRow(id)) }
    }
    #expect(await orders.snapshot.rowCount == 101)
    executor.resume()
    for caller in callers {
      caller.cancel()
      await caller.value
    }
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
