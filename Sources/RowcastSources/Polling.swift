import RowcastDiff

/// What a function gives, asked again and again.
///
///     for try await load in Polling(every: .seconds(1), read: { _ in try systemLoad() }) { show(load) }
///
/// The function is called at once, and then once each interval. A call that takes longer than that is followed by the
/// next one without a pause; calls that were missed are not made up for. Only the caller's task is used, and nothing is
/// read before it is asked for. What the function throws ends the sequence; ``RetryPolicy`` starts another one.
public struct Polling<Value: Sendable, Time: Clock>: AsyncSequence, Sendable where Time.Duration == Duration {
  /// What the function gives.
  public typealias Element = Value

  private let interval: Duration
  private let clock: Time
  private let read: @Sendable (Value?) async throws -> Value

  /// Calls a function again and again.
  ///
  /// - Parameters:
  ///   - interval: The time from one call to the next.
  ///   - clock: What measures it.
  ///   - read: Gives a value. It gets the one that it gave before, for what only two moments together can tell: a speed,
  ///     a share.
  /// - Precondition: The interval is not negative.
  public init(
    every interval: Duration, clock: Time = ContinuousClock(),
    read: @escaping @Sendable (_ previous: Value?) async throws -> Value
  ) {
    require(interval >= .zero, "A function cannot be asked every \(interval)")
    self.interval = interval.asWait
    self.clock = clock
    self.read = read
  }

  /// Calls the function when it is time to.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let source: Polling
    private var previous: Value?
    private var due: Time.Instant?

    fileprivate init(_ source: Polling) { self.source = source }

    /// The next value, when it is time for it. Throws what the function throws, and `CancellationError`.
    public mutating func next() async throws -> Value? {
      let now = source.clock.now
      let due = Swift.max(due ?? now, now)
      if due > now { try await source.clock.sleep(until: due, tolerance: nil) }
      try Task.checkCancellation()
      self.due = due.advanced(by: source.interval)
      let value = try await source.read(previous)
      previous = value
      return value
    }
  }

  /// Starts asking.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
