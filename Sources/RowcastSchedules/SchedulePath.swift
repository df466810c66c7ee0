/// A path through the interleavings of a body, as a failure prints it and `ROWCAST_SCHEDULE` takes it.
///
///     let drawn: SchedulePath = 4711                 // the seed decides everything
///     let shrunk: SchedulePath = "4711/4:1,9:2"      // the usual order, but at decision 4 task 1, at decision 9 task 2
///
/// A body sees the seed in ``ScheduleRun/seed`` in both forms. A cancellation is written as `!step:task`, and a job that is left
/// for another at a point inside of it as `@point:job`. Moments of cancellations and new priorities depend on the number of jobs
/// of the usual schedule, which follows the seed, as in `4711~28`, and a uniform walk on the numbers of each task, as in
/// `4711~9.12.7`.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public struct SchedulePath: Sendable, Hashable {
  /// Decides the order, if no decisions are listed; the body sees it in any case.
  package let seed: UInt64
  /// The number of jobs of the usual schedule, or of each of its tasks, if that decides the order, too.
  var usual: [Int]?
  var switches: [ScheduleSwitch]?

  /// The number of switches and cancellations; 0 if the seed decides everything.
  package var length: Int { switches?.count ?? 0 }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension SchedulePath: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  /// The path that a seed decides.
  public init(integerLiteral seed: UInt64) { self.init(seed: seed) }

  /// A path from the text that a failure printed. Traps if the text is no path.
  public init(stringLiteral text: String) {
    guard let path = Self(text) else { preconditionFailure("\"\(text)\" is no schedule: \(Self.advice)") }
    self = path
  }

  /// A path from the text that a failure printed; `nil` for other text.
  public init?(_ text: String) {
    guard let match = text.wholeMatch(of: /(\d+)(?:~(\d+(?:\.\d+)*))?(?:\/(.*))?/), let seed = UInt64(match.1) else {
      return nil
    }
    var usual: [Int]?
    if let lengths = match.2 {
      // Of 32 bits, so that their sum is a number, too.
      usual = lengths.split(separator: ".").compactMap { UInt32($0).map(Int.init) }
      guard usual?.count == lengths.count(where: { $0 == "." }) + 1 else { return nil }
    }
    self.init(seed: seed, usual: usual)
    guard let list = match.3 else { return }
    var switches: [ScheduleSwitch] = []
    for part in list.split(separator: ",", omittingEmptySubsequences: false) where !list.isEmpty {
      guard let match = part.wholeMatch(of: /([!@]?)(\d+):(\d+)/), let moment = Int(match.2), let subject = Int(match.3)
      else { return nil }
      switch match.1 {
      case "!": switches.append(.cancel(task: subject, step: moment))
      case "@": switches.append(.leave(key: subject, point: moment))
      default: switches.append(.run(key: subject, decision: moment))
      }
    }
    self.switches = switches
  }

  static let advice = "copy what a failure printed: a number, or one with switches, as in 4711/4:1,9:2"
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension SchedulePath: CustomStringConvertible {
  /// The path as `ROWCAST_SCHEDULE` takes it.
  public var description: String {
    let head = usual.map { "\(seed)~" + $0.map(String.init).joined(separator: ".") } ?? "\(seed)"
    guard let switches else { return head }
    return head + "/" + switches.map(\.description).joined(separator: ",")
  }
}

/// A difference from the usual schedule.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
enum ScheduleSwitch: Hashable, CustomStringConvertible {
  /// At a decision, another job ran than usual: the one with this key.
  case run(key: Int, decision: Int)
  /// Before a step, a task was cancelled.
  case cancel(task: Int, step: Int)
  /// At a point inside of a job, it was left for another: the one with this key.
  case leave(key: Int, point: Int)

  var description: String {
    switch self {
    case .run(let key, let decision): "\(decision):\(key)"
    case .cancel(let task, let step): "!\(step):\(task)"
    case .leave(let key, let point): "@\(point):\(key)"
    }
  }
}
