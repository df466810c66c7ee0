#if os(Linux) && compiler(>=6.3)
  @_spi(ExperimentalScheduling) import _Concurrency

  /// An executor of a schedule: jobs wait there until the schedule chooses them, timers until their time has come.
  ///
  /// The object knows only the number of its schedule. What is waiting belongs to the thread that runs the schedule.
  protocol ScheduleExecutor: SchedulingExecutor {
    var number: UInt64 { get }
  }

  extension ScheduleExecutor {
    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      Scheduler.receive(UnownedJob(job), number: number, after: delay, isMeasured: false)
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      let delay = clock.now.duration(to: instant)
      Scheduler.receive(UnownedJob(job), number: number, after: delay, isMeasured: true)
    }
  }

  /// Where the tasks of a schedule run.
  final class ScheduleTaskExecutor: TaskExecutor, ScheduleExecutor {
    let number: UInt64

    init(number: UInt64) {
      self.number = number
    }

    func enqueue(_ job: consuming ExecutorJob) {
      Scheduler.receive(UnownedJob(job), number: number, place: .tasks)
    }
  }

  /// The executor of a schedule's main actor, which has no thread of its own; or the place where tasks wait to enter an
  /// actor.
  final class ScheduleSerialExecutor: SerialExecutor, ScheduleExecutor {
    let number: UInt64
    private let place: Scheduler.Place

    init(number: UInt64, place: Scheduler.Place) {
      self.number = number
      self.place = place
    }

    func enqueue(_ job: consuming ExecutorJob) {
      Scheduler.receive(UnownedJob(job), number: number, place: place)
    }
  }
#endif
