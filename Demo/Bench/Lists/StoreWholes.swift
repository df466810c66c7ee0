import RowcastDemoBench
import Rowcast

/// What whole lists cost: to build, to read, to keep.
enum StoreWholes {
  static func build(rows: Int) -> EventReport {
    var random = SplitMix64(seed: 1)
    let material = [
      ListSection(StoreSection(id: 0), rows: (0..<rows).shuffled(using: &random).map { StoreRow($0) })
    ]
    var lists: [Double] = []
    var stores: [Double] = []
    for _ in 0..<5 {
      var list = StoreWorkload.Snapshot()
      lists.append(Stopwatch.nanoseconds { list = (try? ListSnapshot(material)) ?? list })
      var store: StoreWorkload.Store?
      stores.append(Stopwatch.nanoseconds { store = ListStore(list) })
      withExtendedLifetime(store) {}
    }
    return EventReport([
      ("rows", .count(rows)),
      ("per_event_ns", .nanoseconds((Samples(lists).median + Samples(stores).median) / Double(rows))),
      ("list_ns", .nanoseconds(Samples(lists).median)), ("store_ns", .nanoseconds(Samples(stores).median)),
    ])
  }

  static func iterate(rows: Int) async -> EventReport {
    let workload = await StoreWorkload(rows: rows, sections: 1)
    let list = await workload.store.snapshot.rows(inSection: 0)
    let array = Array(list)
    let samples = Stopwatch.alternate(runs: 9, [{ keepAlive(sum(of: list)) }, { keepAlive(sum(of: array)) }])
    return EventReport([
      ("rows", .count(list.count)), ("per_event_ns", .ratio(samples[0].median / Double(rows))),
      ("array_event_ns", .ratio(samples[1].median / Double(rows))),
    ])
  }

  /// Reads every row once. Not inlined, as the optimiser would do it once for all runs.
  @inline(never)
  private static func sum(of rows: some Collection<StoreRow>) -> Int { rows.reduce(0) { $0 &+ $1.number } }

  /// A list that grows row by row to its size, while a subscriber keeps the previous list: growing stalls no reader.
  static func grow(to rows: Int) async -> EventReport {
    var random = SplitMix64(seed: 3)
    let store = StoreWorkload.Store()
    var samples: [Double] = []
    samples.reserveCapacity(rows)
    do {
      try await store.edit { try $0.append(StoreSection(id: 0)) }
      for (index, id) in (0..<rows).shuffled(using: &random).enumerated() {
        let path = RowPath(section: 0, row: Int(random.next() % UInt64(index + 1)))
        let held = await store.snapshot
        let start = ContinuousClock.now
        try await store.edit { try $0.insert(StoreRow(id), at: path) }
        samples.append(start.duration(to: .now).nanoseconds)
        withExtendedLifetime(held) {}
      }
    } catch {
      Bench.stop(at: error)
    }
    let result = Samples(samples)
    return EventReport([
      ("rows", .count(rows)), ("per_event_ns", .nanoseconds(result.median)),
      ("p99_ns", .nanoseconds(result.percentile(0.99))), ("p99_99_ns", .nanoseconds(result.percentile(0.9999))),
      ("worst_ns", .nanoseconds(result.percentile(1))),
    ])
  }

  static func access(rows: Int) async -> EventReport {
    let workload = await StoreWorkload(rows: rows, sections: 1)
    let list = await workload.store.snapshot
    var random = SplitMix64(seed: 2)
    let paths = (0..<100_000).map { _ in RowPath(section: 0, row: Int(random.next() % UInt64(rows * 3 / 4))) }
    let samples = Stopwatch.alternate(
      runs: 9, [{ keepAlive(paths.reduce(0) { $0 &+ list.row(at: $1).number }) }])
    return EventReport([("per_event_ns", .nanoseconds(samples[0].median / Double(paths.count)))])
  }

  /// The memory of a store and its newest list, beside a plain array of the same rows.
  static func memory(rows: Int) async -> EventReport {
    let before = residentBytes()
    var workload: StoreWorkload? = await StoreWorkload(rows: rows, sections: 1)
    let ids = workload?.ids.capacity ?? 0
    let count = await workload?.store.snapshot.rowCount ?? 0
    let store = residentBytes().flatMap { after in before.map { after - $0 - ids * 8 } }
    var array = (await workload?.store.snapshot.rows(inSection: 0)).map { Array($0) } ?? []
    workload = nil
    array.reserveCapacity(0)
    return EventReport([
      ("rows", .count(count)), ("bytes_per_row", .optional(store.map { $0 / count })),
      ("array_bytes_per_row", .count(MemoryLayout<StoreRow>.stride * array.capacity / count)),
    ])
  }
}
