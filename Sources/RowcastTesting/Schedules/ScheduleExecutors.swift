#if os(Linux) && compiler(>=6.3)
  @_spi(ExperimentalScheduling) import _Concurrency

  /// Where the tasks of a schedule run: jobs wait here until the schedule chooses them.
  ///
  /// The object knows only the number of its schedule. What is waiting belongs to the thread that runs the schedule.
  final class ScheduleTaskExecutor: TaskExecutor, SchedulingExecutor {
    private let number: UInt64

    init(number: UInt64) {
      self.number = number
    }

    func enqueue(_ job: consuming ExecutorJob) {
      Scheduler.receive(UnownedJob(job), number: number, place: .tasks)
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

  /// The main actor's executor on a schedule. It has no thread of its own.
  final class ScheduleMainExecutor: SerialExecutor, SchedulingExecutor {
    private let number: UInt64

    init(number: UInt64) {
      self.number = number
    }

    func enqueue(_ job: consuming ExecutorJob) {
      Scheduler.receive(UnownedJob(job), number: number, place: .main)
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

  /// Where tasks wait to enter an actor.
  final class ScheduleGate: SerialExecutor {
    private let number: UInt64

    init(number: UInt64) {
      self.number = number
    }

    func enqueue(_ job: consuming ExecutorJob) {
      Scheduler.receive(UnownedJob(job), number: number, place: .gate)
    }
  }
#endif
