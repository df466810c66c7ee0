@testable import RowcastSources

@Suite(.watched) struct BackOffTests {
  private func waits(_ rule: BackOff, before attempts: [Int]) -> [Duration?] {
    var rule = rule
    return attempts.map { rule.delay(beforeAttempt: $0, after: SourceEnded()) }
  }

  @Test func `waits grow up to their limit, and then there are none`() {
    let rule = BackOff(first: .seconds(1), factor: 3, longest: .seconds(20), attempts: 5, jitter: 0)
    let seconds = [1, 3, 9, 20, 20].map { Duration.seconds($0) }
    #expect(waits(rule, before: Array(1...6)) == seconds + [nil])
  }

  @Test func `chance leaves out no more than it may, and a seed repeats it`() {
    func waits(seed: UInt64) -> [Duration] {
      let rule = BackOff(
        first: .seconds(8), factor: 1, attempts: .max, jitter: 0.25, using: SeededGenerator(seed: seed))
      return self.waits(rule, before: Array(1...200)).compactMap(\.self)
    }
    #expect(waits(seed: 1).allSatisfy { (.seconds(6)...Duration.seconds(8)).contains($0) })
    #expect(Set(waits(seed: 1)).count > 100)
    #expect(waits(seed: 1) == waits(seed: 1) && waits(seed: 1) != waits(seed: 2))
  }

  @Test func `no row of failures overflows, and waits stay within what clocks can represent`() {
    let most = Duration.seconds(1_000_000_000)
    var rule = BackOff(factor: .infinity, longest: .seconds(Int64.max), attempts: .max, jitter: 0)
    #expect(waits(rule, before: [1, 2, .max]) == [.milliseconds(500), most, most])
    rule.first = .seconds(Int64.max)
    #expect(waits(rule, before: [1]) == [most])
    let steep = BackOff(first: .seconds(1), factor: 1e9, longest: .seconds(60), attempts: .max, jitter: 0)
    #expect(waits(steep, before: [.max]) == [.seconds(60)])
    #expect(waits(BackOff(first: .zero, attempts: .max, jitter: 0), before: [5_000]) == [.zero])
    // The least values that a rule may have.
    #expect(waits(BackOff(first: .zero, longest: .zero, attempts: 0, jitter: 0), before: [1]) == [nil])
    #expect(waits(BackOff(longest: .zero, attempts: 1, jitter: 1), before: [1, 2]) == [.zero, nil])
  }

  private static func set<Value>(_ field: WritableKeyPath<BackOff, Value>, _ value: Value) {
    var rule = BackOff()
    rule[keyPath: field] = value
  }

  @Test func `a rule that makes no sense is a bug of its caller, and the message has what it got`() async {
    await #expect(processExitsWith: .failure) { _ = BackOff(jitter: 1.5) }
    await #expect(processExitsWith: .failure) { _ = BackOff(factor: 0.5) }
    await #expect(processExitsWith: .failure) { BackOffTests.set(\.first, .seconds(-1)) }
    await #expect(processExitsWith: .failure) { BackOffTests.set(\.longest, .seconds(-1)) }
    await #expect(processExitsWith: .failure) { BackOffTests.set(\.factor, .nan) }
    await #expect(processExitsWith: .failure) { BackOffTests.set(\.attempts, -1) }
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      BackOffTests.set(\.jitter, .nan)
    }
    #expect(result.map { String(decoding: $0.standardErrorContent, as: UTF8.self).contains("got nan") } == true)
  }
}
