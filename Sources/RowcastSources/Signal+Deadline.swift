import RowcastStore

extension Signal {
  /// Waits for the signal, for a time, or for the cancellation of the task.
  func wait<Time: Clock>(until deadline: Time.Instant, on clock: Time) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await clock.sleep(until: deadline, tolerance: nil) }
      group.addTask { await wait() }
      await group.next()
      group.cancelAll()
    }
  }
}
