import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore
@testable import RowcastViews

/// Lists that read values which people change while they look.
@Suite(.watched) struct ParameterTests {
  @Test func `a search shows what the newest text asks for, one update for each that is looked at`() async throws {
    let store = try ListStore((0..<100).map { TestRow($0) })
    let query = Parameter(0)
    let found = store.arranged { $0.filter(by: query) { $0.id % 10 == $1 } }
    var updates = found.updates().makeAsyncIterator()
    #expect(ids(of: try #require(await updates.next()).snapshot) == stride(from: 0, to: 100, by: 10).map { $0 })
    for text in 1...9 { await query.set(text) }
    let update = try #require(await updates.next())
    #expect(ids(of: update.snapshot) == stride(from: 9, to: 100, by: 10).map { $0 })
    #expect(update.changes.rows.deletes.count == 10 && update.changes.rows.inserts.count == 10)
    // A condition that keeps the same rows is not an update.
    await query.set(9)
    try await store.edit { try $0.remove(99) }
    #expect(try #require(await updates.next()).changes.count == 1)
    #expect(await query.value == 9)
  }

  @Test func `calls of one task count in their order, whether it waits or not`() async throws {
    let query = Parameter(0)
    func set(_ value: Int) { query.set(value) }
    for value in 0..<500 {
      if value % 7 == 3 { await query.set(value) } else { set(value) }
    }
    await query.set(500)
    #expect(await query.value == 500)
    set(501)
    await eventually { await query.value == 501 }
    query.finish()
    await query.set(502)
    set(503)
    #expect(await query.value == 501)
  }

  @Test func `operators before the one that reads a parameter do nothing for it`() async throws {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
    let (keys, asked) = (CallCount(), CallCount())
    let store = try ListStore((0..<1_000).map { TestRow($0) })
    let query = Parameter(2)
    let found = store.arranged {
      $0.sorted(by: .descending { keys.note($0.id) }).filter(by: query) { asked.note($0.id) % $1 == 0 }
    }
    #expect(ids(of: await found.snapshot).first == 998)
    let (made, filtered) = (keys.value, asked.value)
    await query.set(3)
    #expect(ids(of: await found.snapshot).first == 999)
    #expect(keys.value == made && asked.value - filtered == 1_000)
    // A changed row is asked about once.
    try await store.edit { try $0.update(7) { $0.text = "changed" } }
    _ = await found.snapshot
    #expect(asked.value - filtered <= 1_001)
  }

  @Test func `what the function of a parameter makes for a value is made once`() async throws {
    let store = try ListStore((0..<4).map { TestRow($0) })
    let (depth, made) = (Parameter(0), CallCount())
    let tree = store.arranged {
      $0.arranged(by: depth) { plan, depth in
        made.note(())
        let least = Parameter(-1)
        return plan.filter(by: least) { $0.id > $1 }
          .outlined(parent: { $0.id == 0 ? nil : 0 }, expansion: OutlineExpansion(depth: depth)) { row, _ in row }
      }
    }
    #expect(ids(of: await tree.snapshot) == [0] && made.value == 1)
    await depth.set(1)
    #expect(ids(of: await tree.snapshot) == [0, 1, 2, 3] && made.value == 2)
  }

  @Test func `operators after those of a parameter see nothing of a list that is not made yet`() async throws {
    struct Bad: Error {}
    let store = try ListStore((0..<4).map { TestRow($0) })
    let (choice, inner, least) = (Parameter(1), Parameter(0), Parameter(0))
    let asked = CallCount()
    let list = store.arranged {
      $0.arranged(by: choice) { plan, choice in
        if choice == 1 { return plan }
        return plan.arranged(by: inner) { plan, _ in plan.filter(by: least) { $0.id >= $1 } }
      }.map(onFailure: .keepLast) {
        asked.note(())
        if $0.text == "bad" { throw Bad() }
        return $0
      }
    }
    #expect(ids(of: await list.snapshot) == [0, 1, 2, 3])
    try await store.edit { try $0.update(1) { $0.text = "bad" } }
    #expect(ids(of: await list.snapshot) == [0, 1, 2, 3] && asked.value == 5)
    await choice.set(2)
    #expect(ids(of: await list.snapshot) == [0, 1, 2, 3] && asked.value == 5)
    await least.set(1)
    #expect(ids(of: await list.snapshot) == [1, 2, 3] && asked.value == 5)
  }

