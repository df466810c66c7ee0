import RowcastModel
import RowcastStore

/// Writes a list to its file, in a separate task.
///
/// It pulls the newest state as a subscriber does: while a line is written, later revisions come together in the next one. So
/// edits wait for nothing, nothing is queued, and the last state is always written.
struct ArchiveWriter<Section: WireSection, Row: RowViewModel & Codable, Time: Clock>: Sendable
where Time.Duration == Duration {
  typealias State = ListState<Section, Row>
  typealias Encode = @Sendable (WireMessage<Section, Row>) throws -> [UInt8]

  let core: StoreCore<Section, Row>
  let board: ArchiveBoard<Section, Row>
  let storage: any ArchiveStorage
  let durability: ArchiveDurability
  let clock: Time
  let encode: Encode
  /// The newest state in the file, saved or not.
  private var written: State
  private var layout: ArchiveLayout
  /// The newest revision that was to be written; `nil` to try again.
  private var seen: Int?
  /// The reason of the last attempt's failure.
  private var failure: ArchiveError?
  /// The next attempt after a failure; without one, the next time to wait for the device.
  private var deadline: Time.Instant?
  /// The time of the last wait for the device.
  private var syncTime: Time.Instant
  /// True if the device may have lost parts of the file.
  private var isDoubtful = false
  /// True if the list has ended, and the last attempt after a failure has begun.
  private var isLastAttempt = false

  init(
    _ core: StoreCore<Section, Row>, board: ArchiveBoard<Section, Row>, storage: any ArchiveStorage, newest: State,
    layout: ArchiveLayout, durability: ArchiveDurability, clock: Time, encode: @escaping Encode
  ) {
    (self.core, self.board, self.storage, self.durability, self.clock) = (core, board, storage, durability, clock)
    (self.encode, self.layout, written, seen, syncTime) = (encode, layout, newest, newest.revision, clock.now)
  }

  /// Writes the list until it ends.
  func run() async {
    var writer = self
    while await writer.step() {}
    await storage.close()
    await board.finish(writer.failure)
  }

  /// Writes the newest state or waits for it. Returns false at the end of the list.
  private mutating func step() async -> Bool {
    let isUrgent = await board.isUrgent
    if let deadline, isUrgent || deadline <= clock.now {
      self.deadline = nil
      if failure == nil { await synchronize() } else { seen = nil }
    }
    switch await core.poll(after: seen) {
    case .ready(let delivery):
      seen = delivery.state.revision
      await write(delivery.state)
    case .ended:
      if deadline == nil || (failure != nil && isLastAttempt) { return false }
      isLastAttempt = failure != nil
      deadline = clock.now
    case .waiting(let signal, _, let leave):
      await board.wakeWriter(by: signal)
      if let deadline { await signal.wait(until: deadline, on: clock) } else { await signal.wait() }
      await leave()
    }
    return true
  }

  private mutating func write(_ state: State) async {
    do {
      try await put(state)
      (written, failure) = (state, nil)
      switch durability {
      case .synced(let interval): deadline = deadline ?? max(clock.now, syncTime.advanced(by: interval.asWait))
      case .written:
        deadline = nil
        await board.save(state)
      }
    } catch {
      await fail(error)
    }
  }

  private mutating func synchronize() async {
    do {
      try await storage.synchronize()
      syncTime = clock.now
      await board.save(written)
    } catch {
      // The system may have dropped what it could not write, and forgotten that.
      isDoubtful = true
      await fail(error)
    }
  }

  private mutating func fail(_ error: ArchiveError) async {
    failure = error
    deadline = clock.now.advanced(by: .seconds(1))
    await board.fail(error)
  }

  // MARK: - Lines

  private mutating func put(_ state: State) async throws(ArchiveError) {
    if isDoubtful { return try await replace(keeping: layout.size..<layout.size, state: state, changes: []) }
    if state.revision == written.revision { return }
    let update = ListUpdate(
      revision: state.revision, previous: written.revision, changes: written.snapshot.changes(to: state.snapshot),
      snapshot: state.snapshot, epoch: core.epoch)
    let changes = try line(of: WireMessage(update), isKeyframe: false)
    guard layout.needsKeyframe(after: changes.count) else {
      try await storage.append(changes, at: layout.size)
      layout.addChanges(size: changes.count)
      return
    }
    let oldest = await core.oldestRevision
    if oldest >= state.revision {
      return try await replace(keeping: layout.size..<layout.size, state: state, changes: [])
    }
    if let start = layout.compactStart(keeping: oldest) {
      return try await replace(keeping: start..<layout.size, state: state, changes: changes)
    }
    let keyframe = try keyframe(of: state)
    try await storage.append(changes + keyframe, at: layout.size)
    layout.addChanges(size: changes.count)
    layout.addKeyframe(size: keyframe.count, revision: state.revision)
  }

  private mutating func replace(
    keeping range: Range<Int>, state: State, changes: [UInt8]
  ) async throws(ArchiveError) {
    let keyframe = try keyframe(of: state)
    try await storage.replace(keeping: range, appending: changes + keyframe)
    layout.removeBytes(before: range.lowerBound)
    layout.addChanges(size: changes.count)
    layout.addKeyframe(size: keyframe.count, revision: state.revision)
    isDoubtful = false
  }

  private func keyframe(of state: State) throws(ArchiveError) -> [UInt8] {
    try line(of: .keyframe(of: state, epoch: core.epoch), isKeyframe: true)
  }

  private func line(
    of message: WireMessage<Section, Row>, isKeyframe: Bool
  ) throws(ArchiveError) -> [UInt8] {
    let bytes: [UInt8]
    do { bytes = try encode(message) } catch { throw .unencodable(reason: "\(error)") }
    return try ArchiveLine.line(of: bytes, isKeyframe: isKeyframe)
  }
}

extension WireMessage {
  static func keyframe(of state: ListState<Section, Row>, epoch: String) -> WireMessage {
    .initial(revision: state.revision, snapshot: state.snapshot, epoch: epoch)
  }
}
