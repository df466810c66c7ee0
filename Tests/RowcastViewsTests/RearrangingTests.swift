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
  }

  /// Lists are read on this thread, so a function that waits there blocks no other task.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func read<Value: Sendable>(_ value: @escaping @Sendable () async -> Value) -> Task<Value, Never> {
    SharedExecutor.$followsCaller.withValue(true) { Task(executorPreference: QueueExecutor()) { await value() } }
  }

  /// Reads a list after a change; another change happens at the 5000th call of its operators.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func read(
    _ list: ArrangedList<SoleSection, TestRow>, after first: @escaping @Sendable (Stop) async -> Void,
    interruptedBy second: () async throws -> Void
  ) async throws -> (rows: [TestRow], calls: Int) {
    let stop = Stop(at: 5_000)
    let rows = Self.read {
      await first(stop)
      return Array(await list.snapshot.allRows)
    }
    await eventually { stop.calls.value >= 5_000 }
    try await second()
    _ = stop.passed.note(0)
    return (await rows.value, stop.calls.value)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(.ownThread, arguments: [false, true])
  func `a filter that another one replaces is given up, whether it maps or not`(_ maps: Bool) async throws {
    try await SharedExecutor.$followsCaller.withValue(true) {
      let store = try ListStore((0..<100_000).map { TestRow($0) })
      let (plan, calls) = (Parameter(Plan()), CallCount())
      let view = store.arranged(by: plan)
      #expect(await view.snapshot.rowCount == 100_000)
      let found = try await Self.read(view) { stop in
        await plan.set(
          maps ? Plan().map { TestRow($0.id, stop.note("mapped")) } : Plan().filter { stop.note($0.id) % 2 == 0 })
      } interruptedBy: {
        try await store.edit { try $0.remove(7) }
        await plan.set(Plan().filter { calls.note($0.id) % 10 == 7 }.sorted(by: .descending(\.id)))
      }
      #expect(found.rows.map(\.id) == stride(from: 99_997, to: 7, by: -10).map { $0 })
      #expect(found.calls <= 8_192 && calls.value == 99_999, "\(found.calls), \(calls.value)")
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
      let (store, plan) = (try ListStore((0..<10_000).map { TestRow($0) }), Parameter(sorted))
      let view = store.arranged(by: plan)
      var updates = view.updates().makeAsyncIterator()
      #expect(await updates.next()?.snapshot.rowCount == 10_000)
      try await store.edit { try $0.remove(1) }
      let made = keys.value
      // The previous arrangement, whose operators have applied the edit.
      let found = try await Self.read(view) { stop in
        await plan.set(sorted.filter { stop.note($0.id) % 2 == 0 })
      } interruptedBy: {
        await plan.set(sorted)
      }
      #expect(found.rows.count == 9_999 && found.calls <= 8_192 && keys.value - made < 100)
      let update = try #require(await updates.next())
      #expect(update.changes.rows.deletes.count == 1 && update.snapshot.rowCount == 9_999)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(.ownThread) func `lists that change, or are chosen, while an arrangement is given up are read`() async throws {
    try await SharedExecutor.$followsCaller.withValue(true) {
      let (first, second) = (try ListStore((0..<10_000).map { TestRow($0) }), try ListStore([TestRow(-1)]))
      let (choice, plan) = (Parameter<any LiveList<SoleSection, TestRow>>(first), Parameter(Plan()))
      let shown = Switched(choice)
      let merged = MergedList(second, shown, shown.arranged(by: plan))
      #expect(await merged.snapshot.rowCount == 10_001)
      for (id, count) in [(0, 10_001), (-2, 10_002)] {
        try await second.edit { try $0.upsert(TestRow(id)) }
        let found = try await Self.read(merged) { stop in
          await plan.set(Plan().filter { stop.note($0.id) < 0 })
        } interruptedBy: {
          await plan.set(Plan())
        }
        #expect(found.rows.count == count)
      }
      let found = try await Self.read(merged) { stop in
        await plan.set(Plan().filter { stop.note($0.id) < 0 })
      } interruptedBy: {
        await plan.set(Plan().filter { $0.id < 0 })
        await choice.set(second)
      }
      #expect(found.rows.count == 3)
    }
  }

  @Test(arguments: [false, true])
  func `an outline made anew in a step for an arrangement that is given up is whole for the next`(_ collapses: Bool) {
    let choice = Choice()
    // The children of the first row name it with their texts.
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

  @Test func `a row that was kept is kept by operators made anew in a step for an arrangement that is given up`() {
    struct Broken: Error {}
    let choice = Choice()
    var rows = (0..<10_000).map { TestRow($0) }
    let list = Self.source { rows }.arranged(by: choice)
    let kept = Plan().map(onFailure: .keepLast) { (row: TestRow) throws -> TestRow in
      if row.text == "broken" { throw Broken() }
      return row
    }
    choice.choose(kept)
    _ = list.update()
    rows = rows.map { TestRow($0.id, $0.id == 9_000 ? "broken" : "new") }
    choice.choose(kept.window(.first(5)), isReplaced: true)
    _ = list.update()
    choice.choose(kept)
    _ = list.update()
    rows[9_000] = TestRow(9_000)
    #expect(list.snapshot.allRows.elementsEqual(rows))
  }

  @Test func `under any schedule the last of the former calls counts if the task of each one before is cancelled`()
    async
  {
    await Schedule.explore("typing", 100, long: 20_000) { _ in
      let found = try TestStore.with([1, 2, 3]).arranged { $0 }
      var searches: [Task<Void, Never>] = []
      for id in 1...3 {
        searches.last?.cancel()
        searches.append(Task { await formerly(found).rearrangeFormerly { $0.filter { $0.id == id } } })
      }
      for search in searches { await search.value }
      let ids = await found.snapshot.allRows.map(\.id)
      return ids == [3] ? nil : "\(ids)"
    }
  }

  @Test func `of parameters that change all the time, all are made in the end`() {
    let (one, rows) = (Choice(), (0..<10_000).map { TestRow($0) })
    let other = Choice(after: one)
    let list = Self.source { rows }.arranged(by: one).arranged(by: other)
    var shown: [Int] = []
    for number in 0..<100 {
      // The first begins earlier, so that alone they would be made at different times.
      one.choose(.init().filter { $0.id % 100 >= number }, isReplaced: true)
      if number >= 5 { other.choose(.init().filter { $0.id % 100 == number }, isReplaced: true) }
      _ = list.update()
      if !one.isGivenUp, !other.isGivenUp, number >= 5 { shown.append(number) }
    }
    #expect(shown.count >= 5 && zip([0] + shown, shown).allSatisfy { $1 - $0 <= 22 })
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
