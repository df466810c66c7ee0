import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore
@testable import RowcastViews

/// Lists with edits that show before they are confirmed.
@Suite(.watched) struct OptimisticListTests {
  private struct Refused: Error {}

  /// The texts of the rows by their ids, in order.
  private static func texts(_ list: some LiveList<TestSection, TestRow>) async -> [String] {
    await list.snapshot.allRows.map { "\($0.id)\($0.text)" }
  }

  @Test func `an edit shows before its answer, and is in the store after it, in one update`() async throws {
    let store = try TestStore.with([1, 2])
    let shown = OptimisticList(store)
    var stream = shown.updates().makeAsyncIterator()
    _ = await stream.next()
    async let next = stream.next()
    // The edit wakes the readers of the list, and nothing else does.
    await eventually { await store.waiterCount == 1 }
    let gate = Gate()
    let edit = Task {
      try await shown.edit {
        try $0.update(1) { $0.text = "new" }
      } confirming: {
        await gate.pass()
        return 7
      }
    }
    let update = try #require(await next)
    #expect(update.changes.count == 1 && update.snapshot.allRows.map(\.text) == ["new", ""])
    #expect(await store.revision == 0)
    #expect(await shown.pending.value == [1])
    await gate.open()
    #expect(try await edit.value == 7)
    #expect(await Self.texts(store) == ["1new", "2"])
    #expect(await Self.texts(shown) == ["1new", "2"])
    #expect(await shown.pending.value == [])
    await store.finish()
    // The answer was no update.
    #expect(await stream.next() == nil)
    await #expect(throws: ListStoreError.finished) { try await shown.edit({ _ in }, confirming: {}) }
  }

