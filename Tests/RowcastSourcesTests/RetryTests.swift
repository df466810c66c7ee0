import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore
@testable import RowcastSources

/// A server that sends its events once, to its subscriber, and breaks off where it is told to.
actor FlakyServer {
  struct Broken: Error, Equatable {
    var after: Int
  }

  private var parts: ArraySlice<[Int]>
  private(set) var subscriptions = 0

  /// - Parameter parts: The events of each subscription; all but the last end in an error.
  init(_ parts: [[Int]]) {
    self.parts = parts[...]
  }

  func events() -> AsyncThrowingStream<Int, any Error> {
    subscriptions += 1
    let part = parts.popFirst() ?? []
    let isLast = parts.isEmpty
    return AsyncThrowingStream { continuation in
      for event in part { continuation.yield(event) }
      continuation.finish(throwing: isLast ? nil : Broken(after: part.last ?? -1))
    }
  }
}

@Suite(.watched) struct RetryTests {
  private func backOff(attempts: Int = 3) -> RetryPolicy {
    .backOff(BackOff(first: .seconds(1), attempts: attempts, jitter: 0))
  }

  private func ids(of store: TestStore) async -> [Int] { await store.snapshot.rows(inSection: 0).map(\.id) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a source that fails is subscribed to again, and nothing that was applied is lost`() async throws {
    let store = try TestStore.with([])
    let clock = ManualClock()
    let server = FlakyServer([[1, 2], [3], [4, 5]])
    let binding = store.attach(retrying: backOff(), clock: clock) {
      await server.events()
    } apply: { list, id in
      try list.append(TestRow(id), to: "a")
    }
    for count in [2, 3] {
      await eventually {
        if case .waiting = await binding.status { await store.snapshot.rowCount == count } else { false }
      }
      await clock.waitForSleepers(1)
      guard case .waiting(attempt: 1, delay: .seconds(1), error: let error) = await binding.status else {
        Issue.record("the status is \(await binding.status)")
        return
      }
      #expect(error as? FlakyServer.Broken == .init(after: count))
      await clock.advance(by: .seconds(1))
    }
    guard case .ended = await binding.outcome else { throw FlakyServer.Broken(after: 0) }
    #expect(await ids(of: store) == [1, 2, 3, 4, 5])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a source that fails again and again is given up, with its last error`() async throws {
    let store = try TestStore.with([])
    let clock = ManualClock()
    let server = FlakyServer([[1], [], [], [], [], []])
    let binding = store.attach(retrying: backOff(), clock: clock) {
      await server.events()
    } apply: { list, id in
      try list.append(TestRow(id), to: "a")
    }
    for (attempt, wait) in [1, 2, 4].enumerated() {
      await eventually {
        if case .waiting(attempt + 1, .seconds(wait), _) = await binding.status { true } else { false }
      }
      await clock.waitForSleepers(1)
      await clock.advance(by: .seconds(wait))
    }
    guard case .failed(let error) = await binding.outcome else { throw FlakyServer.Broken(after: 0) }
    #expect(error as? FlakyServer.Broken == .init(after: -1))
    #expect(await server.subscriptions == 4)
    #expect(await ids(of: store) == [1])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a source that cannot be made counts as failed`() async throws {
    let store = try TestStore.with([])
    let binding = store.attach { () async throws -> AsyncStream<Int> in
      throw FlakyServer.Broken(after: 7)
    } apply: { list, id in
      try list.append(TestRow(id), to: "a")
    }
    guard case .failed(let error) = await binding.outcome else { throw FlakyServer.Broken(after: 0) }
    #expect(error as? FlakyServer.Broken == .init(after: 7))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a rejected event ends the binding, and is not tried again`() async throws {
    for coalescing in [Coalescing.none, .throttle(every: .seconds(1))] {
      let store = try TestStore.with([1])
      let (events, continuation) = AsyncStream.makeStream(of: Int.self)
      let binding = store.attach(retrying: backOff(), coalescing: coalescing, clock: ManualClock()) {
        events
      } apply: { list, id in
        try list.append(TestRow(id), to: "a")
      }
      // The source goes on for ever; the binding must not wait for another event of it.
      continuation.yield(1)
      guard case .failed(let error) = await binding.outcome else { throw FlakyServer.Broken(after: 0) }
      #expect(error is TestListError)
      withExtendedLifetime(continuation) {}
    }
  }

  /// A store that a burst of numbers is put into, of which one may be refused.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func burst(_ ids: [Int], refusing refused: Int? = nil) async throws -> (ids: [Int], revision: Int) {
    struct Refusal: Error {}
    let store = try TestStore.with([])
    let (events, continuation) = AsyncStream.makeStream(of: Int.self)
    let clock = ManualClock()
    let binding = store.attach(coalescing: .throttle(every: .seconds(1)), keeping: .all, clock: clock) {
      events
    } onRejection: { _, _ in
      .proceed
    } apply: { list, id in
      try list.append(TestRow(id), to: "a")
      if id == refused { throw Refusal() }
    }
    continuation.yield(ids[0])
    await eventually { await store.revision == 1 }
    for id in ids.dropFirst() { continuation.yield(id) }
    await clock.waitForSleepers(1)
    continuation.finish()
    _ = await binding.outcome
    return (await store.snapshot.allRows.map(\.id), await store.revision)
  }

