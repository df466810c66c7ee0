import RowcastTestSupport
import Testing

@testable import RowcastStore
@testable import RowcastSources

@Suite(.watched) struct EventWindowTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private typealias Window = EventWindow<Int>

  /// Takes events until the window is closed, with the time at which each was due, in milliseconds.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private func taking(
    _ window: Window, on clock: ManualClock, into log: Recorder<[Int]>
  ) -> Task<Void, Never> {
    let start = clock.now
    return Task {
      while let event = await window.take()?.first {
        let (seconds, attoseconds) = start.duration(to: clock.now).components
        await log.note([event, Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)])
      }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [(0, 100), (149, 249), (200, 250), (250, 250)])
  func `an event is due when the last one is some time ago, or the first one as long as the limit`(last: Int, due: Int)
  {
    let rule = Coalescing.debounce(for: .milliseconds(100), atMost: .milliseconds(250))
    #expect(rule.deadline(first: .zero, last: .milliseconds(last), delivered: nil) == .milliseconds(due))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a debounced event comes when none followed it for the time`() async {
    let clock = ManualClock()
    let window = Window(.debounce(for: .milliseconds(100)), on: AnyClock(clock))
    let log = Recorder<[Int]>()
    let taker = taking(window, on: clock, into: log)
    for event in 1...5 {
      await window.put(event)
      await clock.waitForSleepers(1)
      await clock.advance(by: .milliseconds(60))
    }
    await clock.waitForSleepers(1)
    await clock.advance(by: .milliseconds(39))
    await clock.waitForSleepers(1)
    #expect(await log.values == [])
    await clock.advance(by: .milliseconds(1))
    await eventually { await !log.values.isEmpty }
    await window.close()
    await taker.value
    #expect(await log.values == [[5, 340]])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a debounced event does not wait for longer than the limit`() async {
    let clock = ManualClock()
    let window = Window(.debounce(for: .milliseconds(100), atMost: .milliseconds(250)), on: AnyClock(clock))
    let log = Recorder<[Int]>()
    let taker = taking(window, on: clock, into: log)
    for event in 1...10 {
      await window.put(event)
      await clock.waitForSleepers(1)
      await clock.advance(by: .milliseconds(50))
      // Five steps after the first event it is due, and the taker comes back for the next one.
      if event % 5 == 0 { await eventually { await log.values.count == event / 5 } }
    }
    await window.close()
    await taker.value
    #expect(await log.values == [[5, 250], [10, 500]])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a throttled source gives its first event at once, then the newest of each period`() async {
    let clock = ManualClock()
    let window = Window(.throttle(every: .milliseconds(100)), on: AnyClock(clock))
    let log = Recorder<[Int]>()
    let taker = taking(window, on: clock, into: log)
    await window.put(1)
    await eventually { await log.values.count == 1 }
    for event in 2...6 {
      await window.put(event)
      await clock.waitForSleepers(1)
      await clock.advance(by: .milliseconds(40))
      if event == 4 { await eventually { await log.values.count == 2 } }
    }
    await clock.waitForSleepers(1)
    await clock.advance(by: .milliseconds(40))
    await eventually { await log.values.count == 3 }
    // After a quiet period the next one comes at once again.
    await clock.advance(by: .seconds(1))
    await window.put(7)
    await eventually { await log.values.count == 4 }
    await window.close()
    await taker.value
    #expect(await log.values == [[1, 0], [4, 120], [6, 240], [7, 1_240]])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [Coalescing.debounce(for: .seconds(1)), .throttle(every: .seconds(1))])
  func `the event that waits when the window is closed comes at once`(coalescing: Coalescing) async {
    let clock = ManualClock()
    let window = Window(coalescing, on: AnyClock(clock))
    await window.put(1)
    if coalescing == .throttle(every: .seconds(1)) { #expect(await window.take() == [1]) }
    await window.put(2)
    let last = Task { await window.take() }
    await clock.waitForSleepers(1)
    await window.put(3)
    await window.close()
    #expect(await last.value == [3])
    #expect(await window.take() == nil)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a cancelled taker gives up`() async {
    let clock = ManualClock()
    let window = Window(.debounce(for: .seconds(1)), on: AnyClock(clock))
    let idle = Task { await window.take() }
    idle.cancel()
    #expect(await idle.value == nil)
    await window.put(1)
    let waiting = Task { await window.take() }
    await clock.waitForSleepers(1)
    waiting.cancel()
    #expect(await waiting.value == nil)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `in any interleaving, what comes is in order, not too often, and ends with the last event`() async {
    for seed in 0..<UInt64(SeededGenerator.rounds(300, long: 3_000)) {
      let result = await Schedule.run(seed: seed) { await Self.race(seed: seed) }
      #expect(result.value == .some(nil), "seed \(seed): \(result.value ?? "stuck")")
    }
  }

  /// Puts events in while the clock goes on and somebody takes them. Returns what is wrong with what was taken.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func race(seed: UInt64) async -> String? {
    let clock = ManualClock()
    let start = clock.now
    let isThrottled = seed % 2 == 0
    let window = Window(
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
}
