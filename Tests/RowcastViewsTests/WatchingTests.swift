import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

@testable import RowcastViews

/// Subscribers of a part of a list.
@Suite(.watched) struct WatchingTests {
  private struct Reading: RowViewModel {
    let id: Int
    var load = Double.nan
    var unit = "°C"
  }

  @Test func `a row that stores a NaN is a value once, and its values end with the list`() async throws {
    let store = try ListStore([Reading(id: 1)])
    let lists: [any LiveList<SoleSection, Reading>] = [store, store.arranged { $0.filter { $0.id > 0 } }]
    for list in lists {
      var rows = list.row(1).updates().makeAsyncIterator()
      #expect(await rows.next()??.unit == "°C")
      for unit in ["°C?", "°C"] {
        try await store.edit { try $0.update(1) { $0.unit = unit } }
        #expect(await rows.next()??.unit == unit)
      }
    }
    let ends = lists.map { list in Task { await list.row(1).updates().reduce(0) { count, _ in count + 1 } } }
    await eventually { await store.waiterCount > 0 }
    await store.finish()
    for end in ends { #expect(await end.value == 1) }
  }

  @Test func `a row that stores a NaN is news if it changes, not if it moves`() throws {
    var draft = ListDraft(try ListSnapshot([ListSection(SoleSection(), rows: (0..<3).map { Reading(id: $0) })]))
    let (first, last) = (RowPath(section: 0, row: 0), RowPath(section: 0, row: 2))
    for (isNews, edit) in [
      (false, { $0.moveRow(from: first, to: last) }),
      (true, { $0.replaceRow(at: last, with: Reading(id: 0, load: 1)) }),
      (true, { $0.replaceRow(at: last, with: Reading(id: 0)) }),
    ] as [(Bool, (inout ListDraft<SoleSection, Reading>) -> Void)] {
      let before = draft.snapshot
      edit(&draft)
      draft.commit()
      let parts = PartWatchersProbe.parts(
        changedBy: before.changes(to: draft.snapshot), from: before, to: draft.snapshot)
      #expect(parts.keys.filter { $0 != .section(0) } == (isNews ? [.row(0)] : []))
    }
  }

  @Test func `a task that waits alone is woken by the change of its part, and waits on after any other`() async throws {
    let store = try TestStore.with([1, 2])
    let (values, value) = AsyncStream.makeStream(of: TestRow?.self)
    let watcher = Task { for await row in store.row(1).updates() { value.yield(row) } }
    var found = values.makeAsyncIterator()
    #expect(await found.next() == .some(TestRow(1)))
    for text in ["new", "newer"] {
      // The list wakes it, and has no other reader.
      for id in [2, 1] {
        _ = await Self.watchers(of: store, waiting: 1)
        await eventually { await store.waiterCount == 1 }
        try await store.edit { try $0.update(id) { $0.text = text } }
      }
      #expect(await found.next() == .some(TestRow(1, text)))
    }
    watcher.cancel()
  }

  @Test func `random edits reach the parts that they concern, and no others`() throws {
    var random = SeededGenerator.forFuzzing("watching")
    for _ in 0..<SeededGenerator.rounds(12, long: 4_000) {
      let rig = ArrangedRig(SeededGenerator(seed: random.next())) { $0 }
      let section = rig.source.section("s1")
      var former = (list: rig.draft.snapshot, model: NaiveList(rig.draft.snapshot))
      _ = section.update()
      for _ in 0..<60 {
        for _ in 0..<rig.int(1..<4) { rig.edit() }
        rig.draft.commit()
        let new = (list: rig.draft.snapshot, model: NaiveList(rig.draft.snapshot))
        let changed = PartWatchersProbe.parts(
          changedBy: former.list.changes(to: new.list), from: former.list, to: new.list)
        for id in 0..<rig.size.ids {
          let rows = [former, new].map { $0.model.parts.lazy.flatMap(\.rows).first { $0.id == id } }
          let row = changed[.row(id)]
          try #require((row != nil) == (rows[0] != rows[1]), "seed \(random.seed), row \(id)")
          if let row { #expect(row == rows[1]) }
        }
        for id in (0..<rig.size.sections).map({ "s\($0)" }) {
          let sections = [former, new].map { $0.model.parts.first { $0.section.id == id } }
          try #require(
            (changed[.section(id)] != nil) == (sections[0] != sections[1]), "seed \(random.seed), section \(id)")
        }
        #expect((changed[.rowCount] != nil) == (former.list.rowCount != new.list.rowCount))
        former = new
        try Self.checkSection(section, new.model, seed: random.seed)
      }
    }
  }

  /// Pulls a list of the section "s1", and checks what it is and what is told of it.
  private static func checkSection(
    _ section: MadeList<TestSection, Card<Int>>, _ model: NaiveList<TestSection, Card<Int>>, seed: UInt64
  ) throws {
    let before = section.snapshot
    var former = NaiveList(before)
    let isChanged = section.update()
    var expected = model
    expected.parts.removeAll { $0.section.id != "s1" }
    let found = NaiveList(section.snapshot)
    try #require(found == expected, "seed \(seed)")
    #expect(isChanged == (found != former), "seed \(seed)")
    try former.fold(before.changes(to: section.snapshot), after: section.snapshot)
    #expect(former == found)
  }

  @Test func `of a thousand watchers a change wakes those whose row or section it is, and all share one difference`()
    async throws
  {
    let store = TestStore(try .of(("a", [1]), ("b", Array(2...1_001)), ("c", [2_000])))
    let parts: [Part] = [.section("a"), .section("b"), .section("c"), .rowCount] + (2..<1_001).map { .row($0) }
    try await Self.withWaiters(store, parts) { wakes in
      for id in [7, 999, 7] { try await wakes([.section("b"), .row(id)]) { try $0.update(id) { $0.text += "+" } } }
      // A row without a watcher, and places.
      try await wakes([.section("b")]) {
        try $0.update(1_001) { $0.text = "new" }
        try $0.move(3, to: .init(section: 1, row: 900))
      }
      try await wakes([]) { try $0.moveSection("c", to: 0) }
      try await wakes([.section("a"), .section("b")]) { try $0.move(2, to: .init(section: 1, row: 0)) }
      try await wakes([.section("c"), .rowCount]) { try $0.append(TestRow(5_000), to: "c") }
      try await wakes([]) { try $0.append(TestSection("d"), rows: []) }
      try await wakes([.section("a"), .rowCount, .row(2)]) { try $0.removeSection("a") }
    }
  }

  private typealias Part = PartWatchersProbe<TestSection, TestRow>.Part
  /// Edits the store, and checks the parts whose waiters that wakes.
  private typealias Wakes = (_ expected: Set<Part>, _ edit: @Sendable (inout TestEditor) throws -> Void) async throws ->
    Void

  /// Waits for parts of a store. Each edit costs one difference, whatever the number of parts.
  private static func withWaiters(
    _ store: TestStore, _ parts: [Part], _ body: (Wakes) async throws -> Void
  ) async throws {
    let differences = CallCount()
    let watchers = PartWatchersProbe(of: store) { _ = differences.note($0) }
    await watchers.join(parts)
    var edits = 0
    try await body { expected, edit in
      let woken = try await watchers.woken(parts) { try await store.edit(edit) }
      edits += 1
      #expect(await watchers.waiterCount == 0)
      #expect(differences.value == edits && woken == expected)
    }
  }

  /// What follows a store, as soon as so many tasks wait for parts of it.
  private static func watchers(
    of store: TestStore, waiting count: Int
  ) async -> PartWatchersProbe<TestSection, TestRow> {
    while true {
      if let watchers = await PartWatchersProbe.current(of: store), await watchers.waiterCount == count {
        return watchers
      }
      await Task.yield()
    }
  }

  /// Waits until nothing follows a store.
  private static func expectNothingLeft(of store: TestStore) async {
    if let watchers = await PartWatchersProbe.current(of: store) {
      while await watchers.partCount > 0 { await Task.yield() }
      #expect(await watchers.waiterCount == 0)
    }
    while await PartWatchersProbe.current(of: store) != nil { await Task.yield() }
    while await store.waiterCount > 0 { await Task.yield() }
  }

  @Test func `a watcher that never comes back delays no other, and what it left is gone with it`() async throws {
    let store = try TestStore.with([1, 2])
    do {
      var asleep = store.row(1).updates().makeAsyncIterator()
      #expect(await asleep.next() == .some(TestRow(1)))
      var awake = store.row(2).updates().makeAsyncIterator()
      #expect(await awake.next() == .some(TestRow(2)))
      for round in 1...3 {
        try await store.edit { for id in 1...2 { try $0.update(id) { $0.text = "\(round)" } } }
        #expect(await awake.next() == .some(TestRow(2, "\(round)")))
      }
      // A late reader gets the newest value.
      #expect(await asleep.next() == .some(TestRow(1, "3")))
    }
    await Self.expectNothingLeft(of: store)
  }

  @Test func `nothing follows a list while nobody waits for a part of it`() async throws {
    let store = try TestStore.with([1, 2])
    let row = store.row(1)
    #expect(await row.value == TestRow(1))
    #expect(await store.waiterCount == 0)
    let watcher = Task { for await _ in row.updates() {} }
    let watchers = await Self.watchers(of: store, waiting: 1)
    while await store.waiterCount == 0 { await Task.yield() }
    watcher.cancel()
    await watcher.value
    while await store.waiterCount > 0 { await Task.yield() }
    // The part is kept for further readers.
    #expect(await watchers.partCount == 1)
    try await store.edit { try $0.update(1) { $0.text = "new" } }
    #expect(await row.value == TestRow(1, "new"))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [1, 8])
  func `watchers whose executor is busy for good hold up no other`(count: Int) async throws {
    let store = try TestStore.with([1, 2])
    let executor = QueueExecutor()
    let stalled = (0..<count).map { _ in
      Task(executorPreference: executor) { for await _ in store.row(1).updates() {} }
    }
    do {
      _ = await Self.watchers(of: store, waiting: count)
      var ordinary = store.row(2).updates().makeAsyncIterator()
      #expect(await ordinary.next() == .some(TestRow(2)))
      for round in 0..<200 {
        // The others are at any point of what they do.
        executor.suspend()
        for part in 0..<3 {
          try await store.edit { for id in 1...2 { try $0.update(id) { $0.text = "\(round) \(part)" } } }
          #expect(await ordinary.next() == .some(TestRow(2, "\(round) \(part)")))
        }
        executor.resume()
        await Task.yield()
      }
    }
    for task in stalled { task.cancel() }
    await Self.expectNothingLeft(of: store)
  }

  @Test func `under any schedule watchers of parts see the last state of each, and none twice`() async throws {
    await Schedule.explore("watching schedules", 20, long: 20_000) { _ in try await Self.watchParts() }
  }

  /// Watchers of parts of a store that two tasks write to; gives back what went wrong.
  private static func watchParts() async throws -> String? {
    let store = TestStore(try .of(("a", [1, 2]), ("b", [3])))
    let view = store.arranged { $0.filter { $0.id < 9 } }
    return try await withThrowingTaskGroup(of: String?.self) { group in
      func watch<Value: Equatable>(_ values: ListValue<Value>, last: Value) {
        group.addTask {
          var seen: [Value] = []
          for await value in values.updates() {
            if value == seen.last { return "\(value) twice" }
            seen.append(value)
          }
          return seen.last == last ? nil : "\(seen) does not end with \(last)"
        }
      }
      watch(store.row(1), last: TestRow(1, "2"))
      watch(view.row(1), last: TestRow(1, "2"))
      watch(store.row(3), last: nil)
      watch(view.rowCount, last: 3)
      watch(view.rank(of: 3), last: nil)
      let outside = Outside(store)
      watch(outside.row(1), last: TestRow(1, "2"))
      watch(outside.rowCount, last: 3)
      // The same part, watched again and again.
      let row = store.row(2)
      for _ in 0..<2 { watch(row, last: TestRow(2, "2")) }
      for section in [store.updates(inSection: "a"), outside.updates(inSection: "a")] {
        group.addTask {
          let list = try await Follower.following(section).list
          return list.parts.flatMap { $0.rows.map(\.id) } == [1, 2, 7] ? nil : "the section ends as \(list)"
        }
      }
      group.addTask {
        try await withThrowingTaskGroup { writers in
          writers.addTask {
            for round in 0...2 {
              try await store.edit { for id in 1...2 { try $0.update(id) { $0.text = "\(round)" } } }
            }
          }
          writers.addTask {
            try await store.edit { try $0.append(TestRow(7), to: "a") }
            try await store.edit { try $0.removeSection("b") }
          }
          try await writers.waitForAll()
        }
        await store.finish()
        return nil
      }
      return try await group.firstFailure()
    }
  }
}