  @Test func `an event that is alone in its burst and is refused is tried once`() async throws {
    struct Refusal: Error {}
    let (events, continuation) = AsyncStream.makeStream(of: Int.self)
    let tries = CallCount()
    let store = try TestStore.with([])
    let binding = store.attach(coalescing: .throttle(every: .seconds(1)), keeping: .all) {
      events
    } apply: { _, _ in
      tries.note(())
      throw Refusal()
    }
    continuation.yield(1)
    continuation.finish()
    _ = await binding.outcome
    #expect(tries.value == 1)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a burst is applied as one transaction, after its first event, which is applied at once`() async throws {
    #expect(try await Self.burst([1, 2, 3, 4]) == ([1, 2, 3, 4], 2))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `an event of a burst that is refused takes no other with it`() async throws {
    #expect(try await Self.burst([1, 2, 3, 4], refusing: 3) == ([1, 2, 4], 3))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `an attempt can be made before its time`() async throws {
    let store = try TestStore.with([])
    let clock = ManualClock()
    let server = FlakyServer([[1], [2]])
    let binding = store.attach(retrying: backOff(), clock: clock) {
      await server.events()
    } apply: { list, id in
      try list.append(TestRow(id), to: "a")
    }
    await clock.waitForSleepers(1)
    await binding.retry()
    guard case .ended = await binding.outcome else { throw FlakyServer.Broken(after: 0) }
    #expect(await ids(of: store) == [1, 2])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `the first that is told of the wait for an attempt can end it already`() async throws {
    let (board, server) = (StatusPublisher(), FlakyServer([[1], [2]]))
    // The clock stands still: a call that is lost leaves the run waiting.
    let end = await board.run(retrying: backOff(), clock: AnyClock(ManualClock())) { status in
      if case .waiting = status { await board.endPause() }
    } subscribe: { attempt in
      for try await _ in await server.events() { await attempt.note() }
      return nil
    }
    guard case .ended = end else { throw FlakyServer.Broken(after: 0) }
    #expect(await server.subscriptions == 2)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `cancelling ends the wait for an attempt`() async throws {
    let store = try TestStore.with([])
    let clock = ManualClock()
    let server = FlakyServer([[], [1]])
    let binding = store.attach(retrying: backOff(), clock: clock) {
      await server.events()
    } apply: { list, id in
      try list.append(TestRow(id), to: "a")
    }
    await clock.waitForSleepers(1)
    binding.cancel()
    guard case .cancelled = await binding.outcome else { throw FlakyServer.Broken(after: 0) }
    #expect(await server.subscriptions == 1)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [Coalescing.debounce(for: .seconds(9)), .throttle(every: .seconds(9))])
  func `the event that waits when a source fails or ends is applied before that is told`(
    coalescing: Coalescing
  ) async throws {
    let store = try TestStore.with([])
    let clock = ManualClock()
    let server = FlakyServer([[1, 2, 3], [4, 5, 6]])
    let binding = store.attach(retrying: backOff(), coalescing: coalescing, clock: clock) {
      await server.events()
    } apply: { list, id in
      try list.append(TestRow(id), to: "a")
    }
    for await status in binding.statuses {
      guard case .waiting = status else { continue }
      #expect(await ids(of: store).last == 3)
      await clock.waitForSleepers(1)
      await clock.advance(by: .seconds(1))
      break
    }
    guard case .ended = await binding.outcome else { throw FlakyServer.Broken(after: 0) }
    #expect(await ids(of: store).last == 6)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `in any interleaving, a source that breaks off loses nothing`() async throws {
    for seed in 0..<UInt64(SeededGenerator.rounds(200, long: 2_000)) {
      var random = SeededGenerator(seed: seed)
      var next = 0
      let parts = (0..<Int.random(in: 1...5, using: &random)).map { _ in
        (0..<Int.random(in: 1...6, using: &random)).map { _ in
          next += 1
          return next
        }
      }
      let store = try TestStore.with([])
      let result = await Schedule.run(seed: seed) { await Self.collect(parts, in: store, isCoalesced: seed % 2 == 0) }
      let taken = try #require(result.value, "seed \(seed): somebody waits for ever")
      if seed % 2 == 0 {
        #expect(taken == taken.sorted() && Set(parts.compactMap(\.last)).isSubset(of: taken), "seed \(seed)")
      } else {
        #expect(taken == parts.flatMap { $0 }, "seed \(seed)")
      }
    }
  }

  /// What a source brings from a server, while somebody moves the clock.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func collect(_ parts: [[Int]], in store: TestStore, isCoalesced: Bool) async -> [Int] {
    let clock = ManualClock()
    let server = FlakyServer(parts)
    let binding = store.attach(
      retrying: .backOff(BackOff(first: .seconds(1), jitter: 0)),
      coalescing: isCoalesced ? .debounce(for: .seconds(5)) : .none, clock: clock
    ) {
      await server.events()
    } apply: { list, id in
      try list.append(TestRow(id), to: "a")
    }
    while await !binding.status.isFinal {
      await clock.advance(by: .milliseconds(300))
      await Task.yield()
    }
    return await store.snapshot.rows(inSection: 0).map(\.id)
  }
}

