import RowcastDiff
import RowcastModel
import RowcastSources
import RowcastStore
import RowcastTestSupport
import Testing

@Suite(.watched) struct SourceTests {
  struct Broken: Error, Equatable {}

  @Test func `every event of a source becomes one transaction`() async throws {
    let store = try TestStore.with([])
    let events = AsyncStream { continuation in
      for id in 0..<10 { continuation.yield(id) }
      continuation.finish()
    }
    let binding = store.attach(events) { list, id in try list.append(TestRow(id), to: "a") }
    guard case .ended = await binding.outcome else { throw Broken() }
    #expect(await store.revision == 10)
  }

  /// Counts down, and cannot go below zero: a sequence that is no stream, and has a type of error.
  private struct Countdown: AsyncSequence {
    let start: Int

    struct AsyncIterator: AsyncIteratorProtocol {
      var value: Int

      mutating func next() async throws -> Int? { try await next(isolation: nil) }

      mutating func next(isolation actor: isolated (any Actor)?) async throws(Broken) -> Int? {
        await Task.yield()
        if value < 0 { throw Broken() }
        defer { value -= 1 }
        return value
      }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(value: start) }
  }

  @Test func `a sequence of any type is a source`() async throws {
    let store = try TestStore.with([])
    let once = store.attach(Countdown(start: 3)) { list, id in try list.append(TestRow(id), to: "a") }
    guard case .failed(is Broken) = await once.outcome else { throw Broken() }
    #expect(await store.snapshot.rows(inSection: 0).map(\.id) == [3, 2, 1, 0])
    let again = store.attach(from: { Countdown(start: 1) }) { list, id in try list.remove(id) }
    guard case .failed(is Broken) = await again.outcome else { throw Broken() }
    #expect(await store.snapshot.rows(inSection: 0).map(\.id) == [3, 2])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `the events of a plain sequence are coalesced, and the last ones are applied at its end`() async throws {
    for (burst, expected) in [(BurstPolicy.newest, [0, 3]), (.all, [0, 1, 2, 3])] {
      let (store, clock) = (try TestStore.with([]), ManualClock())
      let (events, source) = AsyncStream.makeStream(of: Int.self)
      let binding = store.attach(events, coalescing: .throttle(every: .seconds(1)), keeping: burst, clock: clock) {
        list, id in try list.append(TestRow(id), to: "a")
      }
      source.yield(0)
      await eventually { await store.revision == 1 }
      for id in 1...3 { source.yield(id) }
      await clock.waitForSleepers(1)
      #expect(await store.revision == 1)
      source.finish()
      guard case .ended = await binding.outcome else { throw Broken() }
      #expect(await store.snapshot.rows(inSection: 0).map(\.id) == expected)
      #expect(await store.revision == 2)
    }
  }

  @Test func `a source is attached for as long as the task that runs it`() async throws {
    let store = try TestStore.with([])
    let (events, source) = AsyncStream.makeStream(of: Int.self)
    let binding = store.attach(events) { list, id in try list.append(TestRow(id), to: "a") }
    let service = Task { await binding.run() }
    source.yield(1)
    await eventually { await store.revision == 1 }
    service.cancel()
    guard case .cancelled = await service.value else { throw Broken() }
    guard case .cancelled = await binding.status else { throw Broken() }
    let other = store.attach([2, 3].async) { list, id in try list.append(TestRow(id), to: "a") }
    guard case .ended = await Task(operation: { await other.run() }).value else { throw Broken() }
    #expect(await store.snapshot.rows(inSection: 0).map(\.id) == [1, 2, 3])
  }

  @Test func `a rejected event is undone and stops the source, by default`() async throws {
    let store = try TestStore.with([])
    let binding = store.attach([1, 2, 2, 3].async) { list, id in
      try list.append(TestSection("s\(id)"))
      try list.append(TestRow(id), to: "a")
    }
    guard case .failed(let error) = await binding.outcome else { throw Broken() }
    #expect(error as? TestListError == .duplicateSection("s2", first: 2, second: 3))
    #expect(await store.revision == 2)
  }

