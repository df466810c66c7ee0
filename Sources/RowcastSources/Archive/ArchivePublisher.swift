import RowcastModel
import RowcastStore

/// The list as it is saved, for its subscribers, and the status of its file.
final actor ArchivePublisher<Section: WireSection, Row: RowViewModel & Codable>: ListPublisher, ValuePublisher {
  var differences = DifferenceCache()
  weak var partWatchers: (any AnyObject & Sendable)?
  var watched: WatchedValue<ArchiveStatus>
  /// The newest state that is saved.
  private(set) var state: ListState<Section, Row>
  private let storage: any ArchiveStorage
  nonisolated let path: String
  private var isFinished = false
  private var waiters = WaiterList()
  /// A task that waits until a revision is saved, or fails to be, in an attempt that began while it waited.
  private struct Flush {
    let revision: Int
    /// True if the file was where it should be after the task had asked. If not, an attempt that begins later must find it there.
    let isSeen: Bool
    var isInAttempt = false
    let continuation: CheckedContinuation<ArchiveError?, Never>
  }

  private var flushes: [Flush] = []
  private var isCompacting = false
  /// Wakes the writer.
  private var wake: Signal?

  init(_ state: ListState<Section, Row>, path: String, storage: any ArchiveStorage) {
    (self.state, self.path, self.storage) = (state, path, storage)
    watched = WatchedValue(.saved(state.position))
  }

  // MARK: - Readers

  func newest() -> (state: ListState<Section, Row>, isFinal: Bool) { (state, isFinished) }

  func poll(after revision: Int?, isCalled: Bool) -> Poll<Section, Row> {
    if state.revision != revision { return .ready(delivery(of: state, to: revision)) }
    if isFinished { return .ended }
    let signal = Signal()
    let token = waiters.add(signal)
    return .waiting(signal, hasSeveralPlaces: false) { await self.removeWaiter(token) }
  }

  private func removeWaiter(_ token: WaiterList.Token) { waiters.remove(token) }

  /// Waits until a revision is saved, and the file is seen to be where it was; also until it is written anew, if that is asked
  /// for. Returns the reason if it is not after the next attempt.
  ///
  /// The task looks at the file itself, while the writer may still be busy with the revision: it could have been moved or deleted
  /// since the writer's last look.
  nonisolated func flush(_ revision: Int, isCompacting: Bool = false) async -> ArchiveError? {
    var isSeen = false
    if !isCompacting {
      do {
        try await storage.verify(orNothing: false)
        isSeen = true
      } catch {
        // The writer finds the same, or that it is over.
      }
    }
    return await wait(for: revision, isSeen: isSeen, isCompacting: isCompacting)
  }

  private func wait(for revision: Int, isSeen: Bool, isCompacting: Bool) async -> ArchiveError? {
    if isFinished {
      return watched.value.error
        ?? (isCompacting ? .failed(reason: "\(path): the archive is closed; open it again") : nil)
    }
    if isSeen, revision <= state.revision, watched.value.error == nil { return nil }
    self.isCompacting = self.isCompacting || isCompacting
    return await withCheckedContinuation { continuation in
      flushes.append(Flush(revision: revision, isSeen: isSeen, continuation: continuation))
      wake?.send()
    }
  }

  // MARK: - The writer

  /// True if someone waits for a revision.
  var isUrgent: Bool { !flushes.isEmpty }

  /// Begins an attempt: whether someone waits for a revision, and whether the file is to be written anew, which is reported once.
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
  func save(_ state: ListState<Section, Row>) {
    assert(state.revision >= self.state.revision, "\(state.revision) is saved after \(self.state.revision)")
    self.state = state
    if watched.value != .saved(state.position) { watched.set(.saved(state.position)) }
    endFlushes(nil) { ($0.isSeen || $0.isInAttempt) && $0.revision <= state.revision }
    waiters.wakeAll()
  }

  /// Notes that an attempt has failed. Tasks that began to wait during it wait for the next one: its cause may have disappeared.
  func fail(_ error: ArchiveError) {
    watched.set(.failing(error))
    endFlushes(error) { $0.isInAttempt }
  }

  /// Notes that the file is closed.
  func finish(_ error: ArchiveError?) {
    isFinished = true
    watched.set(error.map { .failed($0) } ?? .closed, isFinal: true)
    endFlushes(error) { _ in true }
    waiters.wakeAll()
  }

  private func endFlushes(_ error: ArchiveError?, where isEnded: (Flush) -> Bool) {
    let ended = flushes.filter(isEnded)
    flushes.removeAll(where: isEnded)
    for flush in ended { flush.continuation.resume(returning: error) }
  }
}

/// A file that an archive writes. Calls are made one after another.
///
/// Each leaves a file to which its path leads, with the archive's own lock beside it, or throws ``ArchiveError/replaced(path:)``.
protocol ArchiveStorage: Sendable {
  /// Writes bytes at an offset of the file, which ends with them. If they cannot all be written, none is there.
  func append(_ bytes: [UInt8], at size: Int) async throws(ArchiveError)

  /// Waits until the device has what was written.
  func synchronize() async throws(ArchiveError)

  /// Replaces the file by another that has some of its bytes, and more after them. If that fails, the file is as it was. Nothing
  /// else that is at the path is replaced.
  func replace(keeping range: Range<Int>, appending bytes: [UInt8]) async throws(ArchiveError)

  /// Looks where the file is. With `orNothing`, there may be nothing at its path.
  func verify(orNothing: Bool) async throws(ArchiveError)

  /// True if the lock was found to be missing, or another's. Nothing is written any more then.
  var isUnlocked: Bool { get async }

  /// Gives the file free for others.
  func close() async
}
