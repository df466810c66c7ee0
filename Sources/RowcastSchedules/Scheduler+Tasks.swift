#if os(Linux) && compiler(>=6.3)
  internal import CSchedules
  @_spi(ExperimentalScheduling) import _Concurrency

  // Jobs that become ready, of this thread and of others; timers; new tasks.
  extension Scheduler {
    static let actorKey = 1_000_000
    static let yieldKey = 2_000_000
    static let timerKey = 3_000_000
    static let cancelKey = 4_000_000

    /// Takes a job from an executor, on whatever thread it was enqueued.
    static func receive(_ job: UnownedJob, number: UInt64, place: Place) {
      if let context = unsafe schedules_context(number) {
        unsafe of(context).receive(job, place: place)
      } else {
        unsafe schedules_send(number, unsafeBitCast(job, to: UnsafeMutableRawPointer.self), place == .main)
      }
    }

    /// Takes a job that is to run later. A delay of a foreign clock counts as none; one that was measured on a real clock
    /// is the rest of the one that was asked for.
    static func receive(_ job: UnownedJob, number: UInt64, after delay: Any, isMeasured: Bool) {
      let nanoseconds = (delay as? Duration ?? .zero).clampedNanoseconds
      guard let context = unsafe schedules_context(number) else {
        unsafe schedules_send(number, unsafeBitCast(job, to: UnsafeMutableRawPointer.self), false)
        return
      }
      let scheduler = unsafe of(context)
      let elapsed = (ContinuousClock.now - scheduler.stepStart).clampedNanoseconds
      scheduler.receive(job, after: isMeasured ? roundest(left: nanoseconds, elapsed: elapsed) : nanoseconds)
    }

    /// The delay that a program asked for, if only the rest of it is known.
    ///
    /// `Task.sleep(for:)` turns a duration into an instant of a real clock, and real time passes until the schedule sees
    /// that instant. The duration lies between the rest and that plus the time that the job has run. The roundest number of
    /// nanoseconds in between is the answer, so that a second is a second in every run.
    private static func roundest(left: Int, elapsed: Int) -> Int {
      let most = left.addingReportingOverflow(elapsed + 1_000).partialValue
      guard most > 0, left < Int.max / 2 else { return max(0, left) }
      let least = max(1, left)
      var unit = 1_000_000_000_000
      while unit > 1 {
        let multiple = (least + unit - 1) / unit * unit
        if multiple <= most { return multiple }
        unit /= 10
      }
      return least
    }

    func receive(_ job: UnownedJob, after nanoseconds: Int) {
      let deadline = run.nanoseconds.addingReportingOverflow(max(0, nanoseconds))
      let time = deadline.overflow ? Int.max : deadline.partialValue
      let item = Item(job: job, key: Self.timerKey + timerCount, owner: running, place: .tasks, isYield: false)
      timerCount += 1
      timers.insert((time, item), at: timers.firstIndex { $0.deadline > time } ?? timers.count)
    }

    func receive(_ job: UnownedJob, place: Place) {
      let pointer = unsafe unsafeBitCast(job, to: UnsafeMutableRawPointer.self)
      let key: Int
      var owner = running
      var isYield = false
      switch unsafe schedules_kind(pointer) {
      case 0:
        key = unsafe register(pointer)
        owner = key
      case 192, 193:
        if isEntering, entered == nil {
          entered = job
          return
        }
        let address = unsafe schedules_actor(pointer)
        let ordinal = actors[address, default: actors.count]
        actors[address] = ordinal
        key = Self.actorKey + ordinal
      default:
        key = Self.yieldKey + running
        isYield = true
        chooser.yields(running)
      }
      let item = Item(job: job, key: key, owner: owner, place: place, isYield: isYield)
      ready.append(item)
      trace?.noteReady(item)
      assert(ready.count > 16 || ready.count { $0.key == key } == 1, "Chain \(key) is ready twice: \(ready.map(\.key))")
    }

    func receiveFromOutside() {
      var isMain = false
      while let job = unsafe schedules_receive(number, &isMain) {
        if unsafe schedules_kind(job) == 0 { outsider = unsafe register(job) }
        unsafe receive(unsafeBitCast(job, to: UnownedJob.self), place: isMain ? .main : .tasks)
      }
    }

    /// The ordinal of a task: tasks are counted in the order in which they first become ready.
    private func register(_ pointer: UnsafeMutableRawPointer) -> Int {
      let identity = unsafe schedules_identity(pointer)
      if let known = ordinals[identity] { return known }
      let isAsyncLet = unsafe schedules_isAsyncLet(pointer)
      // A task of an `async let` stands in the frame of its parent, and is gone with it.
      if !isAsyncLet { unsafe schedules_retain(pointer) }
      let ordinal = tasks.count
      ordinals[identity] = ordinal
      unsafe tasks.append(
        ScheduleTask(
          ordinal: ordinal, address: pointer, retained: isAsyncLet ? nil : pointer))
      assert(tasks.count == ordinals.count, "\(tasks.count) tasks have \(ordinals.count) ordinals")
      return ordinal
    }

    func noteCreation(
      _ pointer: UnsafeMutableRawPointer, name: String?, hasExecutor: Bool, _ callers: UnsafePointer<UInt>
    ) {
      let ordinal = unsafe register(pointer)
      if options.cancels == .ofBody {
        tasks[ordinal].maker = unsafe SymbolTable.current.module(
          of: sequence(first: callers) { unsafe $0 + 1 }.lazy
            .map { unsafe $0.pointee }.prefix { $0 != 0 })
      }
      tasks[ordinal].name = name
      if hasExecutor { tasks[ordinal].leftFor = "another executor" }
    }

    static func typeName(_ object: UInt) -> String {
      guard let pointer = unsafe UnsafeRawPointer(bitPattern: object) else { return "?" }
      return unsafe String(describing: type(of: Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()))
    }

    // MARK: - The reasons for which tasks wait

    /// The tasks that have not ended, each with the reason for its wait.
    func waiting() -> [String] {
      tasks.compactMap { task in
        guard let pointer = unsafe readable(task), unsafe !schedules_isComplete(pointer) else { return nil }
        let names = unsafe Self.frames(of: pointer).compactMap { SymbolTable.current.function(at: $0)?.name }
        let place = names.isEmpty ? "" : ", in " + names.prefix(3).joined(separator: " ← ")
        return unsafe "\(task.title) waits for \(reason(ScheduleTask.dependency(of: pointer)))\(place)"
      }
    }

    /// A task whose memory can be read: one that is kept alive, or an `async let` for which another task waits.
    func readable(_ task: ScheduleTask) -> UnsafeMutableRawPointer? {
      if let pointer = unsafe task.retained { return unsafe pointer }
      let isAwaited = tasks.contains { $0.dependency == (1, unsafe UInt(bitPattern: task.address)) }
      return unsafe isAwaited ? task.address : nil
    }

    /// The object that a task waits for, in words.
    func reason(_ dependency: (kind: Int32, object: UInt)) -> String {
      let object = dependency.object
      switch dependency.kind {
      case 1:
        let identity = unsafe UnsafeMutableRawPointer(bitPattern: object).map { unsafe schedules_identity($0) }
        let title = identity.flatMap { ordinals[$0] }.map { tasks[$0].title }
        return "the end of \(title ?? "a task that is not on the schedule")"
      case 2: return "a continuation that nobody resumes"
      case 3: return "the tasks of its group"
      case 4: return "actor \(Self.typeName(object))"
      case 5: return "executor \(Self.typeName(object))"
      default: return "something unknown"
      }
    }

    static func frames(of task: UnsafeMutableRawPointer) -> [UInt] {
      unsafe withUnsafeTemporaryAllocation(of: UInt.self, capacity: 32) { frames in
        let count = unsafe schedules_backtrace(task, frames.baseAddress, 32)
        return (0..<Int(count)).map { unsafe frames[$0] }
      }
    }

    /// The tasks that stand in the queue of an actor.
    func tasks(waitingFor actor: UInt) -> [ScheduleTask] { tasks.filter { $0.dependency == (4, actor) } }
  }

  /// An executor of a schedule: jobs wait there until the schedule chooses them, timers until their time has come.
  ///
  /// A schedule has one for its tasks, one for the main actor, whose jobs run on the same thread, and one where tasks wait to
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
