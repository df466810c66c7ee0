internal import CSchedules

/// A task of a schedule. Its addresses are read through `CSchedules` alone, while the task is retained.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
@safe struct ScheduleTask {
  /// Its place in the order in which tasks first became ready. 0 is the body.
  let ordinal: Int
  /// The task itself, which may have been released.
  let address: UnsafeMutableRawPointer
  /// The task itself, kept alive; none for an `async let`, which its parent keeps.
  let retained: UnsafeMutableRawPointer?
  var hasRun = false
  /// True if the schedule created it. One from elsewhere is here if a job of the schedule resumed it.
  var isOwn = false
  /// The name that its program gave it.
  var name: String?
  /// The module whose code created it, if that is looked for.
  var maker: String?
  /// The function of another module than the body's that created it, if that is looked for: a library did.
  var origin: String?
  /// The executor for which it left the schedule.
  var leftFor: String?

  /// The task itself, if it is kept alive and has not ended.
  var unended: UnsafeMutableRawPointer? {
    guard let pointer = unsafe retained, unsafe !schedules_isComplete(pointer) else { return nil }
    return unsafe pointer
  }

  /// The task itself, if it is the schedule's to cancel. The task of a test is not, which waits for what its schedule does.
  var cancellable: UnsafeMutableRawPointer? { unsafe isOwn ? unended : nil }

  /// The object that the task waits for, and its kind, unless it has left the schedule; see `schedules_dependency`.
  var dependency: (kind: Int32, object: UInt) {
    guard leftFor == nil else { return (0, 0) }
    return unsafe unended.map { unsafe Self.dependency(of: $0) } ?? (0, 0)
  }

  static func dependency(of task: UnsafeMutableRawPointer) -> (kind: Int32, object: UInt) {
    var object: UInt = 0
    let kind = unsafe schedules_dependency(task, &object)
    return (kind, object)
  }

  /// The title, with the code of a library that made the task.
  var fullTitle: String { title + (origin.map { ", made by \($0)" } ?? "") }

  var title: String {
    let name = ordinal == 0 ? "body" : name.map { "task \(ordinal) \"\($0)\"" } ?? "task \(ordinal)"
    return leftFor.map { "\(name) (ran on \($0))" } ?? name
  }
}

/// The result of a run on a schedule.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
struct ScheduleRecord {
  var failure: ScheduleFailure.Kind?
  /// The number of jobs.
  var steps = 0
  /// The number of jobs of each task, by ordinal.
  var jobs: [Int] = []
  /// The number of times that there was more than one job to choose from.
  var decisions = 0
  /// The number of points inside of jobs.
  var points = 0
  /// The differences from the usual schedule.
  var switches: [ScheduleSwitch] = []
  /// True if one of the switches is a cancellation.
  var isCancelled = false
  /// True if it continued from a known state; its fingerprint does not count then.
  var isRedundant = false
  /// The number of jobs that other threads gave to the schedule.
  var unordered = 0
  /// A task that the body left, and that ran on after it was cancelled, until the limit.
  var endless: String?
  /// The tasks that had not ended, each with the reason for its wait.
  var waiting: [String] = []
  var trace: [ScheduleTraceLine]?
  /// A hash of the jobs in their order (FNV-1a): two schedules with one hash are the same interleaving;
  /// or of their partial order, if the exploration is reduced.
  var fingerprint: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func note(_ key: Int) {
    fingerprint = (fingerprint ^ UInt64(bitPattern: Int64(key))) &* 0x0000_0100_0000_01B3
  }
}
