import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

@testable import RowcastViews

/// Values that sum up the rows of a section, or of a list.
@Suite(.watched) struct SummaryTests {
  struct Payment: RowViewModel {
    let id: Int
    var day = 0
    var amount: Double
  }

  private static func store(_ payments: Payment...) throws -> ListStore<SoleSection, Payment> {
    try ListStore(payments)
  }

  @Test func `a whole list is summed up in a value that can be watched`() async throws {
    let store = try Self.store(Payment(id: 1, amount: 2), Payment(id: 2, amount: 5))
    let total = store.summary(.average(\.amount), .any { $0.day > 0 }, .all { $0.amount > 1 })
    #expect(await total.value == (3.5, false, true))
    var stream = total.updates().makeAsyncIterator()
    #expect(try #require(await stream.next()) == (3.5, false, true))
    try await store.edit { try $0.update(1) { $0.day = 3 } }
    #expect(try #require(await stream.next()) == (3.5, true, true))
    // A change that affects no summary is not an update.
    try await store.edit { try $0.update(1) { $0.day = 4 } }
    try await store.edit { try $0.set([Payment(id: 7, amount: 1)]) }
    #expect(try #require(await stream.next()) == (1, false, false))
    try await store.edit { try $0.remove(7) }
    #expect(try #require(await stream.next()) == (nil, false, true))
    await store.finish()
    #expect(await stream.next() == nil)
  }

  @Test func `a sum that is no number is one value, not always another one`() async throws {
    let store = try Self.store(Payment(id: 1, amount: .nan))
    var stream = store.summary(.sum(\.amount)).updates().makeAsyncIterator()
    #expect(try #require(await stream.next()).isNaN)
    try await store.edit { try $0.update(1) { $0.day = 1 } }
    try await store.edit { try $0.update(1) { $0.amount = 4 } }
    #expect(await stream.next() == 4)
  }

  @Test func `a summary of one's own takes rows in and out, or merges them`() async throws {
    let store = try Self.store(Payment(id: 1, day: 5, amount: 2), Payment(id: 2, day: 3, amount: 5))
    let total = store.summary(
      Summary(startingWith: 0, insert: { $0 ^= $1.id }, remove: { $0 ^= $1.id }, value: { $0 }),
      Summary.merging({ [$0.day] as Set }, by: { $0.union($1) }), .min(\.amount))
    #expect(await total.value == (3, [3, 5], 2))
    try await store.edit { try $0.update(1) { $0.amount = .nan } }
    #expect(await total.value == (3, [3, 5], 5))
    try await store.edit { try $0.remove(2) }
    #expect(await total.value == (1, [5], nil))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [1_000, 100_000])
  func `a changed row costs a summary O(log n) merges, and the number of the row alone`(_ count: Int) async throws {
    let (merges, numbers) = (CallCount(), CallCount())
    let store = try ListStore((0..<count).map { Payment(id: $0, day: $0 % 30, amount: 1) })
    let view = store.arranged {
      $0.sectioned(
        by: \.day, summary: Summary.sum { numbers.note($0.amount) },
        Summary.merging({ $0.id }, by: { merges.note(max($0, $1)) })
      ) { TestSection("\($0)", "\($1) \($2 ?? 0)") }
    }
    let total = store.summary(Summary.sum { numbers.note($0.id) })
    _ = (await view.snapshot, await total.value)
    #expect(numbers.value == 2 * count)
    for id in [7, count / 2, count - 1] {
      let before = (numbers.value, merges.value)
      try await store.edit { try $0.update(id) { $0.amount += 1 } }
      let list = await view.snapshot
      _ = await total.value
      #expect(list.rowCount == count && numbers.value - before.0 == 4)
      // Two paths from a leaf to the root: for the last leaf, which takes the place, and for the row that is inserted again.
      let most = 3 * ArrangedWorkTests.logarithm(count)
      #expect(merges.value - before.1 <= most, "\(merges.value - before.1)")
    }
    let before = await view.snapshot
    try await store.edit { try $0.update(3) { $0.day = 4 } }
    let after = await view.snapshot
    #expect(after.nodeCount(besides: before) <= 4 * 8, "\(after.nodeCount(besides: before))")
  }
}

/// Sums that contain exactly what was added.
@Suite(.watched) struct ExactSumTests {
  private static func sum(_ numbers: Double...) -> ExactSum {
    var sum = ExactSum()
    for number in numbers { sum.add(number) }
    return sum
  }

