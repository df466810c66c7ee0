#if os(Linux)
  internal import CSchedules
  internal import Dispatch
  internal import Synchronization

  /// Runs one body under one schedule after the other.
  struct ScheduleExplorer: Sendable {
    typealias Body = @Sendable (ScheduleRun) async throws -> Void

    let strategy: Schedules.Strategy
    let options: ScheduleOptions
    let place: String
    let body: Body
    /// Whether nobody waits for the result any more.
    let isCancelled: @Sendable () -> Bool

    /// Numbers of schedules, never used twice in a process.
    private static let numbers = Atomic<UInt64>(1)

    /// Runs an exploration on a thread of its own, because a schedule keeps its thread.
    static func onThread<Value: Sendable>(
      _ work: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> Value
    ) async throws -> Value {
      let flag = CancellationFlag()
      let result: Result<Value, any Error> = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          DispatchQueue(label: "schedules").async {
            continuation.resume(returning: Result { try work { flag.isSet.load(ordering: .relaxed) } })
          }
        }
      } onCancel: {
        flag.isSet.store(true, ordering: .relaxed)
      }
      return try result.get()
    }

    private final class CancellationFlag: Sendable {
      let isSet = Atomic(false)
    }

    func explore(_ count: Int, seed: UInt64) throws -> Exploration {
      var seeds = SeededGenerator(seed: seed)
      let usual = try runUsual(seed: seed)
      if let fault = usual.failure { throw report(fault, usual, found: nil, seed: seed, before: 0) }
      var seen: Set<UInt64> = [usual.fingerprint]
      var jobs = usual.steps
      var enumeration: EnumeratingChooser?
      if case .enumeration(let preemptions) = strategy { enumeration = EnumeratingChooser(preemptions: preemptions) }
      for index in 1..<max(1, count) {
        if isCancelled() { throw CancellationError() }
        // The first schedule of an enumeration is the usual one again, which fills in its choices.
        if index > 1, let enumeration, !enumeration.advance() {
          return Exploration(schedules: index - 1, distinct: seen.count, jobs: jobs, isComplete: true)
        }
        // A body that draws numbers draws the same ones all through an enumeration.
        let seed = enumeration == nil ? seeds.next() : seed
        let record = run(enumeration ?? chooser(seed: seed, steps: usual.steps), seed: seed)
        seen.insert(record.fingerprint)
        jobs += record.steps
        guard let fault = record.failure else { continue }
        let found = enumeration == nil ? SchedulePath(seed: seed, steps: needsSteps ? usual.steps : nil) : nil
        throw report(fault, record, found: found, seed: seed, before: index)
      }
      return Exploration(schedules: max(1, count), distinct: seen.count, jobs: jobs, isComplete: false)
    }

    func replay(_ path: SchedulePath) throws -> Exploration {
      try prepare()
      let record: ScheduleRecord
      if let decisions = path.decisions {
        let chooser = ReplayChooser(switches: decisions.switches, cancellations: decisions.cancellations)
        record = run(chooser, seed: path.seed)
      } else {
        let steps = try path.steps ?? (needsSteps ? runUsual(seed: path.seed).steps : 1)
        record = run(chooser(seed: path.seed, steps: steps), seed: path.seed)
      }
      if let fault = record.failure { throw report(fault, record, found: path, seed: path.seed, before: 0) }
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
      return run(ReplayChooser(switches: [], cancellations: []), seed: seed)
    }

    private func prepare() throws {
      guard schedules_areSupported() else { throw unsupported }
      schedules_install()
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
      let number = Self.numbers.add(1, ordering: .relaxed).newValue
      let scheduler = Scheduler(
        number: number, chooser: chooser, run: ScheduleRun(seed: seed), options: options, isTraced: isTraced)
      return scheduler.run(body)
    }
  }

  // MARK: - What failed

  extension ScheduleExplorer {
    private var unsupported: ScheduleFailure {
      ScheduleFailure(
        kind: .unsupported, found: 0, shortest: 0, schedulesBefore: 0, isRepeatable: false, trace: "",
        waiting: [], place: place)
    }

    private func repeated(
      _ switches: [ScheduleSwitch], _ cancellations: [ScheduleCancellation], seed: UInt64, isTraced: Bool = false
    ) -> ScheduleRecord {
      run(
        ReplayChooser(switches: switches, cancellations: cancellations), seed: seed, isTraced: isTraced,
        patience: .zero)
    }

    private func report(
      _ fault: ScheduleFault, _ record: ScheduleRecord, found: SchedulePath?, seed: UInt64, before: Int
    ) -> ScheduleFailure {
      let again = repeated(record.switches, record.cancellations, seed: seed)
      let isRepeatable = again.failure?.kind == fault.kind && again.fingerprint == record.fingerprint
      var shortest = record
      if isRepeatable {
        shortest = Shrinker.shortest(record, kind: fault.kind) { repeated($0, $1, seed: seed) }
        shortest = repeated(shortest.switches, shortest.cancellations, seed: seed, isTraced: true)
      }
      let kind: ScheduleFailure.Kind =
        switch shortest.failure ?? fault {
        case .threw(let error): .threw(error)
        case .invariant(let description): .invariant(description)
        case .deadlock: .deadlock
        case .tooLong(let jobs): .tooLong(jobs: jobs)
        case .left(let task): .leftSchedule(task: task)
        }
      return ScheduleFailure(
        kind: kind,
        found: found
          ?? SchedulePath(seed: seed, switches: record.switches, cancellations: record.cancellations),
        shortest: SchedulePath(seed: seed, switches: shortest.switches, cancellations: shortest.cancellations),
        schedulesBefore: before,
        isRepeatable: isRepeatable,
        trace: (shortest.trace ?? []).enumerated().map { $1.text(number: $0 + 1) }
          .joined(separator: "\n"), waiting: shortest.waiting.map(\.text), place: place)
    }
  }
#endif
