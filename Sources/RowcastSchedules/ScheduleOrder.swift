internal import CSchedules
internal import RowcastDiff

/// The partial order of the jobs that have run, as hashes: for each task, actor and lock, all that led to its state.
///
/// Two schedules that differ only in the order of jobs with nothing in common have the same hash. Jobs depend on each other if
/// they belong to one task, enter one actor, take one lock, set or await timers, or if one of them creates, resumes or cancels
/// the task of the other. The hashes are those of happens-before relations (M. Musuvathi, S. Qadeer, "Partial-order reduction for
/// context-bounded state exploration", 2007), so no vector clocks are kept.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
struct ScheduleOrder {
  /// The parts of a suspended task's state that others can change. `parts` is a hash of all but the object that it waits for, whose
  /// address differs from run to run.
  typealias TaskState = (parts: UInt64, object: UInt)

  /// Objects that have no address: the list of timers, and the main actor.
  static let timers: UInt = 1
  static let main: UInt = 2

  private var tasks: [Int: UInt64] = [:]
  private var objects: [UInt: UInt64] = [:]
  /// The state of all that has run: a sum, because dictionaries have no order, and because it is asked for at each choice.
  private(set) var hash: UInt64 = 0
  /// The parts of each task's state that other tasks can change, as of the end of the last job.
  private var states: [Int: TaskState] = [:]
  /// The job that runs, as its task and the number of its effects on other tasks so far; and the objects that it has touched.
  private var runner = 0
  private var effects: UInt64 = 0
  private var touched: [UInt] = []

  /// The same, with the task that ran last.
  func hash(running task: Int) -> UInt64 { hash &+ Self.mix(tasks[task, default: 0], 1) }

  mutating func begin(_ task: Int, touching object: UInt?) {
    runner = task
    effects = 0
    touched = object.map { [$0] } ?? []
  }

  mutating func touch(_ object: UInt) {
    if touched.last != object { touched.append(object) }
  }

  /// Notes that the job that runs has an effect on a task, which may be new.
  mutating func affect(_ task: Int) {
    guard task != runner else { return }
    effects += 1
    set(task, to: Self.mix(tasks[task, default: 0], Self.mix(tasks[runner, default: 0], effects)))
  }

  /// Ends the job. The states are those of the tasks that can be read; the salt represents everything else that the job may have
  /// read.
  mutating func end(_ now: [Int: TaskState], salt: UInt64) {
    for (task, state) in now where task != runner {
      if let former = states[task], former == state { continue }
      set(task, to: Self.mix(tasks[task, default: 0], tasks[runner, default: 0]))
    }
    var event = Self.mix(tasks[runner, default: 0], salt)
    event = Self.mix(event, now[runner]?.parts ?? 0)
    // Sums, because dictionaries have no order.
    event = touched.reduce(event) { $0 &+ Self.mix(objects[$1, default: 0], 4) }
    set(runner, to: Self.mix(tasks[runner, default: 0], event))
    for object in touched {
      let former = objects[object]
      let new = Self.mix(former ?? 0, event)
      objects[object] = new
      hash &+= Self.mix(new, 3) &- (former.map { Self.mix($0, 3) } ?? 0)
    }
    states = now
  }

  private mutating func set(_ task: Int, to new: UInt64) {
    let former = tasks.updateValue(new, forKey: task)
    hash &+= Self.mix(new, 2) &- (former.map { Self.mix($0, 2) } ?? 0)
  }

  private static func mix(_ first: UInt64, _ second: UInt64) -> UInt64 {
    var random = SplitMix64(seed: first &+ second &* 0x9E37_79B9_7F4A_7C15 ^ second >> 29)
    return random.next()
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Scheduler {
  func beginOrder(_ item: Item) {
    guard order != nil else { return }
    if item.key >= Self.timerKey {
      order?.begin(item.owner, touching: ScheduleOrder.timers)
    } else if item.place == .main {
      order?.begin(item.owner, touching: ScheduleOrder.main)
    } else {
      keep(item.actor)
      order?.begin(item.owner, touching: item.actor == 0 ? nil : item.actor)
    }
    schedules_forgetLocks()
  }

  /// Keeps the memory of an actor, though not the actor, to the end of the run.
  private func keep(_ actor: UInt) {
    guard actor != 0, keptMemory.insert(actor).inserted else { return }
    unsafe schedules_retainMemory(UnsafeMutableRawPointer(bitPattern: actor))
  }

  func releaseMemory() {
    for actor in keptMemory { unsafe schedules_releaseMemory(UnsafeMutableRawPointer(bitPattern: actor)) }
  }

  private func state(of task: UnsafeMutableRawPointer) -> ScheduleOrder.TaskState {
    let (kind, object) = unsafe ScheduleTask.dependency(of: task)
    let function = unsafe Self.frames(of: task, limit: 1).first ?? 0
    let flags: UInt64 = unsafe (schedules_isCancelled(task) ? 2 : 0) | (schedules_isComplete(task) ? 1 : 0)
    return (UInt64(function) << 8 | UInt64(UInt32(bitPattern: kind)) << 2 | flags, object)
  }

  /// Ends a job. An opaque one may have changed an `async let`, of which nothing can be read: it depends on all that was before.
  func endOrder(isOpaque: Bool) {
    guard order != nil else { return }
    var count: Int32 = 0
    let locks = unsafe schedules_locks(&count)
    let noted = unsafe Array(UnsafeBufferPointer(start: locks, count: max(0, Int(count))))
    for lock in noted { order?.touch(lock) }
    var states: [Int: ScheduleOrder.TaskState] = [:]
    // A task that has ended does not change any more: its last state is that of the job that ended it.
    for ordinal in unended {
      if let pointer = unsafe tasks[ordinal].retained { unsafe states[ordinal] = state(of: pointer) }
    }
    unended.removeAll { unsafe tasks[$0].unended == nil }
    let isOpaque = count < 0 || isOpaque && tasks.contains { unsafe $0.retained == nil }
    order?.end(states, salt: UInt64(run.nanoseconds) &+ (isOpaque ? record.fingerprint : 0))
  }
}
