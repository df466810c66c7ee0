import RowcastDemoBench
import Rowcast

/// A row of the benchmarks of arranged lists.
struct ViewRow: RowViewModel {
  let id: Int
  var title: String
  var day: Int
  var priority: Int
  var isDone: Bool

  init(_ id: Int, _ random: inout SplitMix64) {
    self.id = id
    title = "Row \(id)"
    day = Int(random.next() % 30)
    priority = Int(random.next() % 1_000)
    isDone = random.next() % 3 == 0
  }

  /// The same with another id.
  func with(id: Int) -> ViewRow { ViewRow(id: id, self) }

  private init(id: Int, _ row: ViewRow) {
    self.id = id
    (title, day, priority, isDone) = (row.title, row.day, row.priority, row.isDone)
  }
}

/// Changes a row so that the arranged list changes with it.
typealias ViewChange = @Sendable (inout ViewRow, inout SplitMix64) -> Void

/// A store of rows, an arrangement of it, and the same made of plain arrays.
struct ViewWorkload<Section: SectionViewModel> {
  typealias Plan = Arrangement<SoleSection, ViewRow, Section, ViewRow>
  typealias Material = [ListSection<Section, ViewRow>]

  let plan: Plan
  /// The result of the arrangement, rebuilt from the rows.
  let recompute: ([ViewRow]) -> Material
  let isShown: (ViewRow) -> Bool
  let changes: [ViewChange]
  let store = ListStore<SoleSection, ViewRow>()
  private var rows: [ViewRow]
  private var random: SplitMix64

  init(
    rows count: Int, _ plan: Plan, recompute: @escaping ([ViewRow]) -> Material,
    isShown: @escaping (ViewRow) -> Bool = { _ in true }, changes: [ViewChange]
  ) {
    self.plan = plan
    self.recompute = recompute
    self.isShown = isShown
    self.changes = changes
    random = SplitMix64(seed: UInt64(count))
    rows = []
    for id in (0..<count).shuffled(using: &random) { rows.append(ViewRow(id, &random)) }
  }

  /// What one event costs, from the edit to the update in the subscriber's hands.
  consuming func report() async -> EventReport {
    await fill()
    // The cost of an event that no reader asks for.
    var alone: [Double] = []
    for _ in 0..<5_000 {
      let row = next()
      let start = ContinuousClock.now
      await edit(row)
      alone.append(start.duration(to: .now).nanoseconds)
    }
    let view = store.arranged(by: plan)
    var stream = view.updates().makeAsyncIterator()
    let start = ContinuousClock.now
    _ = await stream.next()
    let build = start.duration(to: .now).nanoseconds
    var samples: [Double] = []
    for _ in 0..<20_000 {
      let row = next()
      let start = ContinuousClock.now
      await edit(row)
      let update = await stream.next()
      samples.append(start.duration(to: .now).nanoseconds)
      keepAlive(update)
    }
    let delivered = await delivery(view)
    let scratch = recomputing()
    let result = Samples(samples)
    return EventReport([
      ("rows", .count(rows.count)), ("per_event_ns", .nanoseconds(result.median)),
      ("store_events", .ratio(result.median / Samples(alone).median)),
      ("p99_ns", .nanoseconds(result.percentile(0.99))), ("delivered_ns", .nanoseconds(delivered)),
      ("build_ns", .nanoseconds(build)), ("recompute_arrays_ns", .nanoseconds(scratch.arrays)),
      ("recompute_ns", .nanoseconds(scratch.update)), ("recompute_ratio", .ratio(scratch.update / result.median)),
    ])
  }

  private mutating func next() -> ViewRow {
    let change = changes[Int(random.next() % UInt64(changes.count))]
    while true {
      let place = Int(random.next() % UInt64(rows.count))
      var row = rows[place]
      change(&row, &random)
      guard row != rows[place], isShown(row) || isShown(rows[place]) else { continue }
      rows[place] = row
      return row
    }
  }

  private func fill() async {
    let all = rows
    do {
      try await store.replace(with: ListSnapshot([ListSection(SoleSection(), rows: all)]))
    } catch {
      Bench.stop(at: error)
    }
  }

  @inline(__always)
  private nonisolated(nonsending) func edit(_ row: ViewRow) async {
    do { try await store.edit { try $0.upsert(row) } } catch { Bench.stop(at: error) }
  }

