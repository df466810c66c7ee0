import RowcastDiff
public import RowcastStore

/// The time on a clock at which a list changes by itself, set by the list. As an upstream, it has ended while no time is set.
extension UpstreamState where Value == Duration {
  /// Notes that the list has changed by itself: a task that read it before does not wait for a later time.
  @usableFromInline
  func noteChange() { revision = (revision ?? 0) + 1 }

  /// Notes that the list changes some seconds after a time; `nil` if it does not. A time less than a millisecond away counts as
  /// one millisecond: a clock that counts in other steps than the list would wake it again and again. A distant time is looked at
  /// again after a minute: the time of the list may have been set.
  @usableFromInline
  func set(in seconds: Double?, after start: Duration) {
    value = seconds.map { start + .seconds(max(0.001, min($0, 60))) }
    isFinal = value == nil
  }
}

/// Wakes the tasks that wait for a time, all with one task of its own, which sleeps as long as any of them waits.
private final actor WakeTimer {
  private let clock: AnyClock
  private var waiters = WaiterList()
  private var sleeper: (task: Task<Void, Never>, time: Duration)?

  init(_ clock: AnyClock) { self.clock = clock }

  func enqueue(_ signal: Signal, at time: Duration) -> WaiterRemoval {
    let token = waiters.add(signal)
    if sleeper.map({ time < $0.time }) ?? true { sleep(until: time) }
    return { await self.remove(token) }
  }

  private func sleep(until time: Duration) {
    sleeper?.task.cancel()
    // It sleeps for all waiters, not for the first of them.
    let task = Task.detached(priority: .high) { [clock, weak self] in
      do { try await clock.sleep(until: time) } catch { if Task.isCancelled { return } }
      await self?.wake(at: time)
    }
    sleeper = (task, time)
  }

  private func wake(at time: Duration) {
    if sleeper?.time != time { return }
    sleeper = nil
    waiters.wakeAll()
  }

  private func remove(_ token: WaiterList.Token) {
    waiters.remove(token)
    guard waiters.isEmpty else { return }
    sleeper?.task.cancel()
    sleeper = nil
  }
}

extension Upstreams {
  /// The time at which a list changes by itself. The list ends when there is none, and its other upstreams have ended.
  @usableFromInline
  func wakeTime(on clock: AnyClock) -> UpstreamState<Duration> {
    let state = UpstreamState<Duration>()
    (state.revision, state.isFinal) = (0, true)
    let timer = WakeTimer(clock)
    // No root: a list that reads it on several paths reads its source on these, too.
    add(
      UpstreamLink(timer, state, roots: []) { link, signal, revision, _ in
        // Only the link is held during the call.
        guard link.state.revision == revision, let time = (link.state as? UpstreamState<Duration>)?.value else {
          return nil
        }
        return await timer.enqueue(signal, at: time)
      })
    return state
  }
}