  @Test func `a parameter is set in a cancelled task, too, and lists read it afterwards`() async throws {
    let query = Parameter(0)
    let expansion = OutlineExpansion<Int>(depth: 0)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      await query.set(5)
      await expansion.expand(7)
      return (await query.value, await expansion.rows.isExpanded(7, at: (0, nil)))
    }
    task.cancel()
    #expect(await task.value == (5, true))
  }

  @Test func `lists arranged by one parameter show its newest value, and end with it unless told otherwise`()
    async throws
  {
    let store = try ListStore((0..<4).map { TestRow($0) })
    let plan = Parameter(Arrangement<SoleSection, TestRow, SoleSection, TestRow>().filter { $0.id > 0 })
    let (list, other) = (store.arranged(by: plan), store.arrangedToTheEnd(by: plan))
    #expect(ids(of: await list.snapshot) == [1, 2, 3])
    await plan.set(.init().sorted(by: .descending(\.id)))
    #expect(ids(of: await list.snapshot) == [3, 2, 1, 0])
    await store.finish()
    await plan.set(.init().filter { $0.id == 3 })
    #expect(ids(of: await other.snapshot) == [3])
    #expect(await other.updates().reduce(0) { count, _ in count + 1 } == 1)
    var updates = list.updates().makeAsyncIterator()
    #expect(ids(of: try #require(await updates.next()).snapshot) == [3])
    await plan.set(.init().filter { $0.id < 2 })
    #expect(ids(of: try #require(await updates.next()).snapshot) == [0, 1])
    plan.finish()
    await plan.set(.init())
    #expect(await updates.next() == nil)
    #expect(ids(of: await other.snapshot) == [0, 1])
  }

  @Test func `a list ends when its source and its parameters have, and a finished list can be searched`() async throws {
    let store = try ListStore((0..<10).map { TestRow($0) })
    var query: Parameter<Int>? = Parameter(3)
    let (limit, keys) = (Parameter(RowWindow<Int>.first(5)), Parameter([SortKey<TestRow>.ascending(\.text)]))
    let found = { query in
      store.arranged { $0.sorted(by: keys).filter(by: query) { $0.id > $1 }.window(limit) }
    }(try #require(query))
    // Parameters that are set before the first read count.
    await keys.set([.descending(\.id)])
    await limit.set(.last(2))
    var updates = found.updates().makeAsyncIterator()
    #expect(ids(of: try #require(await updates.next()).snapshot) == [5, 4])
    await store.finish()
    await query?.set(6)
    #expect(ids(of: try #require(await updates.next()).snapshot) == [8, 7])
    limit.finish()
    keys.finish()
    await query?.set(7)
    #expect(ids(of: try #require(await updates.next()).snapshot) == [9, 8])
    // A parameter that can no longer be set has ended.
    query = nil
    #expect(await updates.next() == nil)
    #expect(ids(of: await found.snapshot) == [9, 8])
  }

  @Test func `rows of a finished list can be expanded, until the app lets go of the expansion`() async throws {
    let store = try ListStore((0..<4).map { TestRow($0) })
    var expansion: OutlineExpansion<Int>? = OutlineExpansion(depth: 0)
    let tree = { expansion in
      store.arranged { $0.outlined(parent: { $0.id == 0 ? nil : 0 }, expansion: expansion) { row, _ in row } }
    }(expansion)
    var updates = tree.updates().makeAsyncIterator()
    #expect(ids(of: try #require(await updates.next()).snapshot) == [0])
    await store.finish()
    await expansion?.expand(0)
    #expect(ids(of: try #require(await updates.next()).snapshot) == [0, 1, 2, 3])
    expansion = nil
    #expect(await updates.next() == nil)
  }

  /// A list by a parameter whose other value leads to the same rows, from sources that were not read.
  private enum Choosing: CaseIterable {
    case list, lists, choices, filter, filters
  }

  @Test(arguments: Choosing.allCases)
  private func `another value that leads to the same rows is no revision, whatever has to be read for it`(
    _ choosing: Choosing
  ) async throws {
    typealias List = any LiveList<SoleSection, TestRow>
    typealias Plan = Arrangement<SoleSection, TestRow, SoleSection, TestRow>
    let stores = try (0..<2).map { _ in try ListStore([TestRow(1), TestRow(2)]) }
    let list: ArrangedList<SoleSection, TestRow>
    let choose: () async -> Void
    switch choosing {
    case .list:
      let choice = Parameter<List>(stores[0])
      list = Switched(choice)
      choose = { await choice.set(stores[1]) }
    case .lists, .choices:
      let choice = Parameter<[List]>([stores[0]])
      list = MergedList(of: choice)
      let inner = Parameter<List>(stores[1])
      choose = { await choice.set(choosing == .lists ? [stores[1]] : [Switched(inner), Switched(inner)]) }
    case .filter, .filters:
      let (plan, least, others) = (Parameter(Plan()), Parameter(1), Parameter(0))
      list = stores[0].arranged(by: plan)
      choose = {
        await plan.set(
          choosing == .filter
            ? Plan().filter(by: least) { $0.id >= $1 }
            : Plan().arranged(by: least) { plan, _ in plan.filter(by: others) { $0.id > $1 } })
      }
    }
    let revision = await list.revision
    #expect(await ids(of: list.snapshot) == [1, 2])
    await choose()
    #expect(await ids(of: list.snapshot) == [1, 2])
    #expect(await list.revision == revision)
  }

  @Test func `nothing of a former arrangement is kept: neither its parameters nor its expansions`() async throws {
    let store = try ListStore((0..<10).map { TestRow($0) })
    typealias Plan = Arrangement<SoleSection, TestRow, SoleSection, TestRow>
    let plan = Parameter(Plan())
    let view = store.arranged(by: plan)
    weak let opened: (any AnyObject & Sendable)?
    do {
      let expansion = OutlineExpansion<Int>()
      await plan.set(Plan().outlined(parent: { _ in nil }, expansion: expansion) { row, _ in row })
      opened = expansion.core
    }
    var revision = await view.revision
    for _ in 0..<100 {
      weak let former: (any AnyObject & Sendable)?
      do {
        let expansion = OutlineExpansion<Int>()
        for _ in 0..<10 {
          await expansion.collapse(0)
          await expansion.expand(0)
        }
        let query = Parameter(0)
        for value in 0..<10 { await query.set(value) }
        await plan.set(
          Plan().filter(by: query) { $0.id >= $1 }.outlined(parent: { _ in nil }, expansion: expansion) { row, _ in row
          })
        former = expansion.core
        #expect(ids(of: await view.snapshot) == [9])
        // The revisions of the list rise, whatever it is made of.
        let newest = await view.revision
        #expect(newest > revision)
        revision = newest
      }
      await plan.set(Plan())
      #expect(await view.snapshot.rowCount == 10)
      // The task of a parameter ends after it.
      await eventually { former == nil && opened == nil }
      #expect(await stateCount(of: view) == 2)
      let newest = await view.revision
      #expect(newest > revision)
      revision = newest
    }
  }
}

