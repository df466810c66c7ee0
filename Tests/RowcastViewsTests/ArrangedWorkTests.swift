import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore
@testable import RowcastViews

/// What an event costs an arranged list, counted.
@Suite(.watched) struct ArrangedWorkTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  typealias Plan = Arrangement<TestSection, CountedRow, TestSection, CountedRow>

  /// What one of many random events takes at most.
  private struct Work {
    /// Calls that were counted.
    var calls = 0
    /// Nodes of the arranged list that it had not before.
    var nodes = 0
    /// Comparisons of rows.
    var comparisons = 0
  }

  /// The most that one of many random events takes, of any of some counts.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func most(
    of count: Int, sections: Int = 1, _ declare: (Plan) -> Plan, calls: CallCount
  ) async throws -> Work {
    var random = SeededGenerator.forFuzzing("work of arranged lists")
    let comparisons = CallCount()
    let size = count / sections
    let store = ListStore(
      ListSnapshot(
        unchecked: (0..<sections).map { section in
          ListSection(
            TestSection("s\(section)"),
            rows: (section * size..<(section + 1) * size).map {
              CountedRow(id: $0, key: Int.random(in: 0..<count, using: &random), comparisons: comparisons)
            })
        }))
    let view = store.arranged(by: declare(Plan()))
    var list = await view.snapshot
    var most = Work()
    for event in 0..<30 {
      let id = Int.random(in: 0..<count, using: &random)
      let key = Int.random(in: 0..<count, using: &random)
      let path = RowPath(section: 0, row: Int.random(in: 0..<size - 30, using: &random))
      try await store.edit { list in
        switch event % 3 {
        case 0: try list.update(id) { $0.key = key }
        case 1: try list.move(id, to: path)
        default: try list.insert(CountedRow(id: count + event, key: key, comparisons: comparisons), at: path)
        }
      }
      let before = (calls: calls.value, comparisons: comparisons.value)
      let after = await view.snapshot
      most.calls = max(most.calls, calls.value - before.calls)
      most.comparisons = max(most.comparisons, comparisons.value - before.comparisons)
      most.nodes = max(most.nodes, after.nodeCount(besides: list))
      list = after
    }
    return most
  }

  /// Lists that differ in the levels of their trees. Building the longest takes most of the time.
  static let sizes = [1_000, SeededGenerator.rounds(4_000, long: 100_000)]

  static func logarithm(_ count: Int) -> Int { Int.bitWidth - count.leadingZeroBitCount }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: sizes)
  func `making a sorted list takes the key of each row once, and compares no rows`(_ count: Int) async throws {
    let (calls, ties, comparisons) = (CallCount(), CallCount(), CallCount())
    let rows = (0..<count).map { CountedRow(id: $0, key: $0 * 7_919 % count, comparisons: comparisons) }
    let store = ListStore(ListSnapshot(unchecked: [ListSection(TestSection("a"), rows: rows)]))
    let first = Arrangement<TestSection, CountedRow, TestSection, CountedRow>()
    let plan = Parameter(first.sorted(by: .ascending { calls.note($0.key) }, .ascending { ties.note($0.id) }))
    let view = store.arranged(by: plan)
    #expect(await view.snapshot.rowCount == count)
    #expect(calls.value == count && ties.value == 0 && comparisons.value == 0)
    await plan.set(first.sorted(by: .descending { calls.note($0.key / 2) }, .ascending { ties.note($0.id) }))
    #expect(await view.snapshot.rowCount == count)
    // Only rows with equal first keys are compared by the second.
    #expect(calls.value == 2 * count && ties.value == count, "\(calls.value), \(ties.value)")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: sizes)
  func `distinct asks for one key of a row that changed, also if all rows have the same key`(_ count: Int) async throws
  {
    let calls = CallCount()
    let most = try await Self.most(of: count, { $0.distinct { calls.note($0.key * 0) } }, calls: calls)
    #expect(most.calls <= 2 && most.comparisons <= 4 * 32, "\(most)")
  }

  /// The operators.
  enum Kind: CaseIterable {
    case filter, map, sorted, sectioned, summarized, distinct, window, withoutEmptySections

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    static func mapped(by change: @escaping @Sendable (Int) -> Int, _ plan: Plan) -> Plan {
      plan.map { CountedRow(id: $0.id, key: change($0.key), comparisons: $0.comparisons) }
    }

    /// An arrangement with this operator, of a list with a number of rows. Keys that are taken, and rows that are looked at, are
    /// counted.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func declare(_ plan: Plan, count: Int, calls: CallCount = CallCount()) -> Plan {
      switch self {
      case .filter: plan.filter { calls.note($0.key % 3 > 0) }
      case .map: Self.mapped(by: { calls.note($0 / 2) }, plan)
      case .sorted: plan.sorted(by: .ascending { calls.note($0.key) })
      case .sectioned: plan.sectioned(by: { calls.note($0.key % 10) }, section: { TestSection("\($0)") })
      case .summarized:
        plan.sectioned(by: { $0.key % 10 }, summary: .count, Summary.max { calls.note($0.key) }) {
          TestSection("\($0)", "\($1) \($2 ?? 0)")
        }
      case .distinct: plan.distinct { calls.note($0.key / 2) }
      case .window: plan.window(.rows(count / 2..<count / 2 + 20))
      case .withoutEmptySections: plan.filter { calls.note($0.key >= 0) }.withoutEmptySections()
      }
    }

    /// How many keys an event takes, and rows it looks at, in a list of a number of rows.
    func calls(count: Int) -> ClosedRange<Int> {
      switch self {
      case .window: 0...0
      case .filter, .map, .withoutEmptySections: 1...1
      case .distinct: 1...2
      case .summarized: 1...4
      // One descent of the tree: two keys for each comparison; one with the old version of the row, one with the last row.
      case .sorted: ArrangedWorkTests.logarithm(count) + 1...2 * (2 * ArrangedWorkTests.logarithm(count) + 2)
      case .sectioned: 1...2 * (2 * ArrangedWorkTests.logarithm(10) + 2)
      }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: Kind.allCases, sizes)
  func `an event copies few nodes of an arranged list, compares few rows, and asks for few keys`(
    _ kind: Kind, _ count: Int
  ) async throws {
    let calls = CallCount()
    let most = try await Self.most(of: count, { kind.declare($0, count: count, calls: calls) }, calls: calls)
    #expect(kind.calls(count: count).contains(most.calls), "\(most)")
    #expect(most.nodes > 0 && most.nodes <= Self.logarithm(count), "\(most)")
    // A rebuild may find most of the list unchanged, but only by comparing it.
    // A window is compared with its former rows, after a leaf of the source on both sides of the change. A row that moves to
    // another section changes a leaf or two in each, and in the source.
    #expect(most.comparisons > 0 && most.comparisons <= (kind == .window ? 3 * 32 + 3 * 20 : 6 * 32), "\(most)")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: Kind.allCases, sizes)
  func `making a list looks at each row once, and compares none`(_ kind: Kind, _ count: Int) async throws {
    let (calls, comparisons) = (CallCount(), CallCount())
    let rows = (0..<count).map { CountedRow(id: $0, key: $0 * 7_919 % count, comparisons: comparisons) }
    let store = ListStore(ListSnapshot(unchecked: [ListSection(TestSection("a"), rows: rows)]))
    let view = store.arranged { kind.declare($0, count: count, calls: calls) }
    #expect(await view.snapshot.rowCount > 0)
    #expect(
      calls.value == (kind == .window ? 0 : count) && comparisons.value == 0, "\(calls.value), \(comparisons.value)")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: sizes)
  func `lists of two lists are made without comparing rows, and an event compares few and copies few nodes`(
    _ count: Int
  ) async throws {
    let comparisons = CallCount()
    @Sendable func row(_ id: Int, _ key: Int = 0) -> CountedRow {
      CountedRow(id: id, key: key, comparisons: comparisons)
    }
    // Half of the rows are in both.
    let stores = try [0, count / 2].map { start in try ListStore((start..<start + count).map { row($0) }) }
    let lists: [any LiveList<SoleSection, CountedRow>] = [
      stores[0].joined(with: stores[1], on: { $0.id + count / 2 }) { row($0.id, $0.key + $1.key) },
      stores[0].joined(withOptional: stores[1], on: { $0.id + count / 2 }) { row($0.id, $0.key + ($1?.key ?? 0)) },
      stores[0].excluding(stores[1]), stores[0].intersecting(stores[1]), MergedList(stores),
      MergedList(stores, preferring: .last),
    ]
    for list in lists {
      let before = comparisons.value
      #expect(await list.snapshot.rowCount > 0 && comparisons.value == before)
    }
    for event in 0..<8 {
      // The first events make the indexes that follow changes.
      let former = await lists.snapshots
      let id = count / 2 + event * 17
      if event % 4 < 2 {
        try await stores[event % 2].edit { try $0.upsert(row(id, event + 1)) }
      } else {
        try await stores[event % 2].edit { try $0.remove(id) }
      }
      for (list, former) in zip(lists, former) {
        let before = comparisons.value
        let snapshot = await list.snapshot
        let work = Work(nodes: snapshot.nodeCount(besides: former), comparisons: comparisons.value - before)
        #expect(work.comparisons <= 4 * 32 && (event < 2 || work.nodes <= 12), "event \(event), \(list): \(work)")
      }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: sizes)
  func `an event copies few nodes of ten merged lists, and compares few rows`(_ count: Int) async throws {
    var random = SeededGenerator.forFuzzing("work of merged lists")
    let comparisons = CallCount()
    func row(_ id: Int, _ key: Int) -> CountedRow { CountedRow(id: id, key: key, comparisons: comparisons) }
    let stores = (0..<10).map { store in
      let rows = (0..<count / 10).map { row(store * 1_000_000 + $0, 0) }
      return ListStore(ListSnapshot(unchecked: [ListSection(TestSection("s\(store)"), rows: rows)]))
    }
    let merged = MergedList(stores)
    var before = await merged.snapshot
    #expect(before.rowCount == count / 10 * 10)
    for event in 1...100 {
      let store = Int.random(in: 0..<10, using: &random)
      let id = store * 1_000_000 + Int.random(in: 0..<count / 10, using: &random)
      let index = Int.random(in: 0..<count / 10 - 50, using: &random)
      let new = row(store * 1_000_000 + count + event, event)
      try await stores[store].edit { list in
        switch list.path(ofRow: id) == nil ? 0 : event % 4 {
        case 0: try list.insert(new, at: index, in: "s\(store)")
        case 1: try list.update(id) { $0.key = event }
        case 2: try list.move(id, to: index, in: "s\(store)")
        default: try list.remove(id)
        }
      }
      let compared = comparisons.value
      let after = await merged.snapshot
      let work = Work(nodes: after.nodeCount(besides: before), comparisons: comparisons.value - compared)
      #expect(work.nodes <= 8 && work.comparisons <= 4 * 32, "seed \(random.seed), event \(event): \(work)")
      before = after
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: sizes)
  func `a row that a filter lets in looks for its neighbours, not through the whole list`(_ count: Int) async throws {
    let hashes = CallCount()
    let rows = (0..<count).map { HashedRow(id: HashedID(value: $0, hashes: hashes), isShown: $0 % 3 > 0) }
    let store = try ListStore(rows)
    let view = store.arranged { $0.filter(\.isShown) }
    #expect(await view.snapshot.rowCount == count - (count + 2) / 3)
    // The first change makes the indexes.
    try await store.edit { try $0.update(rows[0].id) { $0.isShown = true } }
    #expect(await view.snapshot.rowCount == count - (count + 2) / 3 + 1)
    for index in stride(from: 3, to: count, by: count / 10 / 3 * 3) {
      try await store.edit { try $0.update(rows[index].id) { $0.isShown = true } }
      let before = hashes.value
      let shown = await view.snapshot
      // The row is looked up and entered; the last row of the list, and one before it in the source, are looked up.
      #expect(hashes.value - before <= 4, "\(hashes.value - before)")
      let ids = shown.allRows.map(\.id.value)
      #expect(ids == ids.sorted() && ids.contains(index))
    }
  }
}

/// A row whose id counts how often it is hashed.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private struct HashedRow: RowViewModel {
  let id: HashedID
  var isShown: Bool
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private struct HashedID: Hashable, Sendable {
  let value: Int
  let hashes: CallCount

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.value == rhs.value }

  func hash(into hasher: inout Hasher) { hasher.combine(hashes.note(value)) }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension [any LiveList<SoleSection, CountedRow>] {
  /// The newest list of each.
  fileprivate var snapshots: [ListSnapshot<SoleSection, CountedRow>] {
    get async {
      var all: [ListSnapshot<SoleSection, CountedRow>] = []
      for list in self { all.append(await list.snapshot) }
      return all
    }
  }
}

/// What an event costs a window, counted.
@Suite(.watched) struct WindowWorkTests {
  @Test func `a window in the midst of many sections counts no others`() {
    var random = SeededGenerator.forFuzzing("windows")
    let rows = (0..<30_000).map { TestRow($0) }
    var draft = ListDraft(
      TestSnapshot(
        unchecked: (0..<1_000).map { ListSection(TestSection("s\($0)"), rows: Array(rows[$0 * 30..<($0 + 1) * 30])) }))
    let window = WindowProbe(.rows(15_000..<15_050), of: draft.snapshot)
    for event in 0..<100 {
      let before = draft.snapshot
      let section = Int.random(in: 0..<1_000, using: &random)
      if event % 2 == 0 {
        draft.insertRow(TestRow(30_000 + event), at: RowPath(section: section, row: 0))
      } else {
        draft.removeRow(at: RowPath(section: section, row: 0))
      }
      // The cursor moves from section to section, and counts the sections that it passes.
      let (former, changes) = (window.firstSection, before.changes(to: draft.snapshot))
      #expect(window.firstSection(after: changes) == former)
      window.step(changes, to: draft.snapshot)
      #expect(abs(window.firstSection - former) <= 1)
    }
    #expect(window.snapshot.rowCount == 50)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a change behind a window compares no rows of it, and any other is shown`() {
    var random = SeededGenerator.forFuzzing("changes around windows")
    let comparisons = CallCount()
    func rows(_ ids: Range<Int>) -> [CountedRow] { ids.map { CountedRow(id: $0, key: 0, comparisons: comparisons) } }
    var draft = ListDraft(
      ListSnapshot(
        unchecked: (0..<4).map { ListSection(TestSection("s\($0)"), rows: rows($0 * 20..<($0 + 1) * 20)) }))
    let windows: [RowWindow<Int>] = [.rows(15..<35), .first(20), .last(50), .around(25, count: 10), .rows(100..<110)]
    let probes = windows.map { WindowProbe($0, of: draft.snapshot) }
    var skipped = 0
    for event in 0..<SeededGenerator.rounds(80, long: 2_000) {
      let before = draft.snapshot
      let section = Int.random(in: 0..<4, using: &random)
      let path = RowPath(section: section, row: Int.random(in: 0...before.rowCount(inSection: section), using: &random))
      if path.row == before.rowCount(inSection: section) || event % 3 == 0 {
        draft.insertRow(rows(100 + event..<101 + event)[0], at: path)
      } else if event % 3 == 1 {
        draft.removeRow(at: path)
      } else {
        draft.replaceRow(
          at: path, with: CountedRow(id: before.row(at: path).id, key: event, comparisons: comparisons))
      }
      let changes = before.changes(to: draft.snapshot)
      for index in probes.indices {
        let compared = comparisons.value
        probes[index].step(changes, to: draft.snapshot)
        let isBehind = probes[index].positions.upperBound <= position(of: path, in: before) && index < 2
        if isBehind { skipped += 1 }
        #expect(!isBehind || comparisons.value == compared, "seed \(random.seed), event \(event): \(windows[index])")
        let all = draft.snapshot.allRows.map(\.id)
        let positions = windows[index].positions(count: all.count) { all.firstIndex(of: $0) }
        let output = probes[index].snapshot
        #expect(
          output.allRows.map(\.id) == Array(all[positions])
            && output.allRows.map(\.key) == draft.snapshot.allRows.map(\.key)[positions].map { $0 },
          "seed \(random.seed), event \(event): \(windows[index])")
      }
    }
    #expect(skipped > 0)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `an event costs the window of its section, and nothing behind that`() async throws {
    let comparisons = CallCount()
    func rows(_ ids: Range<Int>) -> [CountedRow] { ids.map { CountedRow(id: $0, key: 0, comparisons: comparisons) } }
    let store = ListStore(
      ListSnapshot(
        unchecked: (0..<100).map {
          ListSection(TestSection("s\($0)"), rows: rows($0 * 1_000..<($0 + 1) * 1_000))
        }))
    let list = store.arranged { $0.window(inEachSection: .first(3)) }
    _ = await list.snapshot
    func work(_ path: RowPath, _ key: Int) async throws -> Int {
      let row = CountedRow(id: path.section * 1_000 + path.row, key: key, comparisons: comparisons)
      try await store.edit { try $0.upsert(row) }
      let before = comparisons.value
      #expect(await list.snapshot.rowCount == 300)
      return comparisons.value - before
    }
    // The index of the rows that are shown is made at the first event.
    _ = try await work(RowPath(section: 7, row: 0), 1)
    // A leaf of the source on both sides of the change.
    let behind = try await work(RowPath(section: 50, row: 500), 2)
    let inside = try await work(RowPath(section: 50, row: 1), 3)
    #expect(behind <= 2 * 32 && inside <= 2 * 32 + 3 * 3, "\(behind), \(inside)")
  }

  /// The position of a path, counted over all sections.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private func position(of path: RowPath, in list: ListSnapshot<TestSection, CountedRow>) -> Int {
    (0..<path.section).reduce(path.row) { $0 + list.rowCount(inSection: $1) }
  }
}
