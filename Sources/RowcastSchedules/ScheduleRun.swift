internal import Synchronization

/// One run of a body on a schedule, as the body sees it.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public final class ScheduleRun: Sendable {
  /// Decides the order of this run.
  public let seed: UInt64
  private let time = Atomic<Int>(0)
  private let end = AtomicLazyReference<Box<(any Error)?>>()
  private let invariants = AtomicLazyReference<Invariant>()
  private let unmet = AtomicLazyReference<Box<ScheduleError>>()

  /// One of a linked list of conditions.
  private final class Invariant: Sendable {
    let description: String
    let holds: @Sendable () -> Bool
    let next = AtomicLazyReference<Invariant>()

    init(description: String, holds: @escaping @Sendable () -> Bool) {
      self.description = description
      self.holds = holds
    }
  }

  init(seed: UInt64) { self.seed = seed }

  /// The clock of this run: it advances by the timers that fire, and never by itself. See ``Schedules/Timers``.
  public var clock: ScheduleClock { ScheduleClock(run: self) }

  /// Adds a condition that is checked after each job from now on.
  ///
  /// - Parameters:
  ///   - description: The condition in words, for the report.
  ///   - holds: The condition. It runs between jobs, and sees state that is not isolated: atomics, a nonisolated count.
  public func invariant(_ description: String, _ holds: @escaping @Sendable () -> Bool) {
    let invariant = Invariant(description: description, holds: holds)
    var last = invariants.storeIfNil(invariant)
    while last !== invariant { last = last.next.storeIfNil(invariant) }
  }

  /// Throws if a condition is false. The message is its meaning, with the values.
  ///
  /// - Throws: ``ScheduleError`` with the file and line of the call.
  public func expect(
    _ condition: Bool, _ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
  ) throws {
    if condition { return }
    let error = ScheduleError(description: message(), place: "\(file):\(line)")
    _ = unmet.storeIfNil(Box(error))
    throw error
  }

  var nanoseconds: Int { time.load(ordering: .relaxed) }
  var isFinished: Bool { end.load() != nil }
  var error: (any Error)? { end.load()?.value }
  var unmetExpectation: ScheduleError? { unmet.load()?.value }

  func advance(to nanoseconds: Int) {
    if nanoseconds > self.nanoseconds { time.store(nanoseconds, ordering: .relaxed) }
  }

  func finish(_ error: (any Error)?) { _ = end.storeIfNil(Box(error)) }

  /// The description of a condition that is false.
  func brokenInvariant() -> String? {
    var next = invariants.load()
    while let invariant = next {
      if !invariant.holds() { return invariant.description }
      next = invariant.next.load()
    }
    return nil
  }
}

/// A value in one place, which any task reads: one that is stored once, or an atomic one.
///
/// The store's `SharedBox` is another type: if it took atomics, the compiler would crash at its weak references on systems older than
/// macOS 15.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class Box<Value: Sendable & ~Copyable>: Sendable {
  let value: Value

  init(_ value: consuming Value) { self.value = value }
}

/// A condition of a body that was false, or a log of calls that no serial order explains.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public struct ScheduleError: Error, Hashable, CustomStringConvertible {
  /// The message of the condition.
  public let description: String
  /// The file and the line that expected it; empty for a log.
  package let place: String
}

/// The time of a run on a schedule.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public struct ScheduleClock: Clock {
  /// A time, counted from the beginning of the run.
  public struct Instant: InstantProtocol {
    let nanoseconds: Int

    /// The time some while later.
    public func advanced(by duration: Duration) -> Instant {
      let sum = nanoseconds.addingReportingOverflow(duration.clampedNanoseconds)
      return Instant(nanoseconds: sum.overflow ? (nanoseconds < 0 ? .min : .max) : sum.partialValue)
    }

    /// The time until another instant.
    public func duration(to other: Instant) -> Duration {
      .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
    }

    /// Returns `true` if the first time is earlier.
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.nanoseconds < rhs.nanoseconds }
  }

  let run: ScheduleRun

  /// The time now.
  public var now: Instant { Instant(nanoseconds: run.nanoseconds) }

  /// The smallest step of the clock.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Waits until a time, which takes no real time.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let nanoseconds = max(0, now.duration(to: deadline).clampedNanoseconds)
    #if ROWCAST_HOOKS
      try await Task.sleep(nanoseconds: UInt64(nanoseconds))
    #else
      try await TimerExecutor.sleep(nanoseconds: nanoseconds)
    #endif
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Duration {
  /// The nanoseconds, cut at the ends of `Int`. Rounded up: who waits for a part of one must not be early.
  var clampedNanoseconds: Int {
    let (whole, part) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return Int(clamping: whole + (part > 0 ? 1 : 0))
  }
}
