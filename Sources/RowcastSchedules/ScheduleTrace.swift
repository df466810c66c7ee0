internal import CSchedules

/// A job of a schedule, and its effects.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
struct ScheduleTraceLine {
  /// The task, actor or timer that ran.
  var subject: String
  /// True if another task could have gone on.
  var isSwitch = false
  /// The functions in which each task went on, and stopped.
  var moves: [String] = []
  /// The tasks that became ready.
  var woken: [String] = []

  /// The tasks that ran, by ordinal.
  var ran: Set<Int> = []
  /// The tasks that ran or became ready, by ordinal.
  var touched: Set<Int> = []
  /// The actor that the job ran on, by its address and by its type; 0 for none.
  var actor: (address: UInt, name: String) = (0, "")
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension [ScheduleTraceLine] {
  /// The jobs as a story, with a lane for each task, in the order in which tasks began. `*` is the task that runs, `>` a switch
  /// away from one that could go on, and `<--` marks the two jobs on one actor whose order the last such switch decides.
  /// ASCII only: `swift test` on Linux drops a piece of output that ends inside a character of several bytes.
  var story: String {
    let (lanes, accesses) = (TaskLanes(self), conflictingAccesses)
    return enumerated().map { index, line in
      let number = String(repeating: " ", count: Swift.max(0, 4 - "\(index + 1)".count)) + "\(index + 1)"
      var text = "\(number) \(line.isSwitch ? ">" : " ") \(lanes.text(at: index))\(line.subject)"
      if let accesses, index == accesses.first {
        text += "   <-- leaves actor \(line.actor.name) to step \(accesses.second + 1)"
      }
      if let accesses, index == accesses.second {
        text += "   <-- finds actor \(line.actor.name) as step \(accesses.first + 1) left it"
      }
      for detail in line.moves + (line.woken.isEmpty ? [] : ["wakes \(line.woken.joined(separator: ", "))"]) {
        text += "\n       \(lanes.text(after: index))  \(detail)"
      }
      return text
    }.joined(separator: "\n")
  }

  /// The first job after the last switch that finds an actor as another task left it before the switch, and that task's job; the
  /// task runs on the actor again later.
  private var conflictingAccesses: (first: Int, second: Int)? {
    guard let last = lastIndex(where: { $0.isSwitch && !$0.ran.isEmpty }) else { return nil }
    for second in last..<count where self[second].actor.address != 0 {
      let actor = self[second].actor.address
      guard let first = self[..<second].lastIndex(where: { $0.actor.address == actor }), first < last else { continue }
      let tasks = self[first].ran
      let isCrossed =
        self[second].ran.isDisjoint(with: tasks)
        && self[second...].contains { $0.actor.address == actor && !$0.ran.isDisjoint(with: tasks) }
      if isCrossed { return (first, second) }
    }
    return nil
  }
}

/// The lanes of tasks beside a trace: each from the job that made its task ready to its last one.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private struct TaskLanes {
  private let lanes: [(task: Int, range: ClosedRange<Int>)]
  private let lines: [ScheduleTraceLine]

  init(_ lines: [ScheduleTraceLine]) {
    let tasks = Set(lines.flatMap(\.touched)).sorted()
    let lanes = tasks.compactMap { task -> (task: Int, range: ClosedRange<Int>)? in
      guard let first = lines.firstIndex(where: { $0.touched.contains(task) }),
        let last = lines.lastIndex(where: { $0.touched.contains(task) })
      else { return nil }
      return (task, first...last)
    }
    // More of them say less than the names of the tasks.
    (self.lanes, self.lines) = (lanes.count > 12 ? [] : lanes, lines)
  }

  /// The lanes in the line of a job.
  func text(at line: Int) -> String {
    text { lane in lines[line].ran.contains(lane.task) ? "*" : lane.range.dropFirst().contains(line) ? "|" : " " }
  }

  /// The lanes between a job and the next.
  func text(after line: Int) -> String { text { $0.range.dropLast().contains(line) ? "|" : " " } }

  private func text(_ mark: (_ lane: (task: Int, range: ClosedRange<Int>)) -> String) -> String {
    lanes.isEmpty ? "" : lanes.map(mark).joined(separator: " ") + "  "
  }
}

