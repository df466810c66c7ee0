import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore
@testable import RowcastViews

/// Rows with values that are loaded for them.
@Suite(.watched) struct LoadingTests {
  typealias Store = ListStore<SoleSection, TestRow>
  typealias List = ArrangedList<SoleSection, TestRow>

  struct Trouble: Error {}

  /// Loads that end when a test says so.
  private actor Desk {
    private var loads: [(key: String, signal: Signal)] = []
    private(set) var started: [String] = []
    private(set) var cancelled: [String] = []
    private(set) var most = 0
    private var failing: Set<String> = []

    func load(_ key: String) async throws -> String {
      let signal = Signal()
      loads.append((key, signal))
      started.append(key)
      most = max(most, loads.count)
      let isAnswered = await signal.wait()
      loads.removeAll { $0.key == key }
      if !isAnswered {
        cancelled.append(key)
        return "late \(key)"
      }
      if failing.remove(key) != nil { throw Trouble() }
      return key.uppercased()
    }

    func send(_ key: String) -> Bool { loads.last { $0.key == key }?.signal.send() ?? false }
    func fail(_ key: String) { failing.insert(key) }
  }

  private static func answer(_ desk: Desk, _ key: String) async { await eventually { await desk.send(key) } }

  private static func list(_ source: some LiveList<SoleSection, TestRow>, _ desk: Desk, atMost limit: Int = 4) -> List {
    source.loading({ $0.text.isEmpty ? nil : $0.text }, atMost: limit) {
      try await desk.load($0)
    } row: {
      TestRow($0.id, "\($1.value ?? "-")\($1.isPending ? "…" : "")\($1.error == nil ? "" : "!")")
    }
  }

  private static func texts(_ update: ListUpdate<SoleSection, TestRow>?) -> [String]? {
    update?.snapshot.allRows.map(\.text)
  }

  @Test func `a row shows what it had, pending or failed, until its value is there`() async throws {
    let (store, desk) = (try ListStore([TestRow(1, "a"), TestRow(2), TestRow(3, "b")]), Desk())
    var updates = Self.list(store, desk).updates().makeAsyncIterator()
    #expect(Self.texts(await updates.next()) == ["-…", "-", "-…"])
    await Self.answer(desk, "b")
    #expect(Self.texts(await updates.next()) == ["-…", "-", "B"])
    await desk.fail("a")
    await Self.answer(desk, "a")
    #expect(Self.texts(await updates.next()) == ["-!", "-", "B"])
    try await store.edit { try $0.update(3) { $0.text = "c" } }
    #expect(Self.texts(await updates.next()) == ["-!", "-", "B…"])
    await desk.fail("c")
    await Self.answer(desk, "c")
    #expect(Self.texts(await updates.next()) == ["-!", "-", "B!"])
    // Back to a key that did not fail, or that failed and is tried again.
    try await store.edit {
      try $0.update(3) { $0.text = "" }
      try $0.update(1) { $0.text = "d" }
    }
    #expect(Self.texts(await updates.next()) == ["-…", "-", "-"])
    try await store.edit { try $0.update(1) { $0.text = "a" } }
    async let last = updates.next()
    await Self.answer(desk, "a")
    #expect(Self.texts(await last) == ["A", "-", "-"])
    #expect(await desk.started == ["a", "b", "c", "d", "a"])
  }

  @Test func `a late value of a row that has changed is dropped, and so is what waits for its turn`() async throws {
    let (store, desk) = (try ListStore([TestRow(1, "a"), TestRow(2, "b"), TestRow(3, "c")]), Desk())
    var updates = Self.list(store, desk, atMost: 1).updates().makeAsyncIterator()
    _ = await updates.next()
    async let next = updates.next()
    await eventually { await desk.started == ["a"] }
    try await store.edit {
      try $0.update(1) { $0.text = "d" }
      try $0.remove(2)
    }
    #expect(Self.texts(await next) == ["-…", "-…"])
    async let other = updates.next()
    await Self.answer(desk, "c")
    #expect(Self.texts(await other) == ["-…", "C"])
    await Self.answer(desk, "d")
    #expect(Self.texts(await updates.next()) == ["D", "C"])
    #expect(await desk.started == ["a", "c", "d"])
    #expect(await desk.cancelled == ["a"])
    #expect(await desk.most == 1)
  }

