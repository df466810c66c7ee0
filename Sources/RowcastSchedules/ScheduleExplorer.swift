internal import CSchedules
internal import Dispatch
internal import Foundation
internal import RowcastDiff
internal import Synchronization

/// Limits of a run, and the freedoms that it has.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
struct ScheduleOptions {
  var cancels = Schedules.Cancellation.never
  var timers = Schedules.Timers.anytime
  var stepLimit = 100_000
  var isReduced = false
  /// The module, the file and the line of the exploration.
  var place = ""

  var module: String { String(place.prefix { $0 != "/" }) }
  /// The number of schedules that passed before, if this is one of an exploration.
  var passed: Int?
  /// True in a copy of the process, which reports how a signal ended it.
  var isCopy = false
  /// The real time that an idle schedule waits for a thread outside it, before it is called a deadlock.
  var patience = Duration.milliseconds(500)
}

/// Runs one body under one schedule after the other.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
struct ScheduleExplorer: Sendable {
  let strategy: Schedules.Strategy
  let options: ScheduleOptions
  let body: @Sendable (ScheduleRun) async throws -> Void
  /// True once nobody needs the result any more.
  private let cancelled = Box(Atomic(false))
  private var isCancelled: Bool { cancelled.value.load(ordering: .relaxed) }

  /// Runs an exploration on a new thread, because a schedule occupies its thread to the end.
  func onThread<Value: Sendable>(
    _ work: @escaping @Sendable (ScheduleExplorer) throws -> Value
  ) async throws -> Value {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue(label: "schedules").async { continuation.resume(with: Result { try work(self) }) }
      }
    } onCancel: {
      cancelled.value.store(true, ordering: .relaxed)
    }
  }

  /// Runs the usual schedule, and then those of the strategy.
  func explore(_ count: Int, seed: UInt64) throws -> Exploration {
    let threads = ScheduleThreads()
    let usual = try runUsual(seed: seed, threads)
    try report(usual, seed: seed, before: 0, threads)
    var all = Exploration()
    warn(usual)
    if case .enumeration(let preemptions, let inside, let isReduced) = strategy {
      // A body that draws numbers draws the same ones all through an enumeration.
      let chooser = EnumeratingChooser(
        preemptions: preemptions, inside: isReduced ? 0 : inside, limit: count)
      repeat {
        let record = run(chooser, seed: seed, threads, passed: all.schedules)
        try report(record, seed: seed, before: all.schedules, threads)
        all.count(record)
        if !chooser.advance() {
          all.isComplete = chooser.isDeterministic && all.unordered == 0
          all.preemptionBound = preemptions
          all.insideBound = isReduced || !schedules_canLeave() ? 0 : inside
          break
        }
      } while all.schedules < count && !isCancelled
    } else {
      all.count(usual)
      // The seeds of the runs follow each other in a sequence of their own: those of neighbouring seeds have none in common.
      var seeds = SplitMix64(seed: seed)
      seeds = SplitMix64(seed: seeds.next())
      for number in 1..<count where !isCancelled {
        let seed = seeds.next()
        let found = SchedulePath(seed: seed, usual: lengths(of: usual, forSchedule: number))
        let record = run(chooser(of: found), seed: seed, threads, path: found, passed: number)
        try report(record, found: found, seed: seed, before: number, threads)
        all.count(record)
      }
    }
    return all
  }

  func replay(_ path: SchedulePath) throws -> Exploration {
    var path = path
    try prepare()
    let threads = ScheduleThreads()
    let record: ScheduleRecord
    if let switches = path.switches {
      record = run(ReplayChooser(switches), seed: path.seed, threads)
    } else {
      if needsSteps, path.usual == nil { path.usual = [try runUsual(seed: path.seed, threads).steps] }
      record = run(chooser(of: path), seed: path.seed, threads, path: path)
    }
    try report(record, found: path, seed: path.seed, before: 0, threads)
    let switches = Set(record.switches)
    let missed = path.switches?.count { !switches.contains($0) } ?? 0
    if missed > 0 {
      tell("\(missed) of the \(path.length) switches of \(path) found no such job: the code is not the one that failed")
    }
    var one = Exploration()
    one.count(record)
    return one
  }

  /// Runs the schedule without a switch. From its length the others take the moments of cancellations and new priorities, and
  /// from the number of jobs of each task the probability of the next one.
  func runUsual(seed: UInt64, _ threads: ScheduleThreads) throws -> ScheduleRecord {
    try prepare()
    return run(ReplayChooser([]), seed: seed, threads, passed: 0)
  }

  func prepare() throws {
    #if ROWCAST_HOOKS
      if ScheduleProbe.succeeds { return }
    #else
      // A task cannot be reached from outside.
      if options.cancels == .never { return }
    #endif
    throw unstarted(.unsupported)
  }

  /// Tells a person, once, that a body leaves a task that never ends: each schedule then takes as long as a whole one without an end.
  private func warn(_ usual: ScheduleRecord) {
    guard let task = usual.endless else { return }
    let cost = "each schedule has up to \(options.stepLimit) jobs of it, and as many after its cancellation"
    tell("the body leaves \(task), which goes on though it is cancelled: \(cost)")
  }

  /// Tells a person something on standard error.
  func tell(_ text: String) { FileHandle.standardError.write(Data("\(options.place): \(text)\n".utf8)) }

  /// The failure of an exploration that has not run anything.
  func unstarted(_ kind: ScheduleFailure.Kind) -> ScheduleFailure {
    ScheduleFailure(
      kind: kind, found: 0, shortest: 0, schedulesBefore: 0, isRepeatable: false, trace: "", waiting: [],
      place: options.place)
  }

  /// True if the length of the usual schedule decides others.
  private var needsSteps: Bool {
    if case .priorities = strategy { return true }
    return options.cancels != .never
  }

  /// The size of the usual schedule, from which others are drawn: the number of its jobs, or of those of each task for a uniform
  /// walk.
  private func lengths(of usual: ScheduleRecord, forSchedule number: Int) -> [Int]? {
    if case .mixed = strategy, number % 2 == 1 { return usual.jobs.prefix(32) + (usual.jobs.count == 1 ? [0] : []) }
    return needsSteps ? [usual.steps] : nil
  }

  /// The chooser of a path without switches.
  func chooser(of path: SchedulePath) -> any Chooser {
    let usual = path.usual ?? [1]
    let steps = usual.reduce(0, +)
    return switch strategy {
    case .mixed where usual.count > 1: UniformChooser(seed: path.seed, jobs: usual)
    case .mixed: PartialOrderChooser(seed: path.seed, steps: steps)
    case .priorities(let depth): PriorityChooser(seed: path.seed, depth: depth, steps: steps)
    case .random, .enumeration: RandomChooser(seed: path.seed, steps: steps)
    }
  }

  func run(
    _ chooser: any Chooser, seed: UInt64, _ threads: ScheduleThreads, path: SchedulePath? = nil, isTraced: Bool = false,
    patience: Duration? = nil, passed: Int? = nil, isCopy: Bool = false
  ) -> ScheduleRecord {
    var options = options
    if let patience { options.patience = patience }
    (options.passed, options.isCopy) = (passed, isCopy)
    if case .enumeration(_, _, isReduced: true) = strategy { options.isReduced = Schedules.reduces }
    return Scheduler(
      chooser: chooser, run: ScheduleRun(seed: seed), path: path, options: options, threads: threads, isTraced: isTraced
    ).run(body)
  }
}

