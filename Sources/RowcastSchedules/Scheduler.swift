internal import CSchedules
internal import Dispatch
internal import Foundation
internal import RowcastDiff
internal import Synchronization

/// Runs the jobs of one schedule, one at a time, on the thread that calls it, or on threads of its own.
///
/// Concurrent code is a set of jobs, the parts between two suspensions. A ``Chooser`` picks the next of those in ``ready`` and
/// ``left``. Nothing here is shared: of the threads of a schedule one runs at a time, and jobs of other threads come through a
/// list of their own.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
@safe final class Scheduler {
  /// A job that can run now, or was left inside and continues later.
  @safe struct Item {
    let job: UnownedJob
    /// Identifies the chain of jobs: a task, an actor, a timer or another job. Unique among the ready jobs, the same in each run.
    let key: Int
    /// The task whose progress this is; for an actor, the task that gave it work.
    let owner: Int
    let place: Place
    /// True if the owner gave up its turn: it continues when nothing else is left.
    let isYield: Bool
    /// The number of jobs that had run when it became ready.
    var since = 0
    /// For a job that was left: the thread that is inside of it.
    var thread: OpaquePointer?
    /// True for a job that was left if it waits for a lock, and nothing has continued since.
    var isBlocked = false

    /// True if this is no job, but the cancellation of the owner.
    var isCancellation: Bool { key % Scheduler.leftKey >= Scheduler.cancelKey }

    /// The address of the actor that the job enters; 0 for none.
    var actor: UInt { if case .actor(let actor) = place { actor } else { 0 } }
    var pointer: UnsafeMutableRawPointer { unsafe unsafeBitCast(job, to: UnsafeMutableRawPointer.self) }
  }

  /// The executor of a job.
  enum Place: Equatable {
    /// That of tasks that are on no actor. Without hooks, also that of actors that have work.
    case tasks
    /// That of the main actor.
    case main
    /// That of tasks that come from the queue of an actor, where the runtime put them.
    case gate
    /// An actor, by its address. The item keeps it alive.
    case actor(UInt)
  }

  var ready: [Item] = []
  /// The jobs that are not due yet, the earliest first.
  var timers: [(deadline: Int, item: Item)] = []
  var tasks: [ScheduleTask] = []
  /// The tasks that are kept alive, without those that had ended when they were looked through.
  var unended: [Int] = []
  /// The immediate tasks that have begun inside of the present job.
  var immediate: [Int] = []
  var ordinals: [UInt64: Int] = [:]
  var actors: [UInt: Int] = [:]
  var unknownActors = 0
  var timerCount = 0
  /// The number of jobs so far that are neither of a task nor of an actor.
  var otherCount = 0
  var chooser: any Chooser
  let options: ScheduleOptions
  let run: ScheduleRun
  /// No other schedule of this process has this number.
  let number = Scheduler.numbers.add(1, ordering: .relaxed).newValue
  private static let numbers = Atomic<UInt64>(1)
  let executor: ScheduleExecutor
  private let main: ScheduleExecutor
  private let gate: ScheduleExecutor
  var record = ScheduleRecord()
  var running = 0
  var trace: ScheduleTraceBuilder?
  /// The jobs that led to the state of tasks and actors, if the exploration leaves out orders of independent jobs.
  var order: ScheduleOrder?
  /// The actors whose memory is kept to the end, so that an address identifies one of them.
  var keptMemory: Set<UInt> = []
  /// The task that another thread resumed last.
  var outsider: Int?
  /// With hooks nothing runs elsewhere but by the body's own doing, which is a failure. Without them unstructured tasks do.
  let isStrict = schedules_areSupported()
  /// True while an actor is occupied for a task. The work that the actor gets by that is the task.
  var isEntering = false
  var entered: UnownedJob?
  /// The jobs of actors in whose queue the runtime has put tasks.
  var queued: [UnownedJob] = []
  /// The number of jobs in a row that gave up their turn, whatever they did before that.
  private var yields = 0
  /// True if the running job has given up its turn.
  var givesUp = false
  /// True once a job has been ready for so long that jobs run in the order in which they became ready from then on.
  var isFair = false
  /// The number of jobs that had run when a timer fired last.
  private var lastTimer = 0
  /// The job that runs, while its thread is inside of it.
  var inside: Item?
  /// The jobs that were left inside, each with a key of its own, the one that was left last at the end.
  var left: [Item] = []
  /// The job that a thread runs first.
  var pending: Item?
  /// True if the job that runs was left before.
  var hasLeft = false
  /// How often all jobs that wait for locks have tried again since one of them continued, and then waited for a thread outside.
  var lockRounds = 0
  var lockTries = 0
  /// How often a job has tried again to get a lock that a thread outside holds.
  var outsideTries = 0
  /// True if jobs may be left.
  var leaves: Bool
  /// True once nothing is chosen any more: the jobs that were left continue to their ends.
  var isOver = false
  /// True if threads remain that wait for each other's locks.
  var isAbandoned = false
  let threads: ScheduleThreads
  /// The thread that began the schedule, if that has threads of its own.
  var mainThread: OpaquePointer?
  let lane = UnsafeMutablePointer<SchedulesLane>.allocate(capacity: 1)
  /// True if the line that repeats the schedule grows by its switches.
  private let extendsLine: Bool