  @Test func `as long as its row has the key nothing is loaded again, also if it failed, wherever the row goes`()
    async throws
  {
    struct Reading: RowViewModel {
      let id: Int
      var key: Double
      var title = ""
    }
    let desk = Desk()
    let rows = [Reading(id: 1, key: .nan), Reading(id: 2, key: 2), Reading(id: 3, key: 3)]
    let store = ListStore(
      try ListSnapshot([ListSection(TestSection("a"), rows: rows), ListSection(TestSection("b"))]))
    let list = store.loading(\.key) {
      try await desk.load("\($0)")
    } row: {
      TestRow($0.id, "\($0.title)\($1.value ?? "-")\($1.isPending ? "…" : "")\($1.error == nil ? "" : "!")")
    }
    var updates = list.updates().makeAsyncIterator()
    _ = await updates.next()
    for key in ["nan", "2.0", "3.0"] {
      if key != "3.0" { await desk.fail(key) }
      await Self.answer(desk, key)
      _ = await updates.next()
    }
    try await store.edit {
      for id in 1...3 { try $0.update(id) { $0.title = "new " } }
      for id in [2, 3] { try $0.move(id, to: RowPath(section: 1, row: 0)) }
    }
    #expect(await updates.next()?.snapshot.allRows.map(\.text) == ["new -!", "new 3.0", "new -!"])
    // Sections come and go with their rows.
    try await store.edit {
      try $0.append(TestSection("c"))
      for id in [2, 3] { try $0.move(id, to: RowPath(section: 2, row: 0)) }
      try $0.removeSection("b")
    }
    _ = await updates.next()
    try await store.edit { try $0.append(Reading(id: 4, key: 4), to: "c") }
    _ = await updates.next()
    await Self.answer(desk, "4.0")
    #expect(await updates.next()?.snapshot.allRows.map(\.text) == ["new -!", "new 3.0", "new -!", "4.0"])
    #expect(await desk.started.sorted() == ["2.0", "3.0", "4.0", "nan"])
  }

  @Test func `a row that leaves and returns has nothing until it is loaded again`() async throws {
    let (store, desk) = (try ListStore([TestRow(1, "a"), TestRow(2, "b")]), Desk())
    var updates = Self.list(store, desk).updates().makeAsyncIterator()
    _ = await updates.next()
    await Self.answer(desk, "a")
    #expect(Self.texts(await updates.next()) == ["A", "-…"])
    try await store.edit { try $0.remove(1) }
    #expect(Self.texts(await updates.next()) == ["-…"])
    try await store.edit { try $0.append(TestRow(1, "a")) }
    #expect(Self.texts(await updates.next()) == ["-…", "-…"])
    await Self.answer(desk, "a")
    #expect(Self.texts(await updates.next()) == ["-…", "A"])
    // A key that is gone for a while is a row that is.
    try await store.edit { try $0.update(1) { $0.text = "" } }
    #expect(Self.texts(await updates.next()) == ["-…", "-"])
    try await store.edit { try $0.update(1) { $0.text = "a" } }
    #expect(Self.texts(await updates.next()) == ["-…", "-…"])
    await Self.answer(desk, "a")
    #expect(Self.texts(await updates.next()) == ["-…", "A"])
    #expect(await desk.started.sorted() == ["a", "a", "a", "b"])
  }

  @Test func `a row that goes back to its key before another value has come loads nothing again`() async throws {
    let (store, desk) = (try ListStore([TestRow(1, "a"), TestRow(2, "z")]), Desk())
    var updates = Self.list(store, desk).updates().makeAsyncIterator()
    _ = await updates.next()
    await Self.answer(desk, "a")
    #expect(Self.texts(await updates.next()) == ["A", "-…"])
    try await store.edit { try $0.update(1) { $0.text = "b" } }
    #expect(Self.texts(await updates.next()) == ["A…", "-…"])
    await eventually { await desk.started.sorted() == ["a", "b", "z"] }
    try await store.edit { try $0.update(1) { $0.text = "a" } }
    #expect(Self.texts(await updates.next()) == ["A", "-…"])
    await Self.answer(desk, "z")
    #expect(Self.texts(await updates.next()) == ["A", "Z"])
    #expect(await desk.started.sorted() == ["a", "b", "z"])
  }