// MARK: - Failures

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension ScheduleExplorer {
  /// Throws the failure of a run, if it has one, with the shortest schedule that can be found. `found` is the schedule, if
  /// it has a shorter form than its switches; `before` counts the schedules that had run before.
  private func report(
    _ record: ScheduleRecord, found: SchedulePath? = nil, seed: UInt64, before: Int, _ threads: ScheduleThreads
  ) throws {
    guard let kind = record.failure else { return }
    // A thread that resumes a task from outside takes its time in each run.
    let waits = if case .leftSchedule = kind { true } else { record.unordered > 0 }
    func repeated(_ switches: [ScheduleSwitch], isTraced: Bool = false) -> ScheduleRecord {
      run(ReplayChooser(switches), seed: seed, threads, isTraced: isTraced, patience: waits ? nil : .zero)
    }
    let again = repeated(record.switches)
    let isRepeatable = again.failure?.name == kind.name && again.fingerprint == record.fingerprint
    var shortest = record
    if isRepeatable {
      shortest = self.shortest(record, kind: kind.name) { repeated($0) }
      let traced = repeated(shortest.switches, isTraced: true)
      if traced.failure?.name == kind.name { shortest = traced }
    }
    throw ScheduleFailure(
      kind: shortest.failure ?? kind, found: found ?? SchedulePath(seed: seed, switches: record.switches),
      shortest: SchedulePath(seed: seed, switches: shortest.switches), schedulesBefore: before,
      isRepeatable: isRepeatable, trace: shortest.trace?.story ?? "", waiting: shortest.waiting,
      place: options.place)
  }

  /// Removes switches from a schedule that fails, as long as it still fails in the same way, until no single one can go.
  ///
  /// First in halves, quarters and so on (A. Zeller, R. Hildebrandt, "Simplifying and isolating failure-inducing input",
  /// 2002), then one by one. Nothing is tried after as many jobs as a hundred such schedules have, but at least 200,000, or after
  /// half a minute. A person is told after some seconds.
  func shortest(
    _ record: ScheduleRecord, kind: String, _ repeated: ([ScheduleSwitch]) -> ScheduleRecord
  ) -> ScheduleRecord {
    var (best, jobs, runs) = (record, max(200_000, 100 * record.steps), 0)
    let clock = ContinuousClock()
    let limit = clock.now.advanced(by: .seconds(30))
    var news = clock.now.advanced(by: .seconds(3))
    var part = max(1, best.switches.count / 2)
    while true {
      var isShorter = false
      // From the end: switches after the failure go first.
      var end = best.switches.count
      while end > 0, jobs > 0 {
        let start = max(0, end - part)
        var switches = best.switches
        switches.removeSubrange(start..<min(end, switches.count))
        let candidate = repeated(switches)
        jobs -= candidate.steps
        runs += 1
        if clock.now >= limit { jobs = 0 }
        if clock.now >= news {
          news = clock.now.advanced(by: .seconds(3))
          tell("a failure after \(record.steps) jobs is reduced: \(best.switches.count) switches after \(runs) runs")
        }
        if candidate.failure?.name == kind, candidate.switches.count < best.switches.count {
          (best, isShorter) = (candidate, true)
        }
        end = min(start, best.switches.count)
      }
      if isShorter { continue }
      if part == 1 { return best }
      part /= 2
    }
  }
}
