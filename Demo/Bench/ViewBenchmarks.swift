import Rowcast
import RowcastConsole

/// What arranged lists cost for each event of their source, beside making them anew.
enum ViewBenchmarks {
  static let all: [EventBenchmark] = [
    EventBenchmark(name: "view/filter-100k") { await filtered(100_000).report() },
    EventBenchmark(name: "view/sort-100k") { await sorted(100_000).report() },
    EventBenchmark(name: "view/sectioned-1k") { await sectioned(1_000).report() },
    EventBenchmark(name: "view/sectioned-100k") { await sectioned(100_000).report() },
    EventBenchmark(name: "view/window-1m") { await window(1_000_000).report() },
    EventBenchmark(name: "view/merge-10x10k") { await merged(10, rows: 10_000) },
    EventBenchmark(name: "view/retarget-100k") {
      await sectioned(100_000).reportOnRetargeting(to: arranged { $0.priority % 7 > 1 })
    },
  ]

  private static let toggle: ViewChange = { row, _ in row.isDone.toggle() }
  private static let prioritise: ViewChange = { $0.priority = Int($1.next() % 1_000) }
  private static let postpone: ViewChange = { $0.day = Int($1.next() % 30) }
  private static func precedes(_ first: ViewRow, _ second: ViewRow) -> Bool {
    first.priority == second.priority
      ? first.title == second.title ? first.id < second.id : first.title < second.title
      : first.priority > second.priority
  }

  /// The rows that pass, as the store has them.
  private static func filtered(_ rows: Int) -> ViewWorkload<SoleSection> {
    ViewWorkload(
      rows: rows, Arrangement().filter { !$0.isDone },
      recompute: { [ListSection(SoleSection(), rows: $0.filter { !$0.isDone })] }, changes: [toggle])
  }

  private static func sorted(_ rows: Int) -> ViewWorkload<SoleSection> {
    ViewWorkload(
      rows: rows, Arrangement().sorted(by: .descending(\.priority), .ascending(\.title)),
      recompute: { [ListSection(SoleSection(), rows: $0.sorted(by: precedes))] }, changes: [prioritise])
  }

  /// Filtered, a section for each day, sorted by two keys.
  private static func sectioned(_ rows: Int) -> ViewWorkload<StoreSection> {
    ViewWorkload(
      rows: rows, arranged { !$0.isDone },
      recompute: { rows in
        Dictionary(grouping: rows.lazy.filter { !$0.isDone }, by: \.day).sorted { $0.key < $1.key }
          .map { ListSection(StoreSection(id: $0.key), rows: $0.value.sorted(by: precedes)) }
      },
      isShown: { !$0.isDone }, changes: [toggle, prioritise, postpone])
  }

  private static func arranged(_ isIncluded: @escaping @Sendable (ViewRow) -> Bool) -> ViewWorkload<StoreSection>.Plan {
    Arrangement().filter(isIncluded).sectioned(by: \.day) { StoreSection(id: $0) }
      .sorted(by: .descending(\.priority), .ascending(\.title))
  }

  /// A hundred rows in the middle of a sorted list, whose events shift the window.
  private static func window(_ rows: Int) -> ViewWorkload<SoleSection> {
    let middle = rows / 2..<rows / 2 + 100
    return ViewWorkload(
      rows: rows, Arrangement().sorted(by: .descending(\.priority), .ascending(\.title)).window(.rows(middle)),
      recompute: { [ListSection(SoleSection(), rows: Array($0.sorted(by: precedes)[middle]))] },
      changes: [
        { row, random in
          // Over the middle, which the rows whose priorities are near it may or may not be beyond.
          if row.priority < 480 || row.priority >= 520 {
            row.priority = Int(random.next() % 480) + (row.priority < 480 ? 520 : 0)
          }
        }
      ])
  }

  /// Stores whose lists follow each other; an event changes a row of one of them.
  private static func merged(_ count: Int, rows: Int) async -> EventReport {
    var random = BenchRandom(seed: 10)
    var material: [ListSection<StoreSection, ViewRow>] = []
    for id in 0..<count {
      let section = (id * rows..<(id + 1) * rows).map { ViewRow($0, &random) }
      material.append(ListSection(StoreSection(id: id), rows: section))
    }
    let stores = material.map { section in ListStore((try? ListSnapshot([section])) ?? ListSnapshot()) }
    var stream = MergedList(stores).updates().makeAsyncIterator()
    _ = await stream.next()
    var samples: [Double] = []
    for _ in 0..<20_000 {
      let id = Int(random.next() % UInt64(count * rows))
      let store = stores[id / rows]
      let start = ContinuousClock.now
      do { try await store.edit { try $0.update(id) { $0.isDone.toggle() } } } catch { StoreWorkload.stop(at: error) }
      keepAlive(await stream.next())
      samples.append(start.duration(to: .now).nanoseconds)
      material[id / rows].rows[id % rows].isDone.toggle()
    }
    var recomputing: [Double] = []
    for number in 0..<7 {
      let before = (try? ListSnapshot(material)) ?? ListSnapshot()
      material[number].rows[number].isDone.toggle()
      recomputing.append(
        StoreWorkload.nanoseconds { keepAlive(before.changes(to: (try? ListSnapshot(material)) ?? ListSnapshot())) })
    }
    let result = Samples(samples)
    return EventReport([
      ("rows", .count(count * rows)), ("per_event_ns", .nanoseconds(result.median)),
      ("p99_ns", .nanoseconds(result.percentile(0.99))),
      ("recompute_ns", .nanoseconds(Samples(recomputing).median)),
      ("recompute_ratio", .ratio(Samples(recomputing).median / result.median)),
    ])
  }
}
