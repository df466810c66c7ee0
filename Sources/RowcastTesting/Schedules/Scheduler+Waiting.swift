#if os(Linux) && compiler(>=6.3)
  internal import CSchedules

  // The reasons for which tasks wait.
  extension Scheduler {
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
#endif
