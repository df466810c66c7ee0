internal import CSchedules
internal import Foundation

/// A job of a schedule, and its effects.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
struct ScheduleTraceLine {
  /// The task, actor or timer that ran.
  var subject: String
  /// The time at which a timer fired.
  var time: Duration?
  /// True if another task could have continued.
  var isSwitch = false
  /// The functions in which each task continued and stopped.
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
  /// away from one that could continue, and `<--` marks the two jobs on one actor whose order the last such switch decides.
  /// ASCII only: `swift test` on Linux drops a piece of output that ends inside a character of several bytes.
  var story: String {
    let (lanes, accesses) = (TaskLanes(self), conflictingAccesses)
    let texts = enumerated().map { index, line in
      var text = "\(line.isSwitch ? ">" : " ") \(lanes.text(at: index))\(line.subject)"
      var end = line.time.map { ", at \($0)" } ?? ""
      if let accesses, index == accesses.first {
        end += "   <-- leaves actor \(line.actor.name) to step \(accesses.second + 1)"
      }
      if let accesses, index == accesses.second {
        end += "   <-- finds actor \(line.actor.name) as step \(accesses.first + 1) left it"
      }
      let details = line.moves + (line.woken.isEmpty ? [] : ["wakes \(line.woken.joined(separator: ", "))"])
      let rest = details.map { "\n       \(lanes.text(after: index))  \($0)" }.joined()
      // The mark and the time are no part of what is repeated.
      text += end + rest
      let isMarked = index == accesses?.first || index == accesses?.second
      let key = isMarked ? text : "\(line.isSwitch)\(lanes.text(at: index))\(line.subject)\(rest)"
      return (text: text, key: lanes.withRelativeTitles(key, at: index))
    }
    func number(_ index: Int) -> String {
      String(repeating: " ", count: Swift.max(0, 4 - "\(index)".count)) + "\(index)"
    }
    return TracePiece.pieces(of: texts.map(\.key)).map { piece in
      switch piece {
      case .line(let index): "\(number(index + 1)) \(texts[index].text)"
      case .turns(let range, let count, let length):
        "   ... steps \(range.lowerBound + 1) to \(range.upperBound): "
          + "the same \(length == 1 ? "step" : "\(length) steps") \(count) times more"
      }
    }.joined(separator: "\n")
  }

  /// The first job after the last switch that finds an actor as another task left it before the switch, and that task's job; the
  /// task runs on the actor again later.
  private var conflictingAccesses: (first: Int, second: Int)? {
    guard let last = lastIndex(where: { $0.isSwitch && !$0.ran.isEmpty }) else { return nil }
    // The last job on each actor before the switch.
    var left: [UInt: Int] = [:]
    for index in 0..<last { left[self[index].actor.address] = index }
    // The last job of each task on each actor.
    var ends: [UInt: [Int: Int]] = [:]
    for index in last..<count {
      for task in self[index].ran { ends[self[index].actor.address, default: [:]][task] = index }
    }
    for second in last..<count where self[second].actor.address != 0 {
      let actor = self[second].actor.address
      guard let first = left.removeValue(forKey: actor) else { continue }
      let tasks = self[first].ran
      let isCrossed =
        self[second].ran.isDisjoint(with: tasks) && tasks.contains { (ends[actor]?[$0] ?? second) > second }
      if isCrossed { return (first, second) }
    }
    return nil
  }
}

/// A line of a trace, or several that are repeated: each turn of a loop that polls is the same as the one before.
enum TracePiece: Equatable {
  case line(Int)
  /// Lines that are the same as those before them, as many times as the count.
  case turns(Range<Int>, count: Int, length: Int)

  static let longestTurn = 12

  /// Two turns that are the same are shown, and three or more are one and a count. O(n) comparisons of lines for n lines, times
  /// the length of the longest turn.
  static func pieces(of lines: [String]) -> [TracePiece] {
    let lines = lines.map(\.hashValue)
    var pieces: [TracePiece] = []
    var index = 0
    while index < lines.count {
      // The shortest turn that is repeated twice at least.
      let turn = (1...longestTurn).lazy.map { length in
        var end = index + length
        while end < lines.count, lines[end] == lines[end - length] { end += 1 }
        return (length: length, count: (end - index) / length - 1)
      }.first { $0.count >= 2 }
      guard let turn else {
        pieces.append(.line(index))
        index += 1
        continue
      }
      pieces += (index..<index + turn.length).map { .line($0) }
      let end = index + turn.length * (turn.count + 1)
      pieces.append(.turns(index + turn.length..<end, count: turn.count, length: turn.length))
      index = end
    }
    return pieces
  }
}

