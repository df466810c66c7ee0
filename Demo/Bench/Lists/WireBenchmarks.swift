import RowcastDemoBench
import Foundation
import Rowcast
import Synchronization

/// The cost of mirrors for their writer: of many mirrors, and of mirrors that reconnect.
enum WireBenchmarks {
  static let all: [EventBenchmark] =
    [EventBenchmark(name: "wire/fanout-1000") { await fanOut(to: 1_000, edits: 30) }]
    + [(10, "10"), (1_000, "1k"), (100_000, "100k")].map { changes, name in
      EventBenchmark(name: "wire/resume-\(name)") { await resume(after: changes) }
    } + [EventBenchmark(name: "wire/mirror-10m") { await mirror(rows: 10_000_000) }]
    + [200, 1_000].map { count in EventBenchmark(name: "wire/serve-\(count)") { await serve(to: count) } }
    + [EventBenchmark(name: "wire/return-1000") { await comeBack(1_000) }]

  static let memory = [EventBenchmark(name: "wire/history-20k") { await history(versions: 20_000) }]

  private typealias Message = WireMessage<SoleSection, StreamRow>
  private typealias BenchStore = ListStore<SoleSection, StreamRow>

  private static func store(rows: Int, history: ListHistory = .none) -> BenchStore {
    let rows = (0..<rows).map { StreamRow(id: "\($0)", title: "Row \($0)") }
    let list = try? ListSnapshot([ListSection(SoleSection(), rows: rows)])
    return ListStore(list ?? ListSnapshot(), history: history)
  }

  private static func edit(_ store: BenchStore, _ row: Int, _ number: Int) async {
    do {
      try await store.edit { try $0.update("\(row)") { $0.subtitle = "\(number)" } }
    } catch {
      Bench.stop(at: error)
    }
  }

