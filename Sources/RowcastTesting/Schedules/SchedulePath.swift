#if os(Linux) && compiler(>=6.3)
  internal import Foundation

  /// A path through the interleavings of a body, as a failure prints it and `ROWCAST_SCHEDULE` takes it.
  ///
  ///     let drawn: SchedulePath = 4711                 // all is decided by the seed
  ///     let shrunk: SchedulePath = "4711/4:1,9:2"      // the usual order, but at decision 4 task 1, at decision 9 task 2
  ///
  /// A body sees the seed in ``ScheduleRun/seed`` in both forms. A cancellation is written as `!step:task`. Where priorities
  /// change and tasks are cancelled depends on how long the body is; that stands behind the seed, as in `4711~28`.
  public struct SchedulePath: Sendable, Hashable {
    /// What decides the order, if no decisions are listed; and what the body sees.
    public let seed: UInt64
    var steps: Int?
    var switches: [ScheduleSwitch]?

    /// How many switches and cancellations there are; 0 if all is decided by the seed.
    public var length: Int { switches?.count ?? 0 }

    /// The same path without one of its switches or cancellations.
    ///
    /// - Parameter index: Which of them, from 0 up to ``length``.
    /// - Returns: The shorter path.
    public func removing(_ index: Int) -> SchedulePath {
      var shorter = self
      shorter.switches?.remove(at: index)
      return shorter
    }
  }

  extension SchedulePath: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    /// The path that a seed decides.
    public init(integerLiteral seed: UInt64) { self.init(seed: seed) }

    /// A path from what a failure printed.
    public init(stringLiteral text: String) { self.init(text) }

    /// A path from what a failure printed. What cannot be read counts as 0, or is left out.
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

  /// What the environment says about schedules.
  enum ScheduleEnvironment {
    static let path = ProcessInfo.processInfo.environment["ROWCAST_SCHEDULE"].map { SchedulePath($0) }
    static let seed = ProcessInfo.processInfo.environment["ROWCAST_SEED"].flatMap { UInt64($0) }
  }

  /// How much was explored.
  public struct Exploration: Sendable, Hashable {
    /// How many schedules ran.
    public let schedules: Int
    /// How many of them were different interleavings.
    public let distinct: Int
    /// How many jobs ran in all.
    public let jobs: Int
    /// Whether these were all schedules within the bound of an enumeration.
    public let isComplete: Bool
  }

  extension Exploration: CustomStringConvertible {
    /// How many schedules ran, and how many of them were different.
    public var description: String {
      let different = distinct == schedules ? "all different" : "\(distinct) of them different"
      return "\(schedules) schedules, \(different)\(isComplete ? ", and there are no more" : "")"
    }
  }
#endif
