#if os(Linux) && compiler(>=6.3)
  @_spi(ExperimentalScheduling) import _Concurrency

  /// An executor of a schedule: jobs wait there until the schedule chooses them, timers until their time has come.
  ///
  /// A schedule has one for its tasks, one for the main actor, which has no thread of its own, and one where tasks wait to
  /// enter an actor. The object knows only the number of its schedule. The waiting jobs belong to the thread that runs it.
  final class ScheduleExecutor: TaskExecutor, SerialExecutor, SchedulingExecutor {
    private let number: UInt64
    private let place: Scheduler.Place

    init(number: UInt64, place: Scheduler.Place) {
      self.number = number
      self.place = place
    }

    func enqueue(_ job: consuming ExecutorJob) {
      Scheduler.receive(UnownedJob(job), number: number, place: place)
    }

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
#endif
