#if os(Linux) && compiler(>=6.3)
  /// Removes switches from a schedule that fails, as long as it still fails in the same way.
  ///
  /// First in halves, quarters and so on (A. Zeller, R. Hildebrandt, "Simplifying and isolating failure-inducing input",
  /// 2002), then one by one, until no single one can be left out.
  enum Shrinker {
    /// A record of a schedule that fails in the same way, and from which no switch can be removed. `limit` counts jobs.
    static func shortest(
      _ record: ScheduleRecord, kind: String, limit: Int = 1_000_000,
      _ repeated: ([ScheduleSwitch]) -> ScheduleRecord
    ) -> ScheduleRecord {
      var best = record
      var jobs = limit
      func accept(_ switches: [ScheduleSwitch]) -> Bool {
        guard jobs > 0 else { return false }
        let candidate = repeated(switches)
        jobs -= candidate.steps
        guard candidate.failure?.name == kind, candidate.switches.count < best.switches.count else { return false }
        best = candidate
        return true
      }
      var part = max(1, best.switches.count / 2)
      while true {
        var removed = false
        // From the end: what happens after the failure goes first.
        var end = best.switches.count
        while end > 0 {
          let start = max(0, end - part)
          var switches = best.switches
          switches.removeSubrange(start..<min(end, switches.count))
          if accept(switches) { removed = true }
          end = min(start, best.switches.count)
        }
        if removed { continue }
        if part == 1 { return best }
        part /= 2
      }
    }

    /// A record of a schedule that fails in the same way with fewer switches, among those with one preemption at most.
    ///
    /// Removing switches ends where no single one can go, and there may be a shorter schedule elsewhere. If the limit
    /// of jobs is reached before one is found, the record is the same.
    static func elsewhere(
      _ record: ScheduleRecord, kind: String, limit: Int = 100_000, _ run: (any Chooser) -> ScheduleRecord
    ) -> ScheduleRecord {
      var best = record
      let chooser = EnumeratingChooser(preemptions: 1, limit: limit)
      var jobs = limit
      while jobs > 0, best.switches.count > 1 {
        let candidate = run(chooser)
        jobs -= candidate.steps
        if candidate.failure?.name == kind, candidate.switches.count < best.switches.count { best = candidate }
        if !chooser.advance() { break }
      }
      return best
    }
  }
#endif
