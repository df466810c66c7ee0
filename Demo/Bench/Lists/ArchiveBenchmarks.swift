import RowcastDemoBench
import Foundation
import Rowcast

/// What lists in files cost: to open one, and to keep each edit.
enum ArchiveBenchmarks {
  static let all = [
    EventBenchmark(name: "archive/open-100k") { await open(rows: 100_000) },
    EventBenchmark(name: "archive/edit-100k") { await edit(rows: 100_000, durability: .written, edits: 20_000) },
    EventBenchmark(name: "archive/edit-100k-synced") {
      await edit(rows: 100_000, durability: .synced(every: .zero), edits: 200)
    },
  ]

  private typealias Archive = ListArchive<SoleSection, StreamRow>
  private typealias Message = WireMessage<SoleSection, StreamRow>

  @Sendable private static func encode(_ message: Message) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try encoder.encode(message)
  }

  private static func archive(
    at path: String, _ rows: [StreamRow] = [], durability: ArchiveDurability = .written
  ) throws -> Archive {
    try Archive(
      at: path, startingWith: ListSnapshot([ListSection(SoleSection(), rows: rows)]), durability: durability,
      encode: { try encode($0) }, decode: { try JSONDecoder().decode(Message.self, from: Data($0)) })
  }

  private static func rows(_ count: Int) -> [StreamRow] {
    (0..<count).map { StreamRow(id: "\($0)", title: "Row \($0)") }
  }

  /// Measures with a file of its own.
  private static func withFile(_ body: (String) async throws -> EventReport) async -> EventReport {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rowcast-\(UUID())")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      return try await body(folder.appendingPathComponent("list.jsonl").path)
    } catch {
      Bench.stop(at: error)
    }
  }

  /// Opening a file, and as yardsticks decoding its message, and its rows without positions, by turns.
  private static func open(rows count: Int) async -> EventReport {
    await withFile { path in
      let rows = rows(count)
      try await archive(at: path, rows).close()
      let line = try Data(contentsOf: URL(fileURLWithPath: path))
      let plain = try JSONEncoder().encode(rows)
      var samples: [[Double]] = [[], [], []]
      for _ in 0..<7 {
        var opened: Archive?
        samples[0].append(try nanoseconds { opened = try archive(at: path) })
        try await opened?.close()
        samples[1].append(try nanoseconds { keepAlive(try JSONDecoder().decode(Message.self, from: line)) })
        samples[2].append(try nanoseconds { keepAlive(try JSONDecoder().decode([StreamRow].self, from: plain)) })
      }
      let medians = samples.map { Samples($0).median }
      return EventReport([
        ("rows", .count(count)), ("bytes", .count(line.count)), ("open_ns", .nanoseconds(medians[0])),
        ("decode_message_ns", .nanoseconds(medians[1])), ("decode_rows_ns", .nanoseconds(medians[2])),
        ("open_per_decode_message", .ratio(medians[0] / medians[1])),
        ("open_per_decode_rows", .ratio(medians[0] / medians[2])),
      ])
    }
  }

  private static func nanoseconds(_ body: () throws -> Void) throws -> Double {
    let start = ContinuousClock.now
    try body()
    return start.duration(to: .now).nanoseconds
  }

  /// Edits of random rows: what each takes its writer, until it is saved, and in all if nobody waits; and, as yardsticks,
  /// what they take without a file, and the encoding of one.
  private static func edit(rows count: Int, durability: ArchiveDurability, edits: Int) async -> EventReport {
    await withFile { path in
      let archive = try archive(at: path, rows(count), durability: durability)
      let store = try archive.open()
      let plain = try ListStore(rows(count))
      var random = SplitMix64(seed: 11)
      func change(_ store: ListStore<SoleSection, StreamRow>, _ number: Int) async throws {
        let row = "\(Int(random.next() % UInt64(count)))"
        try await store.edit { try $0.update(row) { $0.subtitle = "\(number)" } }
      }
      var (handed, saved, without, encoded): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
      for number in 0..<min(edits, 2_000) {
        let before = await store.snapshot
        let start = ContinuousClock.now
        try await change(store, number)
        handed.append(start.duration(to: .now).nanoseconds)
        try await archive.flush()
        saved.append(start.duration(to: .now).nanoseconds)
        let middle = ContinuousClock.now
        try await change(plain, number)
        without.append(middle.duration(to: .now).nanoseconds)
        let after = await store.snapshot
        let update = ListUpdate(
          revision: 2, previous: 1, changes: before.changes(to: after), snapshot: after, epoch: store.epoch)
        encoded.append(try nanoseconds { keepAlive(try encode(Message(update))) })
      }
      let start = ContinuousClock.now
      for number in 0..<edits { try await change(store, -number) }
      let done = start.duration(to: .now).nanoseconds
      try await archive.flush()
      let flushed = start.duration(to: .now).nanoseconds
      try await archive.close()
      return EventReport([
        ("edits", .count(edits)), ("edit_ns", .nanoseconds(Samples(handed).median)),
        ("edit_without_ns", .nanoseconds(Samples(without).median)), ("saved_ns", .nanoseconds(Samples(saved).median)),
        ("saved_p99_ns", .nanoseconds(Samples(saved).percentile(0.99))),
        ("encoding_ns", .nanoseconds(Samples(encoded).median)), ("burst_ns", .nanoseconds(done / Double(edits))),
        ("burst_saved_ns", .nanoseconds(flushed / Double(edits))),
      ])
    }
  }
}