  /// The same for a subscriber in a task of its own, which has to be woken.
  private mutating func delivery(_ view: ArrangedList<Section, ViewRow>) async -> Double {
    let (arrivals, arrival) = AsyncStream.makeStream(of: ContinuousClock.Instant.self)
    let follower = Task { for await _ in view.updates() { arrival.yield(.now) } }
    var times = arrivals.makeAsyncIterator()
    _ = await times.next()
    var samples: [Double] = []
    for _ in 0..<2_000 {
      let row = next()
      // The subscriber is back at its stream before the next event.
      for _ in 0..<20 { await Task.yield() }
      let start = ContinuousClock.now
      await edit(row)
      if let time = await times.next() { samples.append(start.duration(to: time).nanoseconds) }
    }
    follower.cancel()
    return Samples(samples).median
  }

  /// The cost of the same event if the arranged list is rebuilt from an array: the arrays of its sections alone,
  /// then the list and the difference to the one before, which an update is made of.
  private mutating func recomputing() -> (arrays: Double, update: Double) {
    var recomputations: [Recomputation] = []
    for _ in 0..<(rows.count > 200_000 ? 3 : 7) {
      let before = (try? ListSnapshot(recompute(rows))) ?? ListSnapshot()
      _ = next()
      recomputations.append(Recomputation(of: rows, from: before, recompute))
    }
    return Recomputation.medians(recomputations)
  }

  /// The times of rebuilding the list from an array.
  private struct Recomputation {
    /// The time of the arrays of the sections alone.
    let arrays: Double
    /// The time up to the difference.
    let update: Double
    let operations: Int

    init(of rows: [ViewRow], from before: ListSnapshot<Section, ViewRow>, _ recompute: ([ViewRow]) -> Material) {
      var material: Material = []
      let start = ContinuousClock.now
      arrays = Stopwatch.nanoseconds { material = recompute(rows) }
      let changes = before.changes(to: (try? ListSnapshot(material)) ?? ListSnapshot())
      update = start.duration(to: .now).nanoseconds
      operations = changes.count
    }

    static func medians(_ all: [Recomputation]) -> (arrays: Double, update: Double) {
      (Samples(all.map(\.arrays)).median, Samples(all.map(\.update)).median)
    }
  }

  /// The cost of building the list, up to the first update in hand, beside building it from arrays.
  consuming func reportOnBuilding() async -> EventReport {
    await fill()
    var samples: [Double] = []
    for _ in 0..<9 {
      let start = ContinuousClock.now
      var stream = store.arranged(by: plan).updates().makeAsyncIterator()
      keepAlive(await stream.next())
      samples.append(start.duration(to: .now).nanoseconds)
    }
    let scratch = recomputing()
    let result = Samples(samples)
    return EventReport([
      ("rows", .count(rows.count)), ("build_ns", .nanoseconds(result.median)),
      ("recompute_arrays_ns", .nanoseconds(scratch.arrays)), ("recompute_ns", .nanoseconds(scratch.update)),
      ("ratio", .ratio(result.median / scratch.update)),
    ])
  }

  /// The cost of changing to another arrangement and back, each time from the new arrangement to the update in hand; beside
  /// building the new list from arrays, and the same difference to the old one.
  func reportOnRetargeting(to other: ViewWorkload) async -> EventReport {
    await fill()
    let chosen = Parameter(plan)
    var stream = store.arranged(by: chosen).updates().makeAsyncIterator()
    _ = await stream.next()
    var samples: [Double] = []
    var recomputations: [Recomputation] = []
    var operations = 0
    for round in 0..<20 {
      let (from, to) = round % 2 == 0 ? (self, other) : (other, self)
      let start = ContinuousClock.now
      await chosen.set(to.plan)
      let update = await stream.next()
      samples.append(start.duration(to: .now).nanoseconds)
      operations = update?.changes.count ?? 0
      let before = (try? ListSnapshot(from.recompute(rows))) ?? ListSnapshot()
      recomputations.append(Recomputation(of: rows, from: before, to.recompute))
      precondition(recomputations[round].operations == operations, "Recomputing gives other changes")
    }
    let scratch = Recomputation.medians(recomputations)
    let result = Samples(samples)
    return EventReport([
      ("rows", .count(rows.count)), ("per_event_ns", .nanoseconds(result.median)),
      ("p99_ns", .nanoseconds(result.percentile(0.99))), ("operations", .count(operations)),
      ("recompute_arrays_ns", .nanoseconds(scratch.arrays)), ("recompute_ns", .nanoseconds(scratch.update)),
      ("ratio", .ratio(result.median / scratch.update)),
    ])
  }
}
