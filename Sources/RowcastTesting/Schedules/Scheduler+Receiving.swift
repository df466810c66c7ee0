#if os(Linux) && compiler(>=6.3)
  internal import CSchedules

  // What becomes ready: jobs of this thread and of others, timers, tasks that are new.
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

    /// Takes a job that is to run later. A delay of a foreign clock counts as none; one that was measured on a real
    /// clock is what is left of the one that was asked for.
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

    func receive(_ job: UnownedJob, after nanoseconds: Int) {
      let deadline = run.nanoseconds.addingReportingOverflow(max(0, nanoseconds))
      let timer = Timer(
        deadline: deadline.overflow ? .max : deadline.partialValue, number: timerCount, job: job, owner: running)
      timerCount += 1
      let place = timers.firstIndex { $0.deadline > timer.deadline } ?? timers.count
      timers.insert(timer, at: place)
      assert(
        place == 0 || timers[place - 1].deadline <= timer.deadline,
        "Timers are out of order: \(timers.map(\.deadline))")
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
      let item = unsafe Item(
        job: job, key: key, owner: owner, priority: schedules_priority(pointer), place: place, isYield: isYield)
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

    func noteCreation(_ pointer: UnsafeMutableRawPointer, name: String?, hasExecutor: Bool) {
      let ordinal = unsafe register(pointer)
      tasks[ordinal].name = name
      if hasExecutor { tasks[ordinal].leftFor = "an executor of its own" }
    }

    static func typeName(_ object: UInt) -> String {
      guard let pointer = unsafe UnsafeRawPointer(bitPattern: object) else { return "?" }
      return unsafe String(describing: type(of: Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()))
    }
  }
#endif