  @Test func `loads begin in the order of updates, and of the rows in each`() async throws {
    let (store, desk) = (try ListStore((1...3).map { TestRow($0, "\($0)") }), Desk())
    let list = Self.list(store, desk, atMost: 1)
    _ = await list.snapshot
    try await store.edit {
      try $0.update(2) { $0.text = "new 2" }
      try $0.append(TestRow(4, "4"))
      try $0.move(3, to: RowPath(section: 0, row: 0))
    }
    _ = await list.snapshot
    try await store.edit { try $0.insert(TestRow(5, "5"), at: RowPath(section: 0, row: 0)) }
    _ = await list.snapshot
    for key in ["1", "3", "new 2", "4", "5"] { await Self.answer(desk, key) }
    #expect(await desk.started == ["1", "3", "new 2", "4", "5"])
  }

  @Test func `what waits for its turn and is not wanted any more does not pile up`() async {
    let desk = Desk()
    let loader = Loader<Int, String, String>(atMost: 1) { try await desk.load($0) }
    await loader.take((leaving: [], current: (0..<10).map { ($0, "\($0)") }))
    for step in 0..<1_000 { await loader.take((leaving: [], current: [(1 + step % 9, "new \(step)")])) }
    #expect(await loader.queueLength <= 2 * 10 + 32)
    await eventually { await desk.started == ["0"] }
    // The turns of those that are wanted stay in order.
    for step in ["0"] + (991..<1_000).map({ "new \($0)" }) { await Self.answer(desk, step) }
    #expect(await desk.started == ["0"] + (991..<1_000).map { "new \($0)" })
  }

  @Test func `nothing is loaded for nobody, and a list that is released cancels its loads`() async throws {
    let (store, desk) = (try ListStore([TestRow(1, "a")]), Desk())
    try await {
      let list = Self.list(store, desk)
      try await store.edit { try $0.upsert(TestRow(2, "b")) }
      #expect(await desk.started.isEmpty)
      _ = await list.snapshot
      await eventually { await desk.started.count == 2 }
    }()
    await eventually { await desk.cancelled.sorted() == ["a", "b"] }
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
    let list = store.loading({ Key(text: $0.text) }) {
      try await desk.load($0.text)
    } row: {
      TestRow($0.id, "\($1.value ?? "-")\($1.isPending ? "…" : "")")
    }
    var updates = list.updates().makeAsyncIterator()
    _ = await updates.next()
    await Self.answer(desk, "a")
    #expect(Self.texts(await updates.next()) == ["A", "-…"])
    await Self.answer(desk, "b")
    #expect(Self.texts(await updates.next()) == ["A", "B"])
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

  /// What runs, at most two at a time.
  private actor Meter {
    private var running = 0
    private(set) var most = 0
    func begin() {
      running += 1
      most = max(most, running)
    }
    func end() { running -= 1 }
  }

  @Test func `under any schedule each row shows its own value or says that it is pending, and all of them at last`()
    async throws
  {
    await Schedule.explore("loading rows", 100, long: 75_000) { try await Self.scene(SeededGenerator(seed: $0)) }
  }

  private static func scene(_ seeded: SeededGenerator) async throws -> String? {
    var random = seeded
    let (store, meter) = (Store(), Meter())
    let edits = (0..<12).map { _ in
      (Int.random(in: 0..<5, using: &random), ["", "a", "b", "c"].randomElement(using: &random) ?? "")
    }
    let list = store.loading({ $0.text.isEmpty ? nil : $0.text }, atMost: 2) { key in
      await meter.begin()
      await Task.yield()
      await meter.end()
      if key == "c" { throw Trouble() }
      return key.uppercased()
    } row: {
      TestRow($0.id, "\($0.text) \($1.value ?? "-")\($1.isPending ? "…" : "")\($1.error == nil ? "" : "!")")
    }
    return try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<2 {
        group.addTask {
          var last: [String] = []
          for await update in list.updates() {
            last = update.snapshot.allRows.map(\.text)
            for text in last where !text.hasSuffix("…") {
              if !["a A", "b B", " -"].contains(text), !(text.hasPrefix("c ") && text.hasSuffix("!")) {
                return "a row shows \(text)"
              }
            }
          }
          let rows = await store.snapshot.allRows.map(\.text)
          let isComplete = last.count == rows.count && last.allSatisfy { !$0.hasSuffix("…") }
          return isComplete ? nil : "ended at \(last) of \(rows)"
        }
      }
      group.addTask {
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
        return nil
      }
      if let failure = try await group.firstFailure() { return failure }
      let most = await meter.most
      return most <= 2 ? nil : "\(most) loads at a time"
    }
  }
}
