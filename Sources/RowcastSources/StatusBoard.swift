import RowcastStore

/// The newest status of a source, and the tasks that wait for another one.
actor StatusBoard: ValuePublisher {
  var watched = WatchedValue(SourceStatus.attached)
  /// Ends the wait for the next attempt, while there is one.
  private var pause: Signal?

  /// How the source is doing now.
  var status: SourceStatus { watched.value }

  /// Says how the source is doing now.
  func post(_ status: SourceStatus) {
    let former = self.status
    watched.set(status, isFinal: status.isFinal)
    assert(
      !former.isFinal && pause == nil,
      "\"\(status)\" follows \"\(former)\"\(pause == nil ? "" : " while the next attempt is waited for")")
  }

  /// Waits for a time, or until ``endPause()`` is called.
  func pause<Time: Clock>(until deadline: Time.Instant, on clock: Time) async {
    let pause = Signal()
    self.pause = pause
    await pause.wait(until: deadline, on: clock)
    self.pause = nil
  }

  /// Ends the wait for the next attempt.
  func endPause() { pause?.send() }
}
