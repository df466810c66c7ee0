#if os(Linux) && compiler(>=6.3)
  // The choice of the next job.
  extension Scheduler {
    /// The index of the next job among the ready ones; `nil` if there is none. The index past the end is the earliest timer.
    func choose() -> Int? {
      if options.cancels == .anywhere, !record.isCancelled, !run.isFinished,
        let victim = chooser.cancellation(
          step: record.steps, among: { tasks.indices.filter { unsafe cancellable($0) != nil } })
      {
        cancel(victim)
      }
      let timer = run.isFinished ? nil : timers.first?.item.key
      if ready.isEmpty { return timer == nil ? nil : 0 }
      // Tasks that turn in circles wait for time to pass.
      let usual = timer != nil && yields > 50 ? ready.count : usualIndex()
      let firing = options.timers == .anytime ? timer : nil
      guard ready.count > 1 || firing != nil else { return usual }
      let choice = ScheduleChoice(
        ready: ready, timer: firing, usual: usual, current: running, step: record.steps, decision: record.decisions)
      let index = min(chooser.pick(choice), ready.count)
      if index != usual {
        let key = index == ready.count ? timer ?? Self.timerKey : ready[index].key
        record.switches.append(.run(key: key, decision: record.decisions))
      }
      record.decisions += 1
      return index
    }

    /// The job that runs without a switch: that of the task that ran last, or the one that has been ready for longest.
    func usualIndex() -> Int {
      ready.firstIndex { !$0.isYield && $0.owner == running } ?? ready.firstIndex { !$0.isYield } ?? 0
    }
  }
#endif
