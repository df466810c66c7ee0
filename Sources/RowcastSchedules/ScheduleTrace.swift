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

  func text(number: Int) -> String {
    let place = String(repeating: " ", count: max(0, 4 - String(number).count)) + "\(number)"
    var text = "\(place) \(isSwitch ? "⇄" : " ") \(subject)"
    for move in moves { text += "\n         \(move)" }
    if !woken.isEmpty { text += "\n         wakes \(woken.joined(separator: ", "))" }
    return text
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
      current.subject = "\(scheduler.tasks[item.owner].title) takes its turn again"
    } else if item.key >= Scheduler.actorKey {
      let actor = unsafe schedules_actor(pointer)
      current.subject = "actor \(Scheduler.typeName(actor))"
      for task in scheduler.tasks(waitingFor: actor) {
        if let retained = unsafe task.retained { unsafe runs.append((task, Self.place(of: retained))) }
      }
    } else {
      let task = scheduler.tasks[item.owner]
      let actor = unsafe schedules_entered(pointer)
      current.subject = task.title
      if item.place == .main { current.subject += " on the main actor" }
      if actor != 0 { current.subject += " enters actor \(Scheduler.typeName(actor))" }
      unsafe runs.append((task, task.hasRun ? Self.place(of: pointer) : "starts"))
    }
  }

  mutating func noteReady(_ item: Scheduler.Item) { woken.append(item) }

  mutating func cancel(_ task: ScheduleTask) {
    lines.append(ScheduleTraceLine(subject: "cancellation of \(task.title)", isSwitch: true))
    switches += 1
  }

  mutating func end(_ scheduler: Scheduler) {
    for (task, from) in runs {
      let move = "\(from) → \(outcome(of: task, scheduler))"
      current.moves.append(current.subject.hasPrefix("actor") ? "\(task.title): \(move)" : move)
    }
    let ran = Set(runs.map(\.task.ordinal))
    for item in woken where !item.isYield {
      if item.key >= Scheduler.actorKey {
        let actor = unsafe schedules_actor(item.pointer)
        for task in scheduler.tasks(waitingFor: actor) where !ran.contains(task.ordinal) {
          current.woken.append("\(task.title) on actor \(Scheduler.typeName(actor))")
        }
      } else if !ran.contains(item.owner) {
        let task = scheduler.tasks[item.owner]
        current.woken.append(task.title + (task.hasRun ? "" : " (new)"))
      }
    }
    lines.append(current)
  }

  private func outcome(of task: ScheduleTask, _ scheduler: Scheduler) -> String {
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
