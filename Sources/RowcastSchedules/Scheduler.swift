internal import CSchedules
internal import Dispatch
internal import Foundation
internal import RowcastDiff
internal import Synchronization

/// Runs the jobs of one schedule, one at a time, on the thread that calls it.
///
/// Concurrent code is a set of jobs, the parts between two suspensions. A ``Chooser`` picks the next of those in ``ready``.
/// Nothing here is shared: jobs of other threads come through a list of their own.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class Scheduler {
  /// A job that can run now.
  struct Item {
    let job: UnownedJob
    /// Identifies the chain of jobs: a task, an actor or a timer. Unique among the ready jobs, the same in each run.
    let key: Int
    /// The task whose progress this is; for an actor, the task that gave it work.
    let owner: Int
    let place: Place
    /// True if the owner gave up its turn: it goes on when nothing else is left.
    let isYield: Bool

    var pointer: UnsafeMutableRawPointer { unsafe unsafeBitCast(job, to: UnsafeMutableRawPointer.self) }
  }

  /// The executor of a job.
  enum Place {
    /// That of tasks that are on no actor, and of actors that have work.
    case tasks
    /// That of the main actor.
    case main
    /// That of tasks that are about to enter an actor.
    case gate
  }

  var ready: [Item] = []
  /// The jobs whose time has not come, the earliest first.
  var timers: [(deadline: Int, item: Item)] = []
  var tasks: [ScheduleTask] = []
  var ordinals: [UInt64: Int] = [:]
  var actors: [UInt: Int] = [:]
  var unknownActors = 0
  var timerCount = 0
  var chooser: any Chooser
  let options: ScheduleOptions
  let run: ScheduleRun
  private let path: SchedulePath?
  /// No other schedule of this process has this number.
  let number = Scheduler.numbers.add(1, ordering: .relaxed).newValue
  private static let numbers = Atomic<UInt64>(1)
  private let executor: ScheduleExecutor
  private let main: ScheduleExecutor
  private let gate: ScheduleExecutor
  var record = ScheduleRecord()
  var running = 0
  var trace: ScheduleTraceBuilder?
  /// The jobs that led to the state of tasks and actors, if the exploration leaves out orders of independent jobs.
  var order: ScheduleOrder?
  /// The actors whose memory is kept to the end, so that an address stands for one of them.
  var keptMemory: Set<UInt> = []
  /// The task that another thread resumed last.
  var outsider: Int?
  /// With hooks nothing runs elsewhere but by the body's own doing, which is a failure. Without them unstructured tasks do.
  private let isStrict = schedules_areSupported()
  /// True while a task enters an actor. The work that the actor gets by that belongs to the same step.
  var isEntering = false
  var entered: UnownedJob?
  var yields = 0

  /// Prepares a schedule. It is slower if it is traced.
  /// `path` is `nil` if its switches are not known before.
  init(chooser: any Chooser, run: ScheduleRun, path: SchedulePath? = nil, options: ScheduleOptions, isTraced: Bool) {
    self.chooser = chooser
    self.run = run
    self.path = path
    self.options = options
    executor = ScheduleExecutor(number: number, place: .tasks)
    main = ScheduleExecutor(number: number, place: .main)
    gate = ScheduleExecutor(number: number, place: .gate)
    trace = isTraced ? ScheduleTraceBuilder() : nil
    order = options.isReduced ? ScheduleOrder() : nil
  }

  /// Runs a body and all that it starts.
  func run(_ body: @escaping @Sendable (ScheduleRun) async throws -> Void) -> ScheduleRecord {
    var lane = unsafe SchedulesLane()
    unsafe lane.context = Unmanaged.passUnretained(self).toOpaque()
    unsafe lane.number = number
    unsafe lane.notesLocks = order != nil
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
    unsafe lane.now = { context in unsafe context.map { unsafe UInt64(Scheduler.of($0).run.nanoseconds) } ?? 0 }
    unsafe lane.create = { context, task, name, hasExecutor, callers in
      guard let context = unsafe context, let task = unsafe task, let callers = unsafe callers else { return }
      unsafe Scheduler.of(context).noteCreation(
        task, name: name.map { unsafe String(cString: $0) }, hasExecutor: hasExecutor, callers)
    }
    return unsafe withUnsafePointer(to: lane) { lane in
      unsafe schedules_enter(lane)
      defer { unsafe schedules_leave(lane) }
      leaveLine()
      let run = run
      let task = Task.detached(name: "body", executorPreference: executor) {
        do {
          try await VirtualTime.$isOn.withValue(true) { try await body(run) }
          run.finish(nil)
        } catch {
          run.finish(error)
        }
      }
      loop()
      task.cancel()
      cleanUp()
      return record
    }
  }

  static func of(_ context: UnsafeMutableRawPointer) -> Scheduler {
    unsafe Unmanaged<Scheduler>.fromOpaque(context).takeUnretainedValue()
  }

  /// Leaves the line that repeats the schedule to the handler of signals, which prints it if the process ends here.
  private func leaveLine() {
    let path = path ?? SchedulePath(seed: run.seed, switches: record.switches)
    var line = "\n\(options.place): the process ended on a schedule; ROWCAST_SCHEDULE=\"\(path)\" repeats it\n"
    line.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe schedules_note($0.baseAddress, $0.count) }
    }
  }

  private func note(_ change: ScheduleSwitch) {
    record.switches.append(change)
    if path == nil { leaveLine() }
  }

  // MARK: - The loop

  private func loop() {
    while record.failure == nil {
      receiveFromOutside()
      if isStrict, outsider != nil { break }
      guard let index = choose() else {
        if run.isFinished { break }
        if isResumed() {
          if isStrict { break }
          continue
        }
        record.failure = .deadlock
        break
      }
      step(index)
      if let broken = run.brokenInvariant() { record.failure = .invariant(broken) }
      if let error = run.error, !(error is CancellationError && record.isCancelled) { record.failure = .threw(error) }
      if record.steps >= options.stepLimit, !ready.isEmpty { record.failure = .tooLong(jobs: record.steps) }
    }
    if isStrict, record.failure == nil, let stray { record.failure = .leftSchedule(task: stray.title) }
    record.isRedundant = chooser.isRedundant
    if let order { record.fingerprint = order.hash }
    record.tasks = tasks.count
    record.trace = trace?.lines
    if trace != nil { record.waiting = waiting() }
  }

  private func step(_ index: Int) {
    let item: Item
    if index == ready.count {
      let timer = timers.removeFirst()
      yields = 0
      run.advance(to: timer.deadline)
      item = timer.item
    } else {
      item = ready.remove(at: index)
      if item.isYield { yields += 1 }
    }
    record.note(item.key)
    trace?.begin(item, in: self)
    beginOrder(item)
    perform(item)
    endOrder(isActor: item.key >= Self.actorKey && item.key < Self.yieldKey)
    record.steps += 1
    noticeLeaving(running)
    trace?.end(self)
    if tasks.indices.contains(running) { tasks[running].hasRun = true }
  }

  private func perform(_ item: Item) {
    running = item.owner
    switch item.place {
    case .tasks: unsafe item.job.runSynchronously(on: executor.asUnownedTaskExecutor())
    case .main:
      unsafe item.job.runSynchronously(
        isolatedTo: main.asUnownedSerialExecutor(), taskExecutor: executor.asUnownedTaskExecutor())
    case .gate:
      isEntering = true
      unsafe item.job.runSynchronously(on: executor.asUnownedTaskExecutor())
      isEntering = false
      guard let work = entered else { return }
      entered = nil
      unsafe work.runSynchronously(on: executor.asUnownedTaskExecutor())
    }
  }

  /// Notes that a task has hopped to an executor outside the schedule.
  private func noticeLeaving(_ ordinal: Int) {
    guard tasks.indices.contains(ordinal) else { return }
    let (kind, object) = tasks[ordinal].dependency
    if kind == 5 { tasks[ordinal].leftFor = Self.typeName(object) }
  }

  /// Returns `true` if a task has left the schedule, and another thread may resume it: then this is no deadlock.
  ///
  /// The limit is a timer of the queues, where such threads come from: on a machine that is slow to start them it is late too.
  private func isResumed() -> Bool {
    outsider = nil
    guard options.patience > .zero else { return stray != nil }
    let isOver = Flag()
    let patience = DispatchTimeInterval.nanoseconds(options.patience.clampedNanoseconds)
    DispatchQueue(label: "patience").asyncAfter(deadline: .now() + patience) { [isStrict] in
      if isStrict { return isOver.set() }
      // Without hooks much runs elsewhere, and stands in line there: so does the end of patience.
      Task.detached {
        for _ in 0..<20 { await Task.yield() }
        isOver.set()
      }
    }
    while stray == nil, isStrict || ready.isEmpty, !isOver.isSet {
      Thread.sleep(forTimeInterval: 0.001)
      receiveFromOutside()
    }
    return stray != nil || !isStrict && !ready.isEmpty
  }

  /// The task that is known to have left, or else the one that came back.
  private var stray: ScheduleTask? { tasks.first { $0.leftFor != nil } ?? outsider.map { tasks[$0] } }

  private func mayBeCancelled(_ ordinal: Int) -> Bool {
    options.cancels == .anywhere || ordinal == 0 || tasks[ordinal].maker == options.module
  }

  /// The memory of a task that can be cancelled, and was not yet.
  func cancellable(_ ordinal: Int) -> UnsafeMutableRawPointer? {
    guard tasks.indices.contains(ordinal), let pointer = unsafe tasks[ordinal].unended,
      unsafe !schedules_isCancelled(pointer)
    else { return nil }
    return unsafe pointer
  }

  func cancel(_ ordinal: Int) {
    guard let pointer = unsafe cancellable(ordinal) else { return }
    note(.cancel(task: ordinal, step: record.steps))
    record.isCancelled = true
    record.note(Self.cancelKey + ordinal)
    trace?.cancel(tasks[ordinal])
    order?.begin(ordinal, touching: nil)
    schedules_forgetLocks()
    unsafe schedules_cancel(pointer)
    endOrder(isActor: true)
  }

  /// Ends the tasks that the body left behind, so that no schedule costs memory.
  private func cleanUp() {
    trace = nil
    for task in tasks {
      if let pointer = unsafe task.unended { unsafe schedules_cancel(pointer) }
    }
    var count = 0
    while count < options.stepLimit, !(ready.isEmpty && timers.isEmpty) {
      receiveFromOutside()
      perform(ready.isEmpty ? timers.removeFirst().item : ready.remove(at: usualIndex()))
      count += 1
    }
    // Tasks do not keep their executor alive, and one that another thread may still resume must find its own.
    if !run.isFinished || tasks.contains(where: { unsafe $0.unended != nil }) {
      for executor in [executor, main, gate] { _ = unsafe Unmanaged.passRetained(executor) }
    }
    releaseMemory()
    for task in tasks {
      if let pointer = unsafe task.retained { unsafe schedules_release(pointer) }
    }
  }

  // MARK: - The next job

  /// The index of the next job among the ready ones; `nil` if there is none. The index past the end is the earliest timer.
  func choose() -> Int? {
    if options.cancels != .never, !record.isCancelled, !run.isFinished,
      let victim = chooser.cancellation(
        step: record.steps, among: { tasks.indices.filter { unsafe cancellable($0) != nil && mayBeCancelled($0) } })
    {
      cancel(victim)
    }
    let timer = run.isFinished ? nil : timers.first?.item.key
    if ready.isEmpty { return timer == nil ? nil : 0 }
    // Tasks that turn in circles wait for time to pass.
    let usual = timer != nil && yields > 50 ? ready.count : usualIndex()
    let firing = options.timers == .anytime ? timer : nil
    guard ready.count > 1 || firing != nil else { return usual }
    let choice = ScheduleChoice(
      ready: ready, timer: firing, usual: usual, current: running, step: record.steps, decision: record.decisions,
      order: order)
    let index = min(chooser.pick(choice), ready.count)
    if chooser.isRedundant { order = nil }
    if index != usual {
      let key = index == ready.count ? timer ?? Self.timerKey : ready[index].key
      note(.run(key: key, decision: record.decisions))
    }
    record.decisions += 1
    return index
  }

  /// The job that runs without a switch: that of the task that ran last, or the one that has been ready for longest.
  func usualIndex() -> Int {
    ready.firstIndex { !$0.isYield && $0.owner == running } ?? ready.firstIndex { !$0.isYield } ?? 0
  }
}
