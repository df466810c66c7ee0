import RowcastStore

/// The newest status of a source, and its readers.
actor StatusBoard: ValuePublisher {
  var watched = WatchedValue(SourceStatus.attached)
  /// Ends the wait for the next attempt, while there is one.
  private var pause: Signal?

  var status: SourceStatus { watched.value }

  func post(_ status: SourceStatus) {
    let former = self.status
    watched.set(status, isFinal: status.isFinal)
    assert(
      !former.isFinal && pause == nil,
      "\"\(status)\" follows \"\(former)\"\(pause == nil ? "" : " during the wait for the next attempt")")
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
