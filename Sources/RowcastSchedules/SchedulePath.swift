/// A path through the interleavings of a body, as a failure prints it and `ROWCAST_SCHEDULE` takes it.
///
///     let drawn: SchedulePath = 4711                 // the seed decides everything
///     let shrunk: SchedulePath = "4711/4:1,9:2"      // the usual order, but at decision 4 task 1, at decision 9 task 2
///
/// A body sees the seed in ``ScheduleRun/seed`` in both forms. A cancellation is written as `!step:task`. The moments of
/// cancellations and new priorities depend on the length of the body, which follows the seed, as in `4711~28`.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public struct SchedulePath: Sendable, Hashable {
  /// Decides the order, if no decisions are listed; the body sees it in any case.
  public let seed: UInt64
  var steps: Int?
  var switches: [ScheduleSwitch]?

  /// The number of switches and cancellations; 0 if the seed decides everything.
  public var length: Int { switches?.count ?? 0 }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension SchedulePath: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  /// The path that a seed decides.
  public init(integerLiteral seed: UInt64) { self.init(seed: seed) }

  /// A path from the text that a failure printed.
  public init(stringLiteral text: String) { self.init(text) }

  /// A path from the text that a failure printed. Unreadable parts count as 0, or are left out.
  public init(_ text: String) {
    let halves = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let head = halves[0].split(separator: "~")
    self.init(seed: head.first.flatMap { UInt64($0) } ?? 0, steps: head.count > 1 ? Int(head[1]) : nil)
    guard halves.count > 1 else { return }
    switches = halves[1].split(separator: ",").compactMap { part in
      let numbers = part.drop { $0 == "!" }.split(separator: ":").compactMap { Int($0) }
      guard numbers.count == 2 else { return nil }
      return part.hasPrefix("!")
        ? .cancel(task: numbers[1], step: numbers[0]) : .run(key: numbers[1], decision: numbers[0])
    }
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension SchedulePath: CustomStringConvertible {
  /// The path as `ROWCAST_SCHEDULE` takes it.
  public var description: String {
    let head = steps.map { "\(seed)~\($0)" } ?? "\(seed)"
    guard let switches else { return head }
    let parts = switches.map { change in
      switch change {
      case .run(let key, let decision): "\(decision):\(key)"
      case .cancel(let task, let step): "!\(step):\(task)"
      }
    }
    return head + "/" + parts.joined(separator: ",")
  }
}

/// A difference from the usual schedule.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
enum ScheduleSwitch: Hashable {
  /// At a decision, another job ran than usual: the one with this key.
  case run(key: Int, decision: Int)
  /// Before a step, a task was cancelled.
  case cancel(task: Int, step: Int)
}
