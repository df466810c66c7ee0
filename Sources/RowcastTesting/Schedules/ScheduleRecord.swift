#if os(Linux) && compiler(>=6.3)
  /// What made a schedule another one than the usual.
  enum ScheduleSwitch: Hashable {
    /// At a decision, another job ran than usual: the one with this key.
    case run(key: Int, decision: Int)
    /// Before a step, a task was cancelled.
    case cancel(task: Int, step: Int)
  }

  /// A task of a schedule. Its addresses are read through `CSchedules` alone, while the task is retained.
  @safe struct ScheduleTask {
    /// Its place in the order in which tasks first became ready. 0 is the body.
    let ordinal: Int
    /// The task itself, which may be gone.
    let address: UnsafeMutableRawPointer
    /// The task itself, kept alive; none for an `async let`, which its parent keeps.
    let retained: UnsafeMutableRawPointer?
    var hasRun = false
    /// The name that its program gave it.
    var name: String?
    /// The executor for which it left the schedule.
    var leftFor: String?

    var title: String {
      let name = ordinal == 0 ? "body" : name.map { "task \(ordinal) “\($0)”" } ?? "task \(ordinal)"
      return leftFor.map { "\(name) (ran on \($0))" } ?? name
    }
  }

  /// What a run on a schedule did.
  struct ScheduleRecord {
    var failure: ScheduleFailure.Kind?
    /// The number of jobs.
    var steps = 0
    /// The number of times that there was more than one job to choose from.
    var decisions = 0
    /// How far it is from the usual schedule.
    var switches: [ScheduleSwitch] = []
    /// Whether one of the switches is a cancellation.
    var isCancelled = false
    var tasks = 0
    /// The tasks that had not ended, and what each waits for.
    var waiting: [String] = []
    var trace: [ScheduleTraceLine]?
    /// A hash of which job ran at each step (FNV-1a): two schedules with one hash are the same interleaving.
    private(set) var fingerprint: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func note(_ key: Int) {
      fingerprint = (fingerprint ^ UInt64(bitPattern: Int64(key))) &* 0x0000_0100_0000_01B3
    }
  }

  /// Limits of a run, and what may happen in it.
  struct ScheduleOptions {
    var cancels = Schedules.Cancellation.never
    var priorities = Schedules.Priorities.ignored
    var timers = Schedules.Timers.anytime
    var stepLimit = 100_000
    /// How long an idle schedule waits, in real time, for a thread outside it, before it is called a deadlock.
    var patience = Duration.milliseconds(500)
  }
#endif
