import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore
@testable import RowcastViews

/// Lists that read values which people change while they look.
@Suite(.watched) struct ParameterTests {
  /// The ids of rows, in their order.
  private static func ids(_ list: ListSnapshot<some SectionViewModel, TestRow>) -> [Int] { list.allRows.map(\.id) }

  private static func source(_ rows: [TestRow]) -> MadeList<SoleSection, TestRow> {
    .source { ListSnapshot(unchecked: [ListSection(SoleSection(), rows: rows)]) }
  }

  @Test func `a search shows what the newest text asks for, one update for each that is looked at`() async throws {
    let store = try ListStore((0..<100).map { TestRow($0) })
    let query = Parameter(0)
    let found = store.arranged { $0.filter(by: query) { $0.id % 10 == $1 } }
    var updates = found.updates().makeAsyncIterator()
    #expect(Self.ids(try #require(await updates.next()).snapshot) == stride(from: 0, to: 100, by: 10).map { $0 })
    for text in 1...9 { await query.set(text) }
    let update = try #require(await updates.next())
    #expect(Self.ids(update.snapshot) == stride(from: 9, to: 100, by: 10).map { $0 })
    #expect(update.changes.rows.deletes.count == 10 && update.changes.rows.inserts.count == 10)
    // A condition that keeps the same rows is no update.
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
    #expect(Self.ids(await found.snapshot).first == 998)
    let (made, filtered) = (keys.value, asked.value)
    await query.set(3)
    #expect(Self.ids(await found.snapshot).first == 999)
    #expect(keys.value == made && asked.value - filtered == 1_000)
    // A changed row is asked about once.
    try await store.edit { try $0.update(7) { $0.text = "changed" } }
    _ = await found.snapshot
    #expect(asked.value - filtered <= 1_001)
  }

