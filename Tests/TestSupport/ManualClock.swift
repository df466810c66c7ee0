private import RowcastStore
private import Synchronization

/// A clock that only a test advances.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public final class ManualClock: Clock {
  /// A time on this clock: how long after its beginning.
  public struct Instant: InstantProtocol {
    let offset: Duration

    /// The time some while later.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// How long it is until another time.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Whether this time is before another.
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  /// The tasks that sleep.
  private actor Sleepers {
    private var sleepers: [Int: (deadline: Instant, signal: Signal)] = [:]
    private var last = 0

    func sleep(until deadline: Instant, on clock: ManualClock) async throws {
      guard deadline > clock.now else { return }
      last += 1
      let (sleeper, signal) = (last, Signal())
      sleepers[sleeper] = (deadline, signal)
      await signal.wait()
      sleepers[sleeper] = nil
      try Task.checkCancellation()
    }

    func wake(at now: Instant) {
      for (_, sleeper) in sleepers where sleeper.deadline <= now { sleeper.signal.send() }
    }

    var count: Int { sleepers.count }

    func count(from deadline: Instant) -> Int { sleepers.values.count { $0.deadline >= deadline } }
  }

  private let nanoseconds = Atomic<Int>(0)
  private let sleepers = Sleepers()

  /// Creates a clock at its beginning.
  public init() {}

  /// The time that the clock shows.
  public var now: Instant { Instant(offset: .nanoseconds(nanoseconds.load(ordering: .sequentiallyConsistent))) }

  /// The smallest step of the clock.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Waits until the clock is advanced to a time.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await sleepers.sleep(until: deadline, on: self)
  }

  /// Advances the clock, and wakes the waiters whose time has come.
  public func advance(by duration: Duration) async {
    let (seconds, attoseconds) = duration.components
    nanoseconds.add(
      Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000), ordering: .sequentiallyConsistent)
    await sleepers.wake(at: now)
  }

  /// The number of tasks that sleep on this clock, including tasks that were woken and have not run yet.
  public var sleeperCount: Int { get async { await sleepers.count } }

  /// Waits until a task sleeps for a duration, or for longer: others may sleep for less.
  public func waitForSleeper(for duration: Duration) async {
    await eventually { await self.sleepers.count(from: self.now.advanced(by: duration)) > 0 }
  }

  /// Waits until a number of tasks sleep on this clock.
  public func waitForSleepers(_ count: Int) async {
    await eventually { await self.sleepers.count >= count }
  }
}
