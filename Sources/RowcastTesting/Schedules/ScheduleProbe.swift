#if os(Linux) && compiler(>=6.3)
  internal import CSchedules

  /// Finds out whether this process can be put on a schedule.
  ///
  /// The hooks and what a task looks like in memory belong to a version of the runtime. Before the first schedule one is
  /// run whose trace is known; if it comes out differently, nothing is explored on guesses.
  enum ScheduleProbe {
    private actor Room {
      private var visits = 0

      // The optimizer leaves out the way to an actor on which nothing is done.
      @inline(never) func enter() { visits += 1 }
    }

    /// Whether a task that waits for another, a task that enters an actor, and ends are seen for what they are.
    static let succeeds: Bool = {
      guard schedules_areSupported() else { return false }
      // Once, before any schedule: the hooks stay set.
      schedules_install()
      let scheduler = Scheduler(
        number: ScheduleExplorer.nextNumber(), chooser: ReplayChooser([]),
        run: ScheduleRun(seed: 0), options: ScheduleOptions(), isTraced: true)
      let record = scheduler.run { _ in
        let room = Room()
        await Task { await room.enter() }.value
      }
      guard record.failure == nil, record.tasks == 2, let trace = record.trace else { return false }
      let moves = trace.flatMap(\.moves)
      return moves.contains { $0.hasSuffix("waits for the end of task 1") }
        && trace.contains { $0.subject == "task 1 enters actor Room" } && moves.count { $0.hasSuffix("→ ends") } == 2
    }()
  }
#endif
