import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore
@testable import RowcastSources

@Suite(.watched) struct SectionSourceTests {
  private typealias Source = SectionSource<PhasedTestSection, TestRow>
  private struct Broken: Error, CustomStringConvertible {
    var description: String { "line is dead" }
  }

  private func phases(_ store: PhasedStore) async -> [SectionPhase] {
    let list = await store.snapshot
    return (0..<list.sectionCount).map { list.section(at: $0).phase }
  }

  private func ids(_ store: PhasedStore, _ section: Int) async -> [Int] {
    await store.snapshot.rows(inSection: section).map(\.id)
  }

  @Test func `several sources fill a section each, in their order, whatever comes first`() async throws {
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
    ])
    for binding in bindings.dropFirst() { _ = await binding.outcome }
    let list = await store.snapshot
    #expect((0..<list.sectionCount).map { list.section(at: $0).id } == ["known", "late", "events", "nothing"])
    #expect(await phases(store) == [.loaded, .loading, .loaded, .empty])
    continuation.yield([TestRow(3)])
    continuation.finish()
    _ = await bindings[0].outcome
    #expect(await phases(store) == [.loaded, .loaded, .loaded, .empty])
    #expect(await ids(store, 0) == [0, 9])
    #expect(await ids(store, 1) == [3])
    #expect(await ids(store, 2) == [1, 2])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a section shows how its source is doing, and keeps its rows meanwhile`() async throws {
    let store = PhasedStore()
    let clock = ManualClock()
    let server = FlakyServer([[1], [], [2]])
    let (gate, events) = (Gate(), Recorder<SectionPhase>())
    let follower = Task {
      for await update in store.updates() where update.snapshot.sectionCount > 0 {
        await events.note(update.snapshot.section(at: 0).phase)
      }
    }
    let bindings = try await store.attach([
      Source(PhasedTestSection(id: "a"), retrying: .backOff(BackOff(first: .seconds(1), jitter: 0)), clock: clock) {
        if await server.subscriptions == 2 { await gate.pass() }
        return await server.events()
      } apply: { list, id in
        try list.append(TestRow(id), to: "a")
      }
    ])
    for count in 1...2 {
      await eventually { await server.subscriptions == count }
      await clock.waitForSleepers(1)
      guard case .failed(_, retry: .automatic) = await phases(store)[0] else {
        Issue.record("the phase is \(await phases(store))")
        return
      }
      #expect(await ids(store, 0) == [1])
      await eventually { if case .waiting = await bindings[0].status { true } else { false } }
      await clock.advance(by: .seconds(4))
    }
    await eventually { await phases(store) == [.loading] }
    #expect(await ids(store, 0) == [1])
    await gate.open()
    _ = await bindings[0].outcome
    #expect(await phases(store) == [.loaded])
    #expect(await ids(store, 0) == [1, 2])
    await store.finish()
    await follower.value
    #expect(await events.values.last == .loaded)
  }

  @Test func `a source that is given up leaves its reason, and can be attached again`() async throws {
    let store = PhasedStore()
    let isBroken = Recorder<Bool>()
    let source = Source(PhasedTestSection(id: "a"), retrying: .stop) { () async throws -> AsyncStream<[TestRow]> in
      if await isBroken.values.isEmpty {
        await isBroken.note(true)
        throw Broken()
      }
      return [[TestRow(1)]].async
    }
    _ = await (try await store.attach([source]))[0].outcome
    #expect(await phases(store) == [.failed(message: "line is dead", retry: .onRequest)])
    _ = await (try await store.attach([source]))[0].outcome
    #expect(await phases(store) == [.loaded])
  }

  @Test func `a cancelled source does not seem to load for ever`() async throws {
    let store = PhasedStore()
    let (never, continuation) = AsyncStream.makeStream(of: [TestRow].self)
    let bindings = try await store.attach([Source(PhasedTestSection(id: "a"), rows: { never })])
    #expect(await phases(store) == [.loading])
    bindings[0].cancel()
    _ = await bindings[0].outcome
    #expect(await phases(store) == [.idle])
    withExtendedLifetime(continuation) {}
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a source that is cancelled while it waits for its next attempt is idle`() async throws {
    let store = PhasedStore()
    let clock = ManualClock()
    let bindings = try await store.attach([
      Source(PhasedTestSection(id: "a"), clock: clock) { () async throws -> AsyncStream<[TestRow]> in throw Broken() }
    ])
    await clock.waitForSleepers(1)
    guard case .failed(_, retry: .automatic) = await phases(store)[0] else { throw Broken() }
    bindings[0].cancel()
    _ = await bindings[0].outcome
    #expect(await phases(store) == [.idle])
  }

  @Test func `a section that was taken away is not put back`() async throws {
    let store = PhasedStore()
    let (events, continuation) = AsyncStream.makeStream(of: Int.self)
    let bindings = try await store.attach([
      Source(PhasedTestSection(id: "a")) {
        events
      } apply: { list, id in
        if id == 1 { try list.removeSection("a") }
      }
    ])
    continuation.yield(1)
    continuation.yield(2)
    continuation.finish()
    guard case .ended = await bindings[0].outcome else { throw Broken() }
    #expect(await store.snapshot.sectionCount == 0)
    await store.finish()
    await #expect(throws: ListStoreError.finished) {
      _ = try await store.attach([Source(PhasedTestSection(id: "a"), rows: { [[]].async })])
    }
  }
}