/// Lists that read parameters, under any schedule of the tasks that set, edit and read.
@Suite(.watched) struct ParameterScheduleTests {
  private typealias Plan = Arrangement<SoleSection, TestRow, SoleSection, TestRow>

  @Test func `lists that read one parameter, and meet in several levels, are made of one value of it`() async {
    await Schedule.explore("a shared parameter", 20, long: 40_000) { seed in
      var random = SeededGenerator(seed: seed)
      let stores = try (0..<3).map { try ListStore(($0 * 100..<$0 * 100 + 6).map { TestRow($0) }) }
      let query = Parameter(1)
      let parts = stores.map { $0.arranged { $0.filter(by: query) { $0.id % $1 == 0 } } }
      let list = MergedList(MergedList(parts[0], parts[1]), parts[2])
      let values = (0..<6).map { _ in Int.random(in: 1..<5, using: &random) }
      @Sendable func made(_ value: Int) -> [Int] {
        (0..<3).flatMap { $0 * 100..<$0 * 100 + 6 }.filter { $0 % value == 0 }
      }
      let isMade = { @Sendable (ids: [Int]) in (1..<5).contains { ids == made($0) } }
      let reader = Task {
        for _ in 0..<8 {
          let shown = ids(of: await list.snapshot)
          try Mismatch.unless(isMade(shown), "\(shown) is made of several values")
        }
      }
      let follower = Task {
        var last: [Int] = []
        for await update in list.updates() {
          last = ids(of: update.snapshot)
          try Mismatch.unless(isMade(last), "\(last) is made of several values")
        }
        return last
      }
      for value in values { await query.set(value) }
      query.finish()
      for store in stores { await store.finish() }
      try await reader.value
      let last = try await follower.value
      return last == made(values[5]) ? nil : "ended at \(last) instead of \(made(values[5]))"
    }
  }

