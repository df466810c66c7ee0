internal import Foundation
import RowcastDiff

/// A random generator whose seed is known, so that a failure of a fuzz test can be repeated.
///
///     var random = SeededGenerator.forFuzzing("flat lists")  // prints its seed; ROWCAST_SEED=… repeats it
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  /// The same seed gives the same numbers.
  public let seed: UInt64
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
  public static func forFuzzing(_ title: String) -> SeededGenerator {
    let given = ProcessInfo.processInfo.environment["ROWCAST_SEED"].flatMap { UInt64($0) }
    let seed = given ?? UInt64.random(in: 0...UInt64.max)
    print("fuzz: \(title): ROWCAST_SEED=\(seed)")
    return SeededGenerator(seed: seed)
  }

  /// The number of rounds of a fuzz test: the long one if the environment variable `ROWCAST_LONG` is 1.
  public static func rounds(_ usual: Int, long: Int) -> Int {
    ProcessInfo.processInfo.environment["ROWCAST_LONG"] == "1" ? long : usual
  }
}
