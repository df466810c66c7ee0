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
      let isChoice = ready.count > 1 || (timer != nil && options.timers == .anytime)
      guard isChoice else { return usual }
      func pick(_ ready: [Item], timer: Int?, usual: Int) -> Int {
        chooser.pick(
          ScheduleChoice(
            ready: ready, timer: timer, usual: usual, current: running, step: record.steps, decision: record.decisions))
      }
      var index: Int
      if options.priorities == .obeyed, let highest = ready.lazy.map(\.priority).max() {
        let allowed = ready.indices.filter { ready[$0].priority == highest }
        let place = allowed.firstIndex(of: usual) ?? 0
        index = allowed[allowed.count == 1 ? 0 : pick(allowed.map { ready[$0] }, timer: nil, usual: place)]
      } else {
        index = pick(ready, timer: options.timers == .anytime ? timer : nil, usual: usual)
      }
      index = min(index, ready.count)
      if index != usual {
        let key = index == ready.count ? timer ?? Self.timerKey : ready[index].key
        record.switches.append(.run(key: key, decision: record.decisions))
      }
      record.decisions += 1
      return index
    }

    /// The job that runs without a switch: that of the task that ran last, or the one that has been ready for longest.
    func usualIndex() -> Int {
      var oldest: Int?
      for index in ready.indices where !ready[index].isYield {
        if ready[index].owner == running, options.priorities == .ignored { return index }
        if oldest == nil || (options.priorities == .obeyed && ready[index].priority > ready[oldest ?? 0].priority) {
          oldest = index
        }
      }
      return oldest ?? 0
    }
  }
#endif
