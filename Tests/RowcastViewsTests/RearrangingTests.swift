import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore
@testable import RowcastViews

/// Arrangements that are changed again while they are made.
@Suite(.watched) struct RearrangingTests {
  typealias Choice = ArrangementChoice<SoleSection, TestRow>
  typealias Plan = Choice.Plan

  /// A list without sections, of the rows that the closure returns.
  private static func source(_ rows: @escaping () -> [TestRow]) -> MadeList<SoleSection, TestRow> {
    .source { ListSnapshot(unchecked: [ListSection(SoleSection(), rows: rows())]) }
  }

  /// A function of an arrangement that waits, at one of its calls, until the test has done something.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private final class Stop: Sendable {
    let (calls, passed) = (CallCount(), CallCount())
    private let number: Int

    init(at number: Int) { self.number = number }

    func note<Value>(_ value: Value) -> Value {
      if calls.note(calls.value) + 1 == number { while passed.value == 0 {} }
      return value
    }

    func reached() async { await eventually { calls.value >= number } }
  }

  /// What reads a list reads on this thread, and a function that waits there holds up nobody else.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func read<Value: Sendable>(_ value: @escaping @Sendable () async -> Value) -> Task<Value, Never> {
    SharedExecutor.$followsCaller.withValue(true) { Task(executorPreference: QueueExecutor()) { await value() } }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(.ownThread, arguments: [false, true])
  func `a filter that another one replaces is given up, whether it maps or not`(_ maps: Bool) async throws {
    try await SharedExecutor.$followsCaller.withValue(true) {
      let store = try ListStore((0..<100_000).map { TestRow($0) })
      let plan = Parameter(Plan())
      let view = store.arranged(by: plan)
      #expect(await view.snapshot.rowCount == 100_000)
      let (stop, calls) = (Stop(at: 5_000), CallCount())
      let list = Self.read {
        await plan.set(
          maps ? Plan().map { TestRow($0.id, stop.note("mapped")) } : Plan().filter { stop.note($0.id) % 2 == 0 })
        return await view.snapshot
      }
      await stop.reached()
      try await store.edit { try $0.remove(7) }
      await plan.set(Plan().filter { calls.note($0.id) % 10 == 7 }.sorted(by: .descending(\.id)))
      _ = stop.passed.note(0)
      #expect(await list.value.allRows.map(\.id) == stride(from: 99_997, to: 7, by: -10).map { $0 })
      #expect(stop.calls.value <= 8_192 && calls.value == 99_999, "\(stop.calls.value), \(calls.value)")
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(.ownThread)
  func `operators that a given up arrangement shares with the next one go on, and those before it are not lost`()
    async throws
  {
    try await SharedExecutor.$followsCaller.withValue(true) {
      let keys = CallCount()
      let sorted = Plan().sorted(by: .descending { keys.note($0.id) }).distinct(by: \.id)
      let store = try ListStore((0..<10_000).map { TestRow($0) })
      let plan = Parameter(sorted)
      let view = store.arranged(by: plan)
      var updates = view.updates().makeAsyncIterator()
      #expect(await updates.next()?.snapshot.rowCount == 10_000)
      let stop = Stop(at: 5_000)
      try await store.edit { try $0.remove(1) }
      let made = keys.value
      let list = Self.read {
        await plan.set(sorted.filter { stop.note($0.id) % 2 == 0 })
        return await view.snapshot
      }
      await stop.reached()
      // The one before, whose operators have taken in the edit.
      await plan.set(sorted)
      _ = stop.passed.note(0)
      #expect(await list.value.rowCount == 9_999)
      #expect(stop.calls.value <= 8_192 && keys.value - made < 100)
      let update = try #require(await updates.next())
      #expect(update.changes.rows.deletes.count == 1 && update.snapshot.rowCount == 9_999)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `what is given up shows nothing, is made anew for the next, and hides no change that came with it`() {
    let choice = Choice()
    var rows = (0..<10_000).map { TestRow($0) }
    let list = Self.source { rows }.arranged(by: choice)
    func take(_ plan: Plan, isReplaced: Bool = false) -> Bool {
      choice.choose(plan, isReplaced: isReplaced)
      return list.update()
    }
    let calls = CallCount()
    let sorted = Plan().sorted(by: .descending(\.id))
    let mapped = sorted.map { calls.note($0) }
    #expect(take(sorted))
    let before = list.snapshot
    rows.removeLast()
    // The operators of the list before take in the change; the list does not yet.
    #expect(!take(mapped, isReplaced: true) && calls.value == 0)
    #expect(list.snapshot == before)
    #expect(take(sorted) && list.snapshot.rowCount == 9_999)
    #expect(!take(mapped, isReplaced: true))
    #expect(!take(mapped.distinct(by: \.id)) && list.snapshot.rowCount == 9_999)
  }

  @Test(arguments: [false, true])
  func `an outline made anew in a step for an arrangement that is given up is whole for the next`(_ collapses: Bool) {
    let choice = Choice()
    // Those under the first one name it with their texts.
    var rows = (0..<100).map { TestRow($0, $0 == 0 ? "" : "0") }
    let expansion = OutlineExpansion<Int>()
    choice.expand(ExpandedRows(), in: expansion)
    let list = Self.source { rows }.arranged(by: choice)
    func take(_ plan: Plan, isReplaced: Bool = false) -> [Int] {
      choice.choose(plan, isReplaced: isReplaced)
      _ = list.update()
      return list.snapshot.allRows.map(\.id)
    }
    let outline = Plan().outlined(parent: { Int($0.text) }, expansion: expansion) { row, _ in row }
    #expect(take(outline) == Array(0..<100))
    if collapses {
      choice.expand(ExpandedRows(depth: 0), in: expansion)
    } else {
      rows += (100..<300).map { TestRow($0, "0") }
    }
    #expect(take(outline.window(.first(5)), isReplaced: true) == Array(0..<100))
    #expect(take(outline) == (collapses ? [0] : Array(0..<300)))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(.ownThread) func `another list that changes with an arrangement that is given up is read`() async throws {
    try await SharedExecutor.$followsCaller.withValue(true) {
      let (store, other) = (try ListStore((0..<10_000).map { TestRow($0) }), try ListStore([TestRow(-1)]))
      let plan = Parameter(Plan())
      let merged = MergedList(other, store.arranged(by: plan))
      #expect(await merged.snapshot.rowCount == 10_001)
      let stop = Stop(at: 5_000)
      let list = Self.read {
        await plan.set(Plan().filter { stop.note($0.id) < 0 })
        return await merged.snapshot
      }
      await stop.reached()
      await plan.set(Plan())
      _ = stop.passed.note(0)
      #expect(await list.value.rowCount == 10_001)
      let second = Stop(at: 5_000)
      try await other.edit { try $0.upsert(TestRow(-2)) }
      let changed = Self.read {
        await plan.set(Plan().filter { second.note($0.id) < 0 })
        return await merged.snapshot
      }
      await second.reached()
      await plan.set(Plan())
      _ = second.passed.note(0)
      #expect(await changed.value.rowCount == 10_002)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(.ownThread) func `a list that is chosen while another operator is given up is shown`() async throws {
    try await SharedExecutor.$followsCaller.withValue(true) {
      let (first, second) = (try ListStore((0..<10_000).map { TestRow($0) }), try ListStore([TestRow(-1)]))
      let (choice, query) = (Parameter<any LiveList<SoleSection, TestRow>>(first), Parameter(0))
      let stop = Stop(at: 5_000)
      let shown = Switched(choice)
      let merged = MergedList(
        shown, shown.arranged { $0.filter(by: query) { $1 == 1 ? stop.note($0.id) >= 0 : true } })
      #expect(await merged.snapshot.rowCount == 10_000)
      let list = Self.read {
        await query.set(1)
        return await merged.snapshot
      }
      await stop.reached()
      await query.set(2)
      await choice.set(second)
      _ = stop.passed.note(0)
      #expect(await list.value.rowCount == 1)
    }
  }

  @Test func `under any schedule the last of the former calls counts if the task of each one before is cancelled`()
    async throws
  {
    var random = SeededGenerator.forFuzzing("typing")
    for _ in 0..<SeededGenerator.rounds(500, long: 20_000) {
      let seed = random.next()
      let result = await Schedule.run(seed: seed) {
        let store = TestStore()
        try? await store.edit { try $0.append(TestSection("a"), rows: (1...3).map { TestRow($0) }) }
        let found = store.arranged { $0 }
        var searches: [Task<Void, Never>] = []
        for id in 1...3 {
          searches.last?.cancel()
          searches.append(Task { await FormerCalls(found).rearrange { $0.filter { $0.id == id } } })
        }
        for search in searches { await search.value }
        return await found.snapshot.allRows.map(\.id)
      }
      #expect(result.value == [3], "seed \(random.seed), schedule \(seed)")
    }
  }

  @Test func `one of many arrangements that replace each other is made in any case`() {
    let (choice, rows) = (Choice(), (0..<10_000).map { TestRow($0) })
    let list = Self.source { rows }.arranged(by: choice)
    for revision in 0..<40 {
      choice.choose(Plan().filter { $0.id % 40 == revision }, isReplaced: true)
      let isChanged = list.update()
      // What is given up changes nothing, and is to be read again.
      #expect(isChanged == (revision % 17 == 16) && choice.isGivenUp == !isChanged)
      #expect(list.snapshot.allRows.map(\.id).first == (revision < 16 ? nil : revision < 33 ? 16 : 33))
    }
  }
}
