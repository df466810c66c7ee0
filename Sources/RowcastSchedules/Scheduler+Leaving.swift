internal import CSchedules
internal import Foundation

// Jobs that are left inside, and continue later. Each has a thread of its own, which waits meanwhile; one thread runs at a time.
//
// A job can be left where the runtime calls the schedule inside of it: when it has made a task, or has made a job ready, as by
// resuming a continuation. It keeps its actor, and the locks that it holds: a job that asks for one of these is blocked, and the
// job that was left last continues.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Scheduler {
  static let leftKey = 10_000_000

  /// Runs jobs on this thread until another thread is to run, and returns that.
  func work() -> OpaquePointer {
    if let item = pending {
      pending = nil
      step(item)
    }
    while !isOver {
      guard let item = next() else {
        isOver = true
        break
      }
      if let thread = unsafe item.thread {
        unsafe threads.add(schedules_thread())
        return unsafe thread
      }
      step(item)
    }
    // The jobs that were left are in the frames of their threads: they end first.
    unsafe threads.add(schedules_thread())
    return unsafe takeLeftJob()?.thread ?? mainThread ?? schedules_thread()
  }

  /// The left job that continues if no chooser decides: of those that are not blocked, the one that was left last.
  private func takeLeftJob() -> Item? {
    guard let index = left.lastIndex(where: { !$0.isBlocked }) ?? left.indices.last else { return nil }
    return takeLeftJob(at: index)
  }

  func takeLeftJob(at index: Int) -> Item {
    let job = left.remove(at: index)
    unsafe lane.pointee.sharesLocks = !left.isEmpty
    return job
  }

  /// Runs the schedule on threads of its own, while this one waits.
  func runOnThreads() {
    unsafe mainThread = schedules_thread()
    guard let first = unsafe threads.take() else {
      leaves = false
      return loop()
    }
    unsafe schedules_pass(first, lane)
  }

  // MARK: - Points

  /// A point inside of a job, at which it can be left for another.
  func point() {
    guard let item = inside, item.place != .gate else { return }
    record.points += 1
    guard leaves, !isOver else { return }
    let others = runnable(beside: item)
    guard !others.isEmpty else { return }
    let choice = ScheduleChoice(
      ready: others, timer: nil, usual: -1, current: running, step: record.steps, decision: record.points - 1,
      jobs: record.jobs, order: nil)
    guard let index = chooser.leave(choice) else { return }
    let key = others[min(index, others.count - 1)].key
    if let index = left.firstIndex(where: { $0.key == key }) {
      note(.leave(key: key, point: record.points - 1))
      unsafe leave(item, for: takeLeftJob(at: index).thread)
    } else if let index = ready.firstIndex(where: { $0.key == key }), let thread = unsafe threads.take() {
      note(.leave(key: key, point: record.points - 1))
      pending = ready.remove(at: index)
      unsafe leave(item, for: thread)
    }
  }

  /// Lets another thread run until this job is chosen again.
  private func leave(_ item: Item, for thread: OpaquePointer?, isBlocked: Bool = false) {
    let task = tasks[item.owner]
    if !isBlocked { noteProgress() }
    if item.place != .gate { trace?.leave(self, isBlocked: isBlocked) }
    let key = item.key < Self.leftKey ? item.key + Self.leftKey : item.key
    unsafe left.append(
      Item(
        job: item.job, key: key, owner: item.owner, place: item.place, isYield: false, since: record.steps,
        thread: schedules_thread(), isBlocked: isBlocked))
    unsafe lane.pointee.sharesLocks = true
    inside = nil
    let begun = exchange(&immediate, with: [])
    unsafe schedules_pass(thread, lane)
    immediate = begun
    inside = item
    running = item.owner
    hasLeft = true
    record.note(key)
    if item.place != .gate { trace?.goOn(task, item, in: self) }
  }

  /// A job has ended or was left: jobs that wait for a lock may try again.
  func noteProgress() {
    (lockRounds, lockTries, outsideTries) = (0, 0, 0)
    unblock()
  }

  private func unblock() {
    for index in left.indices { left[index].isBlocked = false }
  }

  /// Continues a left job, because the running job asks for a lock that is taken. Returns `false` if there is no such job.
  ///
  /// A blocked job tries again once another has ended or was left. Others may release what it waits for, and then wait
  /// themselves: so all try again some times before they count as waiting for each other, or for a thread outside.
  ///
  /// A thread that is known to be outside releases the lock soon, whatever runs here: the order of jobs does not depend on it. It may
  /// have to wait for a job that was left, so that this ends.
  ///
  /// - Parameter holder: The thread that holds the lock; 0 if that is not known.
  /// - Returns: False if the job waits by itself, as there is no other that could release the lock.
  func block(holder: Int32) -> Bool {
    guard let item = inside, !left.isEmpty else { return false }
    if holder != 0, outsideTries < 10_000, !left.contains(where: { unsafe schedules_isThread($0.thread, holder) }) {
      outsideTries += 1
      Thread.sleep(forTimeInterval: 0.000_1)
      return true
    }
    if left.allSatisfy(\.isBlocked), lockRounds < 16 * (left.count + 1) {
      lockRounds += 1
      unblock()
    }
    if let index = left.lastIndex(where: { !$0.isBlocked }) {
      unsafe leave(item, for: takeLeftJob(at: index).thread, isBlocked: true)
      return true
    }
    lockTries += 1
    if lockTries <= max(1, options.patience.clampedNanoseconds / 1_000_000) {
      Thread.sleep(forTimeInterval: 0.001)
      return true
    }
    record.failure = record.failure ?? .deadlock
    (isOver, isAbandoned) = (true, true)
    // The threads of this schedule never end.
    _ = unsafe Unmanaged.passRetained(self)
    if let mainThread = unsafe mainThread { unsafe schedules_pass(mainThread, nil) }
    return false
  }

  /// The jobs that can run while the left ones, and maybe one more, keep their actors; then the left ones themselves.
  func runnable(beside item: Item? = nil) -> [Item] {
    func isHeld(_ place: Place) -> Bool {
      switch place {
      case .tasks, .gate: false
      case .main, .actor: place == item?.place || left.contains { $0.place == place }
      }
    }
    return ready.filter { !isHeld($0.place) } + left.filter { !$0.isBlocked }
  }
}

/// Threads that run no job, for the next ones. They end with the exploration.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
@safe final class ScheduleThreads {
  private var idle: [OpaquePointer] = unsafe []

  /// A thread that waits for a schedule; `nil` if there can be no more.
  func take() -> OpaquePointer? { unsafe idle.popLast() ?? schedules_newThread() }

  func add(_ thread: OpaquePointer) { unsafe idle.append(thread) }

  deinit {
    while let thread = unsafe idle.popLast() { unsafe schedules_endThread(thread) }
  }
}
