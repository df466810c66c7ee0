import RowcastModel
import RowcastStore

/// The list as it is saved, for those who follow it, and the status of its file.
actor ArchiveBoard<Section: WireSection, Row: RowViewModel & Codable>: ListPublisher, ValuePublisher {
  nonisolated let epoch: String
  var differences = DifferenceCache()
  weak var hub: (any AnyObject & Sendable)?
  var watched: WatchedValue<ArchiveStatus>
  /// The newest state that is saved.
  private(set) var state: ListState<Section, Row>
  private var isFinished = false
  private var waiters = WaiterList()
  /// Those that wait until a revision is saved, or fails to be.
  private var flushes: [(revision: Int, continuation: CheckedContinuation<ArchiveError?, Never>)] = []
  /// Wakes the writer.
  private var wake: Signal?

  init(_ state: ListState<Section, Row>, epoch: String) {
    self.state = state
    self.epoch = epoch
    watched = WatchedValue(.saved(ListPosition(epoch: epoch, revision: state.revision)))
  }

  // MARK: - Readers

  func newest() -> (state: ListState<Section, Row>, isFinal: Bool) { (state, isFinished) }

  func poll(after revision: Int?) -> Poll<Section, Row> {
    if state.revision != revision { return .ready(delivery(of: state, to: revision)) }
    if isFinished { return .ended }
    let signal = Signal()
    let token = waiters.add(signal)
    return .waiting(signal, hasSeveralPlaces: false) { await self.removeWaiter(token) }
  }

  private func removeWaiter(_ token: WaiterList.Token) { waiters.remove(token) }

  /// Waits until a revision is saved. Returns the reason if it is not after the next attempt.
  func flush(_ revision: Int) async -> ArchiveError? {
    if revision <= state.revision { return nil }
    if isFinished { return watched.value.error }
    return await withCheckedContinuation { continuation in
      flushes.append((revision, continuation))
      wake?.send()
    }
  }

  // MARK: - The writer

  /// True if someone waits for a revision.
  var isUrgent: Bool { !flushes.isEmpty }

  /// Sets the signal that wakes the writer.
  func wakeWriter(by signal: Signal) {
    wake = signal
    if isUrgent { signal.send() }
  }

  /// Notes that a state is saved.
  func save(_ state: ListState<Section, Row>) {
    assert(state.revision >= self.state.revision, "\(state.revision) is saved after \(self.state.revision)")
    self.state = state
    watched.set(.saved(ListPosition(epoch: epoch, revision: state.revision)))
    endFlushes(upTo: state.revision, nil)
    waiters.wakeAll()
  }

  /// Notes that an attempt has failed.
  func fail(_ error: ArchiveError) {
    watched.set(.failing(error))
    endFlushes(upTo: .max, error)
  }

  /// Notes that the file is closed.
  func finish(_ error: ArchiveError?) {
    isFinished = true
    watched.set(error.map { .failed($0) } ?? .closed, isFinal: true)
    endFlushes(upTo: .max, error)
    waiters.wakeAll()
  }

  private func endFlushes(upTo revision: Int, _ error: ArchiveError?) {
    let ended = flushes.filter { $0.revision <= revision }
    flushes.removeAll { $0.revision <= revision }
    for flush in ended { flush.continuation.resume(returning: error) }
  }
}