  /// Prepares a schedule. It is slower if it is traced.
  /// `path` is `nil` if its switches are not known before.
  init(
    chooser: any Chooser, run: ScheduleRun, path: SchedulePath? = nil, options: ScheduleOptions,
    threads: ScheduleThreads,
    isTraced: Bool
  ) {
    self.chooser = chooser
    self.run = run
    self.options = options
    self.threads = threads
    leaves = chooser.leaves && schedules_canLeave() && !options.isReduced
    extendsLine = path == nil
    executor = ScheduleExecutor(number: number, place: .tasks)
    main = ScheduleExecutor(number: number, place: .main)
    gate = ScheduleExecutor(number: number, place: .gate)
    trace = isTraced ? ScheduleTraceBuilder() : nil
    order = options.isReduced ? ScheduleOrder() : nil
    unsafe lane.initialize(to: SchedulesLane())
    // The path follows, and a quotation mark.
    var head =
      "\n\(options.place): the process ended on a schedule\(options.passed.map { " after \($0) that passed" } ?? "")"
    head += "; ROWCAST_SCHEDULE=\""
    head += "\(path ?? SchedulePath(seed: run.seed, switches: []))"
    unsafe lane.pointee.line = schedules_newLine(head, head.utf8.count)
  }

  deinit {
    if let line = unsafe lane.pointee.line { unsafe schedules_freeLine(line) }
    unsafe lane.deallocate()
  }

  /// Runs a body and all that it starts.
  func run(_ body: @escaping @Sendable (ScheduleRun) async throws -> Void) -> ScheduleRecord {
    unsafe lane.pointee.context = Unmanaged.passUnretained(self).toOpaque()
    unsafe lane.pointee.number = number
    unsafe lane.pointee.notesLocks = order != nil
    unsafe lane.pointee.main = unsafeBitCast(main.asUnownedSerialExecutor(), to: SchedulesExecutor.self)
    unsafe lane.pointee.tasks = unsafeBitCast(executor.asUnownedTaskExecutor(), to: SchedulesExecutor.self)
    unsafe lane.pointee.gate = unsafeBitCast(gate.asUnownedSerialExecutor(), to: SchedulesExecutor.self)
    #if ROWCAST_HOOKS
      unsafe lane.pointee.actors = ActorExecutor.witnesses
    #endif
    unsafe lane.pointee.enqueue = { context, job, isMain in
      guard let job = unsafe job else { return }
      unsafe Scheduler.of(context)?.receive(unsafeBitCast(job, to: UnownedJob.self), place: isMain ? .main : .tasks)
    }
    unsafe lane.pointee.enqueueAfter = { context, job, delay in
      guard let job = unsafe job else { return }
      unsafe Scheduler.of(context)?.receive(unsafeBitCast(job, to: UnownedJob.self), after: Int(clamping: delay))
    }
    unsafe lane.pointee.now = { unsafe UInt64(Scheduler.of($0)?.run.nanoseconds ?? 0) }
    unsafe lane.pointee.create = { context, task, name, hasExecutor, isImmediate, callers in
      guard let task = unsafe task, let callers = unsafe callers else { return }
      unsafe Scheduler.of(context)?.noteCreation(
        task, name: name.map { unsafe String(cString: $0) }, hasExecutor: hasExecutor, isImmediate: isImmediate,
        callers)
    }
    if options.isCopy { unsafe lane.pointee.died = { context, _ in unsafe Scheduler.of(context)?.reportEnd() } }
    unsafe lane.pointee.work = { unsafe Scheduler.of($0)?.work() }
    unsafe lane.pointee.block = { unsafe Scheduler.of($0)?.block(holder: $1) ?? false }
    unsafe schedules_enter(lane)
    defer { unsafe schedules_leave(lane) }
    let run = run
    let task = Task.detached(name: "body", executorPreference: executor) {
      do {
        try await $isInVirtualTime.withValue(true) { try await body(run) }
        run.finish(nil)
      } catch {
        run.finish(error)
      }
    }
    if leaves { runOnThreads() } else { loop() }
    end()
    if !isAbandoned {
      task.cancel()
      cleanUp()
    }
    return record
  }

