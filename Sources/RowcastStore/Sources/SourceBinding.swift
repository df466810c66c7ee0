/// How a source came to its end.
public enum SourceOutcome: Sendable {
  /// The source had no more events.
  case finished
  /// The source threw, or one of its events was rejected and the app chose to stop.
  case failed(any Error)
  /// The binding was cancelled or dropped.
  case detached
}

/// What to do after an event was rejected.
public enum RejectionResponse: Hashable, Sendable {
  /// Go on with the next event.
  case proceed
  /// Detach the source; its outcome is ``SourceOutcome/failed(_:)`` with the error that rejected the event.
  case stop
}

/// The tie between a source of events and a store. Dropping it detaches the source.
public final class SourceBinding: Sendable {
  private let task: Task<SourceOutcome, Never>

  init(_ task: Task<SourceOutcome, Never>) {
    self.task = task
  }

  deinit {
    task.cancel()
  }

  /// Detaches the source. An edit that has begun is still finished; no other one follows.
  public func cancel() {
    task.cancel()
  }

  /// How the source ended, as soon as it has.
  public var outcome: SourceOutcome {
    get async { await task.value }
  }
}