  @Test func `an edit that no longer applies is reported`() async throws {
    let store = try TestStore.with([1])
    let error = await #expect(throws: OptimisticListError.self) {
      try await OptimisticList(store).edit {
        try $0.update(1) { $0.text = "new" }
      } confirming: {
        try await store.edit { try $0.remove(1) }
      }
    }
    guard case .noLongerApplies(let cause)? = error else { return }
    #expect(cause as? TestListError == .unknownRow(1))
    #expect(error?.description.contains("does not apply") == true)
  }

  @Test func `an answer may wait for another edit of the list`() async throws {
    let store = try TestStore.with([1])
    let shown = OptimisticList(store)
    try await shown.edit {
      try $0.update(1) { $0.text = "new" }
    } confirming: {
      try await shown.edit {
        try $0.append(TestRow(2), to: "a")
      } confirming: {
      }
      #expect(await Self.texts(shown) == ["1new", "2"])
      try await shown.edit {
        try $0.append(TestRow(3), to: "a")
      } confirming: {
      } until: {
        $0.row(2) != nil
      }
    }
    #expect(await Self.texts(store) == ["1new", "2"])
  }

  @Test func `lists are made of an optimistic list, and read it and its store at one moment`() async throws {
    let store = try TestStore.with([1, 2])
    let shown = OptimisticList(store)
    let sorted = shown.arranged { $0.sorted(by: .descending(\.id)) }
    let missing = store.excluding(shown)
    try await shown.edit {
      try $0.remove(1)
    } confirming: {
      #expect(await sorted.snapshot.rowCount == 1)
      #expect(await missing.snapshot.allRows.map(\.id) == [1])
    }
    #expect(await missing.snapshot.rowCount == 0)
    #expect(await Self.texts(sorted) == ["2"])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [1_000, 100_000])
  func `an update costs what the pending edits change, in a list of any length`(_ count: Int) async throws {
    let comparisons = CallCount()
    let rows = (0..<count).map { CountedRow(id: $0, key: 0, comparisons: comparisons) }
    let store = ListStore(ListSnapshot(unchecked: [ListSection(TestSection("s"), rows: rows)]))
    let shown = OptimisticList(store)
    let edits = PendingEditsProbe(on: store)
    for number in 0..<8 { _ = try await edits.add({ try $0.update(number * count / 8) { $0.key = 1 } }) }
    var former = await edits.snapshot
    var (most, nodes) = (0, 0)
    for event in 0..<20 {
      try await store.edit { try $0.update(count / 3 + event) { $0.key += 1 } }
      let before = comparisons.value
      let newest = await edits.snapshot
      #expect(former.changes(to: newest).count == 1)
      most = max(most, comparisons.value - before)
      nodes = max(nodes, newest.nodeCount(besides: former))
      former = newest
    }
    // A replayed edit copies the nodes above its row, and the rows beside it are compared.
    #expect(most < 2_000, "\(most) comparisons")
    #expect(nodes < 9 * 6, "\(nodes) nodes")
    for number in 0..<8 { try await edits.confirm(number) }
    #expect(await edits.count == 0)
    let confirmed = await store.snapshot
    #expect(await edits.snapshot == confirmed)
    #expect(await shown.snapshot == confirmed)
  }

  @Test func `the list is the confirmed one with the pending edits replayed on it, whatever is asked for and answered`()
    async throws
  {
    var random = SeededGenerator.forFuzzing("pending edits")
    for _ in 0..<SeededGenerator.rounds(60, long: 20_000) {
      let rig = ArrangedRig(SeededGenerator(seed: random.next())) { $0 }
      let store = ListStore<TestSection, Card<Int>>()
      let pending = PendingCards(on: store)
      rig.fill()
      for event in 0..<30 {
        switch Int.random(in: 0..<4, using: &random) {
        case 0, 1: _ = try await pending.ask(using: &random)
        case 2:
          if let confirmed = try await pending.answer(using: &random) { rig.draft.replace(with: confirmed) }
        default:
          // Somebody else edits the same rows.
          let edited = CardEdit.random(using: &random)
          let isEdited = (try? await store.edit(edited.edit)) != nil
          if isEdited { rig.draft.replace(with: await store.snapshot) } else { rig.edit() }
        }
        rig.draft.commit()
        try await store.replace(with: rig.draft.snapshot)
        try await pending.read()
        let found = NaiveList(await pending.list.snapshot)
        try #require(found == pending.model, "seed \(random.seed), event \(event)")
      }
      await pending.finish()
      let last = NaiveList(await pending.list.snapshot)
      #expect(last == pending.model, "seed \(random.seed)")
    }
  }

  @Test func `under any schedule nothing flickers, and nothing is lost`() async {
    await Schedule.explore("optimistic lists", 20, long: 40_000) { try await Self.scene(SeededGenerator(seed: $0)) }
  }

  /// Two edits with their answers, an echo and a foreign edit, each in a task of its own, while a task follows the list.
  private static func scene(_ seeded: SeededGenerator) async throws -> String? {
    var random = seeded
    let store = try TestStore.with([1])
    let shown = OptimisticList(store)
    let refused = (0..<2).map { _ in Bool.random(using: &random) }
    let hasEcho = (0..<2).map { !refused[$0] && Bool.random(using: &random) }
    let waits = (0..<2).map { _ in Int.random(in: 0..<3, using: &random) }
    let reader = Task {
      var follower = Follower()
      var seen: [Set<Int>] = []
      for await update in shown.updates() {
        try follower.take(update)
        seen.append(Set(update.snapshot.allRows.map(\.id)))
      }
      return seen
    }
    let edits = (0..<2).map { edit in
      let row = TestRow(10 + edit)
      return Task {
        do {
          try await shown.edit(
            { try $0.append(row, to: "a") },
            confirming: {
              for _ in 0..<waits[edit] { await Task.yield() }
              if refused[edit] { throw Refused() }
              if hasEcho[edit] { Task { try await store.edit { try $0.insert(row, at: 0, in: "a") } } }
            }, until: isEcho(ofRow: hasEcho[edit] ? row.id : nil))
        } catch is Refused {}
      }
    }
    try await store.edit { try $0.append(TestRow(20), to: "a") }
    for edit in edits { try await edit.value }
    await store.finish()
    let expected = Set([1, 20] + (0..<2).filter { !refused[$0] }.map { 10 + $0 })
    let seen = try await reader.value
    if seen.last != expected { return "ended at \(seen.last ?? []), not at \(expected)" }
    for id in [1, 10, 11, 20] {
      let presence = seen.map { $0.contains(id) }
      // A row is inserted once, and removed once if it was refused.
      let changes = zip(presence, presence.dropFirst()).count { $0 != $1 }
      let isRefused = id == 10 && refused[0] || id == 11 && refused[1]
      if changes > (isRefused ? 2 : 1) { return "row \(id) flickers: \(seen)" }
    }
    return nil
  }
}
