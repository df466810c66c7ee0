#if os(Linux) && compiler(>=6.3)
  internal import CSchedules

  // The reasons for which tasks wait.
  extension Scheduler {
    /// The tasks that have not ended, each with the reason for its wait.
    func waiting() -> [String] {
      tasks.compactMap { task in
        guard let pointer = unsafe readable(task), unsafe !schedules_isComplete(pointer) else { return nil }
        var object: UInt = 0
        let kind = unsafe schedules_dependency(pointer, &object)
        let names = unsafe Self.frames(of: pointer).compactMap { SymbolTable.current.function(at: $0)?.name }
        let place = names.isEmpty ? "" : ", in " + names.prefix(3).joined(separator: " ← ")
        return "\(task.title) waits for \(reason(kind, object))\(place)"
      }
    }

    /// A task whose memory can be read: one that is kept alive, or an `async let` for which another task waits.
    func readable(_ task: ScheduleTask) -> UnsafeMutableRawPointer? {
      if let pointer = unsafe task.retained { return unsafe pointer }
      let isAwaited = tasks.contains { other in
        guard let pointer = unsafe other.retained, unsafe !schedules_isComplete(pointer) else { return false }
        var object: UInt = 0
        return unsafe schedules_dependency(pointer, &object) == 1 && object == UInt(bitPattern: task.address)
      }
      return unsafe isAwaited ? task.address : nil
    }

    /// The object that a task waits for, in words.
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
