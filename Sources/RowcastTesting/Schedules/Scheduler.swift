#if os(Linux) && compiler(>=6.3)
  internal import CSchedules
  internal import Dispatch
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

    var ready: [Item] = []
    var timers: [Timer] = []
    var tasks: [ScheduleTask] = []
    var ordinals: [UInt64: Int] = [:]
    var actors: [UInt: Int] = [:]
    var timerCount = 0
    var chooser: any Chooser
    let options: ScheduleOptions
    let run: ScheduleRun
    let number: UInt64
    private let executor: ScheduleExecutor
    private let main: ScheduleExecutor
    private let gate: ScheduleExecutor
    var record = ScheduleRecord()
    var running = 0
    var stepStart = ContinuousClock.now
    var trace: ScheduleTraceBuilder?
    var outsider: Int?
    /// The actor that a task enters has work, which is this step's.
    var isEntering = false
    var entered: UnownedJob?
    var yields = 0

    /// Prepares a schedule, with a number that no other schedule of this process has had. It is slower if it is traced.
    init(number: UInt64, chooser: any Chooser, run: ScheduleRun, options: ScheduleOptions, isTraced: Bool) {
      self.number = number
      self.chooser = chooser
      self.run = run
      self.options = options
      executor = ScheduleExecutor(number: number, place: .tasks)
      main = ScheduleExecutor(number: number, place: .main)
      gate = ScheduleExecutor(number: number, place: .gate)
      trace = isTraced ? ScheduleTraceBuilder() : nil
    }

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
      unsafe lane.create = { context, task, name, hasExecutor in
        guard let context = unsafe context, let task = unsafe task else { return }
        unsafe Scheduler.of(context).noteCreation(
          task, name: name.map { unsafe String(cString: $0) }, hasExecutor: hasExecutor)
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

    static func of(_ context: UnsafeMutableRawPointer) -> Scheduler {
      unsafe Unmanaged<Scheduler>.fromOpaque(context).takeUnretainedValue()
    }
  }

  // MARK: - The loop

  extension Scheduler {
    private func loop() {
      while record.failure == nil {
        receiveFromOutside()
        if outsider != nil { break }
        guard let index = choose() else {
          if !run.isFinished, !isResumed() { record.failure = .deadlock }
          break
        }
        step(index)
        if let broken = run.brokenInvariant() { record.failure = .invariant(broken) }
        if let error = run.error, !(error is CancellationError && record.isCancelled) { record.failure = .threw(error) }
        if record.steps >= options.stepLimit, !ready.isEmpty { record.failure = .tooLong(jobs: record.steps) }
      }
      if record.failure == nil, let stray { record.failure = .leftSchedule(task: stray.title) }
      record.tasks = tasks.count
      record.trace = trace?.lines
      if trace != nil { record.waiting = waiting() }
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

    /// Whether a task that nothing here can resume has left the schedule. If another thread resumes it, it is no deadlock.
    ///
    /// The limit is a timer of the queues, where such threads come from: on a machine that is slow to start them it is late too.
    private func isResumed() -> Bool {
      guard options.patience > .zero else { return stray != nil }
      let isOver = Flag()
      let patience = DispatchTimeInterval.nanoseconds(VirtualTime.nanoseconds(options.patience))
      DispatchQueue(label: "patience").asyncAfter(deadline: .now() + patience) { isOver.set() }
      while stray == nil, !isOver.isSet {
        Thread.sleep(forTimeInterval: 0.001)
        receiveFromOutside()
      }
      return stray != nil
    }

    /// The task that is known to have left, or else the one that came back.
    private var stray: ScheduleTask? { tasks.first { $0.leftFor != nil } ?? outsider.map { tasks[$0] } }

    /// A task that can be cancelled, and was not yet.
    func cancellable(_ ordinal: Int) -> UnsafeMutableRawPointer? {
      guard tasks.indices.contains(ordinal), let pointer = unsafe tasks[ordinal].retained,
        unsafe !schedules_isComplete(pointer), unsafe !schedules_isCancelled(pointer)
      else { return nil }
      return unsafe pointer
    }

    func cancel(_ ordinal: Int) {
      guard let pointer = unsafe cancellable(ordinal) else { return }
      record.switches.append(.cancel(task: ordinal, step: record.steps))
      record.isCancelled = true
      record.note(Self.cancelKey + ordinal)
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
      // Tasks do not keep their executor alive, and one that another thread may still resume must find its own.
      if tasks.contains(where: { unsafe $0.retained.map { unsafe !schedules_isComplete($0) } ?? false }) {
        for executor in [executor, main, gate] { _ = unsafe Unmanaged.passRetained(executor) }
      }
      for task in tasks {
        if let pointer = unsafe task.retained { unsafe schedules_release(pointer) }
      }
    }
  }
#endif
