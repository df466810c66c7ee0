import Rowcast
import RowcastDemoBench

/// What outlines cost for each event, beside flattening arrays and taking the difference.
enum OutlineBenchmarks {
  static let all: [EventBenchmark] = [
    // Each row has two below it: 17 and 20 levels.
    EventBenchmark(name: "view/outline-deep-100k") { await OutlineWorkload(100_000) { ($0 - 1) / 2 }.report() },
    EventBenchmark(name: "view/outline-deep-1m") { await OutlineWorkload(1_000_000) { ($0 - 1) / 2 }.report() },
    // A thousand rows below each of a thousand.
    EventBenchmark(name: "view/outline-wide-1m") {
      await OutlineWorkload(1_000_000) { $0 < 1_000 ? 0 : $0 % 1_000 }.report()
    },
  ]
}

private struct File: RowViewModel {
  let id: Int
  var parent: Int?
  var size: Int
}

private struct ShownFile: RowViewModel {
  let id: Int
  let place: OutlinePlace<Int>
  let size: Int
}

/// Rows under one row, each with the sum of what is below it.
private struct OutlineWorkload {
  private var files: [File]
  private var random: SplitMix64
  private let store: ListStore<SoleSection, File>
  private let expansion = OutlineExpansion<Int>()

  init(_ count: Int, parent: (Int) -> Int) {
    var random = SplitMix64(seed: UInt64(count))
    files = (0..<count).map { File(id: $0, parent: $0 == 0 ? nil : parent($0), size: Int(random.next() % 1_000)) }
    self.random = random
    store = (try? ListStore(files)) ?? ListStore()
  }

  consuming func report() async -> EventReport {
    let list = store.arranged { [expansion] in
      $0.outlined(parent: \.parent, summary: .sum(\.size), expansion: expansion) {
        ShownFile(id: $0.id, place: $1, size: $2)
      }
    }
    var stream = list.updates().makeAsyncIterator()
    let start = ContinuousClock.now
    var last = await stream.next()
    let build = start.duration(to: .now).nanoseconds
    precondition(last?.snapshot.rowCount == files.count, "The outline has \(last?.snapshot.rowCount ?? 0) rows")
    func time(_ count: Int, _ event: () async throws -> Void) async -> Samples {
      var samples: [Double] = []
      for _ in 0..<count {
        let start = ContinuousClock.now
        do { try await event() } catch { Bench.stop(at: error) }
        last = await stream.next()
        samples.append(start.duration(to: .now).nanoseconds)
      }
      return Samples(samples)
    }
    let edits = await time(5_000) {
      let (id, size) = (Int(random.next() % UInt64(files.count)), 1_000 + Int(random.next() % 1_000_000))
      files[id].size = size
      try await store.edit { try $0.update(id) { $0.size = size } }
    }
    let moves = await time(5_000) {
      // The last half has nothing below it.
      let id = files.count - 1 - Int(random.next() % UInt64(files.count / 2))
      let parent = 1 + Int(random.next() % UInt64(files.count / 2 - 1))
      if parent == files[id].parent { return try await store.edit { try $0.update(id) { $0.size += 1 } } }
      files[id].parent = parent
      try await store.edit { try $0.update(id) { $0.parent = parent } }
    }
    let before = last?.snapshot.rowCount ?? 0
    let collapsed = await time(1) { await expansion.collapse(300) }
    let hidden = before - (last?.snapshot.rowCount ?? 0)
    let expanded = await time(1) { await expansion.expand(300) }
    let flattening = recomputing()
    return EventReport([
      ("rows", .count(files.count)), ("per_event_ns", .nanoseconds(edits.median)),
      ("p99_ns", .nanoseconds(edits.percentile(0.99))), ("move_ns", .nanoseconds(moves.median)),
      ("collapse_ns", .nanoseconds(collapsed.median)), ("expand_ns", .nanoseconds(expanded.median)),
      ("collapsed_rows", .count(hidden)), ("build_ns", .nanoseconds(build)),
      ("recompute_ns", .nanoseconds(flattening)), ("recompute_ratio", .ratio(flattening / edits.median)),
    ])
  }

  /// The same event if arrays are flattened, and the results compared.
  private mutating func recomputing() -> Double {
    var before = flattened()
    var samples: [Double] = []
    for _ in 0..<3 {
      files[Int(random.next() % UInt64(files.count))].size += 1
      samples.append(
        Stopwatch.nanoseconds {
          let after = flattened()
          keepAlive(Changeset(from: before, to: after))
          before = after
        })
    }
    return Samples(samples).median
  }

  private func flattened() -> [ShownFile] {
    var children: [[Int]] = Array(repeating: [], count: files.count)
    for file in files { if let parent = file.parent { children[parent].append(file.id) } }
    var sums = files.map { $0.size }
    func sum(_ id: Int) -> Int {
      for child in children[id] { sums[id] += sum(child) }
      return sums[id]
    }
    _ = sum(0)
    var shown: [ShownFile] = []
    func add(_ id: Int, _ depth: Int) {
      let hasChildren = !children[id].isEmpty
      let place = OutlinePlace(
        depth: depth, parent: files[id].parent, hasChildren: hasChildren, isExpanded: hasChildren)
      shown.append(ShownFile(id: id, place: place, size: sums[id]))
      for child in children[id] { add(child, depth + 1) }
    }
    add(0, 0)
    return shown
  }
}
