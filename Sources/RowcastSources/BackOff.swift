import RowcastDiff

/// How long to wait before a source that failed is tried again: longer each time, by chance a little less.
///
/// The longest possible wait grows by ``factor`` with each failure in a row, up to ``longest``. Of that, a random share of
/// at most ``jitter`` is left out, so that many clients that lost one server do not come back at once (M. Brooker,
/// "Exponential Backoff And Jitter", AWS Architecture Blog, 2015).
///
/// The conditions of ``init(first:factor:longest:attempts:jitter:using:)`` hold for values that are set later as well.
public struct BackOff: Sendable {
  /// The longest possible wait after a first failure.
  public var first: Duration { didSet { check() } }
  /// What the longest possible wait is multiplied with after each further failure, at least 1.
  public var factor: Double { didSet { check() } }
  /// The limit of all waits.
  public var longest: Duration { didSet { check() } }
  /// How many times in a row a source is tried again before it is given up. An event ends the row.
  public var attempts: Int { didSet { check() } }
  /// The share of a wait that chance may leave out, from 0 to 1.
  public var jitter: Double { didSet { check() } }
  private var generator: any RandomNumberGenerator & Sendable

  /// Creates a rule for waiting.
  ///
  /// - Parameters:
  ///   - first: The longest possible wait after a first failure.
  ///   - factor: What it is multiplied with after each further failure.
  ///   - longest: The limit of all waits.
  ///   - attempts: How many times in a row a source is tried again; `Int.max` for no limit.
  ///   - jitter: The share of a wait that chance may leave out.
  ///   - generator: Decides what chance leaves out; one with a seed makes waits repeatable.
  /// - Precondition: No duration is negative, `factor` is at least 1, `attempts` is not negative, `jitter` is from 0 to 1.
  public init(
    first: Duration = .milliseconds(500), factor: Double = 2, longest: Duration = .seconds(30), attempts: Int = 10,
    jitter: Double = 0.5, using generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) {
    self.first = first
    self.factor = factor
    self.longest = longest
    self.attempts = attempts
    self.jitter = jitter
    self.generator = generator
    check()
  }

  private func check() {
    require(first >= .zero && longest >= .zero, "A wait cannot be negative: \(first), \(longest)")
    require(factor >= 1, "Waits cannot become shorter: the factor \(factor) is below 1")
    require(attempts >= 0, "A source cannot be tried again \(attempts) times; use 0 or more")
    require((0...1).contains(jitter), "Chance cannot leave out \(jitter) of a wait; use 0 to 1")
  }

  /// The wait before an attempt, `nil` if there is to be none any more. Attempts have the number of failures in a row.
  mutating func delay(beforeAttempt attempt: Int) -> Duration? {
    guard attempt <= attempts else { return nil }
    // Finite, so that it leaves a wait of zero what it is.
    let growth = min(Self.power(factor, attempt - 1), .greatestFiniteMagnitude)
    let full = min(first.inSeconds * growth, longest.asWait.inSeconds)
    return .seconds(full * (1 - Double.random(in: 0...1, using: &generator) * jitter))
  }

  /// A power by squaring; infinite if it is too large.
  private static func power(_ base: Double, _ exponent: Int) -> Double {
    var result = 1.0
    var square = base
    var rest = exponent
    while rest > 0 {
      if rest & 1 == 1 { result *= square }
      square *= square
      rest >>= 1
    }
    return result
  }
}

extension Duration {
  /// The duration, as far as clocks can wait: from zero to about 31 years. They trap on what they cannot represent.
  var asWait: Duration { min(max(self, .zero), .seconds(1_000_000_000)) }

  fileprivate var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

/// What follows when a source fails.
public enum RetryPolicy: Sendable {
  /// The source stays detached.
  case stop
  /// The source is attached again after a while, as often as the rule says.
  case backOff(BackOff = BackOff())
}