/// The lanes of tasks beside a trace: each from the job that made its task ready to its last one.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private struct TaskLanes {
  private let lines: [ScheduleTraceLine]
  private var lanes: [Int: ClosedRange<Int>] = [:]
  /// The tasks whose lanes are drawn: none if there are so many that these say less than the names of the tasks.
  private let drawn: [Int]
  /// The number of tasks that there were before each line.
  private var counts: [Int] = []

  init(_ lines: [ScheduleTraceLine]) {
    self.lines = lines
    var count = 0
    for (index, line) in lines.enumerated() {
      counts.append(count)
      for task in line.touched {
        lanes[task] = (lanes[task]?.lowerBound ?? index)...index
        count = max(count, task + 1)
      }
    }
    drawn = lanes.count > 12 ? [] : lanes.keys.sorted()
  }

  /// The lanes in the line of a job.
  func text(at line: Int) -> String {
    text { lines[line].ran.contains($0) ? "*" : $1.lowerBound < line && line <= $1.upperBound ? "|" : " " }
  }

  /// The lanes between a job and the next.
  func text(after line: Int) -> String { text { $1.lowerBound <= line && line < $1.upperBound ? "|" : " " } }

  private func text(_ mark: (_ task: Int, _ lane: ClosedRange<Int>) -> String) -> String {
    if drawn.isEmpty { return "" }
    return drawn.compactMap { task in lanes[task].map { mark(task, $0) } }.joined(separator: " ") + "  "
  }

  /// A text of a line, with other titles for tasks that live for one turn of a loop, as those that wait for a timer: relative to
  /// the number of tasks before, so that each turn has the same.
  func withRelativeTitles(_ text: String, at line: Int) -> String {
    let parts = text.components(separatedBy: "task ")
    return parts.dropFirst().reduce(into: parts[0]) { all, part in
      let digits = part.prefix { $0.isNumber }
      guard let task = Int(digits), let lane = lanes[task], lane.count <= TracePiece.longestTurn else {
        all += "task " + part
        return
      }
      all += "task new\(task - counts[line])" + part.dropFirst(digits.count)
    }
  }
}

/// Makes the trace of a schedule.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
struct ScheduleTraceBuilder {
  private(set) var lines: [ScheduleTraceLine] = []
  /// The first expectation that failed, and the number of lines up to there.
  private var unmet: (error: ScheduleError, lines: Int)?
  private var current = ScheduleTraceLine(subject: "")
  /// The functions that were looked up so far: a long trace needs few of them often.
  private var functions: [UInt: (name: String, part: Int)?] = [:]
  private var runs: [(task: ScheduleTask, from: String)] = []
  private var woken: [Scheduler.Item] = []
  private var switches = 0

  /// Begins the line of a job, or of a part of one.
  private mutating func begin(_ subject: String, in scheduler: Scheduler) {
    current = ScheduleTraceLine(subject: subject, isSwitch: scheduler.record.switches.count > switches)
    switches = scheduler.record.switches.count
    (runs, woken) = ([], [])
  }

  mutating func begin(_ item: Scheduler.Item, in scheduler: Scheduler) {
    begin("", in: scheduler)
    if item.key >= Scheduler.timerKey {
      current.time = .nanoseconds(scheduler.run.nanoseconds)
      current.subject = "timer of \(scheduler.tasks[item.owner].title)"
    } else if item.isYield {
      current.ran = [item.owner]
      current.subject = "\(scheduler.tasks[item.owner].title) takes its turn again"
    } else if item.key >= Scheduler.otherKey {
      current.subject = Self.subject(item)
    } else if item.key >= Scheduler.actorKey {
      // Without hooks neither the actor nor its tasks are known.
      current.subject = "an actor"
    } else {
      let task = scheduler.tasks[item.owner]
      current.subject = task.title
      if item.place == .main { current.subject += " on the main actor" }
      if item.actor != 0 {
        current.actor = (item.actor, Scheduler.typeName(item.actor))
        current.subject += " enters actor \(current.actor.name)"
      }
      unsafe runs.append((task, task.hasRun ? place(of: item.pointer) : "starts"))
    }
  }

  /// A job that is neither of a task nor of an actor, in words.
  private static func subject(_ item: Scheduler.Item) -> String {
    "an isolated deinit" + (item.place == .main ? " on the main actor" : "")
  }

