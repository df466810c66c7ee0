internal import Foundation

/// A random generator whose seed is known, so that a failure of a fuzz test can be repeated.
///
/// SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", 2014).
///
///     var random = SeededGenerator.forFuzzing("flat lists")  // prints its seed; ROWCAST_SEED=… repeats it
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  /// The same seed gives the same numbers.
  public let seed: UInt64
  private var state: UInt64

  /// Creates a generator from a seed.
  public init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

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
