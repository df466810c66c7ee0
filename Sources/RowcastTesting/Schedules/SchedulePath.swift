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
    var decisions: Decisions?

    struct Decisions: Hashable {
      var switches: [ScheduleSwitch]
      var cancellations: [ScheduleCancellation]
    }

    init(seed: UInt64, steps: Int?) {
      self.seed = seed
      self.steps = steps
    }

    init(seed: UInt64, switches: [ScheduleSwitch], cancellations: [ScheduleCancellation]) {
      self.seed = seed
      decisions = Decisions(switches: switches, cancellations: cancellations)
    }

    /// How many switches and cancellations there are; 0 if all is decided by the seed.
    public var length: Int { decisions.map { $0.switches.count + $0.cancellations.count } ?? 0 }

    /// The same path without one of its switches or cancellations.
    ///
    /// - Parameter index: Which of them, from 0 up to ``length``.
    /// - Returns: The shorter path.
    public func removing(_ index: Int) -> SchedulePath {
      guard var decisions else { return self }
      if decisions.cancellations.indices.contains(index) {
        decisions.cancellations.remove(at: index)
      } else {
        decisions.switches.remove(at: index - decisions.cancellations.count)
      }
      return SchedulePath(seed: seed, switches: decisions.switches, cancellations: decisions.cancellations)
    }
  }

  extension SchedulePath: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    /// The path that a seed decides.
    public init(integerLiteral seed: UInt64) { self.init(seed: seed, steps: nil) }

    /// A path from what a failure printed.
    public init(stringLiteral text: String) { self.init(text) }

    /// A path from what a failure printed. What cannot be read counts as 0, or is left out.
    public init(_ text: String) {
      let halves = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      let head = halves[0].split(separator: "~")
      self.init(seed: head.first.flatMap { UInt64($0) } ?? 0, steps: head.count > 1 ? Int(head[1]) : nil)
      guard halves.count > 1 else { return }
      var decisions = Decisions(switches: [], cancellations: [])
      for part in halves[1].split(separator: ",") {
        let numbers = part.drop { $0 == "!" }.split(separator: ":").compactMap { Int($0) }
        guard numbers.count == 2 else { continue }
        if part.hasPrefix("!") {
          decisions.cancellations.append(ScheduleCancellation(step: numbers[0], task: numbers[1]))
        } else {
          decisions.switches.append(ScheduleSwitch(decision: numbers[0], key: numbers[1]))
        }
      }
      self.decisions = decisions
    }
  }

  extension SchedulePath: CustomStringConvertible {
    /// The path as `ROWCAST_SCHEDULE` takes it.
    public var description: String {
      let head = steps.map { "\(seed)~\($0)" } ?? "\(seed)"
      guard let decisions else { return head }
      let parts =
        decisions.cancellations.map { "!\($0.step):\($0.task)" } + decisions.switches.map { "\($0.decision):\($0.key)" }
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
#endif
