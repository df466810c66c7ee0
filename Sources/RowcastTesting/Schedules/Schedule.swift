#if os(Linux)
  internal import Foundation

  /// Which schedule a run follows, as a failure prints it and `ROWCAST_SCHEDULE` takes it.
  ///
  ///     let seeded: Schedule = 4711
  ///     let shrunk: Schedule = "4:1 9:1000000"      // at decision 4 run 1, at decision 9 run actor 0
  public enum Schedule: Sendable, Hashable {
    /// What a seed decides.
    case seeded(UInt64)
    /// The usual order, but for these decisions; a cancellation is written as `!step:task`.
    case switched(String)
  }

  extension Schedule: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    /// A schedule from its seed.
    public init(integerLiteral seed: UInt64) { self = .seeded(seed) }

    /// A schedule from what a failure printed.
    public init(stringLiteral text: String) { self.init(text) }

    /// A schedule from what a failure printed: a number is a seed.
    public init(_ text: String) { self = UInt64(text).map { .seeded($0) } ?? .switched(text) }

    init(switches: [ScheduleSwitch], cancellations: [ScheduleCancellation]) {
      let parts = cancellations.map { "!\($0.step):\($0.task)" } + switches.map { "\($0.decision):\($0.key)" }
      self = .switched(parts.isEmpty ? "usual" : parts.joined(separator: " "))
    }
  }

  extension Schedule: CustomStringConvertible {
    /// The schedule as `ROWCAST_SCHEDULE` takes it.
    public var description: String {
      switch self {
      case .seeded(let seed): String(seed)
      case .switched(let text): text
      }
    }

    var switches: [ScheduleSwitch] {
      pairs(isCancellation: false).map { ScheduleSwitch(decision: $0.0, key: $0.1) }
    }

    var cancellations: [ScheduleCancellation] {
      pairs(isCancellation: true).map { ScheduleCancellation(step: $0.0, task: $0.1) }
    }

    private func pairs(isCancellation: Bool) -> [(Int, Int)] {
      description.split(separator: " ").compactMap { part in
        guard part.hasPrefix("!") == isCancellation else { return nil }
        let numbers = part.drop { $0 == "!" }.split(separator: ":").compactMap { Int($0) }
        return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
      }
    }
  }

  /// What the environment says about schedules.
  enum ScheduleEnvironment {
    static let schedule = ProcessInfo.processInfo.environment["ROWCAST_SCHEDULE"].map { Schedule($0) }
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
