#if os(Linux) && compiler(>=6.3)
  internal import CSchedules
  internal import Dispatch
  internal import Foundation
  internal import Synchronization

  /// Runs one body under one schedule after the other.
  struct ScheduleExplorer: Sendable {
    typealias Body = @Sendable (ScheduleRun) async throws -> Void

    let strategy: Schedules.Strategy
    let options: ScheduleOptions
    let place: String
    let body: Body
    /// Whether the result is of no use any more.
    var isCancelled: @Sendable () -> Bool = { false }

    /// Numbers of schedules, never used twice in a process.
    private static let numbers = Atomic<UInt64>(1)

    /// A number that no schedule has had.
    static func nextNumber() -> UInt64 { numbers.add(1, ordering: .relaxed).newValue }

    /// Runs an exploration on a thread of its own, because a schedule keeps its thread.
    func onThread<Value: Sendable>(
      _ work: @escaping @Sendable (ScheduleExplorer) throws -> Value
    ) async throws -> Value {
      let flag = Flag()
      var explorer = self
      explorer.isCancelled = { flag.isSet }
      return try await withTaskCancellationHandler { [explorer] in
        try await withCheckedThrowingContinuation { continuation in
          DispatchQueue(label: "schedules").async { continuation.resume(with: Result { try work(explorer) }) }
        }
      } onCancel: {
        flag.set()
      }
    }

    /// What a part of an exploration found.
    struct Part: Sendable {
      var schedules = 0
      var jobs = 0
      var fingerprints: Set<UInt64> = []
      var isComplete = false
      var failure: ScheduleFailure?

      mutating func count(_ record: ScheduleRecord) {
        schedules += 1
        jobs += record.steps
        fingerprints.insert(record.fingerprint)
      }

      /// The parts of an exploration that draws, which is never complete, together. Of several failures the one with the lowest number counts.
      static func + (one: Part, other: Part) -> Part {
        let failures = [one.failure, other.failure].compactMap { $0 }
        return Part(
          schedules: one.schedules + other.schedules, jobs: one.jobs + other.jobs,
          fingerprints: one.fingerprints.union(other.fingerprints),
          failure: failures.min { $0.schedulesBefore < $1.schedulesBefore })
      }

      /// What was explored, at a place in a program. A person is told there if nearly all runs repeated others.
      func exploration(at place: String, _ strategy: Schedules.Strategy) throws -> Exploration {
        if let failure { throw failure }
        let all = Exploration(
          schedules: schedules, distinct: fingerprints.count, jobs: jobs, isComplete: isComplete)
        if all.schedules >= 1_000, all.distinct * 20 <= all.schedules {
          let advice =
            if case .enumeration = strategy {
              "their order depends on more than the schedule (random numbers, hashing, threads)"
            } else {
              "a larger number finds little more; an enumeration tries each of them once"
            }
          FileHandle.standardError.write(Data("\(place): \(all): \(advice)\n".utf8))
        }
        return all
      }
    }

    /// Runs the usual schedule: the first of each exploration.
    func first(seed: UInt64) throws -> (part: Part, steps: Int) {
      let usual = try runUsual(seed: seed)
      var part = Part()
      part.count(usual)
      part.failure = report(usual, seed: seed, before: 0)
      return (part, usual.steps)
    }

    /// Runs the schedules with some numbers, drawn from the seed of the exploration. The usual one has `steps` jobs.
    func draw(_ numbers: StrideTo<Int>, seed: UInt64, steps: Int) -> Part {
      var part = Part()
      for number in numbers {
        if isCancelled() { break }
        var seeds = SeededGenerator(seed: seed &+ UInt64(number))
        let seed = seeds.next()
        let record = run(chooser(seed: seed, steps: steps), seed: seed)
        part.count(record)
        let found = SchedulePath(seed: seed, steps: needsSteps ? steps : nil)
        part.failure = report(record, found: found, seed: seed, before: number)
        if part.failure != nil { break }
      }
      return part
    }

    /// Runs all schedules within a bound of preemptions, or a number of them.
    func enumerate(_ count: Int, preemptions: Int, seed: UInt64) -> Part {
      let chooser = EnumeratingChooser(preemptions: preemptions, limit: count)
      var part = Part()
      while part.schedules < count, !isCancelled() {
        // A body that draws numbers draws the same ones all through an enumeration.
        let record = run(chooser, seed: seed)
        part.count(record)
        part.failure = report(record, seed: seed, before: part.schedules - 1)
        if part.failure != nil { break }
        if !chooser.advance() {
          part.isComplete = chooser.isDeterministic
          break
        }
      }
      return part
    }

    func replay(_ path: SchedulePath) throws -> Exploration {
      try prepare()
      let record: ScheduleRecord
      if let switches = path.switches {
        record = run(ReplayChooser(switches), seed: path.seed)
      } else {
        let steps = try path.steps ?? (needsSteps ? runUsual(seed: path.seed).steps : 1)
        record = run(chooser(seed: path.seed, steps: steps), seed: path.seed)
      }
      if let failure = report(record, found: path, seed: path.seed, before: 0) { throw failure }
      return Exploration(schedules: 1, distinct: 1, jobs: record.steps, isComplete: false)
    }

    /// Runs a body once under a seed, without a report.
    func runOnce(seed: UInt64) throws -> ScheduleRecord {
      try prepare()
      return run(chooser(seed: seed, steps: 1), seed: seed)
    }

    /// Runs the schedule without a switch. Its length says where the others change priorities and cancel.
    private func runUsual(seed: UInt64) throws -> ScheduleRecord {
      try prepare()
      return run(ReplayChooser([]), seed: seed)
    }

    private func prepare() throws {
      if ScheduleProbe.succeeds { return }
      throw ScheduleFailure(
        kind: .unsupported, found: 0, shortest: 0, schedulesBefore: 0, isRepeatable: false, trace: "", waiting: [],
        place: place)
    }

    private var needsSteps: Bool {
      if case .priorities = strategy { return true }
      return options.cancels == .anywhere
    }

    private func chooser(seed: UInt64, steps: Int) -> any Chooser {
      switch strategy {
      case .priorities(let depth): PriorityChooser(seed: seed, depth: depth, steps: steps)
      case .random, .enumeration: RandomChooser(seed: seed, steps: steps)
      }
    }

    private func run(
      _ chooser: any Chooser, seed: UInt64, isTraced: Bool = false, patience: Duration? = nil
    ) -> ScheduleRecord {
      var options = options
      if let patience { options.patience = patience }
      let scheduler = Scheduler(
        number: Self.nextNumber(), chooser: chooser, run: ScheduleRun(seed: seed), options: options, isTraced: isTraced)
      return scheduler.run(body)
    }
  }

  /// Something that one thread tells another, once.
  final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
  }

  // MARK: - What failed

  extension ScheduleExplorer {
    /// What failed, on the shortest schedule that can be found; `nil` if nothing did. `found` is the schedule, if
    /// something shorter than its switches says it; `before` counts the schedules that had run before.
    private func report(
      _ record: ScheduleRecord, found: SchedulePath? = nil, seed: UInt64, before: Int
    ) -> ScheduleFailure? {
      guard let kind = record.failure else { return nil }
      // Whoever resumes a task from outside takes its time in each run.
      let patience: Duration? = if case .leftSchedule = kind { nil } else { .zero }
      func repeated(_ switches: [ScheduleSwitch], isTraced: Bool = false) -> ScheduleRecord {
        run(ReplayChooser(switches), seed: seed, isTraced: isTraced, patience: patience)
      }
      let again = repeated(record.switches)
      let isRepeatable = again.failure?.name == kind.name && again.fingerprint == record.fingerprint
      var shortest = record
      if isRepeatable {
        shortest = Shrinker.shortest(record, kind: kind.name) { repeated($0) }
        shortest = Shrinker.elsewhere(shortest, kind: kind.name) { run($0, seed: seed, patience: patience) }
        shortest = Shrinker.shortest(shortest, kind: kind.name) { repeated($0) }
        let traced = repeated(shortest.switches, isTraced: true)
        if traced.failure?.name == kind.name { shortest = traced }
      }
      let trace = (shortest.trace ?? []).enumerated().map { $1.text(number: $0 + 1) }
      return ScheduleFailure(
        kind: shortest.failure ?? kind, found: found ?? SchedulePath(seed: seed, switches: record.switches),
        shortest: SchedulePath(seed: seed, switches: shortest.switches), schedulesBefore: before,
        isRepeatable: isRepeatable, trace: trace.joined(separator: "\n"), waiting: shortest.waiting, place: place)
    }
  }
#endif
