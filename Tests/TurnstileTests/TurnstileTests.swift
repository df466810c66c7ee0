import RowcastDemoTurns
import RowcastTestSupport
import Testing

@Suite(.watched) struct TurnstileTests {
  /// The order of turns that some sources take, each at given times in milliseconds.
  private func order(of sources: [[Int]], seed: UInt64) async -> [Int] {
    await Schedule.run(seed: seed) {
      let turnstile = Turnstile(participants: sources.indices, speed: nil)
      let (turns, log) = AsyncStream.makeStream(of: Int.self)
      await withTaskGroup(of: Void.self) { group in
        for (source, times) in sources.enumerated() {
          group.addTask {
            for time in times {
              try? await turnstile.turn(of: source, at: .milliseconds(time))
              log.yield(time)
            }
            await turnstile.leave(source)
          }
        }
      }
      log.finish()
      var order: [Int] = []
      for await turn in turns { order.append(turn) }
      return order
    }.value ?? []
  }

  @Test func `turns follow simulated time, however the tasks are scheduled`() async {
    for seed in 0..<UInt64(200) {
      #expect(await order(of: [[1, 4, 9], [2, 3, 10], [5], []], seed: seed) == [1, 2, 3, 4, 5, 9, 10])
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a turn waits for its time, divided by the speed`() async throws {
    let clock = ManualClock()
    let turnstile = Turnstile(participants: [0], speed: 2, clock: clock)
    let turn = Task { try await turnstile.turn(of: 0, at: .seconds(10)) }
    await clock.waitForSleepers(1)
    await clock.advance(by: .milliseconds(4_999))
    await clock.waitForSleepers(1)
    await clock.advance(by: .milliseconds(1))
    try await turn.value
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a cancelled turn does not wait for its time`() async throws {
    let clock = ManualClock()
    let turnstile = Turnstile(participants: [0], speed: 1, clock: clock)
    let turn = Task { try await turnstile.turn(of: 0, at: .seconds(10)) }
    await clock.waitForSleepers(1)
    turn.cancel()
    await #expect(throws: CancellationError.self) { try await turn.value }
  }
}