  @Test func `infinities and numbers that are none leave a sum as they came`() {
    var sum = Self.sum(2, .nan, -.infinity)
    #expect(sum.rounded.isNaN)
    sum.add(.nan, times: -1)
    #expect(sum.rounded == -.infinity)
    sum.add(.infinity)
    #expect(sum.rounded.isNaN)
    sum.add(-.infinity, times: -1)
    #expect(sum.rounded == .infinity && sum.mean(of: 2) == .infinity)
    sum.add(.infinity, times: -1)
    #expect(sum.rounded == 2)
  }

  @Test func `a sum that is too large is infinite, its mean is not, and it comes back`() {
    let most = Double.greatestFiniteMagnitude
    var sum = Self.sum(most, most, -1)
    #expect(sum.rounded == .infinity && sum.mean(of: 2) == most)
    sum.add(most, times: -1)
    #expect(sum.rounded == most)
    // Half of the last place is just not enough to go beyond; half of it and a bit is.
    let half = most.ulp / 2
    #expect(Self.sum(most, half.nextDown).rounded == most && Self.sum(most, half).rounded == .infinity)
  }

  @Test func `the sum of two numbers is the one that the processor rounds`() {
    var random = SeededGenerator.forFuzzing("exact sums")
    for _ in 0..<SeededGenerator.rounds(4_000, long: 2_000_000) {
      let exponents = Bool.random(using: &random) ? -80...80 : -1_074 ... -960
      let numbers = (0..<2).map { _ in
        Double(
          sign: Bool.random(using: &random) ? .minus : .plus, exponent: .random(in: exponents, using: &random),
          significand: .random(in: 1..<2, using: &random))
      }
      #expect(Self.sum(numbers[0], numbers[1]).rounded == numbers[0] + numbers[1], "seed \(random.seed): \(numbers)")
    }
  }

  @Test func `the order of numbers does not matter, and those that went leave nothing`() {
    var random = SeededGenerator.forFuzzing("order of exact sums")
    for _ in 0..<SeededGenerator.rounds(40, long: 20_000) {
      let numbers = (0..<40).map { _ in
        Double(
          sign: .plus, exponent: .random(in: -300...300, using: &random),
          significand: .random(in: -2..<2, using: &random))
      }
      var (sum, other) = (ExactSum(), ExactSum())
      for number in numbers[..<20] { sum.add(number) }
      for number in numbers.shuffled(using: &random) { other.add(number) }
      for number in numbers[20...].shuffled(using: &random) { other.add(number, times: -1) }
      #expect(sum.rounded == other.rounded, "seed \(random.seed)")
    }
  }

  @Test func `integers whose sum their type cannot hold are remembered`() {
    let sum = Summary<TestRow, Int8>.sum { Int8($0.id) }.make { _ in nil }
    for _ in 0..<5 { sum.insert(TestRow(100)) }
    #expect(sum.value() == .max)
    for _ in 0..<9 { sum.remove(TestRow(100)) }
    #expect(sum.value() == .min)
    for _ in 0..<5 { sum.remove(TestRow(-100)) }
    #expect(sum.value() == 100)
    let unsigned = Summary<TestRow, UInt8>.sum { UInt8($0.id) }.make { _ in nil }
    unsigned.insert(TestRow(200))
    unsigned.insert(TestRow(100))
    #expect(unsigned.value() == .max)
    unsigned.remove(TestRow(200))
    #expect(unsigned.value() == 100)
  }

  @Test func `a mean is rounded once, however many numbers there are`() {
    var sum = ExactSum()
    for number in [Int8.min, -1, 0, 1, .max] { sum.add(number, times: 1) }
    #expect(sum.rounded == -1)
    for number in [UInt64.max, .max, .max] { sum.add(number, times: 1) }
    sum.add(Int64.min, times: 1)
    sum.add(Int64.min, times: -1)
    sum.add(-1, times: -1)
    #expect(sum.mean(of: 3) == Double(UInt64.max))
    var third = ExactSum()
    third.add(1)
    for count in 1...1_000 { #expect(third.mean(of: count) == 1 / Double(count)) }
    third.add(Int.max, times: 1)
    #expect(third.mean(of: .max) == 1 && third.mean(of: 1) == 0x1p63)
    let average = Summary<TestRow, Double?>.average(\.id).make { _ in nil }
    for id in [Int.max, .max - 1_500] { average.insert(TestRow(id)) }
    #expect(average.value() == 0x1p63 - 1_024)
    var negative = ExactSum()
    for _ in 0..<3 { negative.add(0.1, times: -1) }
    #expect(negative.mean(of: 3) == -0.1)
  }
}
