import RowcastModel
import RowcastStore

/// Writes a list to its file, in a separate task, and publishes the saved list and the status of the file.
///
/// It pulls the newest state as a subscriber does: while a line is written, later revisions are combined in the next one. So
/// edits wait for nothing, nothing is queued, and the last state is always written. Its own subscribers do not wait while a line
/// is encoded or written.
final actor ArchiveWriter<Section: WireSection, Row: RowViewModel & Codable>: ListPublisher, ValuePublisher {
  typealias State = ListState<Section, Row>

  let core: StoreCore<Section, Row>
  nonisolated let path: String
  let storage: any ArchiveStorage
  let durability: ArchiveDurability
  let clock: AnyClock
  let encoder: ArchiveEncoder<Section, Row>

  /// The newest state in the file, saved or not. If ``complete`` has a value, it lacks the content that could not be encoded.
  var written: State
  var layout: ArchiveLayout
  /// The position of the origin at which a mirror had the next list to write, and its runs; `nil` for any other list.
  var origin: State?
  /// The origin's position of the list in the file, and the bytes of the last line, if it has nothing else.
  var writtenOrigin: (position: ListPosition?, line: Range<Int>?)
  /// The newest revision that an attempt was made to write; `nil` to try again.
  private var seen: Int?
  /// The reason of the last attempt's failure.
  private var failure: ArchiveError?
  /// The next attempt after a failure; without one, the next time to wait for the device.
  private var deadline: Duration?
  /// The time of the last wait for the device.
  private var syncTime: Duration
  /// While a row or section cannot be encoded: the newest complete state, and the layout of the file then, if the file still has
  /// it. Later lines, of a run of their own, have everything else. They are removed for the next state that can be encoded.
  var complete: (state: State, layout: ArchiveLayout?, branch: Lineage)?
  /// True if the file must be rewritten: it is not where it was, the device may have lost parts of it, or the app asks for it.
  var isDoubtful = false
  /// True if the list has ended, and the last attempt after a failure has begun.
  private var isLastAttempt = false
  /// True if the list has ended, and its file was tidied up.
  private var isTidy = false
  /// True if writing is over.
  private var isOver = false

  /// The newest state that is saved.
  private(set) var saved: State
  var watched: WatchedValue<ArchiveStatus>
  var differences = DifferenceCache()
  weak var partWatchers: (any AnyObject & Sendable)?
  private var waiters = WaiterList()
  /// True if the file is closed.
  private var isFinished = false
  /// A task that waits until a revision is saved, or fails to be, in an attempt that began while it waited.
  private struct Flush {
    let revision: Int
    /// True if the file was in its place after the task had asked. If not, an attempt that begins later must find it there.
    let isSeen: Bool
    var isInAttempt = false
    let continuation: CheckedContinuation<ArchiveError?, Never>
  }

  private var flushes: [Flush] = []
  /// True if a task waits until the file is rewritten.
  private var isCompacting = false
  /// Ends the wait for a newer list.
  private var wake: Signal?

  init(
    _ core: StoreCore<Section, Row>, content: ArchiveContent<Section, Row>, path: String, storage: any ArchiveStorage,
    durability: ArchiveDurability, clock: AnyClock, encoder: ArchiveEncoder<Section, Row>
  ) {
    (self.core, self.path, self.storage) = (core, path, storage)
    (self.durability, self.clock, self.encoder) = (durability, clock, encoder)
    (written, saved, layout) = (content.written, content.newest, content.layout)
    (seen, syncTime) = (content.newest.revision, clock.now)
    (origin, writtenOrigin) = (content.origin, (content.origin?.position, nil))
    watched = WatchedValue(.saved(content.newest.position))
  }

  // MARK: - Writing

  /// Writes the list until it ends.
  func run() async {
    while await step() {}
    // The last wait for the device was before that.
    if complete != nil, durability != .written { try? await storage.synchronize() }
    await storage.close()
    isFinished = true
    watched.set(failure.map { .failed($0) } ?? .closed, isFinal: true)
    endFlushes(failure) { _ in true }
    waiters.wakeAll()
  }

  /// Writes the newest state or waits for it. Returns false at the end of the list.
  private func step() async -> Bool {
    let isUrgent = isUrgent
    for index in flushes.indices { flushes[index].isInAttempt = true }
    if isCompacting { (isCompacting, isDoubtful, seen) = (false, true, nil) }
    if let deadline, isUrgent || deadline <= clock.now {
      self.deadline = nil
      if failure == nil { await synchronize() } else { seen = nil }
    } else if isUrgent, failure != nil {
      seen = nil
    }
    switch await core.poll(after: seen, isCalled: true) {
    case .ready:
      let (state, origin) = await core.newestOfOrigin
      (seen, self.origin) = (state.revision, origin)
      await write(state)
    case .ended:
      if await hasOriginMoved() {
        seen = nil
      } else if deadline == nil, failure == nil, !isTidy {
        isTidy = true
        await check()
      } else {
        if deadline == nil || (failure != nil && isLastAttempt) { return false }
        isLastAttempt = failure != nil
        deadline = clock.now
      }
    case .waiting(let signal, _, let leave):
      if await hasOriginMoved() {
        seen = nil
      } else if isUrgent, deadline == nil {
        await check()
      } else {
        wake = signal
        if self.isUrgent { signal.send() }
        await signal.wait(until: deadline, on: clock)
      }
      await leave()
    }
    return !isOver
  }

  /// Returns true if the origin of the list has moved since the last position to write.
  private func hasOriginMoved() async -> Bool {
    guard let origin = await core.newestOfOrigin.origin else { return false }
    return origin.position != self.origin?.position
  }

  /// Checks where the file is, although there is nothing to write: for the tasks that wait, and at the end of the list, when the
  /// file is compacted.
  private func check() async {
    do {
      try await storage.verify(orNothing: false)
      if !isTidy { return save(written) }
      let size = layout.size
      try await shrink()
      if layout.size != size, durability != .written { deadline = clock.now }
    } catch {
      await fail(error)
    }
  }

  private func write(_ state: State) async {
    do {
      try await put(state)
      failure = nil
      switch durability {
      case .synced(let interval): deadline = deadline ?? max(clock.now, syncTime + interval.asWait)
      case .written:
        deadline = nil
        save(state)
      }
    } catch {
      // The lines that were written before are complete.
      if complete != nil, failure == nil, deadline != nil { await synchronize() }
      await fail(error)
    }
  }

  private func synchronize() async {
    do {
      try await storage.synchronize()
      syncTime = clock.now
      save(complete?.state ?? written)
    } catch {
      // The system may have dropped data that it could not write, and forgotten that.
      isDoubtful = true
      await fail(error)
    }
  }

  private func fail(_ error: ArchiveError) async {
    failure = error
    deadline = clock.now + .seconds(1)
    // The same rows would fail again.
    if case .unencodable = error, complete != nil { deadline = nil }
    if case .replaced = error {
      isDoubtful = true
      isOver = await storage.isUnlocked
    }
    watched.set(.failing(error))
    // Tasks that began to wait during the attempt wait for the next one: its cause may have disappeared.
    endFlushes(error) { $0.isInAttempt }
  }

  /// Notes that a state is saved.
  private func save(_ state: State) {
    assert(state.revision >= saved.revision, "\(state.revision) is saved after \(saved.revision)")
    saved = state
    if watched.value != .saved(state.position) { watched.set(.saved(state.position)) }
    endFlushes(nil) { ($0.isSeen || $0.isInAttempt) && $0.revision <= state.revision }
    waiters.wakeAll()
  }

  private func endFlushes(_ error: ArchiveError?, where isEnded: (Flush) -> Bool) {
    let ended = flushes.filter(isEnded)
    flushes.removeAll(where: isEnded)
    for flush in ended { flush.continuation.resume(returning: error) }
  }

  // MARK: - Readers of what is saved

  func newest() -> (state: State, isFinal: Bool) { (saved, isFinished) }

  func poll(after revision: Int?, isCalled: Bool) -> Poll<Section, Row> {
    if saved.revision != revision { return .ready(delivery(of: saved, to: revision)) }
    if isFinished { return .ended }
    let signal = Signal()
    let token = waiters.add(signal)
    return .waiting(signal, hasSeveralPlaces: false) { await self.step { $0.waiters.remove(token) } }
  }

  /// True if a task waits for a revision.
  var isUrgent: Bool { !flushes.isEmpty }

  /// Waits until a revision is saved, and the file is seen in its place; with `isCompacting`, also until it is rewritten. Returns
  /// the reason if the next attempt fails.
  ///
  /// The task looks at the file itself, while the revision may still be written: the file could have been moved or deleted since
  /// the last look. If it was, the next attempt finds the same, or that it is over.
  func flush(_ revision: Int, isCompacting: Bool = false) async -> ArchiveError? {
    let isSeen = isCompacting ? false : (try? await storage.verify(orNothing: false)) != nil
    if isFinished {
      return watched.value.error
        ?? (isCompacting ? .failed(reason: "\(path): the archive is closed; open it again") : nil)
    }
    if isSeen, revision <= saved.revision, watched.value.error == nil { return nil }
    if isCompacting { self.isCompacting = true }
    return await withCheckedContinuation { continuation in
      flushes.append(Flush(revision: revision, isSeen: isSeen, continuation: continuation))
      wake?.send()
    }
  }
}

/// A file that an archive writes. Calls are made one after another.
///
/// Each leaves the file at its path, with the archive's own lock beside it, or throws ``ArchiveError/replaced(path:)``.
protocol ArchiveStorage: Sendable {
  /// Writes bytes at an offset of the file, which ends with them. If they cannot all be written, none is kept.
  func append(_ bytes: [UInt8], at size: Int) async throws(ArchiveError)

  /// Waits until everything written is on disk.
  func synchronize() async throws(ArchiveError)

  /// Replaces the file by another that has some of its bytes, and more after them. If that fails, the file is as it was. No other
  /// file at the path is replaced.
  func replace(keeping range: Range<Int>, appending bytes: [UInt8]) async throws(ArchiveError)

  /// Looks where the file is. With `orNothing`, there may be nothing at its path.
  func verify(orNothing: Bool) async throws(ArchiveError)

  /// True if the lock was missing, or belonged to another archive. Nothing is written any more then.
  var isUnlocked: Bool { get async }

  /// Releases the lock.
  func close() async
}