  @Test func `parameters that are set before the first read count, in any order of the operators`() async throws {
    for order in 0..<6 {
      let store = try ListStore((1...3).map { TestRow($0, "\([30, 10, 20][$0 - 1])") })
      let (least, keys) = (Parameter(0), Parameter([SortKey<TestRow>.ascending(\.id)]))
      let page = Parameter(RowWindow<Int>.first(50))
      let list = store.arranged { plan in
        var plan = plan
        for step in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]][order] {
          switch step {
          case 0: plan = plan.sorted(by: keys)
          case 1: plan = plan.filter(by: least) { (Int($0.text) ?? 0) >= $1 }
          default: plan = plan.window(page)
          }
        }
        return plan
      }
      if order % 2 == 0 { #expect(Self.ids(await list.snapshot) == [1, 2, 3]) }
      await least.set(20)
      await keys.set([.descending(\.text)])
      #expect(Self.ids(await list.snapshot) == [1, 3], "order \(order)")
    }
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
    #expect(Self.ids(await tree.snapshot) == [0] && made.value == 1)
    await depth.set(1)
    #expect(Self.ids(await tree.snapshot) == [0, 1, 2, 3] && made.value == 2)
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
    #expect(Self.ids(await list.snapshot) == [0, 1, 2, 3])
    try await store.edit { try $0.update(1) { $0.text = "bad" } }
    #expect(Self.ids(await list.snapshot) == [0, 1, 2, 3] && asked.value == 5)
    await choice.set(2)
    #expect(Self.ids(await list.snapshot) == [0, 1, 2, 3] && asked.value == 5)
    await least.set(1)
    #expect(Self.ids(await list.snapshot) == [1, 2, 3] && asked.value == 5)
  }

  @Test func `a parameter is set in a cancelled task, too, and lists read it afterwards`() async throws {
    let query = Parameter(0)
    let expansion = OutlineExpansion<Int>(depth: 0)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      await query.set(5)
      await expansion.expand(7)
      return (await query.value, await expansion.rows.isExpanded(7, depth: 0, under: nil))
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
    #expect(Self.ids(await list.snapshot) == [1, 2, 3])
    await plan.set(.init().sorted(by: .descending(\.id)))
    #expect(Self.ids(await list.snapshot) == [3, 2, 1, 0])
    await store.finish()
    await plan.set(.init().filter { $0.id == 3 })
    #expect(Self.ids(await other.snapshot) == [3])
    #expect(await other.updates().reduce(0) { count, _ in count + 1 } == 1)
    var updates = list.updates().makeAsyncIterator()
    #expect(Self.ids(try #require(await updates.next()).snapshot) == [3])
    await plan.set(.init().filter { $0.id < 2 })
    #expect(Self.ids(try #require(await updates.next()).snapshot) == [0, 1])
    plan.finish()
    await plan.set(.init())
    #expect(await updates.next() == nil)
    #expect(Self.ids(await other.snapshot) == [0, 1])
  }

  @Test func `operators before the one that reads a parameter are kept when that is given up`() async throws {
    let (choice, query, keys) = (ArrangementChoice<SoleSection, TestRow>(), Parameter(0), CallCount())
    let rows = (0..<100).map { TestRow($0) }
    let list = Self.source(rows).arranged(by: choice)
    choice.set(0, of: query, isReplaced: true)
    choice.choose(Arrangement().sorted(by: .descending { keys.note($0.id) }).filter(by: query) { $0.id % 2 == $1 })
    _ = list.update()
    #expect(list.snapshot.rowCount == 0)
    let made = keys.value
    choice.set(1, of: query)
    #expect(list.update() && Self.ids(list.snapshot).first == 99 && keys.value == made && made > 0)
  }

  @Test func `of parameters that change all the time, all are made in the end`() {
    let (one, rows) = (ArrangementChoice<SoleSection, TestRow>(), (0..<10_000).map { TestRow($0) })
    let other = ArrangementChoice<SoleSection, TestRow>(after: one)
    let list = Self.source(rows).arranged(by: one).arranged(by: other)
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

  @Test func `a list ends when its source and its parameters have, and a finished list can be searched`() async throws {
    let store = try ListStore((0..<10).map { TestRow($0) })
    var query: Parameter<Int>? = Parameter(3)
    let limit = Parameter(RowWindow<Int>.first(2))
    let found = { query in
      store.arranged { $0.filter(by: query) { $0.id > $1 }.window(limit) }
    }(try #require(query))
    var updates = found.updates().makeAsyncIterator()
    #expect(Self.ids(try #require(await updates.next()).snapshot) == [4, 5])
    await store.finish()
    await query?.set(6)
    #expect(Self.ids(try #require(await updates.next()).snapshot) == [7, 8])
    limit.finish()
    await query?.set(7)
    #expect(Self.ids(try #require(await updates.next()).snapshot) == [8, 9])
    // What nobody can set any more has ended.
    query = nil
    #expect(await updates.next() == nil)
    #expect(Self.ids(await found.snapshot) == [8, 9])
  }

  @Test func `rows of a finished list can be expanded, until the app lets go of the expansion`() async throws {
    let store = try ListStore((0..<4).map { TestRow($0) })
    var expansion: OutlineExpansion<Int>? = OutlineExpansion(depth: 0)
    let tree = { expansion in
      store.arranged { $0.outlined(parent: { $0.id == 0 ? nil : 0 }, expansion: expansion) { row, _ in row } }
    }(expansion)
    var updates = tree.updates().makeAsyncIterator()
    #expect(Self.ids(try #require(await updates.next()).snapshot) == [0])
    await store.finish()
    await expansion?.expand(0)
    #expect(Self.ids(try #require(await updates.next()).snapshot) == [0, 1, 2, 3])
    expansion = nil
    #expect(await updates.next() == nil)
  }

  /// A list by a parameter whose other value leads to the same rows, of sources that nobody has read.
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
    #expect(await Self.ids(list.snapshot) == [1, 2])
    await choose()
    #expect(await Self.ids(list.snapshot) == [1, 2])
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
        #expect(Self.ids(await view.snapshot) == [9])
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