  /// Notes an expectation that fails since the last job, if it is the first.
  mutating func note(_ error: ScheduleError?) {
    if unmet == nil, let error { unmet = (error, lines.count) }
  }

  /// The lines up to a failure: to the expectation that failed, if that is the one.
  func lines(of failure: ScheduleFailure.Kind?) -> [ScheduleTraceLine] {
    guard case .threw(let error as ScheduleError) = failure, let unmet, error == unmet.error else { return lines }
    return Array(lines.prefix(unmet.lines))
  }

  mutating func noteReady(_ item: Scheduler.Item) { woken.append(item) }

  /// Ends the part of a job up to the point at which it is left.
  mutating func leave(_ scheduler: Scheduler, isBlocked: Bool) {
    end(scheduler, as: "\(isBlocked ? "waits for a lock in" : "is left inside of") \(innermostFunction())")
  }

  /// Begins the rest of a job that was left.
  mutating func goOn(_ task: ScheduleTask, _ item: Scheduler.Item, in scheduler: Scheduler) {
    begin("\(item.isCancellation ? "cancellation of " : "")\(task.title) goes on", in: scheduler)
    if item.actor != 0 { current.actor = (item.actor, Scheduler.typeName(item.actor)) }
    if !item.isCancellation { runs = [(task, "inside of \(innermostFunction())")] }
  }

  /// The innermost function of this thread that the program's file names.
  private mutating func innermostFunction() -> String {
    // An array is not asked for it: its initialiser would be the innermost.
    var callers = [UInt](repeating: 0, count: 24)
    let count = unsafe schedules_callers(&callers, Int32(callers.count))
    for address in callers[..<Int(count)] {
      if let name = function(at: address)?.name, !name.contains("Schedule") { return name }
    }
    return "the runtime"
  }

  mutating func function(at address: UInt) -> (name: String, part: Int)? {
    if let known = functions[address] { return known }
    let function = SymbolTable.current.function(at: address)
    functions[address] = .some(function)
    return function
  }

  mutating func begin(cancellationOf task: ScheduleTask, in scheduler: Scheduler) {
    begin("cancellation of \(task.fullTitle)", in: scheduler)
    current.touched = [task.ordinal]
  }

  /// Ends the line of a job, or of a part of one, with the outcome for each task; `nil` if that is what the task waits for now.
  mutating func end(_ scheduler: Scheduler, as outcome: String? = nil) {
    for (task, from) in runs {
      current.moves.append("\(from) -> \(outcome ?? self.outcome(of: task, scheduler))")
    }
    let ran = Set(runs.map(\.task.ordinal))
    current.ran.formUnion(ran)
    current.touched.formUnion(current.ran)
    for item in woken where !item.isYield {
      if item.key >= Scheduler.otherKey {
        current.woken.append(Self.subject(item))
      } else if item.key < Scheduler.actorKey, !ran.contains(item.owner) {
        let task = scheduler.tasks[item.owner]
        current.touched.insert(item.owner)
        current.woken.append(task.hasRun ? task.title : "\(task.fullTitle) (new)")
      }
    }
    lines.append(current)
  }

  private mutating func outcome(of task: ScheduleTask, _ scheduler: Scheduler) -> String {
    if let executor = scheduler.tasks[task.ordinal].leftFor { return "leaves for \(executor)" }
    guard let pointer = unsafe woken.first(where: { $0.key == task.ordinal })?.pointer ?? scheduler.readable(task)
    else {
      return "ends, or waits"
    }
    if unsafe schedules_isComplete(pointer) { return "ends" }
    let place = unsafe place(of: pointer)
    if woken.contains(where: { $0.key == Scheduler.yieldKey + task.ordinal }) { return "\(place), yields" }
    if let item = woken.first(where: { $0.key == task.ordinal }) {
      return item.actor == 0 ? place : "\(place), at the door of actor \(Scheduler.typeName(item.actor))"
    }
    return unsafe "\(place), waits for \(scheduler.reason(ScheduleTask.dependency(of: pointer)))"
  }

  /// The function in which a suspended task continues: the first on its way out that the program's file names.
  private mutating func place(of task: UnsafeMutableRawPointer) -> String {
    for address in unsafe Scheduler.frames(of: task) {
      if let (name, part) = function(at: address) { return part == 0 ? name : "\(name), part \(part)" }
    }
    return "the runtime"
  }
}