@Suite(.watched) struct BackOffTests {
  @Test func `waits grow up to their limit, and then there are none`() {
    var rule = BackOff(first: .seconds(1), factor: 3, longest: .seconds(20), attempts: 5, jitter: 0)
    #expect(
      (1...6).map { rule.delay(beforeAttempt: $0, after: SourceEnded()) } == [
        .seconds(1), .seconds(3), .seconds(9), .seconds(20), .seconds(20), nil,
      ])
  }

  @Test func `chance leaves out no more than it may, and a seed repeats it`() {
    func waits(seed: UInt64) -> [Duration] {
      var rule = BackOff(
        first: .seconds(8), factor: 1, attempts: .max, jitter: 0.25, using: SeededGenerator(seed: seed))
      return (1...200).compactMap { rule.delay(beforeAttempt: $0, after: SourceEnded()) }
    }
    #expect(waits(seed: 1).allSatisfy { (.seconds(6)...Duration.seconds(8)).contains($0) })
    #expect(Set(waits(seed: 1)).count > 100)
    #expect(waits(seed: 1) == waits(seed: 1) && waits(seed: 1) != waits(seed: 2))
  }

  @Test func `an endless row of failures does not overflow`() {
    var rule = BackOff(first: .seconds(1), factor: 1e9, longest: .seconds(60), attempts: .max, jitter: 0)
    #expect(rule.delay(beforeAttempt: .max, after: SourceEnded()) == .seconds(60))
    var none = BackOff(first: .zero, attempts: .max, jitter: 0)
    #expect(none.delay(beforeAttempt: 5_000, after: SourceEnded()) == .zero)
  }

  @Test func `a rule that makes no sense is a bug of its caller`() async {
    await #expect(processExitsWith: .failure) { _ = BackOff(jitter: 1.5) }
    await #expect(processExitsWith: .failure) { _ = BackOff(factor: 0.5) }
  }

  @Test func `waits stay within what clocks can represent`() {
    var rule = BackOff(factor: .infinity, longest: .seconds(Int64.max), attempts: .max, jitter: 0)
    #expect(rule.delay(beforeAttempt: 1, after: SourceEnded()) == .milliseconds(500))
    #expect(rule.delay(beforeAttempt: 2, after: SourceEnded()) == .seconds(1_000_000_000))
    #expect(rule.delay(beforeAttempt: .max, after: SourceEnded()) == .seconds(1_000_000_000))
    rule.first = .seconds(Int64.max)
    #expect(rule.delay(beforeAttempt: 1, after: SourceEnded()) == .seconds(1_000_000_000))
  }

  @Test func `values that are set later are checked as well, and the message has them`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var rule = BackOff()
      rule.jitter = .nan
    }
    #expect(result.map { String(decoding: $0.standardErrorContent, as: UTF8.self).contains("got nan") } == true)
    await #expect(processExitsWith: .failure) {
      var rule = BackOff()
      rule.first = .seconds(-1)
    }
    await #expect(processExitsWith: .failure) {
      var rule = BackOff()
      rule.longest = .seconds(-1)
    }
    await #expect(processExitsWith: .failure) {
      var rule = BackOff()
      rule.factor = .nan
    }
    await #expect(processExitsWith: .failure) {
      var rule = BackOff()
      rule.attempts = -1
    }
  }

  @Test(arguments: [
    Coalescing.debounce(for: .seconds(Int64.max)), .throttle(every: .seconds(Int64.max)),
    .debounce(for: .seconds(Int64.max), atMost: .seconds(Int64.max)), .debounce(for: .seconds(-1)),
  ])
  func `windows of any length lose no last event`(coalescing: Coalescing) async throws {
    let store = try TestStore.with([])
    let (events, continuation) = AsyncStream.makeStream(of: Int.self)
    let binding = store.attach(coalescing: coalescing) {
      events
    } apply: { list, id in
      try list.append(TestRow(id), to: "a")
    }
    for id in 1...3 { continuation.yield(id) }
    await Task.yield()
    continuation.finish()
    _ = await binding.outcome
    #expect(await store.snapshot.rows(inSection: 0).last?.id == 3)
  }
}
