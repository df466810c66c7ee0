import RowcastDiff
import RowcastStore

/// Exponential backoff with jitter: the waits before a failed source is tried again.
///
/// The longest possible wait grows by `factor` with each failure in a row, up to `longest`. A random share of it, at most
/// `jitter`, is left out, so that many clients that lost one server do not reconnect at once (M. Brooker, "Exponential
/// Backoff And Jitter", AWS Architecture Blog, 2015).
public struct BackOff: Sendable {
  package var first: Duration { didSet { check() } }
  package var factor: Double { didSet { check() } }
  package var longest: Duration { didSet { check() } }
  package var attempts: Int { didSet { check() } }
  package var jitter: Double { didSet { check() } }
  package var endsAreFailures: Bool
  package var response: @Sendable (any Error) -> RetryResponse
  private var generator: any RandomNumberGenerator & Sendable

  /// Creates a rule for waiting.
  ///
  /// - Parameters:
  ///   - first: The longest possible wait after a first failure.
  ///   - factor: The growth of the longest possible wait after each further failure, at least 1.
  ///   - longest: The limit of all waits.
  ///   - attempts: The number of further attempts in a row after a failure, `Int.max` for no limit. If the last of them fails,
  ///     too, the source is given up. An event ends the row, and so do 30 seconds without a failure after the first one; for a
  ///     mirror, only an event with news does.
  ///   - jitter: The largest share of a wait that may be left out at random, from 0 to 1.
  ///   - endsAreFailures: True if the end of a source is a failure, too: for a socket that somebody closed. The error is
  ///     ``SourceEnded``. A mirror knows the end of its list from the `end` line; any other end of its stream is a failure in any
  ///     case.
  ///   - generator: The source of randomness. A generator with a seed makes waits repeatable.
  ///   - response: Decides by its error what follows a failure, as for a server that refuses a client, or tells it how long to
  ///     wait.
  /// - Precondition: No duration is negative, `factor` is at least 1, `attempts` is not negative, `jitter` is from 0 to 1.
  public init(
    first: Duration = .milliseconds(500), factor: Double = 2, longest: Duration = .seconds(30), attempts: Int = 10,
    jitter: Double = 0.5, endsAreFailures: Bool = false,
    using generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
    response: @escaping @Sendable (any Error) -> RetryResponse = { _ in .backOff }
  ) {
    self.first = first
    self.factor = factor
    self.longest = longest
    self.attempts = attempts
    self.jitter = jitter
    self.endsAreFailures = endsAreFailures
    self.response = response
    self.generator = generator
    check()
  }

  private func check() {
    require(first >= .zero && longest >= .zero, "`first` and `longest` must not be negative, got \(first), \(longest)")
    require(factor >= 1, "`factor` must be at least 1, got \(factor)")
    require(attempts >= 0, "`attempts` must not be negative, got \(attempts)")
    require((0...1).contains(jitter), "`jitter` must be in 0...1, got \(jitter)")
  }

  /// The wait before an attempt after an error; `nil` if no attempt follows. `attempt` is the number of failures in a row.
  mutating func delay(beforeAttempt attempt: Int, after error: any Error) -> Duration? {
    guard attempt <= attempts else { return nil }
    switch response(error) {
    case .backOff: break
    case .wait(let duration): return duration.asWait
    case .stop: return nil
    }
    let longest = longest.asWait / .seconds(1)
    var wait = first / .seconds(1)
    var failure = 1
    // A wait that is zero or does not grow needs no loop.
    while failure < attempt, wait > 0, wait < longest, factor > 1 {
      wait *= factor
      failure += 1
    }
    return .seconds(min(wait, longest) * (1 - Double.random(in: 0...1, using: &generator) * jitter))
  }
}

/// The reaction to one failure of a source.
public enum RetryResponse: Hashable, Sendable {
  /// The wait that the rule says.
  case backOff
  /// Another wait, for example from a `Retry-After` field.
  case wait(Duration)
  /// Nothing: the source stays detached.
  case stop
}

/// The error of a source that ended, where ends are failures.
public struct SourceEnded: Error, Hashable, CustomStringConvertible {
  /// Creates the error.
  package init() {}

  /// The problem in words.
  public var description: String { "the source ended" }
}

/// The reaction to a failure of a source.
public enum RetryPolicy: Sendable {
  /// The source stays detached.
  case stop
  /// The source is attached again after a wait, as often as the rule says.
  case backOff(BackOff = BackOff())

  mutating func delay(beforeAttempt attempt: Int, after error: any Error) -> Duration? {
    guard case .backOff(var rule) = self else { return nil }
    defer { self = .backOff(rule) }
    return rule.delay(beforeAttempt: attempt, after: error)
  }

  /// True if the end of a source is a failure.
  var endsAreFailures: Bool { if case .backOff(let rule) = self { rule.endsAreFailures } else { false } }
}