  @Sendable private static func encode(_ message: Message) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try encoder.encode(message)
  }

  /// What a connection does until it is cancelled.
  private typealias Connection = @Sendable (_ deliver: @Sendable () -> Void) async throws -> Void

  /// From an edit to the encoded message in the hands of every connection: each encodes its own, and one for all.
  private static func fanOut(to connections: Int, edits: Int) async -> EventReport {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return EventReport([]) }
    let each = await deliver(to: connections, edits) { store in
      { deliver in
        for await update in store.updates() {
          keepAlive(try encode(Message(update, epoch: store.epoch)))
          deliver()
        }
      }
    }
    let encodings = EncodingCount()
    let shared = await deliver(to: connections, edits) { store in
      let list = EncodedList(store) { try encode(encodings.note($0)) }
      return { deliver in
        for try await line in list.lines() {
          keepAlive(line)
          deliver()
        }
      }
    }
    return EventReport([
      ("connections", .count(connections)), ("per_event_each_ns", .nanoseconds(each.median)),
      ("per_event_ns", .nanoseconds(shared.median)), ("p99_ns", .nanoseconds(shared.percentile(0.99))),
      ("encodings_per_event", .ratio(Double(encodings.value) / Double(edits + 1))),
    ])
  }

  private static func deliver(
    to connections: Int, _ edits: Int, over connection: (BenchStore) -> Connection
  ) async -> Samples {
    let store = store(rows: 100)
    let (deliveries, delivery) = AsyncStream.makeStream(of: Void.self)
    let connect = connection(store)
    let tasks = (0..<connections).map { _ in Task { try await connect { delivery.yield() } } }
    var delivered = deliveries.makeAsyncIterator()
    for _ in tasks { _ = await delivered.next() }
    var samples: [Double] = []
    for number in 0..<edits {
      let start = ContinuousClock.now
      await edit(store, number % 100, number)
      for _ in tasks { _ = await delivered.next() }
      samples.append(start.duration(to: .now).nanoseconds)
    }
    for task in tasks { task.cancel() }
    return Samples(samples)
  }

  /// A thousand edits a second for eight seconds, to connections that take each line at once, that pause for 50 ms after each, and
  /// that have a common pace of 50 ms.
  private static func serve(to connections: Int) async -> EventReport {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return EventReport([]) }
    var figures: [(name: String, figure: EventReport.Figure)] = [("connections", .count(connections))]
    for (name, pace, pause) in [("each_", 0, 0), ("pause_", 0, 50), ("pace_", 50, 0)] {
      let store = store(rows: 500)
      let list = EncodedList(store, every: .milliseconds(pace), encode: encode)
      let tasks = (0..<connections).map { _ in
        Task {
          for try await line in list.lines() {
            keepAlive(line)
            if pause > 0 { try await Task.sleep(for: .milliseconds(pause)) }
          }
        }
      }
      while await list.figures.lines < connections { await Task.yield() }
      let (before, work, start) = (await list.figures, processorSeconds(), ContinuousClock.now)
      var number = 0
      while start.duration(to: .now) < .seconds(8) {
        // A machine that is too slow for this makes fewer edits.
        if number < Int(start.duration(to: .now) / .milliseconds(1)) {
          await edit(store, (number * 7_919) % 500, number)
          number += 1
        } else {
          try? await Task.sleep(for: .milliseconds(1))
        }
      }
      let (sent, seconds) = (await list.figures, processorSeconds() - work)
      for task in tasks { task.cancel() }
      let lines = sent.lines - before.lines
      figures += [
        (name + "edits", .count(number)), (name + "lines", .count(lines)),
        (name + "encodings", .count(sent.encodings - before.encodings)),
        (name + "bytes", .count(sent.bytes - before.bytes)), (name + "processor_s", .ratio(seconds)),
        (name + "line_ns", .nanoseconds(seconds * 1e9 / Double(max(lines, 1)))),
      ]
    }
    return EventReport(figures)
  }

  /// Mirrors that reconnect at as many positions, after most rows have changed: all get the whole list. Then mirrors without a
  /// list.
  private static func comeBack(_ mirrors: Int) async -> EventReport {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return EventReport([]) }
    let rows = 20_000
    let store = store(rows: rows, history: .last(100_000))
    for number in 0..<mirrors { await edit(store, number, number) }
    let last = await store.position
    for number in 0..<rows { await edit(store, number, mirrors + number) }
    func measure(_ position: (Int) -> ListPosition?) async -> (time: Double, work: Double, sent: LineFigures) {
      let list = EncodedList(store, encode: encode)
      let (start, work) = (ContinuousClock.now, processorSeconds())
      do {
        for mirror in 0..<mirrors {
          for try await line in list.lines(since: position(mirror)) {
            keepAlive(line)
            break
          }
        }
      } catch {
        Bench.stop(at: error)
      }
      return (start.duration(to: .now).nanoseconds, processorSeconds() - work, await list.figures)
    }
    let new = await measure { _ in nil }
    // From the newest on, only the first difference would be compared with the whole list.
    var random = SplitMix64(seed: 9)
    let ages = (0..<mirrors).shuffled(using: &random)
    let returned = await measure { ListPosition(epoch: last.epoch, revision: last.revision - ages[$0]) }
    return EventReport([
      ("mirrors", .count(mirrors)), ("rows", .count(rows)), ("bytes", .count(returned.sent.bytes)),
      ("encodings", .count(returned.sent.encodings)), ("lines", .count(returned.sent.lines)),
      ("total_ns", .nanoseconds(returned.time)), ("processor_s", .ratio(returned.work)),
      ("new_encodings", .count(new.sent.encodings)), ("new_total_ns", .nanoseconds(new.time)),
      ("new_processor_s", .ratio(new.work)),
    ])
  }

  /// A mirror that reconnects after changes of rows at random places: by the difference, and by the whole list.
  private static func resume(after changes: Int) async -> EventReport {
    let rows = 100_000
    let store = store(rows: rows, history: .last(changes))
    let (start, before) = (await store.position, await store.snapshot)
    var random = SplitMix64(seed: 9)
    for number in 0..<changes { await edit(store, Int(random.next() % UInt64(rows)), number) }
    let newest = await store.snapshot

    /// The bytes, and the time of each side.
    func exchange(_ message: () async -> Message?) async -> (bytes: Int, writer: Double, mirror: Double) {
      var (line, writer, mirrors): (Data, [Double], [Double]) = (Data(), [], [])
      for _ in 0..<3 {
        var mirror = WireReader(before, at: start)
        let start = ContinuousClock.now
        line = await message().flatMap { try? encode($0) } ?? Data()
        let middle = ContinuousClock.now
        do { _ = try mirror.fold(JSONDecoder().decode(Message.self, from: line)) } catch {
          Bench.stop(at: error)
        }
        mirrors.append(middle.duration(to: .now).nanoseconds)
        writer.append(start.duration(to: middle).nanoseconds)
        keepAlive(mirror.snapshot)
      }
      return (line.count, Samples(writer).median, Samples(mirrors).median)
    }
    let resumed = await exchange { await store.message(since: start) }
    let whole = await exchange { .initial(revision: changes, snapshot: newest, epoch: store.epoch) }
    return EventReport([
      ("rows", .count(rows)), ("changes", .count(changes)),
      ("bytes", .count(resumed.bytes)), ("writer_ns", .nanoseconds(resumed.writer)),
      ("mirror_ns", .nanoseconds(resumed.mirror)), ("whole_bytes", .count(whole.bytes)),
      ("whole_writer_ns", .nanoseconds(whole.writer)), ("whole_mirror_ns", .nanoseconds(whole.mirror)),
    ])
  }

  /// A mirror of a list in the same process, with messages that are not encoded: the whole list, then one changed row at a time.
  private static func mirror(rows: Int) async -> EventReport {
    let store = store(rows: rows, history: .last(1))
    var (mirror, random) = (WireReader<SoleSection, StreamRow>(), SplitMix64(seed: 17))
    func advance() async -> Double {
      let position = mirror.position
      let message = await store.message(since: position)
      let start = ContinuousClock.now
      do { if let message { _ = try mirror.fold(message) } } catch { Bench.stop(at: error) }
      return start.duration(to: .now).nanoseconds
    }
    let build = await advance()
    var samples: [Double] = []
    for number in 0..<10_000 {
      await edit(store, Int(random.next() % UInt64(rows)), number)
      samples.append(await advance())
    }
    let result = Samples(samples)
    return EventReport([
      ("rows", .count(mirror.snapshot.rowCount)), ("per_event_ns", .nanoseconds(result.median)),
      ("p99_ns", .nanoseconds(result.percentile(0.99))), ("build_ns", .nanoseconds(build)),
    ])
  }

  /// The memory of former versions, each one changed row away from the next: of so many that what the process has free
  /// does not count.
  private static func history(versions: Int) async -> EventReport {
    let rows = 100_000
    func bytes(_ limit: ListHistory) async -> Int? {
      let store = store(rows: rows, history: limit)
      var random = SplitMix64(seed: 10)
      // The memory that the edits themselves need is allocated before.
      for number in 0..<2_000 { await edit(store, Int(random.next() % UInt64(rows)), number) }
      let before = residentBytes()
      for number in 0..<versions { await edit(store, Int(random.next() % UInt64(rows)), number) }
      let after = residentBytes()
      withExtendedLifetime(store) {}
      return before.flatMap { before in after.map { $0 - before } }
    }
    let kept = await bytes(.last(2 * versions))
    let alone = await bytes(.none)
    return EventReport([
      ("rows", .count(rows)), ("versions", .count(versions)), ("bytes", .optional(kept)),
      ("bytes_without", .optional(alone)),
      ("bytes_per_version", .optional(kept.flatMap { kept in alone.map { (kept - $0) / versions } })),
    ])
  }
}

/// Counts encodings on all threads.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class EncodingCount: Sendable {
  private let count = Atomic<Int>(0)

  var value: Int { count.load(ordering: .relaxed) }

  func note<Value>(_ value: Value) -> Value {
    count.add(1, ordering: .relaxed)
    return value
  }
}
