package import RowcastDemoBench
import Rowcast

/// The cost of arranged lists for each event of their source, beside the cost of rebuilding them.
package enum ViewBenchmarks {
  /// In the order in which they run.
  package static let groups: [Bench.Group] = [
    .events(all + StepBenchmarks.all), .events(OutlineBenchmarks.all), .events(ModelBenchmarks.all),
  ]

  private static let all: [EventBenchmark] = [
    EventBenchmark(name: "view/filter-100k") { await filtered(100_000).report() },
    EventBenchmark(name: "view/filter-10m") { await filtered(10_000_000).report() },
    EventBenchmark(name: "view/sort-100k") { await sorted(100_000).report() },
    EventBenchmark(name: "view/sectioned-1k") { await sectioned(1_000).report() },
    EventBenchmark(name: "view/sectioned-100k") { await sectioned(100_000).report() },
    EventBenchmark(name: "view/window-1m") { await window(1_000_000).report() },
    EventBenchmark(name: "view/summary-100k") { await summarized(100_000).report() },
    EventBenchmark(name: "view/neighbours-100k") { await neighbours(100_000).report() },
    EventBenchmark(name: "view/recent-100k") { await recent(100_000).report() },
    EventBenchmark(name: "view/merge-10x10k") { await merged(10, rows: 10_000) },
    EventBenchmark(name: "view/merge-shared-100k") { await mergedSharing(100_000) },
    EventBenchmark(name: "view/join-100k") { await joined(100_000) },
    EventBenchmark(name: "view/join-many-100k") { await joinedWithMany(10_000, others: 100_000) },
    EventBenchmark(name: "view/comment-counts-61k") { await joinedWithMany(1_000, others: 60_000) },
    EventBenchmark(name: "view/newest-50-of-61k") { await newest(50, of: 61_000) },
    EventBenchmark(name: "view/newest-50-open-of-61k") { await newest(50, of: 61_000, by: isOpen) },
    EventBenchmark(name: "view/flat-map-100k") { await flattened(100_000) },
    EventBenchmark(name: "view/exchange-100k") { await exchanged(100_000) },
    EventBenchmark(name: "view/optimistic-100k") { await optimistic(100_000, pending: 8) },
    EventBenchmark(name: "view/shared-100k") { await shared(100_000, by: 100) },
    EventBenchmark(name: "view/build-filter-100k") { await filtered(100_000).reportOnBuilding() },
    EventBenchmark(name: "view/build-sort-100k") { await sorted(100_000).reportOnBuilding() },
    EventBenchmark(name: "view/build-sectioned-100k") { await sectioned(100_000).reportOnBuilding() },
    EventBenchmark(name: "view/build-neighbours-100k") { await neighbours(100_000).reportOnBuilding() },
    EventBenchmark(name: "view/build-distinct-100k") { await distinct(100_000).reportOnBuilding() },
    EventBenchmark(name: "view/build-window-100k") { await window(100_000).reportOnBuilding() },
    EventBenchmark(name: "view/build-summary-100k") { await summarized(100_000).reportOnBuilding() },
    EventBenchmark(name: "view/refilter-100k") {
      await filtered(100_000).reportOnRetargeting(to: filtered(100_000, by: hasPriority))
    },
    EventBenchmark(name: "view/retarget-100k") {
      await sectioned(100_000).reportOnRetargeting(to: sectioned(100_000, by: hasPriority))
    },
  ]

  private static let toggle: ViewChange = { row, _ in row.isDone.toggle() }
  private static let prioritise: ViewChange = { $0.priority = Int($1.next() % 1_000) }
  private static let postpone: ViewChange = { $0.day = Int($1.next() % 30) }
  private static let isOpen: @Sendable (ViewRow) -> Bool = { !$0.isDone }
  private static let hasPriority: @Sendable (ViewRow) -> Bool = { $0.priority % 7 > 1 }
  private static func precedes(_ first: ViewRow, _ second: ViewRow) -> Bool {
    first.priority == second.priority
      ? first.title == second.title ? first.id < second.id : first.title < second.title
      : first.priority > second.priority
  }

  /// The rows that pass, as the store has them.
  private static func filtered(
    _ rows: Int, by isIncluded: @escaping @Sendable (ViewRow) -> Bool = isOpen
  ) -> ViewWorkload<SoleSection> {
    ViewWorkload(
      rows: rows, Arrangement().filter(isIncluded),
      recompute: { [ListSection(SoleSection(), rows: $0.filter(isIncluded))] }, changes: [toggle])
  }

  private static func sorted(_ rows: Int) -> ViewWorkload<SoleSection> {
    ViewWorkload(
      rows: rows, Arrangement().sorted(by: .descending(\.priority), .ascending(\.title)),
      recompute: { [ListSection(SoleSection(), rows: $0.sorted(by: precedes))] }, changes: [prioritise])
  }

  /// Filtered, a section for each day, sorted by two keys.
  private static func sectioned(
    _ rows: Int, by isIncluded: @escaping @Sendable (ViewRow) -> Bool = isOpen
  ) -> ViewWorkload<DaySummary> {
    ViewWorkload(
      rows: rows,
      Arrangement().filter(isIncluded).sectioned(by: \.day) { DaySummary(id: $0) }
        .sorted(by: .descending(\.priority), .ascending(\.title)),
      recompute: { rows in
        Dictionary(grouping: rows.lazy.filter(isIncluded), by: \.day).sorted { $0.key < $1.key }
          .map { ListSection(DaySummary(id: $0.key), rows: $0.value.sorted(by: precedes)) }
      },
      isShown: isIncluded, changes: [toggle, prioritise, postpone])
  }

  /// A hundred rows in the middle of a sorted list, whose events shift the window.
  private static func window(_ rows: Int) -> ViewWorkload<SoleSection> {
    let middle = rows / 2..<rows / 2 + 100
    return ViewWorkload(
      rows: rows, Arrangement().sorted(by: .descending(\.priority), .ascending(\.title)).window(.rows(middle)),
      recompute: { [ListSection(SoleSection(), rows: Array($0.sorted(by: precedes)[middle]))] },
      changes: [
        { row, random in
          // Across the middle. Rows with priorities close to it are left out: they may be on either side.
          if row.priority < 480 || row.priority >= 520 {
            row.priority = Int(random.next() % 480) + (row.priority < 480 ? 520 : 0)
          }
        }
      ])
  }

  /// Rows that are young by their priority.
  private static func recent(_ rows: Int) -> ViewWorkload<SoleSection> {
    let isRecent: @Sendable (ViewRow) -> Bool = { $0.priority > 500 }
    return ViewWorkload(
      rows: rows, Arrangement().recent({ Double($0.priority) }, within: .seconds(500), now: { 1_000 }),
      recompute: { [ListSection(SoleSection(), rows: $0.filter(isRecent))] }, isShown: isRecent, changes: [prioritise])
  }

  /// Rows that are done if the row before has their priority.
  private static func neighbours(_ rows: Int) -> ViewWorkload<SoleSection> {
    @Sendable func made(_ row: ViewRow, _ previous: ViewRow?) -> ViewRow {
      var row = row
      row.isDone = previous?.priority == row.priority
      return row
    }
    return ViewWorkload(
      rows: rows, Arrangement().withNeighbours().map { made($0.row, $0.previous) },
      recompute: { rows in
        [ListSection(SoleSection(), rows: rows.indices.map { made(rows[$0], $0 > 0 ? rows[$0 - 1] : nil) })]
      }, changes: [prioritise])
  }

  /// The first row of each of 10,000 keys.
  private static func distinct(_ rows: Int) -> ViewWorkload<SoleSection> {
    ViewWorkload(
      rows: rows, Arrangement().distinct { $0.id % 10_000 },
      recompute: { rows in
        var seen: Set<Int> = []
        return [ListSection(SoleSection(), rows: rows.filter { seen.insert($0.id % 10_000).inserted })]
      }, changes: [toggle])
  }

  /// A section for each day with the number of its rows, the sum and the greatest of their priorities.
  private static func summarized(_ rows: Int) -> ViewWorkload<DaySummary> {
    ViewWorkload(
      rows: rows,
      Arrangement().sectioned(by: \.day, summary: .count, .sum(\.priority), .max(\.priority)) {
        DaySummary(id: $0, count: $1, sum: $2, most: $3 ?? 0)
      },
      recompute: { rows in
        Dictionary(grouping: rows, by: \.day).sorted { $0.key < $1.key }.map { day, rows in
          let priorities = rows.lazy.map(\.priority)
          return ListSection(
            DaySummary(id: day, count: rows.count, sum: priorities.reduce(0, +), most: priorities.max() ?? 0),
            rows: rows)
        }
      }, changes: [prioritise, postpone])
  }

  /// Stores whose lists follow each other; an event changes a row of one of them.
  private static func merged(_ count: Int, rows: Int) async -> EventReport {
    var random = SplitMix64(seed: 10)
    var material: [ListSection<DaySummary, ViewRow>] = []
    for id in 0..<count {
      let section = (id * rows..<(id + 1) * rows).map { ViewRow($0, &random) }
      material.append(ListSection(DaySummary(id: id), rows: section))
    }
    let stores = material.map { section in ListStore((try? ListSnapshot([section])) ?? ListSnapshot()) }
    return await report(
      MergedList(stores), rows: count * rows,
      edit: { id in
        material[id / rows].rows[id % rows].isDone.toggle()
        try await stores[id / rows].edit { try $0.update(id) { $0.isDone.toggle() } }
      }, recompute: { material })
  }

  /// Two stores of one section that have half of their rows in common; an event changes or moves a row of one of them.
  private static func mergedSharing(_ rows: Int) async -> EventReport {
    var random = SplitMix64(seed: 11)
    var lists = [0, rows / 2].map { start in (start..<start + rows).map { ViewRow($0, &random) } }
    let stores = lists.map { (try? ListStore($0)) ?? ListStore() }
    return await report(
      MergedList(stores, preferring: .last), rows: rows + rows / 2,
      edit: { number in
        let (list, place) = (number >= rows ? 1 : 0, number % rows)
        // The first list wins where the other one has no such row.
        let id = list * (rows / 2) + (list == 0 ? place / 2 : place)
        let index = id - list * (rows / 2)
        lists[list][index].isDone.toggle()
        let row = lists[list][index]
        try await stores[list].edit { try $0.upsert(row) }
      },
      recompute: {
        let late = Set(lists[1].lazy.map(\.id))
        return [ListSection(SoleSection(), rows: lists[0].filter { !late.contains($0.id) } + lists[1])]
      })
  }

  /// Rows with the title of one of a tenth as many; an event changes one or the other.
  private static func joined(_ rows: Int) async -> EventReport {
    var random = SplitMix64(seed: 12)
    var left = (0..<rows).map { ViewRow($0, &random) }
    var right = (0..<rows / 10).map { ViewRow($0, &random) }
    let (lefts, rights) = ((try? ListStore(left)) ?? ListStore(), (try? ListStore(right)) ?? ListStore())
    func combine(_ row: ViewRow, _ partner: ViewRow) -> ViewRow {
      var row = row
      row.day = partner.priority
      return row
    }
    return await report(
      lefts.joined(with: rights, on: { $0.id / 10 }) { row, partner in
        var row = row
        row.day = partner.priority
        return row
      },
      rows: rows,
      edit: { id in
        if id % 2 == 0 {
          left[id].isDone.toggle()
          let row = left[id]
          try await lefts.edit { try $0.upsert(row) }
        } else {
          right[id / 10].priority += 1
          let row = right[id / 10]
          try await rights.edit { try $0.upsert(row) }
        }
      },
      recompute: { [ListSection(SoleSection(), rows: left.map { combine($0, right[$0.id / 10]) })] })
  }

  /// The rows with the greatest priorities; an event adds one of these, or removes it again.
  private static func newest(
    _ count: Int, of rows: Int, by isIncluded: @escaping @Sendable (ViewRow) -> Bool = { _ in true }
  ) async -> EventReport {
    var random = SplitMix64(seed: 19)
    var material = (0..<rows).map { ViewRow($0, &random) }
    var added: ViewRow?
    let store = (try? ListStore(material)) ?? ListStore()
    return await report(
      store.arranged {
        $0.filter(isIncluded).sorted(by: .descending(\.priority), .ascending(\.title)).window(.first(count))
      },
      rows: rows,
      edit: { number in
        if let last = added {
          (added, _) = (nil, material.removeLast())
          try await store.edit { try $0.remove(last.id) }
        } else {
          var row = ViewRow(rows + number, &random)
          (row.priority, row.isDone) = (1_000, false)
          added = row
          material.append(row)
          try await store.edit { [row] in try $0.append(row) }
        }
      },
      recompute: {
        [ListSection(SoleSection(), rows: Array(material.filter(isIncluded).sorted(by: precedes).prefix(count)))]
      })
  }

  /// Rows with the number and the sum of the rows of another list that refer to them; an event adds or removes one of these.
  private static func joinedWithMany(_ rows: Int, others: Int) async -> EventReport {
    var random = SplitMix64(seed: 16)
    let left = (0..<rows).map { ViewRow($0, &random) }
    var right = (0..<others).map { ViewRow($0, &random) }
    var added: ViewRow?
    let (lefts, rights) = ((try? ListStore(left)) ?? ListStore(), (try? ListStore(right)) ?? ListStore())
    return await report(
      lefts.joined(withMany: rights, on: { $0.id % rows }, summary: .count, .sum(\.priority)) { row, count, sum in
        var row = row
        (row.day, row.priority) = (count, sum)
        return row
      },
      rows: rows,
      edit: { number in
        if let last = added {
          (added, _) = (nil, right.removeLast())
          try await rights.edit { try $0.remove(last.id) }
        } else {
          let row = ViewRow(others + number, &random)
          added = row
          right.append(row)
          try await rights.edit { try $0.append(row) }
        }
      },
      recompute: {
        var sums = [(count: Int, sum: Int)](repeating: (0, 0), count: rows)
        for row in right {
          sums[row.id % rows] = (sums[row.id % rows].count + 1, sums[row.id % rows].sum + row.priority)
        }
        return [
          ListSection(
            SoleSection(),
            rows: left.map {
              var row = $0
              (row.day, row.priority) = sums[row.id]
              return row
            })
        ]
      })
  }

  /// Two rows of each; an event changes a row.
  private static func flattened(_ rows: Int) async -> EventReport {
    @Sendable func halves(_ row: ViewRow) -> [ViewRow] { [row.with(id: 2 * row.id), row.with(id: 2 * row.id + 1)] }
    var random = SplitMix64(seed: 17)
    var material = (0..<rows).map { ViewRow($0, &random) }
    let store = (try? ListStore(material)) ?? ListStore()
    return await report(
      store.flatMap(halves), rows: rows,
      edit: { id in
        material[id].isDone.toggle()
        try await store.edit { try $0.update(id) { $0.isDone.toggle() } }
      }, recompute: { [ListSection(SoleSection(), rows: material.flatMap(halves))] })
  }

  /// A list that replaces another one, from which one row in a hundred differs, beside the difference of their snapshots.
  private static func exchanged(_ rows: Int) async -> EventReport {
    var random = SplitMix64(seed: 18)
    let material = (0..<rows).map { ViewRow($0, &random) }
    let others = material.map { row in row.id % 100 == 0 ? row.with(id: rows + row.id) : row }
    let stores = [material, others].map { (try? ListStore($0)) ?? ListStore() }
    let shown = Parameter<any LiveList<SoleSection, ViewRow>>(stores[0])
    var stream = Switched(shown).updates().makeAsyncIterator()
    keepAlive(await stream.next())
    let snapshots = [await stores[0].snapshot, await stores[1].snapshot]
    var (exchanges, differences) = ([Double](), [Double]())
    for round in 1...20 {
      let start = ContinuousClock.now
      await shown.set(stores[round % 2])
      keepAlive(await stream.next())
      exchanges.append(start.duration(to: .now).nanoseconds)
      differences.append(
        Stopwatch.nanoseconds { keepAlive(snapshots[1 - round % 2].changes(to: snapshots[round % 2])) })
    }
    let (exchange, difference) = (Samples(exchanges).median, Samples(differences).median)
    return EventReport([
      ("rows", .count(rows)), ("per_event_ns", .nanoseconds(exchange)), ("recompute_ns", .nanoseconds(difference)),
      ("ratio", .ratio(exchange / difference)),
    ])
  }

  /// A list with pending edits of some rows; an event changes a row of its store.
  private static func optimistic(_ rows: Int, pending: Int) async -> EventReport {
    var random = SplitMix64(seed: 14)
    var material = (0..<rows).map { ViewRow($0, &random) }
    let store = (try? ListStore(material)) ?? ListStore()
    let shown = OptimisticList(store)
    let edits = (0..<pending).map { number in
      Task {
        try await shown.edit {
          try $0.update(number * rows / pending) { $0.isDone.toggle() }
        } confirming: {
          try await Task.sleep(for: .seconds(3_600))
        }
      }
    }
    defer { for edit in edits { edit.cancel() } }
    while await shown.revision < pending { await Task.yield() }
    return await report(
      shown, rows: rows,
      edit: { id in
        material[id].priority += 1
        try await store.edit { try $0.update(id) { $0.priority += 1 } }
      },
      recompute: {
        var rows = material
        for number in 0..<pending { rows[number * rows.count / pending].isDone.toggle() }
        return [ListSection(SoleSection(), rows: rows)]
      })
  }

  /// Filters of one sorted list. An event changes a row; then one of the filters is asked, or all of them are.
  private static func shared(_ rows: Int, by children: Int) async -> EventReport {
    var random = SplitMix64(seed: 15)
    let store = (try? ListStore((0..<rows).map { ViewRow($0, &random) })) ?? ListStore()
    let sorted = store.arranged { $0.sorted(by: .descending(\.priority), .ascending(\.title)) }
    let views = (0..<children).map { number in sorted.arranged { $0.filter { $0.id % children != number } } }
    func time(_ edits: Int, _ views: ArraySlice<some LiveList>) async -> Samples {
      var samples: [Double] = []
      for _ in 0..<edits {
        let (id, priority) = (Int(random.next() % UInt64(rows)), Int(random.next() % 1_000))
        let start = ContinuousClock.now
        do { try await store.edit { try $0.update(id) { $0.priority = priority } } } catch { Bench.stop(at: error) }
        for view in views { keepAlive(await view.snapshot) }
        samples.append(start.duration(to: .now).nanoseconds)
      }
      return Samples(samples)
    }
    let start = ContinuousClock.now
    for view in views { keepAlive(await view.snapshot) }
    let build = start.duration(to: .now).nanoseconds
    let all = await time(200, views[...])
    let (one, parent) = (await time(20_000, views[..<1]), await time(20_000, [sorted][...]))
    return EventReport([
      ("rows", .count(rows)), ("views", .count(children)), ("per_event_ns", .nanoseconds(one.median)),
      ("p99_ns", .nanoseconds(one.percentile(0.99))), ("parent_ns", .nanoseconds(parent.median)),
      ("per_view_ns", .nanoseconds(all.median / Double(children))), ("build_ns", .nanoseconds(build)),
    ])
  }

  /// The cost of one event, and of rebuilding the list.
  private static func report<Section, Row>(
    _ list: some LiveList<Section, Row>, rows: Int, edit: (Int) async throws -> Void,
    recompute: () -> [ListSection<Section, Row>]
  ) async -> EventReport {
    var random = SplitMix64(seed: 13)
    func change() async {
      do { try await edit(Int(random.next() % UInt64(rows))) } catch { Bench.stop(at: error) }
    }
    // The cost of an event that no reader asks for.
    var alone: [Double] = []
    for _ in 0..<5_000 {
      let start = ContinuousClock.now
      await change()
      alone.append(start.duration(to: .now).nanoseconds)
    }
    let before = residentBytes()
    var stream = list.updates().makeAsyncIterator()
    let start = ContinuousClock.now
    _ = await stream.next()
    let build = start.duration(to: .now).nanoseconds
    // Memory that was free before does not count: only a benchmark alone in its process shows it.
    let held = residentBytes().flatMap { after in before.map { after - $0 } }.flatMap { $0 > 0 ? $0 : nil }
    var samples: [Double] = []
    for _ in 0..<20_000 {
      let start = ContinuousClock.now
      await change()
      keepAlive(await stream.next())
      samples.append(start.duration(to: .now).nanoseconds)
    }
    var recomputing: [Double] = []
    for _ in 0..<7 {
      let before = (try? ListSnapshot(recompute())) ?? ListSnapshot()
      await change()
      recomputing.append(
        Stopwatch.nanoseconds { keepAlive(before.changes(to: (try? ListSnapshot(recompute())) ?? ListSnapshot())) })
    }
    let result = Samples(samples)
    return EventReport([
      ("rows", .count(rows)), ("per_event_ns", .nanoseconds(result.median)),
      ("store_events", .ratio(result.median / Samples(alone).median)),
      ("p99_ns", .nanoseconds(result.percentile(0.99))), ("build_ns", .nanoseconds(build)),
      ("held_bytes", .optional(held)), ("recompute_ns", .nanoseconds(Samples(recomputing).median)),
      ("recompute_ratio", .ratio(Samples(recomputing).median / result.median)),
    ])
  }
}

/// A header of the bench.
struct DaySummary: SectionViewModel {
  let id: Int
  var count = 0
  var sum = 0
  var most = 0
}
