#if os(Linux) && compiler(>=6.3)
  /// Durations as whole nanoseconds.
  enum VirtualTime {
    /// A duration in nanoseconds, cut at the ends of `Int`.
    static func nanoseconds(_ duration: Duration) -> Int { Int(clamping: duration.attoseconds / 1_000_000_000) }

    /// The delay that a program asked for, when all that is known is what is left of it.
    ///
    /// `Task.sleep(for:)` turns a duration into an instant of a real clock, and real time passes until the schedule sees
    /// that instant. The duration lies between what is left and that plus the time that the job has run. The roundest
    /// number of nanoseconds in between is the answer, so that a second is a second in every run.
    static func roundest(left: Int, elapsed: Int) -> Int {
      let most = left.addingReportingOverflow(elapsed + 1_000).partialValue
      guard most > 0, left < Int.max / 2 else { return max(0, left) }
      let least = max(1, left)
      var unit = 1_000_000_000_000
      while unit > 1 {
        let multiple = (least + unit - 1) / unit * unit
        if multiple <= most { return multiple }
        unit /= 10
      }
      return least
    }
  }
#endif
