import Dispatch
import RowcastDiff
import RowcastModel
import RowcastSources
import RowcastStore
import RowcastTestSupport
import Testing

/// Sources and subscribers that misbehave: nothing is lost, nothing comes twice.
@Suite(.watched) struct FaultTests {
  struct Broken: Error {}

  private func ids(of store: TestStore) async -> [Int] { await store.snapshot.rows(inSection: 0).map(\.id) }

  @Test func `a source that floods is taken event by event, none lost and none twice`() async throws {
    let store = try TestStore.with([])
    let binding = store.attach(Array(0..<5_000).async) { list, id in try list.append(TestRow(id), to: "a") }
    let follower = Task { try await Follower.following(store.updates()) }
    _ = await binding.outcome
    await store.finish()
    #expect(await store.revision == 5_000)
    #expect(await ids(of: store) == Array(0..<5_000))
    #expect(try await follower.value.revision == 5_000)
  }

  @Test func `events that come twice change nothing the second time`() async throws {
    let store = try TestStore.with([])
    let events = (0..<100).flatMap { [$0, $0, $0] }
    _ = await store.attach(events.async) { list, id in try list.upsert(TestRow(id), to: "a") }.outcome
    #expect(await store.revision == 100)
  }

  @Test func `a source that stalls holds up nobody else`() async throws {
    let store = try TestStore.with([])
    let (stalled, continuation) = AsyncStream.makeStream(of: Int.self)
    let first = store.attach(stalled) { list, id in try list.append(TestRow(id), to: "a") }
    _ = await store.attach([1, 2].async) { list, id in try list.append(TestRow(id), to: "a") }.outcome
    #expect(await ids(of: store) == [1, 2])
    continuation.yield(3)
    continuation.finish()
    _ = await first.outcome
    #expect(await ids(of: store) == [1, 2, 3])
  }

  @Test func `a source that resumes from other threads keeps its order`() async throws {
    let store = try TestStore.with([])
    let (events, continuation) = AsyncStream.makeStream(of: Int.self)
    let binding = store.attach(events) { list, id in try list.append(TestRow(id), to: "a") }
    let queue = DispatchQueue(label: "source")
    for id in 0..<500 { queue.async { continuation.yield(id) } }
    queue.async { continuation.finish() }
    _ = await binding.outcome
    #expect(await ids(of: store) == Array(0..<500))
  }

  @Test func `a source that throws after each event loses none, attached again and again`() async throws {
    let store = try TestStore.with([])
    for id in 0..<50 {
      let events = AsyncThrowingStream<Int, any Error> { continuation in
        continuation.yield(id)
        continuation.finish(throwing: Broken())
      }
      let binding = store.attach(events) { list, id in try list.append(TestRow(id), to: "a") }
      guard case .failed(is Broken) = await binding.outcome else { throw TestListError.unknownRow(id) }
    }
    #expect(await ids(of: store) == Array(0..<50))
  }

  @Test func `a subscriber that throws out of its loop leaves the others and the store alone`() async throws {
    let store = try TestStore.with([])
    let other = Task { try await Follower.following(store.updates()) }
    let thrower = Task {
      for await update in store.updates() where update.snapshot.rowCount > 2 { throw Broken() }
    }
    for id in 0..<10 { try await store.edit { try $0.append(TestRow(id), to: "a") } }
    await #expect(throws: Broken.self) { try await thrower.value }
    await store.finish()
    #expect(try await other.value.revision == 10)
  }

  @Test func `bindings dropped at any point leave a prefix of their events behind, and take no other`() async throws {
    for events in 0..<40 {
      let store = try TestStore.with([])
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      var binding: SourceBinding? = store.attach(stream) { list, id in try list.append(TestRow(id), to: "a") }
      for id in 0..<events { continuation.yield(id) }
      for _ in 0..<(events % 7) { await Task.yield() }
      let statuses = try #require(binding?.statuses)
      binding = nil
      // A binding that still listens takes this, too; the statuses end when it has taken all, or has gone.
      continuation.yield(-1)
      continuation.finish()
      for await _ in statuses {}
      let found = await ids(of: store)
      #expect(found == Array(0..<found.count))
    }
  }
}
