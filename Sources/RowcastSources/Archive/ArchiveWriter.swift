import RowcastModel
import RowcastStore

/// Writes a list to its file, in a separate task.
///
/// It pulls the newest state as a subscriber does: while a line is written, later revisions are combined in the next one. So
/// edits wait for nothing, nothing is queued, and the last state is always written.
final actor ArchiveWriter<Section: WireSection, Row: RowViewModel & Codable> {
  typealias State = ListState<Section, Row>

  let core: StoreCore<Section, Row>
  let publisher: ArchivePublisher<Section, Row>
  let storage: any ArchiveStorage
  let durability: ArchiveDurability
  let clock: AnyClock
  let encoder: ArchiveEncoder<Section, Row>
  /// The newest state in the file, saved or not. It lacks what could not be encoded, if ``complete`` has a value.
  private var written: State
  private var layout: ArchiveLayout
  /// The position of the origin at which a mirror had the list that is to be written, and its runs; `nil` for any other list.
  private var origin: State?
  /// That of the list in the file, and the bytes at its end whose line has nothing else.
  private var writtenOrigin: (position: ListPosition?, line: Range<Int>?)
  /// The newest revision that was to be written; `nil` to try again.
  private var seen: Int?
  /// The reason of the last attempt's failure.
  private var failure: ArchiveError?
  /// The next attempt after a failure; without one, the next time to wait for the device.
  private var deadline: Duration?
  /// The time of the last wait for the device.
  private var syncTime: Duration
  /// While something cannot be encoded: the newest state without such a thing, and the file at that time, if it still has it.
  /// Lines after it, of a run of their own, have all but that, and make room for the next state that can be encoded.
  private var complete: (state: State, layout: ArchiveLayout?, branch: Lineage)?
  /// True if the file has to be written anew: it is not where it was, the device may have lost parts of it, or the app asks for
  /// it.
  private var isDoubtful = false
  /// True if the list has ended, and the last attempt after a failure has begun.
  private var isLastAttempt = false
  /// True if the list has ended, and its file was tidied up.
  private var isTidy = false
  /// True if nothing more can be written.
  private var isOver = false

  init(
    _ core: StoreCore<Section, Row>, publisher: ArchivePublisher<Section, Row>, storage: any ArchiveStorage,
    newest: State, origin: State? = nil, layout: ArchiveLayout, durability: ArchiveDurability, clock: AnyClock,
    encoder: ArchiveEncoder<Section, Row>
  ) {
    (self.core, self.publisher, self.storage, self.durability, self.clock) = (
      core, publisher, storage, durability, clock
    )
    (self.encoder, self.layout, written, seen, syncTime) = (encoder, layout, newest, newest.revision, clock.now)
    (self.origin, writtenOrigin) = (origin, (origin?.position, nil))
  }

  /// Writes the list until it ends.
  func run() async {
    while await step() {}
    // The device has not been waited for since then.
    if complete != nil, durability != .written { try? await storage.synchronize() }
    await storage.close()
    await publisher.finish(failure)
  }

  /// Writes the newest state or waits for it. Returns false at the end of the list.
  private func step() async -> Bool {
    let (isUrgent, isCompacting) = await publisher.takeDemand()
    if isCompacting { (isDoubtful, seen) = (true, nil) }
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
        await publisher.wakeWriter(by: signal)
        await signal.wait(until: deadline, on: clock)
      }
      await leave()
    }
    return !isOver
  }

  /// Returns true if the origin of the list has another position than the one that was to be written last.
  private func hasOriginMoved() async -> Bool {
    guard let origin = await core.newestOfOrigin.origin else { return false }
    return origin.position != self.origin?.position
  }

  /// Checks where the file is, although nothing is to be written: for the tasks that wait, and at the end of the list, when the
  /// file is compacted.
  private func check() async {
    do {
      try await storage.verify(orNothing: false)
      if !isTidy { return await publisher.save(written) }
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
        await publisher.save(state)
      }
    } catch {
      // What was written before is complete.
      if complete != nil, failure == nil, deadline != nil { await synchronize() }
      await fail(error)
    }
  }

  private func synchronize() async {
    do {
      try await storage.synchronize()
      syncTime = clock.now
      await publisher.save(complete?.state ?? written)
    } catch {
      // The system may have dropped what it could not write, and forgotten that.
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
    await publisher.fail(error)
  }

  // MARK: - Lines

  /// Writes a state, or what can be encoded of it.
  private func put(_ state: State) async throws(ArchiveError) {
    let former = (written, layout, isDoubtful)
    if let complete {
      written = complete.state
      if let layout = complete.layout { self.layout = layout } else { isDoubtful = true }
    }
    // A line with a position of the origin alone has no list of this run.
    let isKnown = state.revision == written.revision && !isDoubtful
    do {
      try await add(state)
      if !isKnown { written = state }
      complete = nil
    } catch {
      guard case .unencodable = error else {
        // The lines after the complete ones may be lost.
        complete = nil
        throw error
      }
      let base = complete ?? (written, layout, Self.branch(of: state, after: written))
      (written, layout, isDoubtful) = former
      try await addRest(of: state, after: base)
      throw error
    }
  }

  /// Writes what can be encoded of a state, if anything is new in it.
  ///
  /// - Throws: ``ArchiveError/unencodable(reason:)`` with the row or section and its field; other errors of writing.
  private func addRest(
    of state: State, after base: (state: State, layout: ArchiveLayout?, branch: Lineage)
  ) async throws(ArchiveError) {
    guard let (list, reason) = encoder.encodable(state.snapshot, since: written.snapshot) else { return }
    complete = base
    if list != written.snapshot || isDoubtful {
      let rest = State(snapshot: list, revision: state.revision, lineage: base.branch)
      // It is no list of the origin.
      let origin = origin
      self.origin = nil
      defer { self.origin = origin }
      try await add(rest)
      written = rest
    }
    throw .unencodable(reason: reason)
  }

  /// The runs of a list up to a state, and one more for what follows, which has no position that is given out.
  private static func branch(of state: State, after base: State) -> Lineage {
    let runs = state.lineage.runs.filter { $0.revision <= base.revision }
    let branch = ListPosition(epoch: ListPosition.randomEpoch(), revision: base.revision)
    return Lineage(runs + [branch]) ?? Lineage(of: branch.epoch, since: branch.revision)
  }

  private func add(_ state: State) async throws(ArchiveError) {
    if isDoubtful { return try await replace(keeping: layout.size..<layout.size, state: state, changes: []) }
    if state.revision == written.revision { return try await addOrigin(at: state) }
    let changes = try line(from: written, to: state)
    let count = state.snapshot.elementCount
    guard layout.needsKeyframe(after: changes.count, of: count) else {
      try await storage.append(changes, at: layout.size)
      layout.addChanges(size: changes.count)
      writtenOrigin = (origin?.position, nil)
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
    layout.addKeyframe(size: keyframe.count, revision: state.revision, count: count)
    writtenOrigin = (origin?.position, nil)
  }

  /// Writes the position of the origin alone, in the place of a line that has nothing else.
  private func addOrigin(at state: State) async throws(ArchiveError) {
    guard let origin, origin.position != writtenOrigin.position else { return }
    // The revision tells the list at which the origin has the position.
    let run = Lineage(of: state.lineage.epoch, since: state.revision)
    let line = try encoder.line(of: .run(run), .run, origin: origin)
    if let former = writtenOrigin.line { layout.cut(to: former.lowerBound) }
    writtenOrigin = (nil, nil)
    try await storage.append(line, at: layout.size)
    writtenOrigin = (origin.position, layout.size..<layout.size + line.count)
    layout.addChanges(size: line.count)
  }

  private func replace(
    keeping range: Range<Int>, state: State, changes: [UInt8]
  ) async throws(ArchiveError) {
    // Before all of the list is encoded.
    try await storage.verify(orNothing: true)
    let keyframe = try keyframe(of: state)
    try await storage.replace(keeping: range, appending: changes + keyframe)
    layout.removeBytes(before: range.lowerBound)
    layout.addChanges(size: changes.count)
    layout.addKeyframe(size: keyframe.count, revision: state.revision, count: state.snapshot.elementCount)
    isDoubtful = false
    complete?.layout = nil
    writtenOrigin = (origin?.position, nil)
  }

  /// Writes the file anew if more than half of it is not needed for the list and its history. A list that has become much shorter
  /// is written without its history, which would be longer than it.
  private func shrink() async throws(ArchiveError) {
    let ((newest, origin), oldest) = (await core.newestOfOrigin, await core.oldestRevision)
    self.origin = origin
    assert(newest.revision == written.revision, "\(written.revision) is written at the end, and not \(newest.revision)")
    let count = newest.snapshot.elementCount
    var isNeeded = false
    if oldest < newest.revision, let first = layout.keyframes.last(where: { $0.revision <= oldest }) {
      if first.offset > layout.size / 2 {
        return try await replace(keeping: first.offset..<layout.size, state: newest, changes: [])
      }
      isNeeded = layout.size <= 16_384 || 2 * count >= first.count
    }
    // Encoding a long list takes time, so that its size is estimated before.
    if isNeeded || layout.size > 65_536 && layout.size <= 2 * layout.estimatedSize(of: count) { return }
    if try layout.size <= 2 * keyframe(of: newest).count { return }
    try await replace(keeping: layout.size..<layout.size, state: newest, changes: [])
  }

  private func line(from before: State, to state: State) throws(ArchiveError) -> [UInt8] {
    let update = ListUpdate(
      revision: state.revision, previous: before.revision, changes: before.snapshot.changes(to: state.snapshot),
      snapshot: state.snapshot, epoch: state.lineage.epoch, previousEpoch: before.lineage.epoch)
    return try encoder.line(of: WireMessage(update), .changes, origin: origin)
  }

  private func keyframe(of state: State) throws(ArchiveError) -> [UInt8] {
    try encoder.line(of: .keyframe(of: state), .keyframe, origin: origin)
  }
}

extension WireMessage {
  /// The whole list, with all of its lineage.
  static func keyframe(of state: ListState<Section, Row>) -> WireMessage {
    .initial(
      revision: state.revision, snapshot: state.snapshot, epoch: state.lineage.epoch,
      lineage: state.lineage.runs.count > 1 ? state.lineage : Lineage())
  }
}
