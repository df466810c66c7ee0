import RowcastDiff
import RowcastStore

/// The values of a function that is called at intervals.
///
///     for try await load in Polling(every: .seconds(1), read: { _ in try systemLoad() }) { show(load) }
///
/// The function is called at once, and then once each interval. A call that takes longer is followed by the next one without
/// a pause; missed calls are not made up for. The function runs in the caller's task, and only when a value is requested. An
/// error of the function ends the sequence; ``RetryPolicy`` starts another one.
public struct Polling<Value: Sendable, Time: Clock>: AsyncSequence, AsyncIteratorProtocol, Sendable
where Time.Duration == Duration {
  /// The values of the function.
  public typealias Element = Value

  private let interval: Duration
  private let clock: AnyClock
  private let read: @Sendable (Value?) async throws -> Value
  private var previous: Value?
  private var due: Duration?

  /// Calls a function at intervals.
  ///
  /// - Parameters:
  ///   - interval: The time from one call to the next.
  ///   - clock: The clock for the interval.
  ///   - read: Returns a value. It gets the previous one, to compute rates.
  /// - Precondition: The interval is not negative.
  public init(
    every interval: Duration, clock: Time = ContinuousClock(),
    read: @escaping @Sendable (_ previous: Value?) async throws -> Value
  ) {
    require(interval >= .zero, "`interval` must not be negative, got \(interval)")
    self.interval = interval.asWait
    self.clock = AnyClock(clock)
    self.read = read
  }

  /// The next value, when it is due. Throws the errors of the function and `CancellationError`.
  public mutating func next() async throws -> Value? {
    let now = clock.now
    let due = Swift.max(due ?? now, now)
    if due > now { try await clock.sleep(until: due) }
    try Task.checkCancellation()
    self.due = due + interval
    let value = try await read(previous)
    previous = value
    return value
  }

  /// Starts polling.
  public func makeAsyncIterator() -> Polling { self }
}
