import RowcastTestSupport
import Testing

@testable import RowcastSources

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

  @Test func `waits stay within what clocks can represent`() {
    var rule = BackOff(factor: .infinity, longest: .seconds(Int64.max), attempts: .max, jitter: 0)
    #expect(rule.delay(beforeAttempt: 1, after: SourceEnded()) == .milliseconds(500))
    #expect(rule.delay(beforeAttempt: 2, after: SourceEnded()) == .seconds(1_000_000_000))
    #expect(rule.delay(beforeAttempt: .max, after: SourceEnded()) == .seconds(1_000_000_000))
    rule.first = .seconds(Int64.max)
    #expect(rule.delay(beforeAttempt: 1, after: SourceEnded()) == .seconds(1_000_000_000))
  }

  @Test func `a rule that makes no sense is a bug of its caller, and the message has what it got`()
    async
  {
    await #expect(processExitsWith: .failure) { _ = BackOff(jitter: 1.5) }
    await #expect(processExitsWith: .failure) { _ = BackOff(factor: 0.5) }
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
}
