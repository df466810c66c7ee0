@Suite(.watched) struct PollingTests {
  private struct Broken: Error {}

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a function is asked at once, then once each interval, and what was missed is not made up`() async throws {
    let clock = ManualClock()
    var values = Polling(every: .seconds(10), clock: clock) { (previous: Int?) in (previous ?? 0) + 1 }
      .makeAsyncIterator()
    #expect(try await values.next() == 1)
    await clock.advance(by: .seconds(35))
    // At once, as it is late; then not before another interval is over.
    #expect(try await values.next() == 2)
    for value in 3...4 {
      let mover = Task {
        await clock.waitForSleeper(for: .seconds(10))
        await clock.advance(by: .seconds(10))
      }
      #expect(try await values.next() == value)
      await mover.value
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `each reader asks for itself, and what is thrown ends it`() async throws {
    let polling = Polling(every: .zero, clock: ManualClock()) { (previous: Int?) async throws -> Int in
      guard let previous else { return 0 }
      if previous == 2 { throw Broken() }
      return previous + 1
    }
    for _ in 0..<2 {
      var seen: [Int] = []
      await #expect(throws: Broken.self) { for try await value in polling { seen.append(value) } }
      #expect(seen == [0, 1, 2])
    }
  }

  @Test func `an interval of any length is waited for until the reader is cancelled`() async {
    let log = Recorder<Int>()
    let reader = Task {
      for try await value in Polling(every: .seconds(Int64.max), read: { (_: Int?) in 1 }) { await log.note(value) }
    }
    await eventually { await log.values == [1] }
    for _ in 0..<100 { await Task.yield() }
    reader.cancel()
    await #expect(throws: CancellationError.self) { try await reader.value }
  }
}
