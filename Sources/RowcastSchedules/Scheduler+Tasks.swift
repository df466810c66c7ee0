internal import CSchedules

// Jobs that become ready, of this thread and of others; timers; new tasks.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Scheduler {
  static let actorKey = 1_000_000
  static let yieldKey = 2_000_000
  static let otherKey = 2_500_000
  static let timerKey = 3_000_000
  static let cancelKey = 4_000_000

  /// Takes a job from an executor, on whatever thread it was enqueued.
  static func receive(_ job: UnownedJob, number: UInt64, place: Place) {
    if let scheduler = unsafe of(schedules_context(number)) {
      scheduler.receive(job, place: place)
    } else {
      let code = Int32(place == .main ? schedulesMain : schedulesTasks)
      unsafe schedules_send(number, unsafeBitCast(job, to: UnsafeMutableRawPointer.self), code, 0)
    }
  }

  /// Takes a task that becomes ready on a default actor, on whatever thread it was enqueued.
  static func receive(_ job: UnownedJob, onActor actor: UInt) {
    let pointer = unsafe unsafeBitCast(job, to: UnsafeMutableRawPointer.self)
    let number = unsafe schedules_owner(pointer)
    if let scheduler = unsafe of(schedules_context(number)) {
      scheduler.receive(job, place: .actor(actor))
    } else {
      unsafe schedules_send(number, pointer, Int32(schedulesActor), actor)
    }
  }

  /// Takes a job that is to run later. A delay of a foreign clock counts as none.
  static func receive(_ job: UnownedJob, number: UInt64, after delay: Any) {
    guard let scheduler = unsafe of(schedules_context(number)) else {
      return receive(job, number: number, place: .tasks)
    }
    scheduler.receive(job, after: (delay as? Duration ?? .zero).clampedNanoseconds)
  }

  /// The task whose code calls the schedule: an immediate task begins in the job that creates it.
  private var currentTask: Int {
    guard let task = unsafe schedules_currentTask() else { return running }
    return unsafe ordinals[schedules_identity(task)] ?? running
  }

  func receive(_ job: UnownedJob, after nanoseconds: Int) {
    let deadline = run.nanoseconds.addingReportingOverflow(max(0, nanoseconds))
    let time = deadline.overflow ? Int.max : deadline.partialValue
    let item = unsafe Item(
      job: job, key: Self.timerKey + timerCount, owner: currentTask, place: .tasks, isYield: false, since: record.steps)
    timerCount += 1
    order?.touch(ScheduleOrder.timers)
    timers.insert((time, item), at: timers.firstIndex { $0.deadline > time } ?? timers.count)
  }

  func receive(_ job: UnownedJob, place: Place) {
    let pointer = unsafe unsafeBitCast(job, to: UnsafeMutableRawPointer.self)
    let key: Int
    var (owner, place) = (running, place)
    var isYield = false
    if place == .gate { place = unsafe .actor(schedules_arrival(pointer)) }
    switch unsafe schedules_kind(pointer) {
    case 0:
      key = unsafe register(pointer)
      owner = key
      order?.affect(key)
    case 192, 193:
      if isStrict {
        if isEntering, entered == nil { entered = job } else { queued.append(job) }
        return
      }
      key = unsafe Self.actorKey + actorOrdinal(schedules_actor(pointer))
    case 195:
      owner = currentTask
      key = Self.yieldKey + owner
      isYield = true
      if owner == running { givesUp = true }
      chooser.yields(owner)
    default:
      // A `deinit` that is isolated to the main actor, say: each is a chain of its own.
      key = Self.otherKey + otherCount
      otherCount += 1
    }
    let item = unsafe Item(job: job, key: key, owner: owner, place: place, isYield: isYield, since: record.steps)
    if item.actor != 0 { unsafe schedules_retain(UnsafeMutableRawPointer(bitPattern: item.actor)) }
    ready.append(item)
    trace?.noteReady(item)
    assert(ready.count > 16 || ready.count { $0.key == key } == 1, "Chain \(key) is ready twice: \(ready.map(\.key))")
    // A job that enqueues its own task is about to end.
    if let inside, owner != inside.owner || inside.isCancellation, !schedules_isCreating() { point() }
  }

  /// The ordinal of an actor, in the order in which actors first have work; a new one each time if the actor is not known (0).
  func actorOrdinal(_ address: UInt) -> Int {
    let ordinal = actors[address, default: actors.count + unknownActors]
    if address == 0 { unknownActors += 1 } else { actors[address] = ordinal }
    return ordinal
  }

  func receiveFromOutside() {
    var code: Int32 = 0
    var actor: UInt = 0
    while let job = unsafe schedules_receive(number, &code, &actor) {
      record.unordered += 1
      if unsafe schedules_kind(job) == 0 { outsider = unsafe register(job) }
      let place: Place = actor != 0 ? .actor(actor) : code == Int32(schedulesMain) ? .main : .tasks
      unsafe receive(unsafeBitCast(job, to: UnownedJob.self), place: place)
    }
  }

  /// The ordinal of a task: tasks are counted in the order in which they first become ready.
  private func register(_ pointer: UnsafeMutableRawPointer) -> Int {
    let identity = unsafe schedules_identity(pointer)
    if let known = ordinals[identity] { return known }
    let isAsyncLet = unsafe schedules_isAsyncLet(pointer)
    // A task of an `async let` is allocated in the frame of its parent, and released with it.
    if !isAsyncLet { unsafe schedules_retain(pointer) }
    unsafe schedules_own(pointer)
    let ordinal = tasks.count
    ordinals[identity] = ordinal
    unsafe tasks.append(
      ScheduleTask(
        ordinal: ordinal, address: pointer, retained: isAsyncLet ? nil : pointer))
    if !isAsyncLet { unended.append(ordinal) }
    order?.affect(ordinal)
    assert(tasks.count == ordinals.count, "\(tasks.count) tasks have \(ordinals.count) ordinals")
    return ordinal
  }

  func noteCreation(
    _ pointer: UnsafeMutableRawPointer, name: String?, hasExecutor: Bool, isImmediate: Bool,
    _ callers: UnsafePointer<UInt>
  ) {
    let ordinal = unsafe register(pointer)
    (tasks[ordinal].isOwn, tasks[ordinal].hasRun) = (true, isImmediate)
    if isImmediate { immediate.append(ordinal) }
    if options.cancels == .ofBody || trace != nil {
      let maker = unsafe SymbolTable.current.code(
        of: sequence(first: callers) { unsafe $0 + 1 }.lazy
          .map { unsafe $0.pointee }.prefix { $0 != 0 })
      tasks[ordinal].maker = maker?.module
      if let maker, trace != nil, ![options.module, "RowcastSchedules"].contains(maker.module) {
        let function = trace?.function(at: maker.address)?.name
        tasks[ordinal].origin = (function.map { "\($0) of " } ?? "") + maker.module
      }
    }
    tasks[ordinal].name = name
    if hasExecutor { tasks[ordinal].leftFor = "another executor" }
    point()
  }

  static func typeName(_ object: UInt) -> String {
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: object) else { return "?" }
    return unsafe String(describing: type(of: Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()))
  }

  /// True in a task of the schedule that has this thread: one that was created there, or a child task, which inherits the executor.
  static var runsOwnTask: Bool {
    let number = schedules_number()
    guard number != 0, let scheduler = unsafe of(schedules_context(number)) else { return false }
    let executor = unsafe scheduler.executor.asUnownedTaskExecutor()
    if unsafe withUnsafeCurrentTask(body: { unsafe $0?.unownedTaskExecutor == executor }) { return true }
    guard let task = unsafe schedules_currentTask(), let ordinal = unsafe scheduler.ordinals[schedules_identity(task)]
    else { return false }
    return scheduler.tasks[ordinal].isOwn
  }

  // MARK: - The reasons for which tasks wait

  /// The tasks that have not ended, each with the reason for its wait.
  func waiting() -> [String] {
    let turns = Set(ready.lazy.filter { $0.isYield || $0.key == $0.owner }.map(\.owner))
    return tasks.compactMap { task in
      guard let pointer = unsafe readable(task), unsafe !schedules_isComplete(pointer) else { return nil }
      let names = unsafe Self.frames(of: pointer).lazy.compactMap { [self] in trace?.function(at: $0)?.name }.prefix(3)
      let place = names.isEmpty ? "" : ", in " + names.joined(separator: " <- ")
      if turns.contains(task.ordinal) { return "\(task.fullTitle) waits for its turn\(place)" }
      let dependency = unsafe ScheduleTask.dependency(of: pointer)
      let end = dependency.kind == 2 ? " that nobody resumes" : ""
      return "\(task.fullTitle) waits for \(reason(dependency))\(end)\(place)"
    }
  }

  /// A task whose memory can be read: one that is kept alive, or an `async let` for which another task waits. Not one that has
  /// left the schedule: another thread may run it, and change its memory.
  func readable(_ task: ScheduleTask) -> UnsafeMutableRawPointer? {
    if task.leftFor != nil { return nil }
    if let pointer = unsafe task.retained { return unsafe pointer }
    unended.removeAll { unsafe tasks[$0].unended == nil }
    let isAwaited = unended.contains {
      let (kind, object) = tasks[$0].dependency
      return unsafe kind == 1 && object == UInt(bitPattern: task.address)
    }
    // The next child task of its parent may have its memory.
    guard isAwaited, unsafe ordinals[schedules_identity(task.address)] == task.ordinal else { return nil }
    return unsafe task.address
  }

  /// The object that a task waits for, in words.
  func reason(_ dependency: (kind: Int32, object: UInt)) -> String {
    let object = dependency.object
    switch dependency.kind {
    case 1:
      let identity = unsafe UnsafeMutableRawPointer(bitPattern: object).map { unsafe schedules_identity($0) }
      let title = identity.flatMap { ordinals[$0] }.map { tasks[$0].title }
      return "the end of \(title ?? "a task that is not on the schedule")"
    case 2: return "a continuation"
    case 3: return "the tasks of its group"
    case 4: return object == 0 ? "an actor" : "actor \(Self.typeName(object))"
    case 6: return "its turn"
    case 5: return "executor \(Self.typeName(object))"
    default: return "something unknown"
    }
  }

  static func frames(of task: UnsafeMutableRawPointer, limit: Int = 32) -> [UInt] {
    unsafe [UInt](unsafeUninitializedCapacity: limit) { frames, count in
      count = unsafe Int(schedules_backtrace(task, frames.baseAddress, Int32(limit)))
    }
  }
}
