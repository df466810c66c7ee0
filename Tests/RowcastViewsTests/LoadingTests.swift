import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore
@testable import RowcastViews

/// Rows with values that are loaded for them.
@Suite(.watched) struct LoadingTests {
  typealias Store = ListStore<SoleSection, TestRow>

  struct Trouble: Error {}

  /// Loads that end when a test says so.
  private actor Desk {
    /// The keys of all loads, in order.
    private(set) var started: [String] = []
    private(set) var cancelled: [String] = []
    private var signals: [Signal] = []
    private var failing: Set<Int> = []

    func load(_ key: String) async throws -> String {
      let (number, signal) = (started.count, Signal())
      started.append(key)
      signals.append(signal)
      if await !signal.wait() {
        cancelled.append(key)
        return "late \(key)"
      }
      if failing.contains(number) { throw Trouble() }
      return "value \(key)"
    }

    func end(_ number: Int, fails: Bool = false) {
      if fails { failing.insert(number) }
      _ = signals[number].send()
    }

    /// Ends the last load of a key, as soon as it has begun.
    nonisolated func answer(_ key: String) async {
      await eventually { await started.contains(key) }
      if let number = await started.lastIndex(of: key) { await end(number) }
    }
  }

  @Sendable private static func row(_ row: TestRow, _ loaded: LoadedValue<String>) -> TestRow {
    TestRow(row.id, "\(loaded.value ?? "-")\(loaded.isPending ? "…" : "")\(loaded.error == nil ? "" : "!")")
  }

  /// The loader over arrays. A NaN is a key like any other.
  private struct NaiveLoader {
    static let keys = ["a": 1, "b": 2, "c": Double.nan]
    let limit: Int
    private(set) var rows: [TestRow] = []
    private var loaded: [Int: (key: String, value: String?, hasFailed: Bool)] = [:]
    /// The loads that rows wait for, by their numbers in the order in which they were asked for.
    private var wanted: [Int: Int] = [:]
    private var queue: [(number: Int, id: Int, key: String)] = []
    private var count = 0
    private var running: [(number: Int, id: Int, key: String, place: Int)] = []
    private(set) var started: [String] = []
    private(set) var cancelled: [String] = []

    init(limit: Int) { self.limit = limit }

