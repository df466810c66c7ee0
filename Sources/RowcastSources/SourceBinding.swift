package import RowcastStore

/// The tie between a source of events and a store. Dropping it detaches the source.
public final class SourceBinding: Sendable {
  private let task: Task<SourceStatus, Never>
  /// The status, for objects that must not retain the binding.
  package let publisher: StatusPublisher

  /// Starts `run`, which feeds the store until the source is over. It posts each status but the last one, which it returns.
  init(run: sending @escaping (StatusPublisher) async -> SourceStatus) {
    let publisher = StatusPublisher()
    self.publisher = publisher
    task = Task {
      let last = await OwnTask.run(ObjectIdentifier(publisher)) { await run(publisher) }
      await publisher.post(last)
      return last
    }
  }

  deinit { task.cancel() }

  /// Detaches the source. An edit that has begun is finished; no other edit follows.
  public func cancel() { task.cancel() }

  /// Keeps the source attached for as long as the task that calls it, for a service of a server.
  ///
  ///     func run() async throws { await binding.run() }
  ///
  /// When that task is cancelled the source is detached, and the call returns once the last edit is done.
  ///
  /// - Returns: The last status, as ``outcome`` has it.
  @discardableResult
  public func run() async -> SourceStatus {
    await withTaskCancellationHandler {
      await outcome
    } onCancel: {
      cancel()
    }
  }

  /// Attaches the source again at once, if it failed and waits for the next attempt.
  public func retry() async { await onSharedExecutor { await publisher.endPause() } }

  /// The current status of the source.
  public var status: SourceStatus {
    get async { await onSharedExecutor { await publisher.status } }
  }

  /// The current status of the source, and each later one.
  ///
  /// Each call makes an independent stream, which ends after the last status. A slow reader gets the newest one.
  public var statuses: AsyncStream<SourceStatus> { publisher.values }

  /// The last status, once the source has ended: ``SourceStatus/ended``, ``SourceStatus/failed(_:)``, ``SourceStatus/cancelled``.
  ///
  /// The source cannot wait for its own end, in `events`, a sequence that these make, or `onRejection`: there it is at once
  /// ``SourceStatus/failed(_:)``, and the source continues.
  public var outcome: SourceStatus {
    get async {
      // After the end the task may be another one at the same place in memory.
      if OwnTask.current.contains(where: { $0.owner == ObjectIdentifier(publisher) }), await !status.isFinal {
        return .failed(SourceBindingError.awaitedByItsOwnSource)
      }
      return await task.value
    }
  }
}

/// The reason why the end of a source is not known.
package enum SourceBindingError: Error, Hashable, CustomStringConvertible {
  /// The source waited for its own end.
  case awaitedByItsOwnSource

  /// Describes the problem, and what to write instead.
  package var description: String { "the source waits for its own end; await the outcome outside of it" }
}

extension SourceStatus {
  fileprivate var isWaiting: Bool { if case .waiting = self { true } else { false } }
}

extension AnyClock {
  /// Measures all times that are compared with each other. The compiler knows their size, unlike the size of the clock's
  /// instants.
  static let continuous = AnyClock(ContinuousClock())
}

/// The newest status of a source, and its readers.
package final actor StatusPublisher: ValuePublisher {
  package var watched = WatchedValue(SourceStatus.connecting)
  /// The time at which the source was attached.
  package nonisolated let start = AnyClock.continuous.now
  /// The time of the last status.
  package private(set) var end: Duration?
  /// Ends the wait for the next attempt, while there is one.
  var pause: Signal?
  /// The time of the first event of this attempt.
  var firstEvent: Duration?
  /// True if an event of this attempt had news.
  var hasNews = false
  /// Called with each status before its readers see it.
  var note: (@Sendable (SourceStatus) async -> Void)?

  var status: SourceStatus { watched.value }

  func post(_ status: SourceStatus) async {
    await note?(status)
    let former = self.status
    if status.isFinal { (end, note) = (AnyClock.continuous.now, nil) }
    watched.set(status, isFinal: status.isFinal)
    assert(
      !former.isFinal && (pause == nil || status.isWaiting),
      "\"\(status)\" follows \"\(former)\"\(pause == nil ? "" : " during the wait for the next attempt")")
  }

  /// Ends the wait for the next attempt.
  func endPause() { pause?.send() }
}

/// The status of a source that was attached to a store.
public enum SourceStatus: CustomStringConvertible, Sendable {
  /// It is attached, and no event of this attempt was received yet.
  case connecting
  /// An event of this attempt was received, and the next ones are applied as they are received.
  case live
  /// It failed, and will be attached again.
  ///
  /// - Parameters:
  ///   - attempt: The number of failures in a row, from 1.
  ///   - delay: The time from the failure to the next attempt.
  ///   - error: The reason of the failure.
  case waiting(attempt: Int, delay: Duration, error: any Error)
  /// It failed permanently, or one of its events was rejected and the app chose to stop.
  case failed(any Error)
  /// It had no more events. The source of a mirror has ended only if its list has.
  case ended
  /// The binding was cancelled or dropped.
  case cancelled

  /// True if no other status follows.
  package var isFinal: Bool {
    switch self {
    case .connecting, .live, .waiting: false
    case .failed, .ended, .cancelled: true
    }
  }

  /// The status in a word.
  package var word: String {
    switch self {
    case .connecting: "connecting"
    case .live: "live"
    case .waiting: "waiting"
    case .failed: "failed"
    case .ended: "ended"
    case .cancelled: "cancelled"
    }
  }

  /// The error of a source that failed.
  public var error: (any Error)? {
    switch self {
    case .waiting(_, _, let error), .failed(let error): error
    case .connecting, .live, .ended, .cancelled: nil
    }
  }

  /// The status in a word, and the error if there is one; not neutralised.
  public var description: String { error.map { "\(word): \($0)" } ?? word }
}

/// The reaction to a rejected event.
public enum RejectionResponse: Hashable, Sendable {
  /// Continue with the next event.
  case proceed
  /// Detach the source; its last status is ``SourceStatus/failed(_:)`` with the error that rejected the event.
  case stop
}