  @Test func `a rejected event can be passed over`() async throws {
    let store = try TestStore.with([])
    let rejected = Recorder<Int>()
    let binding = store.attach([1, 1, 2].async) { id, error in
      await rejected.note(id)
      return .proceed
    } apply: { list, id in
      try list.append(TestRow(id), to: "a")
    }
    guard case .ended = await binding.outcome else { throw Broken() }
    #expect(await rejected.values == [1])
    #expect(await store.snapshot.rows(inSection: 0).map(\.id) == [1, 2])
  }

  @Test func `a cancelled binding detaches its source`() async throws {
    let store = try TestStore.with([])
    let (events, continuation) = AsyncStream.makeStream(of: Int.self)
    let ended = Gate()
    continuation.onTermination = { _ in Task { await ended.open() } }
    let binding = store.attach(events) { list, id in try list.append(TestRow(id), to: "a") }
    continuation.yield(1)
    await eventually { await store.revision == 1 }
    binding.cancel()
    continuation.yield(2)
    await ended.pass()
    guard case .cancelled = await binding.outcome else { throw Broken() }
    #expect(await store.revision == 1)
  }

  @Test func `a source of a finished store ends with that as its error`() async throws {
    let store = try TestStore.with([])
    await store.finish()
    let binding = store.attach([1].async) { list, id in try list.append(TestRow(id), to: "a") }
    guard case .failed(let error) = await binding.outcome else { throw Broken() }
    #expect(error as? ListStoreError == .finished)
  }

  @Test func `the next event is asked for when the one before it is done`() async throws {
    let store = try TestStore.with([])
    let seen = Recorder<Int>()
    let events = AsyncStream<Int>(unfolding: {
      let count = await seen.values.count
      await seen.note(await store.revision)
      return count < 5 ? count : nil
    })
    let binding = store.attach(events) { list, id in try list.append(TestRow(id), to: "a") }
    _ = await binding.outcome
    #expect(await seen.values == [0, 1, 2, 3, 4, 5])
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
      let found = await store.snapshot.rows(inSection: 0).map(\.id)
      #expect(found == Array(0..<found.count))
    }
  }

  // MARK: - Bursts

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `an event of a burst that is refused takes no other with it`() async throws {
    let (store, clock) = (try TestStore.with([]), ManualClock())
    let (events, source) = AsyncStream.makeStream(of: Int.self)
    let binding = store.attach(events, coalescing: .throttle(every: .seconds(1)), keeping: .all, clock: clock) { _, _ in
      .proceed
    } apply: { list, id in
      try list.append(TestRow(id), to: "a")
      if id == 3 { throw Broken() }
    }
    source.yield(1)
    await eventually { await store.revision == 1 }
    for id in 2...4 { source.yield(id) }
    await clock.waitForSleepers(1)
    source.finish()
    _ = await binding.outcome
    #expect(await store.snapshot.allRows.map(\.id) == [1, 2, 4])
    #expect(await store.revision == 3)
  }

  @Test func `an event that is alone in its burst and is refused is tried once`() async throws {
    let tries = CallCount()
    let store = try TestStore.with([])
    let binding = store.attach([1].async, coalescing: .throttle(every: .seconds(1)), keeping: .all) { _, _ in
      tries.note(())
      throw Broken()
    }
    _ = await binding.outcome
    #expect(tries.value == 1)
  }
}

actor Recorder<Value: Sendable> {
  private(set) var values: [Value] = []
  func note(_ value: Value) { values.append(value) }
}

extension Array where Element: Sendable {
  /// The elements as an asynchronous sequence.
  var async: AsyncStream<Element> {
    AsyncStream { continuation in
      for element in self { continuation.yield(element) }
      continuation.finish()
    }
  }
}
