/// A schedule on which a body failed.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public struct ScheduleFailure: Error {
  /// The ways in which a run can fail.
  public enum Kind: Sendable {
    /// The body threw an error.
    case threw(any Error)
    /// A condition of ``ScheduleRun/invariant(_:_:)`` was false after some job.
    case invariant(String)
    /// Nothing can run, and the body has not ended: tasks wait for each other, or a wake-up was lost.
    case deadlock
    /// The body had not ended after a number of jobs.
    case tooLong(jobs: Int)
    /// A task left the schedule: it ran on another executor, or another thread resumed it.
    case leftSchedule(task: String)
    /// The environment variable `ROWCAST_SCHEDULE` is no schedule.
    case unreadable(path: String)
    /// This platform has no hooks for schedules, or not for this kind.
    case unsupported

    /// The same for failures of one kind: a shorter schedule must fail with the same name.
    var name: String {
      switch self {
      case .threw(let error): "threw \(type(of: error))"
      case .invariant(let name): "invariant \(name)"
      case .deadlock: "deadlock"
      case .tooLong: "too long"
      case .leftSchedule: "left"
      case .unreadable: "unreadable"
      case .unsupported: "unsupported"
      }
    }
  }

  /// The way in which the body failed.
  public let kind: Kind
  /// The schedule on which it was found.
  package let found: SchedulePath
  /// A schedule that fails in the same way, and does not without any one of its switches, unless it has too many jobs for all of
  /// them to be tried.
  public let shortest: SchedulePath
  /// The number of schedules that had run before.
  package let schedulesBefore: Int
  /// True if the schedule failed in the same way when it was repeated.
  public let isRepeatable: Bool
  /// The jobs of the shortest schedule in their order.
  public let trace: String
  /// The tasks that had not ended, each with the reason for its wait.
  package let waiting: [String]
  /// The file and the line of the exploration.
  package let place: String
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension ScheduleFailure: CustomStringConvertible {
  /// The failure, the way to repeat it, and the jobs that ran: of very many the first and the last, ``trace`` has all.
  public var description: String {
    var lines = ["\(place): \(reason)"]
    switch kind {
    case .unreadable, .unsupported: return lines[0]
    default: break
    }
    let passed = schedulesBefore == 1 ? "1 schedule that passed" : "\(schedulesBefore) schedules that passed"
    lines.append("after \(passed); ROWCAST_SCHEDULE=\(found) repeats it")
    if !isRepeatable {
      lines.append(
        "it did not repeat: the order does not depend on the schedule alone (random numbers, hashing, threads)")
      return lines.joined(separator: "\n")
    }
    lines.append("a reduced schedule that fails: ROWCAST_SCHEDULE=\"\(shortest)\"")
    lines.append(trace.excerpt)
    if !waiting.isEmpty, isUnended {
      lines.append("not ended:\n" + waiting.map { "  " + $0 }.joined(separator: "\n").excerpt)
    }
    return lines.joined(separator: "\n")
  }

  /// True if the body has not ended. After its end, tasks that still wait are as they should be, or unknown to it.
  private var isUnended: Bool {
    switch kind {
    case .deadlock, .tooLong, .leftSchedule: true
    default: false
    }
  }

  private var reason: String {
    switch kind {
    case .threw(let error as ScheduleError): "\(error.description.excerpt) (expected at \(error.place))"
    case .threw(let error): "the body threw an error: \("\(error)".excerpt)"
    case .invariant(let description): "this is false: \(description.excerpt)"
    case .deadlock: "a deadlock or a lost wake-up: nothing can run, and the body has not ended"
    case .tooLong(let jobs): "the body has not ended after \(jobs) jobs"
    case .leftSchedule(let task):
      "\(task.excerpt) left the schedule: a thread, a queue or an executor outside it ran or resumed the task"
    case .unreadable(let path): "ROWCAST_SCHEDULE=\(path.excerpt) is no schedule: \(SchedulePath.advice)"
    case .unsupported: "this platform has no hooks for schedules; cancellation needs them"
    }
  }
}

extension String {
  /// A text that a person can read: of very many lines the first and the last, and of a very long one its beginning.
  var excerpt: String {
    let (most, longest) = (400, 1_000)
    let lines = split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let left = lines.count - most
    var shown = left > 0 ? Array(lines.prefix(most / 2)) : lines
    if left > 0 {
      shown.append("   ... \(left) lines are left out")
      shown += lines.suffix(most / 2)
    }
    return shown.map { line in
      let rest = line.dropFirst(longest)
      return rest.isEmpty ? String(line) : "\(line.prefix(longest)) ... and \(rest.count) characters more"
    }.joined(separator: "\n")
  }
}
