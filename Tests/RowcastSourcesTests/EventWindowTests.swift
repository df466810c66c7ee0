@testable import RowcastStore
@testable import RowcastSources

@Suite(.watched) struct EventWindowTests {
  @Test(arguments: [(0, 100), (149, 249), (200, 250), (250, 250)])
  func `an event is due some time after the last one, or as long as the limit after the first`(last: Int, due: Int) {
    let rule = Coalescing.debounce(for: .milliseconds(100), atMost: .milliseconds(250))
    #expect(rule.deadline(first: .zero, last: .milliseconds(last), delivered: nil) == .milliseconds(due))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `in any interleaving, what comes is in order, not too often, and ends with the last event`() async {
    for seed in 0..<UInt64(SeededGenerator.rounds(60, long: 3_000)) {
      let result = await Schedule.run(seed: seed) { await Self.race(seed: seed) }
      #expect(result.value == .some(nil), "seed \(seed): \(result.value ?? "stuck")")
    }
  }

  /// Adds events while the clock advances and a task takes them. Returns the fault of the taken events.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func race(seed: UInt64) async -> String? {
    let clock = ManualClock()
    let start = clock.now
    let isThrottled = seed % 2 == 0
    let window = EventWindow<Int>(
      isThrottled ? .throttle(every: .milliseconds(10)) : .debounce(for: .milliseconds(3), atMost: .milliseconds(12)),
      on: AnyClock(clock))
    return await withTaskGroup(of: [Int].self) { group in
      group.addTask {
        var random = SeededGenerator(seed: seed)
        for event in 0..<20 {
          await window.put(event)
          for _ in 0..<Int.random(in: 0...2, using: &random) { await clock.advance(by: .milliseconds(2)) }
        }
        await window.close()
        return []
      }
      group.addTask {
        var taken: [Int] = []
        while let event = await window.take() { taken += event }
        return taken
      }
      var taken: [Int] = []
      for await part in group { taken += part }
      let isOrdered = zip(taken, taken.dropFirst()).allSatisfy { $0 < $1 }
      // One at the beginning, one each period, and one as the window is closed.
      let periods = Int(start.duration(to: clock.now) / .milliseconds(10))
      let isCalm = !isThrottled || taken.count <= periods + 2
      return isOrdered && isCalm && taken.last == 19 ? nil : "\(window), in \(periods) periods: \(taken)"
    }
  }

  @Test(arguments: [
    Coalescing.debounce(for: .seconds(Int64.max)), .throttle(every: .seconds(Int64.max)),
    .debounce(for: .seconds(Int64.max), atMost: .seconds(Int64.max)), .debounce(for: .seconds(-1)),
  ])
  func `windows of any length lose no last event`(coalescing: Coalescing) async throws {
    let store = try TestStore.with([])
    let (events, continuation) = AsyncStream.makeStream(of: Int.self)
    let binding = store.attach(events, coalescing: coalescing) { list, id in try list.append(TestRow(id), to: "a") }
    for id in 1...3 { continuation.yield(id) }
    await Task.yield()
    continuation.finish()
    _ = await binding.outcome
    #expect(await store.snapshot.rows(inSection: 0).last?.id == 3)
  }
}
