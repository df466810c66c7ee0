internal import CSchedules
internal import Foundation
internal import RowcastDiff

/// Runs concurrent code under many interleavings, each decided by a seed, and shows a short one that fails.
///
///     @Test func `two readers load a page once`() async throws {
///       try await Schedules.explore(10_000) { run in
///         let cache = Cache()
///         async let first = cache.page(1)
///         async let second = cache.page(1)
///         _ = await (first, second)
///         let loads = await cache.loads
///         try run.expect(loads == 1, "the page was loaded \(loads) times")
///       }
///     }
///
/// Concurrent code is a set of jobs, the parts between two suspensions. On a schedule they run one at a time, and each time
/// the seed decides which of the ready jobs comes next. Child tasks, unstructured and detached tasks, default actors, the
/// main actor, continuations, async streams and `Task.sleep` are on the schedule. Time is virtual: it advances when a timer
/// fires; see ``Timers``.
///
/// A job can be left where the runtime calls the schedule inside of it: when it has made a task, or has made a job ready, as by
/// resuming a continuation. Others run before it continues, as on another processor. It keeps its actor and its locks: a job that
/// asks for one waits (mutexes of the C library and of `Synchronization`, `sync` of a queue). Every other random schedule leaves
/// jobs; an enumeration leaves as many as `inside` says. Under a sanitizer none is left.
///
/// Threads and queues, and actors and tasks with an executor of their own are outside. A task that runs on a foreign executor, or
/// that another thread resumes, makes the run fail with its name. A job that blocks its thread in another way blocks the run.
///
/// The order must depend on the schedule alone: a body that draws random numbers, or iterates over a `Set`, whose order changes
/// from process to process, is not repeatable by its seed. The report of such a failure says that it did not repeat.
///
/// All of this needs hooks of the runtime, and the layout of tasks in memory: Linux with Swift 6.3. Elsewhere a subset runs:
/// child tasks of groups and `async let`, default actors, and ``ScheduleRun/clock``. Other tasks, `Task.yield()`, `Task.sleep`
/// and the main actor are outside there; a body may use them, and the text of the ``Exploration`` counts the jobs that they gave back.
/// Nothing is cancelled from outside, and the trace names tasks only.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public enum Schedules {
  /// The way in which the next job is chosen.
  public enum Strategy: Sendable {
    /// Every other schedule runs the job with the highest of random priorities, which it keeps until it runs, unless a job on the
    /// same actor runs before it (partial-order sampling). The others run a task with a probability proportional to the number of
    /// jobs that it has still to run (a uniform walk). The default: it finds races that need one task far ahead of the others,
    /// and those that need many switches.
    case mixed
    /// Every job that is ready is as likely as every other.
    case random
    /// Random priorities that change at `depth - 1` moments: finds an order of `depth` events with a known probability
    /// (S. Burckhardt et al., "A randomized scheduler with probabilistic guarantees of finding bugs", 2010).
    case priorities(depth: Int)
    /// All schedules with at most a number of switches away from a task that could continue, those with fewer of them first;
    /// suspensions do not count.
    ///
    /// Reduced, of schedules that differ in the order of independent jobs alone, only one: their results are the same. Jobs are
    /// independent if they are of different tasks, of which none creates, resumes or cancels the other, and enter no actor and
    /// lock no mutex of the C library in common, as streams do. State that is guarded otherwise is not seen: atomics, the mutex
    /// of `Synchronization`, weak references, files. Do not reduce the schedules of a body whose result depends on it.
    /// Under a sanitizer, and where the runtime has no hooks, nothing is reduced.
    ///
    /// `inside` bounds the switches away from a job at a point inside of it; see ``Schedules``. Reduced, and under a sanitizer,
    /// there are none.
    case enumeration(preemptions: Int, inside: Int = 0, isReduced: Bool = false)
  }

  /// False if an enumeration cannot be reduced in this process.
  package static var reduces: Bool { schedules_notesLocks() }
  /// False if jobs cannot be left in this process.
  package static var leavesJobs: Bool { schedules_canLeave() }

  /// The tasks that are cancelled from outside.
  public enum Cancellation: Sendable {
    /// No task is cancelled but by the body. The default.
    case never
    /// In each run, at most one task that the body made is cancelled before some job: the body itself, or a task that code
    /// of its module created. An `async let` is cancelled with its parent alone. A `CancellationError` of the body is no
    /// failure then.
    case ofBody
    /// Like ``ofBody``, but of all tasks of the schedule, also those that a library started for itself and that nothing else
    /// can reach. The trace names it; a failure is a fault if something in the program may cancel that task.
    case anywhere
  }

  /// The moments at which a timer may fire.
  public enum Timers: Sendable {
    /// At any moment: other tasks may be slow.
    case anytime
    /// When nothing else can run. Loops of `Task.yield()` are waited for no longer than 1,000 turns in a row, and 20 more for each
    /// task.
    case whenIdle
  }

  /// Runs a body under many schedules.
  ///
  /// The environment variable `ROWCAST_SCHEDULE` makes this run one schedule instead: the one that a failure printed. A line on
  /// standard error says so, and another, if the body has changed so much that a switch of the schedule finds no job.
  /// `ROWCAST_SEED` sets the seed of the exploration. If a trap or another signal ends the process on a schedule, the line that
  /// repeats it is written to standard error, and to the file that `ROWCAST_SCHEDULE_FILE` names.
  ///
  /// - Parameters:
  ///   - count: The number of schedules, at least 1; an enumeration may end sooner.
  ///   - strategy: The way in which jobs are chosen.
  ///   - cancels: The tasks that are cancelled.
  ///   - timers: The moments at which timers may fire.
  ///   - seed: The source of the schedules' seeds; `nil` for a new one.
  ///   - stepLimit: The number of jobs after which a run counts as endless, at least 1.
  ///   - isolation: The actor of the caller.
  ///   - file: The file of the call, for the report.
  ///   - line: The line of the call, for the report.
  ///   - record: Takes a failure that is not to be thrown: `{ Issue.record($0) }` makes it an issue of Swift Testing at
  ///     that line, `{ XCTFail("\($0)") }` one of XCTest.
  ///   - body: The code to run. It starts from nothing each time.
  /// - Returns: The number of schedules, and of different ones. If nearly all of a thousand or more repeat others, a line on
  ///   standard error says so.
  /// - Throws: ``ScheduleFailure`` for the first that fails, if `record` does not take it; `CancellationError`.
  /// - Precondition: `count`, `stepLimit` and the depth of a strategy are at least 1, the bounds of an enumeration not negative, `ROWCAST_SEED` is
  ///   a number below 2⁶⁴ or empty, and the call is not made on a schedule.
  @discardableResult
  public static func explore(
    _ count: Int = 1_000, strategy: Strategy = .mixed, cancels: Cancellation = .never,
    timers: Timers = .anytime, seed: UInt64? = nil, stepLimit: Int = 100_000,
    isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line,
    record: ((ScheduleFailure) -> Void)? = nil,
    _ body: @escaping @Sendable (ScheduleRun) async throws -> Void
  ) async throws -> Exploration {
    require(count >= 1, "An exploration cannot have \(count) schedules; use 1 or more")
    checkCall(strategy, stepLimit)
    let environment = ProcessInfo.processInfo.environment
    let seed = seed ?? SplitMix64.seed(from: environment["ROWCAST_SEED"]) ?? UInt64.random(in: 0...UInt64.max)
    let explorer = ScheduleExplorer(
      strategy: strategy,
      options: ScheduleOptions(cancels: cancels, timers: timers, stepLimit: stepLimit, place: "\(file):\(line)"),
      body: body)
    do {
      if let text = environment["ROWCAST_SCHEDULE"] {
        guard let path = SchedulePath(text) else { throw explorer.unstarted(.unreadable(path: text)) }
        let one = try await explorer.onThread { explorer in
          explorer.explainEnd(path)
          return try explorer.replay(path)
        }
        explorer.tell("ROWCAST_SCHEDULE is set: this schedule alone ran, and passed")
        return one
      }
      let all = try await explorer.onThread { try $0.explore(count, seed: seed) }
      try Task.checkCancellation()
      all.warn(from: explorer)
      return all
    } catch let failure as ScheduleFailure {
      guard let record else { throw failure }
      record(failure)
      return Exploration(schedules: failure.schedulesBefore + 1)
    }
  }

  /// Runs a body under one schedule that a failure printed: a seed, or the short form. The other parameters are those of
  /// the exploration; see ``explore(_:strategy:cancels:timers:seed:stepLimit:isolation:file:line:record:_:)``.
  ///
  /// - Returns: One schedule.
  /// - Throws: ``ScheduleFailure`` if it fails.
  /// - Precondition: That of an exploration.
  @discardableResult
  public static func replay(
    _ path: SchedulePath, strategy: Strategy = .mixed, cancels: Cancellation = .never,
    timers: Timers = .anytime, stepLimit: Int = 100_000,
    file: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (ScheduleRun) async throws -> Void
  ) async throws -> Exploration {
    checkCall(strategy, stepLimit)
    return try await ScheduleExplorer(
      strategy: strategy,
      options: ScheduleOptions(cancels: cancels, timers: timers, stepLimit: stepLimit, place: "\(file):\(line)"),
      body: body
    ).onThread { try $0.replay(path) }
  }

  /// Stops the process for numbers that mean nothing, and for an exploration that a task of another one begins. A task of no
  /// schedule may begin one wherever it runs, also on the thread of a schedule that has woken it.
  private static func checkCall(_ strategy: Strategy, _ stepLimit: Int) {
    require(stepLimit >= 1, "A run cannot count as endless after \(stepLimit) jobs; use 1 or more")
    switch strategy {
    case .priorities(let depth): require(depth >= 1, "Priorities cannot have a depth of \(depth); use 1 or more")
    case .enumeration(let preemptions, let inside, _):
      require(
        preemptions >= 0 && inside >= 0,
        "An enumeration cannot have \(preemptions) preemptions, and \(inside) inside of jobs; use 0 or more")
    case .mixed, .random: break
    }
    require(
      !Scheduler.runsOwnTask,
      "An exploration inside of an exploration: it would end outside of the schedule; begin it after the other")
  }
}