/// Makes the trace of a schedule.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
struct ScheduleTraceBuilder {
  private(set) var lines: [ScheduleTraceLine] = []
  private var current = ScheduleTraceLine(subject: "")
  private var runs: [(task: ScheduleTask, from: String)] = []
  private var woken: [Scheduler.Item] = []
  private var switches = 0

  mutating func begin(_ item: Scheduler.Item, in scheduler: Scheduler) {
    current = ScheduleTraceLine(subject: "")
    current.isSwitch = scheduler.record.switches.count > switches
    switches = scheduler.record.switches.count
    runs = []
    woken = []
    let pointer = unsafe item.pointer
    if item.key >= Scheduler.timerKey {
      let time = Duration.nanoseconds(scheduler.run.nanoseconds)
      current.subject = "timer of \(scheduler.tasks[item.owner].title), at \(time)"
    } else if item.isYield {
      current.ran = [item.owner]
      current.subject = "\(scheduler.tasks[item.owner].title) takes its turn again"
    } else if item.key >= Scheduler.actorKey {
      let actor = unsafe schedules_actor(pointer)
      current.actor = (actor, Scheduler.typeName(actor))
      current.subject = "actor \(current.actor.name)"
      for task in scheduler.tasks(waitingFor: actor) {
        if let retained = unsafe task.retained { unsafe runs.append((task, Self.place(of: retained))) }
      }
    } else {
      let task = scheduler.tasks[item.owner]
      let actor = unsafe schedules_entered(pointer)
      current.subject = task.title
      if item.place == .main { current.subject += " on the main actor" }
      if actor != 0 {
        current.actor = (actor, Scheduler.typeName(actor))
        current.subject += " enters actor \(current.actor.name)"
      }
      unsafe runs.append((task, task.hasRun ? Self.place(of: pointer) : "starts"))
    }
  }

  mutating func noteReady(_ item: Scheduler.Item) { woken.append(item) }

  mutating func cancel(_ task: ScheduleTask) {
    lines.append(
      ScheduleTraceLine(subject: "cancellation of \(task.title)", isSwitch: true, touched: [task.ordinal]))
    switches += 1
  }

  mutating func end(_ scheduler: Scheduler) {
    for (task, from) in runs {
      let move = "\(from) -> \(outcome(of: task, scheduler))"
      current.moves.append(current.subject.hasPrefix("actor") ? "\(task.title): \(move)" : move)
    }
    let ran = Set(runs.map(\.task.ordinal))
    current.ran.formUnion(ran)
    current.touched = current.ran
    for item in woken where !item.isYield {
      if item.key >= Scheduler.actorKey {
        let actor = unsafe schedules_actor(item.pointer)
        for task in scheduler.tasks(waitingFor: actor) where !ran.contains(task.ordinal) {
          current.touched.insert(task.ordinal)
          current.woken.append("\(task.title) on actor \(Scheduler.typeName(actor))")
        }
      } else if !ran.contains(item.owner) {
        let task = scheduler.tasks[item.owner]
        current.touched.insert(item.owner)
        current.woken.append(task.title + (task.hasRun ? "" : " (new)"))
      }
    }
    lines.append(current)
  }

  private func outcome(of task: ScheduleTask, _ scheduler: Scheduler) -> String {
    if let executor = scheduler.tasks[task.ordinal].leftFor { return "leaves for \(executor)" }
    guard let pointer = unsafe woken.first(where: { $0.key == task.ordinal })?.pointer ?? scheduler.readable(task)
    else {
      return "ends, or waits"
    }
    if unsafe schedules_isComplete(pointer) { return "ends" }
    let place = unsafe Self.place(of: pointer)
    if woken.contains(where: { $0.key == Scheduler.yieldKey + task.ordinal }) { return "\(place), yields" }
    if woken.contains(where: { $0.key == task.ordinal }) {
      let actor = unsafe schedules_entered(pointer)
      return actor == 0 ? place : "\(place), at the door of actor \(Scheduler.typeName(actor))"
    }
    return unsafe "\(place), waits for \(scheduler.reason(ScheduleTask.dependency(of: pointer)))"
  }

  /// The function in which a suspended task goes on: the first on its way out that the program's file names.
  static func place(of task: UnsafeMutableRawPointer) -> String {
    guard let (name, part) = unsafe Scheduler.frames(of: task).lazy.compactMap(SymbolTable.current.function).first
    else { return "the runtime" }
    return part == 0 ? name : "\(name), part \(part)"
  }
}