    mutating func show(_ newest: [TestRow]) {
      let former = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0.text) })
      rows = newest
      let waiting = Set(rows.filter { Self.keys[$0.text] != nil }.map(\.id))
      for id in former.keys where !waiting.contains(id) { (loaded[id], wanted[id]) = (nil, nil) }
      for row in rows where waiting.contains(row.id) && former[row.id] != row.text {
        wanted[row.id] = nil
        // Back to the key whose value is loaded.
        if let found = loaded[row.id], !found.hasFailed, found.key == row.text { continue }
        count += 1
        wanted[row.id] = count
        queue.append((count, row.id, row.text))
      }
      start()
    }

    private mutating func start() {
      cancelled += running.filter { wanted[$0.id] != $0.number }.map { "\(Self.keys[$0.key] ?? 0)" }
      running.removeAll { wanted[$0.id] != $0.number }
      queue.removeAll { wanted[$0.id] != $0.number }
      while running.count < limit, !queue.isEmpty {
        let next = queue.removeFirst()
        running.append((next.number, next.id, next.key, started.count))
        started.append("\(Self.keys[next.key] ?? 0)")
      }
    }

    /// Ends a load. Returns its place among all that were started.
    mutating func end(fails: Bool, using random: inout SeededGenerator) -> Int? {
      guard let load = running.randomElement(using: &random) else { return nil }
      wanted[load.id] = nil
      running.removeAll { $0.number == load.number }
      loaded[load.id] = (
        load.key, fails ? loaded[load.id]?.value : "value \(Self.keys[load.key] ?? 0)", fails
      )
      start()
      return load.place
    }

    var texts: [String] {
      rows.map { row in
        let (found, isPending) = (loaded[row.id], wanted[row.id] != nil)
        return "\(found?.value ?? "-")\(isPending ? "…" : "")\(!isPending && found?.hasFailed ?? false ? "!" : "")"
      }
    }
  }

  @Test(.enabled(if: Schedule.canSettle))
  func `each row shows what it had, pending or failed, until its value is there, and nothing is loaded in vain`() async
  {
    await Schedule.explore("loading one after the other", 12, long: 20_000, settles: true) { seed in
      var random = SeededGenerator(seed: seed)
      let (store, desk, limit) = (TestStore(), Desk(), 1 + Int(seed % 2))
      let list = store.loading({ NaiveLoader.keys[$0.text] }, atMost: limit) {
        try await desk.load("\($0)")
      } row: {
        Self.row($0, $1)
      }
      func text() -> String { ["", "a", "b", "c"].randomElement(using: &random) ?? "" }
      var (naive, parts) = (NaiveLoader(limit: limit), NaiveList(TestSnapshot()).parts)
      for step in 0..<60 {
        switch Int.random(in: 0..<8, using: &random) {
        case 0...3:
          let fails = Int.random(in: 0..<3, using: &random) == 0
          if let place = naive.end(fails: fails, using: &random) { await desk.end(place, fails: fails) }
        case 4:
          // Rows move, and sections are inserted and removed with their rows.
          let rows = parts.flatMap(\.rows).shuffled(using: &random)
          parts = NaiveList(try .random(sections: 4, rows: 6, using: &random)).parts
          for index in parts.indices { parts[index].rows = rows.filter { $0.id % parts.count == index } }
        case 5 where limit == 1:
          // Of loads that begin at once, any may end first.
          for index in parts.indices { parts[index].rows = parts[index].rows.map { TestRow($0.id, text()) } }
        default:
          guard let part = parts.indices.randomElement(using: &random) else { continue }
          let new = TestRow(.random(in: 0..<6, using: &random), text())
          for index in parts.indices {
            guard let place = parts[index].rows.firstIndex(where: { $0.id == new.id }) else { continue }
            if new.id % 2 == 0 { parts[index].rows[place] = new } else { parts[index].rows.remove(at: place) }
          }
          if !parts.contains(where: { $0.rows.contains { $0.id == new.id } }) { parts[part].rows.insert(new, at: 0) }
        }
        try await store.replace(with: TestSnapshot(parts.map { ListSection($0.section, rows: $0.rows) }))
        _ = await list.snapshot
        try await Schedule.settle()
        naive.show(parts.flatMap(\.rows))
        let (texts, started, cancelled) = (
          await list.snapshot.allRows.map(\.text), await desk.started, await desk.cancelled
        )
        try Mismatch.unless(texts == naive.texts, "step \(step): \(texts) of \(naive.rows), not \(naive.texts)")
        try Mismatch.unless(started == naive.started, "step \(step): loads \(started), not \(naive.started)")
        try Mismatch.unless(cancelled.sorted() == naive.cancelled.sorted(), "step \(step): cancelled \(cancelled)")
      }
      return nil
    }
  }

  @Test func `what waits for its turn and is not wanted any more does not pile up`() async {
    let desk = Desk()
    let loader = Loader<Int, String, String>(atMost: 1) { try await desk.load($0) }
    await loader.take((leaving: [], current: (0..<10).map { ($0, "\($0)") }))
    for step in 0..<1_000 { await loader.take((leaving: [], current: [(1 + step % 9, "new \(step)")])) }
    #expect(await loader.queueLength <= 2 * 10 + 32)
    await eventually { await desk.started == ["0"] }
    // The wanted loads keep their order.
    for step in ["0"] + (991..<1_000).map({ "new \($0)" }) { await desk.answer(step) }
    #expect(await desk.started == ["0"] + (991..<1_000).map { "new \($0)" })
  }

  @Test func `nothing is loaded for nobody, and a list that is released cancels its loads`() async throws {
    let (store, desk) = (try ListStore([TestRow(1, "a")]), Desk())
    try await {
      let list = store.loading(\.text, load: { try await desk.load($0) }, row: Self.row)
      try await store.edit { try $0.upsert(TestRow(2, "b")) }
      #expect(await desk.started.isEmpty)
      _ = await list.snapshot
      await eventually { await desk.started.count == 2 }
    }()
    await eventually { await desk.cancelled.sorted() == ["a", "b"] }
  }

  @TaskLocal private static var isReleasing = false

  @Test func `the cancellation handler of a load does not run on the task that releases the list`() async throws {
    let store = try ListStore([TestRow(1, "a")])
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let (cancelled, cancel) = AsyncStream.makeStream(of: Bool.self)
    let load: @Sendable (String) async throws -> String = { key in
      await withTaskCancellationHandler {
        start.yield()
        for await _ in AsyncStream<Void>.makeStream().stream {}
        return key
      } onCancel: {
        cancel.yield(Self.isReleasing)
      }
    }
    await Self.$isReleasing.withValue(true) {
      let list = store.loading(\.text, load: load, row: Self.row)
      _ = await list.snapshot
      for await _ in started { break }
    }
    for await isReleasing in cancelled {
      #expect(!isReleasing)
      break
    }
  }

  @Test func `keys that equal nothing, and cannot be compared, are loaded once for each change of their rows`()
    async throws
  {
    final class Box: Sendable {}
    struct Key: Equatable {
      let text: String
      let box = Box()
      static func == (lhs: Key, rhs: Key) -> Bool { false }
    }
    let (store, desk) = (try ListStore([TestRow(1, "a"), TestRow(2, "b")]), Desk())
    let list = store.loading({ Key(text: $0.text) }, load: { try await desk.load($0.text) }, row: Self.row)
    var updates = list.updates().makeAsyncIterator()
    _ = await updates.next()
    await desk.answer("a")
    #expect(await updates.next()?.snapshot.allRows.map(\.text) == ["value a", "-…"])
    await desk.answer("b")
    #expect(await updates.next()?.snapshot.allRows.map(\.text) == ["value a", "value b"])
    await store.finish()
    #expect(await updates.next() == nil)
    #expect(await desk.started.count == 2)
  }

  @Test func `a limit of nothing is refused`() async {
    await #expect(processExitsWith: .failure) {
      _ = Store().loading(\.text, atMost: 0) {
        $0
      } row: { row, _ in
        row
      }
    }
  }

  @Test func `under any schedule each row shows its own value or says that it is pending, and all of them at last`()
    async
  {
    await Schedule.explore("loading rows", 20, long: 75_000) { try await Self.scene(SeededGenerator(seed: $0)) }
  }

  private static func scene(_ seeded: SeededGenerator) async throws -> String? {
    var random = seeded
    let store = Store()
    let edits = (0..<12).map { _ in
      (Int.random(in: 0..<5, using: &random), ["", "a", "b", "c"].randomElement(using: &random) ?? "")
    }
    let list = store.loading({ $0.text.isEmpty ? nil : $0.text }, atMost: 2) { key in
      await Task.yield()
      if key == "c" { throw Trouble() }
      return key.uppercased()
    } row: {
      TestRow($0.id, "\($0.text) \($1.value ?? "-")\($1.isPending ? "…" : "")\($1.error == nil ? "" : "!")")
    }
    let readers = (0..<2).map { _ in
      Task {
        var last: [String] = []
        for await update in list.updates() {
          last = update.snapshot.allRows.map(\.text)
          for text in last where !text.hasSuffix("…") {
            let isRight = ["a A", "b B", " -"].contains(text) || text.hasPrefix("c ") && text.hasSuffix("!")
            try Mismatch.unless(isRight, "a row shows \(text)")
          }
        }
        return last
      }
    }
    for (id, text) in edits {
      try await store.edit { list in
        if list.path(ofRow: id) != nil, text.isEmpty {
          try list.remove(id)
        } else {
          try list.upsert(TestRow(id, text))
        }
      }
    }
    await store.finish()
    let rows = await store.snapshot.allRows.map(\.text)
    for reader in readers {
      let last = try await reader.value
      if last.count != rows.count || last.contains(where: { $0.hasSuffix("…") }) {
        return "ended at \(last) of \(rows)"
      }
    }
    return nil
  }
}
