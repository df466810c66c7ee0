import RowcastStore

/// The tie between a source of events and a store. Dropping it detaches the source.
public final class SourceBinding: Sendable {
  private let task: Task<SourceStatus, Never>
  private let board: StatusBoard

  /// Starts `run`, which feeds the store until the source is over. It posts each status but the last one, which it returns.
  init(run: sending @escaping (StatusBoard) async -> SourceStatus) {
    let board = StatusBoard()
    self.board = board
    task = Task {
      let last = await run(board)
      await board.post(last)
      return last
    }
  }

  deinit { task.cancel() }

  /// Detaches the source. An edit that has begun is finished; no other one follows.
  public func cancel() { task.cancel() }

  /// Attaches the source again at once, if it failed and waits for the next attempt.
  public func retry() async { await onSharedExecutor { await board.endPause() } }

  /// The current status of the source.
  public var status: SourceStatus {
    get async { await onSharedExecutor { await board.status } }
  }

  /// The current status of the source, and each later one.
  ///
  /// Each call makes an independent stream, which ends after the last status. A slow reader gets the newest one.
  public var statuses: AsyncStream<SourceStatus> { board.values }

  /// The last status, once the source has ended: ``SourceStatus/finished``, ``SourceStatus/failed(_:)``, ``SourceStatus/cancelled``.
  public var outcome: SourceStatus {
    get async { await task.value }
  }
}

extension SourceStatus {
  fileprivate var isWaiting: Bool { if case .waiting = self { true } else { false } }
}

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
      !former.isFinal && (pause == nil || status.isWaiting),
      "\"\(status)\" follows \"\(former)\"\(pause == nil ? "" : " during the wait for the next attempt")")
  }

  /// Begins the wait for the next attempt. Nobody knows of it yet, so that ``endPause()`` cannot come too early.
  func beginPause() { pause = Signal() }

  /// Waits for a time, or until ``endPause()`` is called.
  func pause<Time: Clock>(until deadline: Time.Instant, on clock: Time) async {
    await pause?.wait(until: deadline, on: clock)
    pause = nil
  }

  /// Ends the wait for the next attempt.
  func endPause() { pause?.send() }
}
