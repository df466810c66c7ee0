import RowcastDemoBench
import Rowcast

/// What streams cost writers, and how fast they deliver.
enum StreamBenchmarks {
  static let all: [EventBenchmark] = [
    EventBenchmark(name: "streams/handoff") { await handOff() },
    EventBenchmark(name: "streams/idle-10k") { await idle(subscribers: 10_000) },
    EventBenchmark(name: "streams/fanout-100") { await fanOut(to: 100, edits: 200) },
    EventBenchmark(name: "streams/fanout-1000") { await fanOut(to: 1_000, edits: 30) },
    EventBenchmark(name: "streams/throughput") { await throughput(.seconds(10)) },
  ]

  private typealias BenchStore = ListStore<SoleSection, StreamRow>

  private static func store() -> BenchStore {
    let rows = (0..<100).map { StreamRow(id: "\($0)", title: "\($0)") }
    return (try? ListStore(rows)) ?? ListStore()
  }

  private static func edit(_ store: BenchStore, _ number: Int) async {
    try? await store.edit { try $0.update("\(number % 100)") { $0.subtitle = "\(number)" } }
  }

  /// The yardstick of a delivery.
  private static func handOff() async -> EventReport {
    let result = await Stopwatch.handOffs(100_000)
    return EventReport([
      ("per_handoff_ns", .nanoseconds(result.median)), ("p99_ns", .nanoseconds(result.percentile(0.99))),
    ])
  }

  /// What one edit costs the writer: without subscribers, with subscribers that are busy elsewhere, and with as many
  /// that wait for this very edit.
  private static func idle(subscribers: Int) async -> EventReport {
    let store = store()
    func costs(_ edits: Int) async -> Samples {
      var samples: [Double] = []
      for number in 0..<edits {
        let start = ContinuousClock.now
        await edit(store, number)
        samples.append(start.duration(to: .now).nanoseconds)
      }
      return Samples(samples)
    }
    _ = await costs(2_000)
    let alone = await costs(5_000)

    let streams = (0..<subscribers).map { _ in store.updates() }
    for stream in streams { for await _ in stream { break } }
    let busy = await costs(5_000)

    let followers = (0..<subscribers).map { _ in
      Task { for await _ in store.updates() {} }
    }
    var waiting: [Double] = []
    for number in 0..<20 {
      // Time for all of them to take the last update and to ask for the next.
      try? await Task.sleep(for: .milliseconds(150))
      let start = ContinuousClock.now
      await edit(store, number)
      waiting.append(start.duration(to: .now).nanoseconds)
    }
    for follower in followers { follower.cancel() }
    withExtendedLifetime(streams) {}
    return EventReport([
      ("subscribers", .count(subscribers)), ("per_event_ns", .nanoseconds(busy.median)),
      ("p99_ns", .nanoseconds(busy.percentile(0.99))), ("per_event_alone_ns", .nanoseconds(alone.median)),
      ("per_event_waiting_ns", .nanoseconds(Samples(waiting).median)),
    ])
  }

  /// What one edit costs until all of many subscribers have it, beside as many bare streams that are told one after the other.
  private static func fanOut(to subscribers: Int, edits: Int) async -> EventReport {
    let store = store()
    let result = await deliveries(over: (0..<subscribers).map { _ in store.updates() }, edits) { await edit(store, $0) }
    let bare = (0..<subscribers).map { _ in AsyncStream.makeStream(of: Int.self) }
    func tell(_ number: Int) { for (_, continuation) in bare { continuation.yield(number) } }
    tell(-1)
    let yardstick = await deliveries(over: bare.map(\.stream), edits) { tell($0) }
    return EventReport([
      ("subscribers", .count(subscribers)), ("per_event_ns", .nanoseconds(result.median)),
      ("p99_ns", .nanoseconds(result.percentile(0.99))),
      ("per_delivery_ns", .nanoseconds(result.median / Double(subscribers))),
      ("bare_delivery_ns", .nanoseconds(yardstick.median / Double(subscribers))),
    ])
  }

  /// The times from a change until each stream has delivered it to a task of its own. Each stream has a first element.
  private static func deliveries<Element: Sendable>(
    over streams: [AsyncStream<Element>], _ changes: Int, change: (Int) async -> Void
  ) async -> Samples {
    let (deliveries, delivery) = AsyncStream.makeStream(of: Void.self)
    let followers = streams.map { stream in Task { for await _ in stream { delivery.yield() } } }
    defer { for follower in followers { follower.cancel() } }
    var delivered = deliveries.makeAsyncIterator()
    for _ in streams { _ = await delivered.next() }
    var samples: [Double] = []
    for number in 0..<changes {
      let start = ContinuousClock.now
      await change(number)
      for _ in streams { _ = await delivered.next() }
      samples.append(start.duration(to: .now).nanoseconds)
    }
    return Samples(samples)
  }

  /// One writer at full speed, and four subscribers that take what they can.
  private static func throughput(_ time: Duration) async -> EventReport {
    let store = store()
    let followers = (0..<4).map { _ in
      Task {
        var updates = 0
        for await _ in store.updates() { updates += 1 }
        return updates
      }
    }
    for number in 0..<10_000 { await edit(store, number) }
    let before = residentBytes().map { $0 / 1_024 }
    let start = ContinuousClock.now
    var events = 0
    while start.duration(to: .now) < time {
      for number in events..<events + 100 { await edit(store, number) }
      events += 100
    }
    let seconds = start.duration(to: .now).nanoseconds / 1e9
    let after = residentBytes().map { $0 / 1_024 }
    await store.finish()
    var updates = 0
    for follower in followers { updates += await follower.value }
    return EventReport([
      ("events_per_second", .count(Int(Double(events) / seconds))),
      ("updates_per_second", .count(Int(Double(updates) / seconds))),
      ("conflation", .ratio(Double(events * 4) / Double(max(1, updates)))),
      ("memory_before_kb", .optional(before)), ("memory_after_kb", .optional(after)),
    ])
  }
}

/// A row of texts.
struct StreamRow: RowViewModel, Codable {
  let id: String
  var title: String
  var subtitle: String?
  var kind = "text"
}
