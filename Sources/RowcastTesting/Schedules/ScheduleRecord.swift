#if os(Linux) && compiler(>=6.3)
  /// A decision that was not the usual one: which job ran, and at which decision.
  struct ScheduleSwitch: Hashable {
    let decision: Int
    let key: Int
  }

  /// A task that was cancelled, and before which step.
  struct ScheduleCancellation: Hashable {
    let step: Int
    let task: Int
  }

  /// A task of a schedule. Its addresses are read through `CSchedules` alone, while the task is retained.
  @safe struct ScheduleTask {
    /// Its place in the order in which tasks first became ready. 0 is the body.
    let ordinal: Int
    /// What created it, or first woke it.
    let creator: Int?
    /// The task itself, which may be gone.
    let address: UnsafeMutableRawPointer
    /// The task itself, kept alive; none for an `async let`, which its parent keeps.
    let retained: UnsafeMutableRawPointer?
    /// Whether a job of it has run.
    var hasRun = false
    /// Where it begins.
    var function: UInt
    /// The name that its program gave it.
    var name: String?
    /// The executor for which it left the schedule.
    var leftFor: String?

    var title: String {
      let name = ordinal == 0 ? "body" : name.map { "task \(ordinal) “\($0)”" } ?? "task \(ordinal)"
      return leftFor.map { "\(name) (ran on \($0))" } ?? name
    }
  }

  /// What a task that has not ended waits for.
  struct ScheduleWait {
    let task: String
    let function: UInt
    let reason: String
    let frames: [UInt]
  }

  /// Why a schedule failed.
  enum ScheduleFault {
    /// The body threw.
    case threw(any Error)
    /// A condition that the body named does not hold.
    case invariant(String)
    /// Nothing is ready, no timer runs, and the body has not ended.
    case deadlock
    /// The body did not end within a number of jobs.
    case tooLong(Int)
    /// A task ran where the schedule does not decide.
    case left(String)

    /// Faults of one kind: what shrinking must keep.
    var kind: String {
      switch self {
      case .threw(let error): "threw \(type(of: error))"
      case .invariant(let name): "invariant \(name)"
      case .deadlock: "deadlock"
      case .tooLong: "too long"
      case .left: "left"
      }
    }
  }

  /// What a run on a schedule did.
  struct ScheduleRecord {
    var failure: ScheduleFault?
    /// The number of jobs, and how many of them ran before the body ended.
    var steps = 0
    var end: Int?
    /// The number of times that there was more than one job to choose from.
    var decisions = 0
    var switches: [ScheduleSwitch] = []
    var cancellations: [ScheduleCancellation] = []
    /// How far it is from the usual schedule.
    var length: Int { switches.count + cancellations.count }
    var tasks = 0
    var waiting: [ScheduleWait] = []
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
