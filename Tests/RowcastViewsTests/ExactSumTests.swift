import RowcastTestSupport
import Testing

@testable import RowcastViews

/// Sums that hold what was added exactly.
@Suite(.watched) struct ExactSumTests {
  private static func sum(_ numbers: Double...) -> ExactSum {
    var sum = ExactSum()
    for number in numbers { sum.add(number) }
    return sum
  }

  @Test func `a sum of floating-point numbers is exact, whatever came and went`() {
    var sum = Self.sum(1e16, 1, -1e16, 0.1, .leastNonzeroMagnitude)
    #expect(sum.rounded == 1.1)
    for number in [1, 0.1] { sum.add(number, times: -1) }
    #expect(sum.rounded == .leastNonzeroMagnitude)
    sum.add(.leastNonzeroMagnitude, times: -1)
    #expect(sum.rounded == 0)
    sum.add(-1.5)
    #expect(sum.rounded == -1.5)
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
    for _ in 0..<SeededGenerator.rounds(20_000, long: 2_000_000) {
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
    for _ in 0..<SeededGenerator.rounds(200, long: 20_000) {
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
    let sum = Summary<TestRow, Int8>.sum { Int8($0.id) }.make(RowOrder())
    for _ in 0..<5 { sum.insert(TestRow(100)) }
    #expect(sum.value() == .max)
    for _ in 0..<9 { sum.remove(TestRow(100)) }
    #expect(sum.value() == .min)
    for _ in 0..<5 { sum.remove(TestRow(-100)) }
    #expect(sum.value() == 100)
    let unsigned = Summary<TestRow, UInt8>.sum { UInt8($0.id) }.make(RowOrder())
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
    var negative = ExactSum()
    for _ in 0..<3 { negative.add(0.1, times: -1) }
    #expect(negative.mean(of: 3) == -0.1)
  }
}
