#if ROWCAST_HOOKS
  internal import CSchedules
  @_spi(ExperimentalScheduling) import _Concurrency
#endif

/// An executor of a schedule: jobs wait there until the schedule chooses them, timers until they are due.
///
/// A schedule has one for its tasks, one for the main actor, whose jobs run on the same thread, and one where tasks arrive that
/// the runtime had put into the queue of an actor. The object knows only the number of its schedule. The waiting jobs belong to
/// the thread that runs it.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class ScheduleExecutor: TaskExecutor, SerialExecutor {
  private let number: UInt64
  private let place: Scheduler.Place

  init(number: UInt64, place: Scheduler.Place) {
    self.number = number
    self.place = place
  }

  func enqueue(_ job: consuming ExecutorJob) {
    Scheduler.receive(UnownedJob(job), number: number, place: place)
  }
}

#if ROWCAST_HOOKS
  /// A default actor as an executor of the schedule. The runtime takes the methods from here, and the actor as the object: `self`
  /// is any actor, so nothing of this class may be used of it.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  final class ActorExecutor: SerialExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      Scheduler.receive(UnownedJob(job), onActor: unsafe unsafeBitCast(self, to: UInt.self))
    }

    /// The witness table by which the runtime calls the method above.
    static let witnesses = {
      let executor = ActorExecutor()
      return unsafe unsafeBitCast(executor.asUnownedSerialExecutor(), to: SchedulesExecutor.self).witnesses
    }()
  }

  extension ScheduleExecutor: SchedulingExecutor {
    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      Scheduler.receive(UnownedJob(job), number: number, after: delay)
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      Scheduler.receive(UnownedJob(job), number: number, after: clock.now.duration(to: instant))
    }
  }
#else
  internal import CSchedules

  /// The executor of one timer, where a task waits that sleeps: the runtime's timers are not on the schedule.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  final class TimerExecutor: TaskExecutor {
    private let number: UInt64
    private let nanoseconds: Int
    private let key: Int

    private init(number: UInt64, nanoseconds: Int, key: Int) {
      self.number = number
      self.nanoseconds = nanoseconds
      self.key = key
    }

    func enqueue(_ job: consuming ExecutorJob) {
      Scheduler.receive(UnownedJob(job), number: number, after: Duration.nanoseconds(nanoseconds))
    }

    /// Waits in virtual time, if the task is on a schedule; otherwise in real time.
    static func sleep(nanoseconds: Int) async throws {
      let number = schedules_number()
      guard let scheduler = unsafe Scheduler.of(schedules_context(number)) else {
        return try await Task.sleep(nanoseconds: UInt64(clamping: nanoseconds))
      }
      try Task.checkCancellation()
      let timer = TimerExecutor(
        number: number, nanoseconds: nanoseconds, key: Scheduler.timerKey + scheduler.timerCount)
      await withTaskCancellationHandler {
        await withTaskExecutorPreference(timer) {}
      } onCancel: {
        unsafe Scheduler.of(schedules_context(number))?.fire(timer.key)
      }
      try Task.checkCancellation()
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  extension Scheduler {
    /// Makes the job of a timer ready before its time, because its task was cancelled.
    fileprivate func fire(_ key: Int) {
      guard let index = timers.firstIndex(where: { $0.item.key == key }) else { return }
      var item = timers.remove(at: index).item
      item.since = record.steps
      ready.append(item)
    }
  }
#endif