  @Test func `under any schedule all who watch a list that lets go of its last parameter see the end`() async {
    await Schedule.explore("letting go", 20, long: 20_000) { seed in
      let (store, query) = (try ListStore((0..<4).map { TestRow($0) }), Parameter(2))
      let plan = Parameter(Plan().filter(by: query) { $0.id < $1 })
      let waits = seed % 2 == 0
      let list = waits ? store.arranged(by: plan) : store.arrangedToTheEnd(by: plan)
      async let watchers = lastIDs(of: [list, list, list])
      _ = await list.snapshot
      await store.finish()
      await plan.set(.init().filter { $0.id < 2 })
      if waits { plan.finish() }
      let seen = await watchers
      await query.set(0)
      return seen == [[0, 1], [0, 1], [0, 1]] ? nil : "\(seen)"
    }
  }

  @Test func `under any schedule an arrangement from before the end of the source is shown before the end`() async {
    await Schedule.explore("arrangements at the end", 80, long: 50_000) { seed in
      let (store, plan) = (try ListStore((0..<4).map { TestRow($0) }), Parameter(Plan().filter { $0.id >= 0 }))
      let waits = seed % 2 == 0
      // The view and what is made of it read the arrangement on executors of their own.
      let merged = MergedList(waits ? store.arranged(by: plan) : store.arrangedToTheEnd(by: plan))
      async let watchers = lastIDs(of: [merged, merged, merged])
      await plan.set(.init().filter { $0.id % 2 == 0 })
      if waits { plan.finish() }
      await store.finish()
      let seen = await watchers
      return seen == [[0, 2], [0, 2], [0, 2]] ? nil : "\(seen)"
    }
  }

  @Test func `under any schedule a value that is the last, and brings a parameter, does not end a list before it`()
    async
  {
    await Schedule.explore("a last value", 20, long: 20_000) { _ in
      let store = try ListStore((0..<4).map { TestRow($0) })
      let (choice, query) = (Parameter(false), Parameter(4))
      let list = store.arranged {
        $0.arranged(by: choice) { plan, isFiltered in isFiltered ? plan.filter(by: query) { $0.id < $1 } : plan }
      }
      // Another list, which never ends.
      let merged = MergedList(list, ListStore<SoleSection, TestRow>())
      await store.finish()
      async let watchers = lastIDs(of: [list, list])
      let readers = (0..<2).map { _ in Task { await merged.updates().contains { ids(of: $0.snapshot) == [0] } } }
      await choice.set(true)
      choice.finish()
      for _ in 0..<4 { await Task.yield() }
      await query.set(1)
      query.finish()
      for reader in readers { if await !reader.value { return "a merged list ended" } }
      let seen = await watchers
      return seen == [[0], [0]] ? nil : "\(seen)"
    }
  }
}

private func ids(of list: ListSnapshot<some SectionViewModel, TestRow>) -> [Int] { list.allRows.map(\.id) }

/// The ids of the last lists of streams, which are followed at the same time.
private func lastIDs(of lists: [ArrangedList<SoleSection, TestRow>]) async -> [[Int]] {
  await withTaskGroup { group in
    for list in lists {
      group.addTask { await list.updates().reduce([]) { ids(of: $1.snapshot) } }
    }
    return await group.reduce(into: []) { $0.append($1) }
  }
}
