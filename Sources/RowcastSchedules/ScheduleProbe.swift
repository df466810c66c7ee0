#if ROWCAST_HOOKS
  internal import CSchedules

  /// Finds out if this process can be put on a schedule.
  ///
  /// The hooks and the layout of a task in memory belong to one version of the runtime. Before the first schedule the probe
  /// runs one whose trace is known; if its trace is another one, nothing is explored.
  final actor ScheduleProbe {
    private var visits = 0

    // The optimizer leaves out the way to an actor on which nothing is done.
    @inline(never) private func enter() { visits += 1 }

    /// True if the trace shows a task that waits for another, one that enters an actor, one that a timer starts, and the ends of
    /// all; and time is virtual.
    static let succeeds: Bool = {
      guard schedules_areSupported() else { return false }
      // Once, before any schedule: the hooks stay set.
      schedules_install()
      let scheduler = Scheduler(
        chooser: ReplayChooser([]), run: ScheduleRun(seed: 0), options: ScheduleOptions(), threads: ScheduleThreads(),
        isTraced: true)
      let record = scheduler.run { run in
        let probe = ScheduleProbe()
        await Task { await probe.enter() }.value
        let start = ContinuousClock.now
        try await Task.sleep(for: .seconds(1))
        try run.expect(ContinuousClock.now - start == .seconds(1), "time is real")
      }
      guard record.failure == nil, record.jobs.count == 3, let trace = record.trace else { return false }
      let moves = trace.flatMap(\.moves)
      return moves.contains { $0.hasSuffix("waits for the end of task 1") }
        && trace.contains { $0.subject == "task 1 enters actor ScheduleProbe" }
        && moves.count { $0.hasSuffix("-> ends") } == 3
    }()
  }
#endif