  /// The schedule that a context of `CSchedules` is; `nil` for none.
  static func of(_ context: UnsafeMutableRawPointer?) -> Scheduler? {
    unsafe context.map { unsafe Unmanaged.fromOpaque($0).takeUnretainedValue() }
  }

  /// Notes a switch, also in the line that a handler of signals prints if the process ends here.
  func note(_ change: ScheduleSwitch) {
    record.switches.append(change)
    guard extendsLine else { return }
    let text = (record.switches.count == 1 ? "" : ",") + change.description
    unsafe schedules_extend(lane.pointee.line, text, text.utf8.count)
  }

  // MARK: - The loop

  /// Runs all jobs on this thread.
  func loop() {
    while let item = next() { step(item) }
  }

  /// Takes what runs next from the jobs that are ready, or were left, or from the timers; `nil` at the end of the schedule.
  func next() -> Item? {
    while record.failure == nil, !isOver {
      // A task may turn until it is cancelled, which it is at the end of the schedule.
      if run.isFinished, record.steps >= options.stepLimit { break }
      receiveFromOutside()
      // Either can wait for a lock of a left job, while other jobs run.
      if emptyQueues() || cancelNext() { continue }
      if isStrict, outsider != nil { break }
      if let next = choose() { return next }
      if run.isFinished { break }
      if isResumed() {
        if isStrict { break }
        continue
      }
      record.failure = .deadlock
    }
    return nil
  }

  /// Completes the record at the end of the schedule.
  private func end() {
    if isStrict, record.failure == nil, let stray { record.failure = .leftSchedule(task: stray.title) }
    record.isRedundant = chooser.isRedundant
    if let order { record.fingerprint = order.hash }
    record.trace = trace?.lines(of: record.failure)
    if trace != nil, !isAbandoned { record.waiting = waiting() }
  }

  private func takeTimer() -> Item {
    let timer = timers.removeFirst()
    (yields, lastTimer) = (0, record.steps)
    run.advance(to: timer.deadline)
    return timer.item
  }

  /// Runs a job to its end, on this thread, though it may be left in between.
  func step(_ item: Item) {
    hasLeft = false
    record.note(item.key)
    trace?.begin(item, in: self)
    beginOrder(item)
    givesUp = false
    perform(item)
    if givesUp { yields += 1 } else if !item.isYield { yields = 0 }
    endOrder(isOpaque: false)
    record.steps += 1
    while record.jobs.count <= item.owner { record.jobs.append(0) }
    record.jobs[item.owner] += 1
    for ordinal in [running] + immediate { noticeLeaving(ordinal) }
    immediate = []
    trace?.end(self)
    trace?.note(run.unmetExpectation)
    if tasks.indices.contains(running) { tasks[running].hasRun = true }
    if hasLeft { noteProgress() }
    // In the middle of a job, conditions may be false.
    if left.isEmpty, let broken = run.brokenInvariant() { record.failure = record.failure ?? .invariant(broken) }
    if let error = run.error, !(error is CancellationError && record.isCancelled) {
      record.failure = record.failure ?? .threw(error)
    }
    if record.steps >= options.stepLimit, !ready.isEmpty, !run.isFinished {
      record.failure = record.failure ?? .tooLong(jobs: record.steps)
    }
  }

