internal import Foundation
import RowcastDiff

/// A random generator whose seed is known, so that a failure of a fuzz test can be repeated.
///
///     var random = SeededGenerator.forFuzzing("flat lists")  // prints its seed; ROWCAST_SEED=… repeats it
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  /// The same seed gives the same numbers.
  package let seed: UInt64
  private var base: SplitMix64

  /// Creates a generator from a seed.
  public init(seed: UInt64) {
    self.seed = seed
    base = SplitMix64(seed: seed)
  }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 { base.next() }

  /// A generator with the seed in the environment variable `ROWCAST_SEED`, or a new one; the seed is printed.
  ///
  /// - Parameter title: The name of the test, printed with the seed.
  /// - Returns: A generator at its start.
  /// - Precondition: `ROWCAST_SEED` is a number below 2⁶⁴, or empty.
  public static func forFuzzing(_ title: String) -> SeededGenerator {
    let given = SplitMix64.seed(from: ProcessInfo.processInfo.environment["ROWCAST_SEED"])
    let seed = given ?? UInt64.random(in: 0...UInt64.max)
    print("fuzz: \(title): ROWCAST_SEED=\(seed)")
    return SeededGenerator(seed: seed)
  }

  /// The number of rounds of a fuzz test, which the environment can change.
  ///
  /// - Parameters:
  ///   - usual: The number if neither variable is set. Choose it for the builds that are tested most often, which are unoptimised.
  ///   - long: The number if the environment variable `ROWCAST_LONG` is 1.
  /// - Returns: One of the two; if `ROWCAST_ROUNDS` is a number such as 5 or 0.2, so many times the usual number: at least one
  ///   round if `usual` has any, and at most the greater of both.
  /// - Precondition: `ROWCAST_LONG` is 1, 0 or empty, `ROWCAST_ROUNDS` is a number above 0 or empty.
  public static func rounds(_ usual: Int, long: Int) -> Int {
    let environment = ProcessInfo.processInfo.environment
    let isLong = environment["ROWCAST_LONG"] ?? ""
    require(["", "0", "1"].contains(isLong), "ROWCAST_LONG is 1 or 0, not \"\(isLong)\"")
    let text = (environment["ROWCAST_ROUNDS"] ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let factor = text.isEmpty ? 1 : Double(text) ?? .nan
    require(factor > 0, "ROWCAST_ROUNDS is a number above 0 such as 5 or 0.2, not \"\(text)\"")
    if isLong == "1" { return long }
    if usual <= 0 { return usual }
    let (rounds, most) = ((Double(usual) * factor).rounded(), max(usual, long))
    return rounds < Double(most) ? max(Int(rounds), 1) : most
  }
}
