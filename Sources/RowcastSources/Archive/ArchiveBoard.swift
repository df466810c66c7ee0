import RowcastModel
import RowcastStore

/// The list as it is saved, for those who follow it, and the status of its file.
actor ArchiveBoard<Section: WireSection, Row: RowViewModel & Codable>: ListPublisher, ValuePublisher {
  var differences = DifferenceCache()
  weak var hub: (any AnyObject & Sendable)?
  var watched: WatchedValue<ArchiveStatus>
  /// The newest state that is saved.
  private(set) var state: ListState<Section, Row>
  private let path: String
  private var isFinished = false
  private var waiters = WaiterList()
  /// Those that wait until a revision is saved, or fails to be, in an attempt that began while they waited.
  private var flushes: [(revision: Int, isInAttempt: Bool, continuation: CheckedContinuation<ArchiveError?, Never>)] =
    []
  private var isCompacting = false
  /// Wakes the writer.
  private var wake: Signal?

  init(_ state: ListState<Section, Row>, path: String) {
    (self.state, self.path) = (state, path)
    watched = WatchedValue(.saved(state.position))
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

  /// Waits until a revision is saved, and the file is seen to be where it was; also until it is written anew, if that is asked for.
  /// Returns the reason if it is not after the next attempt.
  func flush(_ revision: Int, isCompacting: Bool = false) async -> ArchiveError? {
    if isFinished {
      return watched.value.error
        ?? (isCompacting ? .failed(reason: "\(path): the archive is closed; open it again") : nil)
    }
    self.isCompacting = self.isCompacting || isCompacting
    return await withCheckedContinuation { continuation in
      flushes.append((revision, false, continuation))
      wake?.send()
    }
  }

  // MARK: - The writer

  /// True if someone waits for a revision.
  var isUrgent: Bool { !flushes.isEmpty }

  /// Begins an attempt: whether someone waits for a revision, and whether the file is to be written anew, which is told once.
  func takeDemand() -> (isUrgent: Bool, isCompacting: Bool) {
    defer { isCompacting = false }
    for index in flushes.indices { flushes[index].isInAttempt = true }
    return (isUrgent, isCompacting)
  }

  /// Sets the signal that wakes the writer.
  func wakeWriter(by signal: Signal) {
    wake = signal
    if isUrgent { signal.send() }
  }

  /// Notes that a state is saved.
  ///
  /// - Returns: True if others have begun to wait during the attempt: the file is looked at once more, as it may have been moved or
  ///   deleted before they asked.
  func save(_ state: ListState<Section, Row>) -> Bool {
    assert(state.revision >= self.state.revision, "\(state.revision) is saved after \(self.state.revision)")
    self.state = state
    if watched.value != .saved(state.position) { watched.set(.saved(state.position)) }
    endFlushes(nil) { $1 && $0 <= state.revision }
    waiters.wakeAll()
    var isLookedFor = false
    for index in flushes.indices where flushes[index].revision <= state.revision {
      (flushes[index].isInAttempt, isLookedFor) = (true, true)
    }
    return isLookedFor
  }

  /// Notes that an attempt has failed. Those who began to wait during it wait for the next one: its cause may be gone.
  func fail(_ error: ArchiveError) {
    watched.set(.failing(error))
    endFlushes(error) { $1 }
  }

  /// Notes that the file is closed.
  func finish(_ error: ArchiveError?) {
    isFinished = true
    watched.set(error.map { .failed($0) } ?? .closed, isFinal: true)
    endFlushes(error) { _, _ in true }
    waiters.wakeAll()
  }

  private func endFlushes(_ error: ArchiveError?, where isEnded: (_ revision: Int, _ isInAttempt: Bool) -> Bool) {
    let ended = flushes.filter { isEnded($0.revision, $0.isInAttempt) }
    flushes.removeAll { isEnded($0.revision, $0.isInAttempt) }
    for flush in ended { flush.continuation.resume(returning: error) }
  }
}
