#if os(Linux) && compiler(>=6.3)
  internal import CSchedules
  internal import Foundation

  /// Runs the jobs of one schedule, one at a time, on the thread that calls it.
  ///
  /// Concurrent code is a set of jobs: what runs between two suspensions. Those that are ready stand in ``ready``; a
  /// ``Chooser`` says which comes next. Nothing here is shared: jobs of other threads come through a list of their own.
  final class Scheduler {
    /// A job that can run now.
    struct Item {
      let job: UnownedJob
      /// Which chain of jobs this is: a task, an actor or a timer. Unique among what is ready, the same in each run.
      let key: Int
      /// The task whose progress this is; for an actor, the task that gave it work.
      let owner: Int
      let priority: UInt8
      let place: Place
      /// Whether the owner gave up its turn: it goes on when nothing else is left.
      let isYield: Bool

      var pointer: UnsafeMutableRawPointer { unsafe unsafeBitCast(job, to: UnsafeMutableRawPointer.self) }
    }

    /// Where a job runs.
    enum Place {
      /// Where tasks run that are on no actor, and actors that have work.
      case tasks
      /// On the main actor.
      case main
      /// On an actor that its task is about to enter.
      case gate
    }

    /// A job whose time has not come.
    struct Timer {
      let deadline: Int
      let number: Int
      let job: UnownedJob
      let owner: Int
    }

    private(set) var ready: [Item] = []
    private var timers: [Timer] = []
    private(set) var tasks: [ScheduleTask] = []
    private var ordinals: [UInt64: Int] = [:]
    private var actors: [UInt: Int] = [:]
    private var timerCount = 0
    private var chooser: any Chooser
    private let options: ScheduleOptions
    private let run: ScheduleRun
    private let number: UInt64
    private let executor: ScheduleTaskExecutor
    private let main: ScheduleMainExecutor
    private let gate: ScheduleGate
    private var record = ScheduleRecord()
    private var running = 0
    private var stepStart = ContinuousClock.now
    private var trace: ScheduleTraceBuilder?
    private var outsider: Int?
    /// The actor that a task enters has work, which is this step's.
    private var isEntering = false
    private var entered: UnownedJob?
    private var yields = 0

    /// Prepares a schedule.
    ///
    /// - Parameters:
    ///   - number: A number that no other schedule of this process has had.
    ///   - chooser: Decides what runs next.
    ///   - run: What the body sees of its run.
    ///   - options: Limits, and what may happen.
    ///   - isTraced: Whether to note what runs; slower.
    init(number: UInt64, chooser: any Chooser, run: ScheduleRun, options: ScheduleOptions, isTraced: Bool) {
      self.number = number
      self.chooser = chooser
      self.run = run
      self.options = options
      executor = ScheduleTaskExecutor(number: number)
      main = ScheduleMainExecutor(number: number)
      gate = ScheduleGate(number: number)
      trace = isTraced ? ScheduleTraceBuilder() : nil
    }

    var switchCount: Int { record.switches.count }

    /// Runs a body and all that it starts.
    func run(_ body: @escaping @Sendable (ScheduleRun) async throws -> Void) -> ScheduleRecord {
      var lane = unsafe SchedulesLane()
      unsafe lane.context = Unmanaged.passUnretained(self).toOpaque()
      unsafe lane.number = number
      unsafe lane.main = unsafeBitCast(main.asUnownedSerialExecutor(), to: SchedulesExecutor.self)
      unsafe lane.tasks = unsafeBitCast(executor.asUnownedTaskExecutor(), to: SchedulesExecutor.self)
      unsafe lane.gate = unsafeBitCast(gate.asUnownedSerialExecutor(), to: SchedulesExecutor.self)
      unsafe lane.enqueue = { context, job, isMain in
        guard let context = unsafe context, let job = unsafe job else { return }
        unsafe Scheduler.of(context).receive(unsafeBitCast(job, to: UnownedJob.self), place: isMain ? .main : .tasks)
      }
      unsafe lane.enqueueAfter = { context, job, delay in
        guard let context = unsafe context, let job = unsafe job else { return }
        unsafe Scheduler.of(context).receive(unsafeBitCast(job, to: UnownedJob.self), after: Int(clamping: delay))
      }
      unsafe lane.create = { context, task, function, name, hasExecutor in
        guard let context = unsafe context, let task = unsafe task else { return }
        unsafe Scheduler.of(context).noteCreation(
          task, function: function, name: name.map { unsafe String(cString: $0) }, hasExecutor: hasExecutor)
      }
      return unsafe withUnsafePointer(to: lane) { lane in
        unsafe schedules_enter(lane)
        defer { unsafe schedules_leave(lane) }
        let run = run
        Task.detached(name: "body") {
          do {
            try await body(run)
            run.finish(nil)
          } catch {
            run.finish(error)
          }
        }
        loop()
        cleanUp()
        return record
      }
    }

    private static func of(_ context: UnsafeMutableRawPointer) -> Scheduler {
      unsafe Unmanaged<Scheduler>.fromOpaque(context).takeUnretainedValue()
    }
  }

  // MARK: - The loop

  extension Scheduler {
    private func loop() {
      while record.failure == nil {
        receiveFromOutside()
        if let outsider {
          record.failure = .left(strayTitle(outsider))
          break
        }
        guard let index = choose() else {
          if !run.isFinished { endIdle() }
          break
        }
        step(index)
        if let broken = run.brokenInvariant() { record.failure = .invariant(broken) }
        if run.isFinished, record.end == nil {
          record.end = record.steps
          if let error = run.error, !(error is CancellationError && !record.cancellations.isEmpty) {
            record.failure = .threw(error)
          }
        }
        if record.steps >= options.stepLimit, !ready.isEmpty { record.failure = .tooLong(record.steps) }
      }
      if record.failure == nil, let task = tasks.first(where: { $0.leftFor != nil }) {
        record.failure = .left(task.title)
      }
      record.tasks = tasks.count
      record.trace = trace?.finish()
      if trace != nil { record.waiting = waiting() }
    }

    /// Which of the ready jobs comes next; `nil` if none is. An index past the end is the earliest timer.
    private func choose() -> Int? {
      if options.cancels == .anywhere, record.cancellations.isEmpty, !run.isFinished,
        let victim = chooser.cancellation(step: record.steps, tasks: tasks.count)
      {
        cancel(victim)
      }
      let timer = run.isFinished ? nil : timers.first
      if ready.isEmpty { return timer == nil ? nil : 0 }
      // Tasks that turn in circles wait for time to pass.
      let usual = timer != nil && yields > 50 ? ready.count : usualIndex()
      let isChoice = ready.count > 1 || (timer != nil && options.timers == .anytime)
      guard isChoice else { return usual }
      let moment = ScheduleMoment(step: record.steps, decision: record.decisions)
      var index: Int
      if options.priorities == .obeyed, let highest = ready.lazy.map(\.priority).max() {
        let allowed = ready.indices.filter { ready[$0].priority == highest }
        let candidates = allowed.map { ready[$0] }
        let place = allowed.firstIndex(of: usual) ?? 0
        index =
          allowed.count == 1
          ? allowed[0]
          : allowed[
            chooser.pick(candidates, timer: nil, usual: place, current: running, at: moment)]
      } else {
        let key = options.timers == .anytime ? timer.map { Self.timerKey + $0.number } : nil
        index = chooser.pick(ready, timer: key, usual: usual, current: running, at: moment)
      }
      index = min(index, ready.count)
      if index != usual {
        let key = index == ready.count ? Self.timerKey + (timer?.number ?? 0) : ready[index].key
        record.switches.append(ScheduleSwitch(decision: record.decisions, key: key))
      }
      record.decisions += 1
      return index
    }

    /// What runs if nothing is switched: the task that ran last, or what has been ready for longest.
    private func usualIndex() -> Int {
      var oldest: Int?
      for index in ready.indices where !ready[index].isYield {
        if ready[index].owner == running, options.priorities == .ignored { return index }
        if oldest == nil || (options.priorities == .obeyed && ready[index].priority > ready[oldest ?? 0].priority) {
          oldest = index
        }
      }
      return oldest ?? 0
    }

    private func step(_ index: Int) {
      if index == ready.count {
        let timer = timers.removeFirst()
        yields = 0
        run.advance(to: timer.deadline)
        record.note(Self.timerKey + timer.number)
        trace?.beginTimer(timer, at: run.nanoseconds, in: self)
        perform(timer.job, at: .tasks, owner: timer.owner)
      } else {
        let item = ready.remove(at: index)
        if item.isYield { yields += 1 }
        record.note(item.key)
        trace?.begin(item, in: self)
        perform(item.job, at: item.place, owner: item.owner)
      }
      record.steps += 1
      noticeLeaving(running)
      trace?.end(self)
      if tasks.indices.contains(running) { tasks[running].hasRun = true }
    }

    private func perform(_ job: UnownedJob, at place: Place, owner: Int) {
      running = owner
      stepStart = .now
      switch place {
      case .tasks: unsafe job.runSynchronously(on: executor.asUnownedTaskExecutor())
      case .main:
        unsafe job.runSynchronously(
          isolatedTo: main.asUnownedSerialExecutor(), taskExecutor: executor.asUnownedTaskExecutor())
      case .gate:
        isEntering = true
        unsafe job.runSynchronously(on: executor.asUnownedTaskExecutor())
        isEntering = false
        guard let work = entered else { return }
        entered = nil
        unsafe work.runSynchronously(on: executor.asUnownedTaskExecutor())
      }
    }

    /// A task that hopped to an executor of its own is not on the schedule any more.
    private func noticeLeaving(_ ordinal: Int) {
      guard tasks.indices.contains(ordinal), let pointer = unsafe tasks[ordinal].retained else { return }
      var object: UInt = 0
      if unsafe !schedules_isComplete(pointer), unsafe schedules_dependency(pointer, &object) == 5 {
        tasks[ordinal].leftFor = Self.typeName(object)
      }
    }

    /// Nothing is ready and the body has not ended.
    private func endIdle() {
      if let left = tasks.first(where: { $0.leftFor != nil }) {
        record.failure = .left(left.title)
        return
      }
      // Another thread may be about to resume a task: then it is no deadlock.
      let patience = ContinuousClock.now + options.patience
      while true {
        receiveFromOutside()
        guard ready.isEmpty, ContinuousClock.now < patience else { break }
        Thread.sleep(forTimeInterval: 0.001)
      }
      if let outsider {
        record.failure = .left(strayTitle(outsider))
      } else {
        record.failure = .deadlock
      }
    }

    /// The task that is known to have left, or else the one that came back.
    private func strayTitle(_ outsider: Int) -> String {
      (tasks.first { $0.leftFor != nil } ?? tasks[outsider]).title
    }

    private func cancel(_ ordinal: Int) {
      guard tasks.indices.contains(ordinal), let pointer = unsafe tasks[ordinal].retained,
        unsafe !schedules_isComplete(pointer), unsafe !schedules_isCancelled(pointer)
      else { return }
      record.cancellations.append(ScheduleCancellation(step: record.steps, task: ordinal))
      record.note(-1 - ordinal)
      trace?.cancel(tasks[ordinal])
      unsafe schedules_cancel(pointer)
    }

    /// Ends what the body left behind, so that no schedule costs memory.
    private func cleanUp() {
      trace = nil
      for task in tasks {
        if let pointer = unsafe task.retained, unsafe !schedules_isComplete(pointer) {
          unsafe schedules_cancel(pointer)
        }
      }
      var count = 0
      while count < options.stepLimit, !(ready.isEmpty && timers.isEmpty) {
        receiveFromOutside()
        let index = ready.isEmpty ? 0 : usualIndex()
        let item = ready.isEmpty ? nil : ready.remove(at: index)
        perform(item?.job ?? timers.removeFirst().job, at: item?.place ?? .tasks, owner: item?.owner ?? 0)
        count += 1
      }
      // Tasks do not keep their executor alive. One that another thread may still resume must find this schedule's, and
      // not what stands in its place by then.
      if tasks.contains(where: { unsafe $0.retained.map { unsafe !schedules_isComplete($0) } ?? false }) {
        for executor in [executor, main, gate] as [AnyObject] { _ = unsafe Unmanaged.passRetained(executor) }
      }
      for task in tasks {
        if let pointer = unsafe task.retained { unsafe schedules_release(pointer) }
      }
    }
  }

  // MARK: - What becomes ready

  extension Scheduler {
    static let actorKey = 1_000_000
    static let yieldKey = 2_000_000
    static let timerKey = 3_000_000

    /// Takes a job from an executor, on whatever thread it was enqueued.
    static func receive(_ job: UnownedJob, number: UInt64, place: Place) {
      if let context = unsafe schedules_context(number) {
        unsafe of(context).receive(job, place: place)
      } else {
        unsafe schedules_send(number, unsafeBitCast(job, to: UnsafeMutableRawPointer.self), place == .main)
      }
    }

    /// Takes a job that is to run later.
    ///
    /// - Parameters:
    ///   - job: The job.
    ///   - number: The schedule.
    ///   - delay: The time that is left. A duration of a foreign clock counts as none.
    ///   - isMeasured: Whether the time was measured on a real clock.
    static func receive(_ job: UnownedJob, number: UInt64, after delay: Any, isMeasured: Bool) {
      let nanoseconds = VirtualTime.nanoseconds(delay as? Duration ?? .zero)
      guard let context = unsafe schedules_context(number) else {
        unsafe schedules_send(number, unsafeBitCast(job, to: UnsafeMutableRawPointer.self), false)
        return
      }
      let scheduler = unsafe of(context)
      let elapsed = VirtualTime.nanoseconds(.now - scheduler.stepStart)
      let asked = isMeasured ? VirtualTime.roundest(left: nanoseconds, elapsed: elapsed) : nanoseconds
      scheduler.receive(job, after: asked)
    }

    fileprivate func receive(_ job: UnownedJob, after nanoseconds: Int) {
      let deadline = run.nanoseconds.addingReportingOverflow(max(0, nanoseconds))
      let timer = Timer(
        deadline: deadline.overflow ? .max : deadline.partialValue, number: timerCount, job: job, owner: running)
      timerCount += 1
      let place = timers.firstIndex { $0.deadline > timer.deadline } ?? timers.count
      timers.insert(timer, at: place)
    }

    fileprivate func receive(_ job: UnownedJob, place: Place) {
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
      let item = unsafe Item(
        job: job, key: key, owner: owner, priority: schedules_priority(pointer), place: place, isYield: isYield)
      ready.append(item)
      trace?.noteReady(item)
    }

    private func receiveFromOutside() {
      var isMain = false
      while let job = unsafe schedules_receive(number, &isMain) {
        if unsafe schedules_kind(job) == 0 { outsider = unsafe register(job) }
        unsafe receive(unsafeBitCast(job, to: UnownedJob.self), place: isMain ? .main : .tasks)
      }
    }

    /// The ordinal of a task: tasks are counted in the order in which they first become ready.
    @discardableResult
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
          ordinal: ordinal, creator: ordinal == 0 ? nil : running, address: pointer,
          retained: isAsyncLet ? nil : pointer, function: 0))
      return ordinal
    }

    fileprivate func noteCreation(
      _ pointer: UnsafeMutableRawPointer, function: UInt, name: String?, hasExecutor: Bool
    ) {
      let ordinal = unsafe register(pointer)
      tasks[ordinal].function = function
      tasks[ordinal].name = name
      if hasExecutor { tasks[ordinal].leftFor = "an executor of its own" }
    }

    static func typeName(_ object: UInt) -> String {
      guard let pointer = unsafe UnsafeRawPointer(bitPattern: object) else { return "?" }
      return unsafe String(describing: type(of: Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()))
    }
  }

  // MARK: - Who waits for what

  extension Scheduler {
    /// The tasks that have not ended, and what each waits for.
    func waiting() -> [ScheduleWait] {
      tasks.compactMap { task in
        guard let pointer = unsafe readable(task), unsafe !schedules_isComplete(pointer) else { return nil }
        var object: UInt = 0
        let kind = unsafe schedules_dependency(pointer, &object)
        return unsafe ScheduleWait(
          task: task.title, function: task.function, reason: reason(kind, object), frames: Self.frames(of: pointer))
      }
    }

    /// A task that can be looked at: one that is kept alive, or an `async let` for which somebody waits.
    func readable(_ task: ScheduleTask) -> UnsafeMutableRawPointer? {
      if let pointer = unsafe task.retained { return unsafe pointer }
      let isAwaited = tasks.contains { other in
        guard let pointer = unsafe other.retained, unsafe !schedules_isComplete(pointer) else { return false }
        var object: UInt = 0
        return unsafe schedules_dependency(pointer, &object) == 1 && object == UInt(bitPattern: task.address)
      }
      return unsafe isAwaited ? task.address : nil
    }

    /// What a task waits for, in words.
    func reason(_ kind: Int32, _ object: UInt) -> String {
      switch kind {
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
    func tasks(waitingFor actor: UInt) -> [ScheduleTask] {
      tasks.filter { task in
        guard let pointer = unsafe task.retained, unsafe !schedules_isComplete(pointer) else { return false }
        var object: UInt = 0
        return unsafe schedules_dependency(pointer, &object) == 4 && object == actor
      }
    }
  }
#endif