  private func perform(_ item: Item) {
    running = item.owner
    inside = item
    defer { inside = nil }
    switch item.place {
    case .tasks: unsafe item.job.runSynchronously(on: executor.asUnownedTaskExecutor())
    case .main:
      unsafe item.job.runSynchronously(
        isolatedTo: main.asUnownedSerialExecutor(), taskExecutor: executor.asUnownedTaskExecutor())
    case .gate: preconditionFailure("task \(item.key) was never at the gate: it comes from there to an actor")
    case .actor(let actor):
      isEntering = true
      unsafe schedules_occupy(actor, item.pointer)
      isEntering = false
      if let work = entered {
        entered = nil
        unsafe work.runSynchronously(on: executor.asUnownedTaskExecutor())
      } else {
        tasks[item.key].leftFor = "actor \(Self.typeName(actor)), which a thread outside runs"
      }
      unsafe schedules_release(UnsafeMutableRawPointer(bitPattern: actor))
    }
  }

  /// Runs the actors in whose queue the runtime has put tasks: these go to the gate. Returns `false` if there is none.
  private func emptyQueues() -> Bool {
    guard !queued.isEmpty else { return false }
    while let job = queued.popLast() {
      let actor = unsafe schedules_actor(unsafeBitCast(job, to: UnsafeMutableRawPointer.self))
      schedules_divert(actor)
      enter(job, key: Self.actorKey + actorOrdinal(actor), owner: running, place: .gate) {
        unsafe job.runSynchronously(on: executor.asUnownedTaskExecutor())
      }
    }
    return true
  }

  /// Calls the runtime on behalf of the schedule. As for a job, a left job continues if it holds a lock that the runtime needs.
  private func enter(_ job: UnownedJob, key: Int, owner: Int, place: Place, _ body: () -> Void) {
    let former = (inside, running)
    inside = unsafe Item(job: job, key: key, owner: owner, place: place, isYield: false, since: record.steps)
    body()
    (inside, running) = former
    if !left.isEmpty { noteProgress() }
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
    let isOver = Box(Atomic(false))
    let patience = DispatchTimeInterval.nanoseconds(options.patience.clampedNanoseconds)
    DispatchQueue(label: "patience").asyncAfter(deadline: .now() + patience) { [isStrict] in
      if isStrict { return isOver.value.store(true, ordering: .relaxed) }
      // Without hooks many jobs run elsewhere, and queue there: so does the end of patience.
      Task.detached {
        for _ in 0..<20 { await Task.yield() }
        isOver.value.store(true, ordering: .relaxed)
      }
    }
    while stray == nil, isStrict || ready.isEmpty, !isOver.value.load(ordering: .relaxed) {
      Thread.sleep(forTimeInterval: 0.001)
      receiveFromOutside()
    }
    return stray != nil || !isStrict && !ready.isEmpty
  }

  /// The task that is known to have left, or else the one that returned.
  private var stray: ScheduleTask? { tasks.first { $0.leftFor != nil } ?? outsider.map { tasks[$0] } }

  private func mayBeCancelled(_ ordinal: Int) -> Bool {
    options.cancels == .anywhere || ordinal == 0 || tasks[ordinal].maker == options.module
  }

  /// The memory of a task that can be cancelled, and was not yet.
  func cancellable(_ ordinal: Int) -> UnsafeMutableRawPointer? {
    guard tasks.indices.contains(ordinal), let pointer = unsafe tasks[ordinal].cancellable,
      unsafe !schedules_isCancelled(pointer)
    else { return nil }
    return unsafe pointer
  }

  /// Cancels a task if the chooser wants it. Returns `false` if it does not.
  private func cancelNext() -> Bool {
    guard options.cancels != .never, !record.isCancelled, !run.isFinished,
      let victim = chooser.cancellation(
        step: record.steps, among: { tasks.indices.filter { unsafe cancellable($0) != nil && mayBeCancelled($0) } }),
      let pointer = unsafe cancellable(victim)
    else { return false }
    let key = Self.cancelKey + victim
    note(.cancel(task: victim, step: record.steps))
    record.isCancelled = true
    record.note(key)
    trace?.begin(cancellationOf: tasks[victim], in: self)
    order?.begin(victim, touching: nil)
    schedules_forgetLocks()
    unsafe enter(unsafeBitCast(pointer, to: UnownedJob.self), key: key, owner: victim, place: .tasks) {
      unsafe schedules_cancel(pointer)
    }
    endOrder(isOpaque: true)
    trace?.end(self)
    return true
  }

