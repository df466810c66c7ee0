@testable import RowcastStore
@testable import RowcastSources

/// A section with a phase.
struct PhasedTestSection: PhasedSection {
  let id: String
  var phase = SectionPhase.idle
}

typealias PhasedStore = ListStore<PhasedTestSection, TestRow>

/// Sources and pages of several sections; what a section shows of its own source, and its own pages, are driven by `PagingFuzz`.
@Suite(.watched) struct SectionSourceTests {
  private typealias Source = SectionSource<PhasedTestSection, TestRow>
  private struct Broken: Error, CustomStringConvertible { var description: String { "line is dead" } }

  private func phases(_ store: PhasedStore) async -> [SectionPhase] {
    let list = await store.snapshot
    return (0..<list.sectionCount).map { list.section(at: $0).phase }
  }

  @Test func `several sources fill a section each, in their order; a finished store takes none`() async throws {
    let store = PhasedStore()
    try await store.edit { try $0.append(PhasedTestSection(id: "known"), rows: [TestRow(0)]) }
    let (late, continuation) = AsyncStream.makeStream(of: [TestRow].self)
    let bindings = try await store.attach([
      Source(PhasedTestSection(id: "late"), rows: { late }),
      Source(PhasedTestSection(id: "events")) {
        [1, 2].async
      } apply: { list, id in
        try list.append(TestRow(id), to: "events")
      },
      Source(PhasedTestSection(id: "nothing"), rows: { [[TestRow]()].async }),
      Source(PhasedTestSection(id: "known"), rows: { [[TestRow(0), TestRow(9)]].async }),
      // All events of a window, each of which is an edit.
      Source(PhasedTestSection(id: "burst"), coalescing: .debounce(for: .seconds(60)), clock: ManualClock()) {
        [4, 5, 6].async
      } apply: { list, id in
        try list.append(TestRow(id), to: "burst")
      },
    ])
    for binding in bindings.dropFirst() { _ = await binding.outcome }
    let list = await store.snapshot
    #expect((0..<list.sectionCount).map { list.section(at: $0).id } == ["known", "late", "events", "nothing", "burst"])
    #expect(await phases(store) == [.loaded, .loading, .loaded, .empty, .loaded])
    continuation.yield([TestRow(3)])
    continuation.finish()
    _ = await bindings[0].outcome
    #expect(await phases(store) == [.loaded, .loaded, .loaded, .empty, .loaded])
    let rows = await store.snapshot
    #expect((0..<5).map { rows.rows(inSection: $0).map(\.id) } == [[0, 9], [3], [1, 2], [], [4, 5, 6]])
    await store.finish()
    await #expect(throws: ListStoreError.finished) {
      _ = try await store.attach([Source(PhasedTestSection(id: "a"), rows: { [[]].async })])
    }
  }

  @Test func `a source that ends late says nothing about those attached to its section meanwhile`() async throws {
    let store = PhasedStore()
    /// A source that does not notice its cancellation until it is released.
    func attachDeaf() async throws -> (binding: SourceBinding, gate: Gate) {
      let (asked, gate) = (Gate(), Gate())
      let source = Source(PhasedTestSection(id: "a")) { () async throws -> AsyncStream<[TestRow]> in
        await asked.open()
        await gate.pass()
        return AsyncStream { nil }
      }
      let binding = try await store.attach([source])[0]
      await asked.pass()
      return (binding, gate)
    }
    // It is loading, waits for its next attempt, or is up to date; then it is alone.
    let clock = ManualClock()
    let (rows, row) = AsyncStream.makeStream(of: [TestRow].self)
    for (phase, next) in [
      (.loading, Source(PhasedTestSection(id: "a"), rows: { AsyncStream<[TestRow]>.makeStream().stream })),
      (
        .failed(message: "line is dead", retry: .automatic),
        Source(PhasedTestSection(id: "a"), clock: clock) { () async throws -> AsyncStream<[TestRow]> in throw Broken() }
      ), (.empty, Source(PhasedTestSection(id: "a"), rows: { rows })), (.idle, nil),
    ] as [(SectionPhase, Source?)] {
      let (former, gate) = try await attachDeaf()
      former.cancel()
      let binding = try await store.attach(next.map { [$0] } ?? []).first
      if phase == .empty { row.yield([]) }
      if binding != nil { await eventually { await phases(store) == [phase] } }
      await gate.open()
      _ = await former.outcome
      #expect(await phases(store) == [phase])
      binding?.cancel()
      _ = await binding?.outcome
      #expect(await phases(store) == [phase == .empty ? .empty : .idle])
    }
    // An up-to-date source shows when another one has ended.
    let (lines, line) = AsyncStream.makeStream(of: [TestRow].self)
    let stays = try await store.attach([Source(PhasedTestSection(id: "a"), rows: { lines })])[0]
    line.yield([])
    await eventually { await stays.status.word == "live" }
    let (leaves, gate) = try await attachDeaf()
    #expect(await phases(store) == [.loading])
    leaves.cancel()
    await gate.open()
    _ = await leaves.outcome
    #expect(await phases(store) == [.empty])
    stays.cancel()
    _ = await stays.outcome
    let sources = await store.core.sourcePhases
    #expect(sources.isEmpty)
  }

  @Test func `under any schedule a section is up to date once its sources are, whichever others were cancelled`()
    async throws
  {
    var random = SeededGenerator.forFuzzing("cancelled sources")
    for _ in 0..<SeededGenerator.rounds(200, long: 20_000) {
      let seed = random.next()
      let result = await Schedule.run(seed: seed) { () -> [SectionPhase] in
        let store = PhasedStore()
        func attach(_ rows: AsyncStream<[TestRow]>) async -> SourceBinding {
          try! await store.attach([Source(PhasedTestSection(id: "a"), rows: { rows })])[0]
        }
        let (rows, row) = AsyncStream.makeStream(of: [TestRow].self)
        let stays = await attach(rows)
        row.yield([])
        while await self.phases(store) == [.loading] { await Task.yield() }
        let other = AsyncStream.makeStream(of: [TestRow].self)
        let leaves = await attach(other.stream)
        leaves.cancel()
        _ = await leaves.outcome
        while await stays.status.word != "live" { await Task.yield() }
        return await self.phases(store)
      }
      #expect(result.value == [.empty], "seed \(random.seed), schedule \(seed)")
    }
  }

  // MARK: - Pages

  private typealias Pages = Paging<PhasedTestSection, TestRow, String, Int>

  /// Gives a load the paging that it is of.
  private actor Own {
    private(set) var paging: Pages?
    func set(_ paging: Pages?) { self.paging = paging }
  }

  @Test func `loads of two pagings that wait for each other are refused`() async throws {
    let (first, second) = (Own(), Own())
    let store = PhasedStore()
    try await store.edit { for id in ["a", "b"] { try $0.append(PhasedTestSection(id: id)) } }
    let pagings = [(first, second, "a"), (second, first, "b")].map { _, other, section in
      Pages(store, section: section, query: "x") { _, _ in
        await other.paging?.demand()
        return .init(rows: [TestRow(section == "a" ? 1 : 2)], next: nil)
      }
    }
    await first.set(pagings[0])
    await second.set(pagings[1])
    await pagings[0].demand()
    #expect(await pagings[0].failure as? PagingError == .requestedByItsOwnLoad)
    #expect(await pagings[1].failure == nil)
    #expect(await store.snapshot.allRows.map(\.id) == [1, 2])
    await first.set(nil)
    await second.set(nil)
  }

  @Test func `rows that are inserted or deleted with their section while a page loads are newer than it, too`()
    async throws
  {
    let (store, gate, reached) = (PhasedStore(), Gate(), Gate())
    try await store.edit {
      try $0.append(PhasedTestSection(id: "a"))
      try $0.append(PhasedTestSection(id: "b"), rows: [TestRow(101)])
    }
    let paging = Pages(store, section: "a", query: "x") { _, _ in
      await reached.open()
      await gate.pass()
      return .init(rows: (100..<103).map { TestRow($0) }, next: nil)
    }
    let load = Task { await paging.demand() }
    await reached.pass()
    try await store.edit {
      try $0.removeSection("b")
      try $0.append(PhasedTestSection(id: "c"), rows: [TestRow(100, "posted")])
    }
    await gate.open()
    await load.value
    #expect(await store.snapshot.rows(inSection: 0).map(\.id) == [102])
    #expect(await store.snapshot.rows(inSection: 1).map { $0 } == [TestRow(100, "posted")])
  }
}
