#if os(Linux) && compiler(>=6.3)
  internal import Foundation

  /// The extent of an exploration.
  public struct Exploration: Sendable, Hashable {
    /// The number of schedules that ran.
    public internal(set) var schedules = 0
    /// The number of jobs that ran in all.
    public internal(set) var jobs = 0
    /// True if these were all schedules within the bound of an enumeration.
    public internal(set) var isComplete = false
    /// The fingerprints of the interleavings.
    private var fingerprints: Set<UInt64> = []

    init(schedules: Int = 0) { self.schedules = schedules }

    /// The number of different interleavings among the schedules.
    public var distinct: Int { fingerprints.count }

    mutating func count(_ record: ScheduleRecord) {
      schedules += 1
      jobs += record.steps
      fingerprints.insert(record.fingerprint)
    }

    /// Tells a person, on standard error, if nearly all runs repeated others.
    func warnOfRepetitions(at place: String, _ strategy: Schedules.Strategy) {
      guard schedules >= 1_000, distinct * 20 <= schedules else { return }
      let advice =
        if case .enumeration = strategy {
          "their order depends on more than the schedule (random numbers, hashing, threads)"
        } else {
          "a larger number finds little more; an enumeration tries each of them once"
        }
      FileHandle.standardError.write(Data("\(place): \(self): \(advice)\n".utf8))
    }
  }

  extension Exploration: CustomStringConvertible {
    /// The number of schedules, and how many of them were different.
    public var description: String {
      let different = distinct == schedules ? "all different" : "\(distinct) of them different"
      return "\(schedules) schedules, \(different)\(isComplete ? ", and there are no more" : "")"
    }
  }
#endif