/// The extent of an exploration.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public struct Exploration: Sendable, Hashable {
  /// The number of schedules that ran.
  public internal(set) var schedules = 0
  /// The number of jobs that ran in all.
  package internal(set) var jobs = 0
  /// True if these were all schedules within the bound of an enumeration.
  public internal(set) var isComplete = false
  /// The number of jobs that other threads gave back, whose moment no seed decides. Always 0 where the runtime has hooks.
  package internal(set) var unordered = 0
  /// The preemptions within which an enumeration is complete.
  var preemptionBound = 0
  /// How many of them may be inside of jobs.
  var insideBound = 0
  /// The fingerprints of the interleavings, and of those that ran once.
  private var fingerprints: Set<UInt64> = []
  private var once: Set<UInt64> = []

  init(schedules: Int = 0) { self.schedules = schedules }

  /// The number of different interleavings among the schedules.
  package var distinct: Int { fingerprints.count }

  /// The probability that one more schedule is none of those that ran: an estimate, the share of schedules that were different
  /// from all others (I. Good, "The population frequencies of species and the estimation of population parameters", 1953). 0 if
  /// there are no more.
  ///
  /// It is the share of orders that were not seen, each weighted with its probability. Orders that are rare count little in it:
  /// it says when more schedules are of no use, and not that there is no fault.
  package var unseen: Double { isComplete || schedules == 0 ? 0 : Double(once.count) / Double(schedules) }

  mutating func count(_ record: ScheduleRecord) {
    schedules += 1
    jobs += record.steps
    unordered += record.unordered
    if record.isRedundant { return }
    if fingerprints.insert(record.fingerprint).inserted {
      once.insert(record.fingerprint)
    } else {
      once.remove(record.fingerprint)
    }
  }

  /// Tells a person, on standard error, if nearly all runs repeated others, or no seed decides their order.
  func warn(from explorer: ScheduleExplorer) {
    if case .enumeration(_, _, isReduced: true) = explorer.strategy { return }
    guard unordered > 0 || schedules >= 1_000 && distinct * 20 <= schedules else { return }
    let advice =
      if unordered > 0 {
        "no seed decides the order of jobs from other threads"
      } else if case .enumeration = explorer.strategy {
        "their order depends on more than the schedule (random numbers, hashing, threads)"
      } else {
        "a larger number finds little more; an enumeration tries each of them once. A stub that never suspends allows no other order"
      }
    explorer.tell("\(self): \(advice)")
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Exploration: CustomStringConvertible {
  /// The number of schedules, how many of them were different, and how much of the orders was not seen.
  public var description: String {
    let different =
      switch distinct {
      case _ where schedules == 1: ""
      case schedules: ", all different"
      // After a failure, which ends the count.
      case 0: ""
      case let distinct: ", \(distinct) of them different"
      }
    let most = preemptionBound == .max ? "" : " with \(preemptionBound) preemption\(preemptionBound == 1 ? "" : "s")"
    let jobs = insideBound == 0 ? "between jobs" : "and \(insideBound) inside of jobs"
    let ending =
      if isComplete {
        ", and there are no more\(most) \(jobs)"
      } else if unordered > 0 {
        ", with \(unordered) jobs from other threads"
      } else if schedules > 1, distinct > 0 {
        "; about \(Int((100 * unseen).rounded(.up))) % of further ones would be new"
      } else {
        ""
      }
    return "\(schedules) schedule\(schedules == 1 ? "" : "s")\(different)\(ending)"
  }
}
