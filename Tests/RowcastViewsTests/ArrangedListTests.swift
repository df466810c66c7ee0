import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore
@testable import RowcastViews

/// Arranged lists, as their subscribers see them.
@Suite(.watched) struct ArrangedListTests {
  typealias TestPlan = Arrangement<TestSection, TestRow, TestSection, TestRow>

  /// Rows with odd ids, the greatest first.
  static let odd: @Sendable (TestPlan) -> TestPlan = { $0.filter { $0.id % 2 == 1 }.sorted(by: .descending { $0.id }) }

  @Test func `an arranged list does not keep its store, and ends with it`() async throws {
    var store: TestStore? = try TestStore.with([1, 3])
    let view = try #require(store?.arranged(by: Self.odd))
    var stream = view.updates().makeAsyncIterator()
    _ = await stream.next()
    try await store?.edit { try $0.append(TestRow(5), to: "a") }
    store = nil
    #expect(await stream.next()?.snapshot.rowCount == 3)
    #expect(await stream.next() == nil)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `operators that two arrangements have in common go on where they are`() async throws {
    let store = try TestStore.with(Array(0..<100))
    let calls = CallCount()
    let mapped = TestPlan().map { row in
      _ = calls.note(true)
      return TestRow(row.id, "seen")
    }
    let plan = Parameter(mapped.sectioned(by: { $0.id % 3 }, section: { TestSection("\($0)") }))
    let view = store.arranged(by: plan)
    #expect(await view.snapshot.sectionCount == 3)
    let fourths = mapped.sectioned(by: { $0.id % 4 }, section: { TestSection("\($0)") })
    // Also after an arrangement that is the same as a whole.
    for _ in 0..<2 {
      await plan.set(fourths)
      #expect(await view.snapshot.sectionCount == 4)
    }
    await plan.set(mapped.sectioned(by: { $0.id % 5 }, section: { TestSection("\($0)") }))
    #expect(await view.snapshot.sectionCount == 5)
    #expect(calls.value == 100)
    await plan.set(
      TestPlan().map { TestRow($0.id, "\(calls.note(true))") }
        .sectioned(by: { _ in 0 }, section: { _ in TestSection("0") }))
    #expect(await view.snapshot.sectionCount == 1)
    #expect(calls.value == 200)
  }

  @Test func `under any schedule subscribers of a view and of a view of it get all, and are not forgotten`()
    async throws
  {
    await Schedule.explore("arranged schedules", 20, long: 20_000) { try await Self.scene(finishes: $0 % 2 == 0) }
  }

  /// Writers, a task that changes arrangements, and followers; returns the faults.
  ///
  /// - Parameter finishes: Whether the store ends. If not, nothing but the last news wakes followers.
  /// - Returns: What went wrong.
  /// - Throws: What a follower finds wrong.
  private static func scene(finishes: Bool) async throws -> String? {
    let (store, plan) = (try TestStore.with([0]), Parameter(odd(TestPlan())))
    let view = store.arranged(by: plan)
    let deeper = view.arranged { $0.map { TestRow($0.id, "deep") } }
    let followers = [view, deeper, view, deeper].map { list in
      Task {
        var follower = Follower()
        for await update in list.updates() {
          try follower.take(update)
          if !finishes, update.snapshot.rowCount == 9 { break }
        }
        return follower.list.parts[0].rows.map(\.id)
      }
    }
    let writers = (0..<2).map { writer in
      Task { for id in 1...4 { try await store.edit { try $0.append(TestRow(id * 2 + writer - 1), to: "a") } } }
    }
    await plan.set(TestPlan().filter { $0.id % 2 == 0 })
    await Task.yield()
    await plan.set(TestPlan().sorted(by: .ascending { $0.id }))
    for writer in writers { try await writer.value }
    if finishes {
      await store.finish()
      plan.finish()
    }
    for follower in followers {
      let ids = try await follower.value
      if finishes ? ids != Array(0...8) : ids.count != 9 { return "ended at \(ids)" }
    }
    return nil
  }
}

/// Rows that are mapped, and rows that fail.
@Suite(.watched) struct ArrangedRowTests {
  struct Label: RowViewModel {
    let id: Int
    var text: String
  }

  @Test(arguments: [RigSize.small, .large])
  func `a row whose mapping throws keeps what it was, if that is wanted, as long as it is there`(_ size: RigSize) throws
  {
    var random = SeededGenerator.forFuzzing("rows that keep what they were")
    for _ in 0..<SeededGenerator.rounds(12, long: 4_000) {
      let rig = ArrangedRig(SeededGenerator(seed: random.next()), size: size) { $0 }
      let list = rig.source.arranged(
        by: Arrangement().map(onFailure: .keepLast) { card in
          if card.b % 3 == 0 { throw Card<Int>.Trouble(b: card.b) }
          return card
        })
      var last: [Int: Card<Int>] = [:]
      for event in 0..<40 {
        for _ in 0..<rig.int(1..<6) { rig.edit() }
        // Replaces all rows, often in several events one after the other: a large list is then rebuilt from one that was
        // rebuilt itself.
        if rig.int(0..<3) == 0 { rig.fill() }
        rig.draft.commit()
        _ = list.update()
        var expected = NaiveList(rig.draft.snapshot)
        let all = expected.parts.flatMap(\.rows)
        let kept = all.compactMap { $0.b % 3 == 0 ? last[$0.id] : $0 }
        last = Dictionary(uniqueKeysWithValues: kept.map { ($0.id, $0) })
        for index in expected.parts.indices {
          expected.parts[index].rows = expected.parts[index].rows.compactMap { last[$0.id] }
        }
        try #require(NaiveList(list.snapshot) == expected, "seed \(random.seed), event \(event)")
        let failing = all.filter { $0.b % 3 == 0 }.map(\.id)
        #expect(Set(list.failures.keys) == Set(failing), "seed \(random.seed), event \(event)")
      }
    }
  }

  @Test func `a mapping to another id, or one that is not equal to itself, is a failure of that row`() async throws {
    struct Reading: RowViewModel {
      let id: Double
    }
    let store = try TestStore.with([0, 1])
    let view = store.arranged { $0.map { Label(id: $0.id * 10, text: $0.text) } }
    #expect(await view.snapshot.allRows.map(\.id) == [0])
    #expect(await view.failures[1] as? TestListError == .changedRowID(from: 1, to: 10))
    // The list in which an error is shown checks the row that shows it as well.
    let shown = store.arranged {
      $0.map(onFailure: .show { row, _ in Label(id: 7, text: row.text) }) { _ -> Label in throw Card<Int>.Trouble(b: 0)
      }
    }
    #expect(await shown.snapshot.rowCount == 0)
    #expect(await shown.failures[0] as? TestListError == .changedRowID(from: 0, to: 7))
    let numbers = try ListStore([Reading(id: 1), Reading(id: 2)]).arranged {
      $0.map { $0.id == 1 ? Reading(id: .nan) : $0 }
    }
    #expect(await numbers.snapshot.allRows.map(\.id) == [2])
    let failure = try #require(await numbers.failures[1] as? ListError<Int, Double>)
    #expect(failure.description.contains("nan"))
  }
}
