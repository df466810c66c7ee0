@Suite(.watched) struct SourceTests {
  struct Broken: Error, Equatable {}

  /// Counts down, and cannot go below zero: a sequence that is not a stream, with a typed error.
  private struct Countdown: AsyncSequence, AsyncIteratorProtocol {
    var value: Int

    mutating func next() async throws -> Int? { try await next(isolation: nil) }

    mutating func next(isolation actor: isolated (any Actor)?) async throws(Broken) -> Int? {
      await Task.yield()
      if value < 0 { throw Broken() }
      defer { value -= 1 }
      return value
    }

    func makeAsyncIterator() -> Countdown { self }
  }

  @Test func `a sequence of any type is a source`() async throws {
    let store = try TestStore.with([])
    let once = store.attach(Countdown(value: 3)) { list, id in try list.append(TestRow(id), to: "a") }
    guard case .failed(is Broken) = await once.outcome else { throw Broken() }
    #expect(await store.snapshot.rows(inSection: 0).map(\.id) == [3, 2, 1, 0])
    let again = store.attach(from: { Countdown(value: 1) }) { list, id in try list.remove(id) }
    guard case .failed(is Broken) = await again.outcome else { throw Broken() }
    #expect(await store.snapshot.rows(inSection: 0).map(\.id) == [3, 2])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [
    (BurstPolicy.newest, -1, [0, 3], 2, 2), (.all, -1, [0, 1, 2, 3], 2, 4),
    // Each event of a refused burst is tried again; a single event is not.
    (.all, 2, [0, 1, 3], 3, 6), (.all, 0, [1, 2, 3], 1, 4),
  ])
  func `the events of a plain sequence are coalesced, and the last ones are applied at its end`(
    burst: BurstPolicy, refused: Int, rows: [Int], revision: Int, tries: Int
  ) async throws {
    let (store, clock, tried) = (try TestStore.with([]), ManualClock(), CallCount())
    let (events, source) = AsyncStream.makeStream(of: Int.self)
    let binding = store.attach(events, coalescing: .throttle(every: .seconds(1)), keeping: burst, clock: clock) {
      _, _ in
      .proceed
    } apply: { list, id in
      tried.note(())
      try list.append(TestRow(id), to: "a")
      if id == refused { throw Broken() }
    }
    source.yield(0)
    await eventually { tried.value == 1 }
    for id in 1...3 { source.yield(id) }
    await clock.waitForSleepers(1)
    #expect(tried.value == 1)
    source.finish()
    guard case .ended = await binding.outcome else { throw Broken() }
    #expect(await store.snapshot.rows(inSection: 0).map(\.id) == rows)
    #expect(await store.revision == revision)
    #expect(tried.value == tries)
  }

  @Test func `a source is attached for as long as the task that runs it`() async throws {
    let store = try TestStore.with([])
    let (events, source) = AsyncStream.makeStream(of: Int.self)
    let binding = store.attach(events) { list, id in try list.append(TestRow(id), to: "a") }
    let service = Task { await binding.run() }
    source.yield(1)
    await eventually { await store.revision == 1 }
    #expect(await binding.status.word == "live")
    service.cancel()
    guard case .cancelled = await service.value else { throw Broken() }
    guard case .cancelled = await binding.status else { throw Broken() }
    let other = store.attach([2, 3].async) { list, id in try list.append(TestRow(id), to: "a") }
    guard case .ended = await Task(operation: { await other.run() }).value else { throw Broken() }
    #expect(await store.snapshot.rows(inSection: 0).map(\.id) == [1, 2, 3])
  }

  @Test func `a rejected event is undone; it stops the source by default, or is passed over`() async throws {
    let (store, rejected) = (try TestStore.with([]), Recorder<Int>())
    let strict = store.attach([1, 2, 3, 4].async) { list, id in
      try list.append(TestSection("s\(id)"))
      try list.append(TestRow(id / 2), to: "a")
    }
    guard case .failed(is TestListError) = await strict.outcome else { throw Broken() }
    #expect(await store.revision == 2)
    #expect(await store.snapshot.sectionCount == 3)
    func lenient(_ ids: Int...) -> SourceBinding {
      store.attach(ids.async) { id, _ in
        await rejected.note(id)
        return .proceed
      } apply: { list, id in
        try list.append(TestRow(id), to: "a")
      }
    }
    guard case .ended = await lenient(5, 1, 6).outcome else { throw Broken() }
    #expect(await rejected.values == [1])
    #expect(await store.snapshot.rows(inSection: 0).map(\.id) == [0, 1, 5, 6])
    await store.finish()
    guard case .failed(ListStoreError.finished) = await lenient(7).outcome else { throw Broken() }
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
      // A binding that still listens takes this, too; the statuses end when it has taken all, or is released.
      continuation.yield(-1)
      continuation.finish()
      for await _ in statuses {}
      let found = await store.snapshot.rows(inSection: 0).map(\.id)
      #expect(found == Array(0..<found.count))
    }
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