  /// Ends the tasks that the body has not ended, so that no schedule costs memory.
  private func cleanUp() {
    trace = nil
    leaves = false
    for task in tasks {
      if let pointer = unsafe task.cancellable { unsafe schedules_cancel(pointer) }
    }
    var (count, jobs) = (0, [Int: Int]())
    while true {
      receiveFromOutside()
      _ = emptyQueues()
      if ready.isEmpty && timers.isEmpty { break }
      if count >= options.stepLimit {
        let endless = jobs.filter { unsafe tasks[$0.key].cancellable != nil }
        let busiest = endless.max { ($0.value, -$0.key) < ($1.value, -$1.key) }
        // Those of a chain, each of which starts the next, have all ended but the one that is ready.
        let owner = busiest?.key ?? ready.first?.owner ?? timers.first?.item.owner
        if run.isFinished { record.endless = owner.map { tasks[$0].title } }
        break
      }
      // In turns: those that end do so.
      let item = ready.isEmpty ? timers.removeFirst().item : ready.removeFirst()
      perform(item)
      jobs[item.owner, default: 0] += 1
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

  /// The number of jobs after which one that is ready counts as starved.
  private var starvation: Int { 2_000 + 20 * ready.count }

  /// Takes the next of the ready jobs, the left ones, and the timers; `nil` if there is none.
  private func choose() -> Item? {
    let timer = run.isFinished ? nil : timers.first?.item.key
    // A job that was left is blocked until another one ends or is left: now at least one of them can continue.
    assert(left.isEmpty || left.contains { !$0.isBlocked }, "all of \(left.count) jobs that were left are blocked")
    var jobs = left.isEmpty ? ready : runnable()
    if jobs.isEmpty { return timer == nil ? nil : takeTimer() }
    if !isFair, record.steps - jobs[oldestIndex(in: jobs)].since > starvation { isFair = true }
    // Tasks that turn in circles wait for time to pass: all of them do when none is left that has not given up its turn.
    if timer != nil, yields >= 1_000 + 20 * ready.count {
      jobs.removeAll { $0.isYield }
      if jobs.isEmpty { return takeTimer() }
    }
    let waits = timer != nil && isFair && options.timers == .anytime && record.steps - lastTimer > starvation
    let usual = waits ? jobs.count : usualIndex(in: jobs)
    let firing = options.timers == .anytime ? timer : nil
    guard !isFair, jobs.count > 1 || firing != nil else {
      return take(isFair && !waits ? oldestIndex(in: jobs) : usual, of: jobs)
    }
    let choice = ScheduleChoice(
      ready: jobs, timer: firing, usual: usual, current: running, step: record.steps, decision: record.decisions,
      jobs: record.jobs, order: order)
    let index = min(chooser.pick(choice), jobs.count)
    if chooser.isRedundant { order = nil }
    if index != usual {
      let key = index == jobs.count ? timer ?? Self.timerKey : jobs[index].key
      note(.run(key: key, decision: record.decisions))
    }
    record.decisions += 1
    return take(index, of: jobs)
  }

  /// Takes the job at an index; the index past the end is the earliest timer.
  private func take(_ index: Int, of jobs: [Item]) -> Item? {
    guard index < jobs.count else { return takeTimer() }
    let key = jobs[index].key
    if ready.indices.contains(index), ready[index].key == key { return ready.remove(at: index) }
    if let index = left.firstIndex(where: { $0.key == key }) { return takeLeftJob(at: index) }
    guard let index = ready.firstIndex(where: { $0.key == key }) else { return nil }
    return ready.remove(at: index)
  }

  /// The default choice: the job of the running task, else the job that was left last, else the one that has been ready for
  /// longest.
  private func usualIndex(in jobs: [Item]) -> Int {
    var first: Int?
    // With thousands of jobs this loop is most of a step: it makes no copies, and calls no closures.
    for index in jobs.indices where !jobs[index].isYield {
      if jobs[index].owner == running { return index }
      if first == nil { first = index }
    }
    return (left.isEmpty ? nil : jobs.lastIndex { $0.key >= Self.leftKey }) ?? first ?? 0
  }

  /// The job that has been ready for longest.
  private func oldestIndex(in jobs: [Item]) -> Int {
    // Ready jobs are in the order in which they became ready; jobs that were left follow them.
    left.isEmpty ? 0 : jobs.indices.min { jobs[$0].since < jobs[$1].since } ?? 0
  }
}
