import RowcastStore

/// The tie between a source of events and a store. Dropping it detaches the source.
public final class SourceBinding: Sendable {
  private let task: Task<SourceStatus, Never>
  private let board: StatusBoard

  /// Begins to run what feeds the store until the source is over. It posts each status but the last one, which it returns.
  init(board: StatusBoard, run: sending @escaping () async -> SourceStatus) {
    self.board = board
    task = Task {
      let last = await run()
      await board.post(last)
      return last
    }
  }

  deinit { task.cancel() }

  /// Detaches the source. An edit that has begun is still finished; no other one follows.
  public func cancel() { task.cancel() }

  /// Attaches the source again at once, if it failed and the next attempt is waited for.
  public func retry() async { await onSharedExecutor { await board.endPause() } }

  /// How the source is doing now.
  public var status: SourceStatus {
    get async { await onSharedExecutor { await board.status } }
  }

  /// How the source is doing now, and whenever that changes.
  ///
  /// Each call makes an independent stream, which ends after the last status. A reader that is slow gets the newest one.
  public var statuses: AsyncStream<SourceStatus> { board.values }

  /// How the source ended, once it has: ``SourceStatus/finished``, ``SourceStatus/failed(_:)``, ``SourceStatus/cancelled``.
  public var outcome: SourceStatus {
    get async { await task.value }
  }
}
