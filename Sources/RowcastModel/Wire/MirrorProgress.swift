/// The progress of a mirror through the stream of its writer. It decides about messages, and has no list.
///
/// Messages may be lost, doubled, reordered, cut short or foreign. A message is applied only if it starts at the position of the
/// mirror, or has the whole list at a later one. So the mirror is always at a state that its writer had.
///
/// It has four states: it has no list, follows one, misses something, or is at the end. This is the verdict for each state and
/// message; *m* is the run of the mirror:
///
/// | the message's run | whole list | changes, progress, end |
/// |---|---|---|
/// | m | later: applied; the same revision: known; else late | from the mirror's position: applied; up to it: late; else a gap |
/// | a later one of m's list | applied | from the mirror's position: applied; else a gap |
/// | a former one of m's list | late | late |
/// | of another list | applied, unless as old as what the mirror heard of it before | late if as old as that, else a gap |
/// | no epoch | applied | as for m, if the mirror has none either |
@usableFromInline
package struct MirrorProgress: Sendable {
  @usableFromInline
  package enum Verdict: Equatable, Sendable {
    /// The message is applied.
    case apply
    /// The message has the whole list of another writer. A stream in order refuses it with the error.
    case applyOther(WireError)
    /// The mirror has this list, or the message says nothing of lists. Nothing is wrong: keyframes repeat the list.
    case skip
    /// The mirror has this list or a newer one. A stream in order refuses the message with the error.
    case stale(WireError)
    /// Messages before this one are missing.
    case gap(WireError)

    /// True if a mirror whose stream need not be in order applies the message.
    @usableFromInline package var isApplied: Bool {
      switch self {
      case .apply, .applyOther: true
      case .skip, .stale, .gap: false
      }
    }
  }

  /// The position of the list; `nil` before the first message, and after one that should fit the list and does not.
  package private(set) var position: ListPosition?
  /// True after the message that the list does not change any more.
  package private(set) var isEnded = false
  /// The newest runs of the list, up to the run of the position; unknown without an epoch.
  package private(set) var lineage = Lineage()
  /// The newest revision of this run that a message has mentioned.
  private var newestRevision = 0
  /// True if a later run of the list was mentioned, whose beginning is missing.
  private var missesRun = false
  /// True if the stream does not belong to the mirror's list: only a whole list helps.
  private var missesList = false
  /// The latest epochs that the mirror has left, each with the newest revision that was mentioned. Older messages are too late.
  /// Newer ones may be from a writer that still runs.
  private var formerPositions: [ListPosition] = []
  /// The first message since the last applied one that a stream in order has refused because of its content.
  private var refusal: (position: ListPosition, error: WireError)?

  /// Starts at a position, or before the first message.
  package init(at position: ListPosition? = nil) {
    self.position = position
    newestRevision = position?.revision ?? 0
    if let position, !position.epoch.isEmpty { lineage = Lineage(of: position.epoch, since: position.revision) }
  }

  package var state: MirrorState {
    guard let position, !missesList else { return .waiting(for: .wholeList) }
    if missesRun || newestRevision > position.revision { return .waiting(for: .changes(since: position)) }
    return isEnded ? .ended(position) : .following(position)
  }

  /// Returns whether the list has reached a position that its writer named; `nil` if it may still do so.
  ///
  /// Differences do not name the runs between, so the mirror does not know these.
  ///
  /// - Parameters:
  ///   - target: The position.
  ///   - run: The run of the mirror before the writer named the position; `nil` if it had no list.
  /// - Returns: `false` if it cannot reach the position, or cannot know.
  package func hasReached(_ target: ListPosition, since run: String?) -> Bool? {
    guard let position else { return nil }
    let (isOfRun, isOver) = (target.epoch == position.epoch, state == .ended(position))
    if let end = isOfRun ? position.revision : lineage.end(of: target.epoch) {
      return target.revision <= end ? true : isOfRun && !isOver ? nil : false
    }
    // It may belong to the next run, if it belongs to none before.
    let isFormer = formerPositions.contains { $0.epoch == target.epoch }
    return position.epoch == run && !isFormer && !isOver ? nil : false
  }

  // MARK: - Verdicts

  /// Decides about a message.
  ///
  /// - Throws: ``WireError`` for a message that no writer sends.
  @usableFromInline
  package func verdict<Section, Row>(on message: WireMessage<Section, Row>) throws(WireError) -> Verdict {
    let target = message.position
    if target.revision < 0 { throw .negativeRevision(target.revision) }
    guard target.revision <= ListPosition.lastRevision else { throw .hugeRevision(target.revision) }
    switch message {
    case .run: return .skip
    case .initial(_, _, _, let lineage):
      guard lineage.leads(to: target) else {
        throw .contradiction("the list is at \(target), but its runs are \(lineage.text)")
      }
      return verdict(onWholeListAt: target, lineage)
    case .changes(let changes):
      try check(changes.previous, isBefore: target.revision)
      return verdict(from: message.start, to: target)
    case .progress(_, let start):
      if start.revision != target.revision { try check(start.revision, isBefore: target.revision) }
      return target == position ? .skip : verdict(from: start, to: target)
    case .end: return verdict(from: target, to: target)
    }
  }

  private func check(_ start: Int, isBefore revision: Int) throws(WireError) {
    if start < 0 { throw .negativeRevision(start) }
    guard revision > start else { throw .fallingRevision(from: start, to: revision) }
  }

  private func verdict(onWholeListAt whole: ListPosition, _ lineage: Lineage) -> Verdict {
    guard let position else { return .apply }
    guard whole.epoch == position.epoch else {
      if lineage.contains(position.epoch) { return .apply }
      let error = WireError.otherEpoch(list: position.epoch, message: whole.epoch)
      return isLate(whole) ? .stale(error) : .applyOther(error)
    }
    let falls = whole.revision < position.revision
    if falls || isEnded {
      let error: WireError =
        falls
        ? .fallingRevision(from: position.revision, to: whole.revision) : .ended(revision: position.revision)
      // A list without an epoch may have been sent by a writer that has restarted.
      return whole.epoch.isEmpty || whole.revision > position.revision ? .applyOther(error) : .stale(error)
    }
    return whole == position && !whole.epoch.isEmpty ? .skip : .apply
  }

  private func verdict(from start: ListPosition?, to target: ListPosition) -> Verdict {
    guard let position, let start else { return .gap(.missingInitial) }
    let isSameRun = target.epoch == position.epoch
    // No run leads back to one before it.
    let mayLead = !target.epoch.isEmpty && !lineage.contains(target.epoch)
    guard isSameRun || start.epoch == position.epoch && mayLead else {
      let error = WireError.otherEpoch(list: position.epoch, message: target.epoch)
      return isLate(target) ? .stale(error) : .gap(error)
    }
    if start.revision == position.revision {
      // A list that has ended in one run may continue in the next one.
      return isEnded && isSameRun ? .stale(.ended(revision: position.revision)) : .apply
    }
    let wrongStart = WireError.wrongRevision(list: position.revision, messageStartsAt: start.revision)
    return isSameRun && target.revision <= position.revision ? .stale(wrongStart) : .gap(wrongStart)
  }

  /// Returns `true` if a message belongs to a former run, or is no newer than the last revision that the mirror saw of its run.
  private func isLate(_ message: ListPosition) -> Bool {
    if message.epoch.isEmpty { return false }
    return lineage.contains(message.epoch)
      || formerPositions.contains { $0.epoch == message.epoch && message.revision <= $0.revision }
  }

  // MARK: - Taking messages

  /// Notes that a message was applied, or was not, as the verdict says.
  @usableFromInline
  package mutating func note<Section, Row>(_ message: WireMessage<Section, Row>, _ verdict: Verdict) {
    switch verdict {
    case .apply, .applyOther: noteApplied(message)
    case .stale: break
    case .skip:
      guard case .initial = message else { break }
      // The newest mentioned revision may be one that no list has.
      newestRevision = position?.revision ?? 0
      (missesRun, missesList) = (false, false)
    case .gap where position == nil: break
    case .gap(.otherEpoch): missesList = true
    case .gap where message.epoch == position?.epoch: newestRevision = max(newestRevision, message.revision)
    case .gap: missesRun = true
    }
    checkInvariants()
  }

  private mutating func noteApplied<Section, Row>(_ message: WireMessage<Section, Row>) {
    if position?.epoch != message.epoch {
      leaveRun()
      formerPositions.removeAll { $0.epoch == message.epoch }
      missesRun = false
    }
    switch message {
    case .initial(_, _, let epoch, let runs):
      lineage = runs.newest(Lineage.longestInMessage)
      if lineage.runs.isEmpty, !epoch.isEmpty { lineage = Lineage(of: epoch) }
      isEnded = false
      newestRevision = message.revision
      (missesRun, missesList) = (false, false)
    case .changes, .progress:
      if position?.epoch != message.epoch, !message.epoch.isEmpty {
        // The beginning of the run is not known, except that it was not later than this.
        lineage.begin(message.epoch, at: position?.revision ?? 0)
        lineage = lineage.newest(Lineage.longestInMessage)
        newestRevision = message.revision
      }
      isEnded = false
      newestRevision = max(newestRevision, message.revision)
    case .end: isEnded = true
    case .run: break
    }
    position = message.position
    refusal = nil
  }

  /// Notes the error of a message that a stream in order refuses for what it says; the first one counts.
  @usableFromInline
  package mutating func noteRefused(at position: ListPosition, _ error: WireError) {
    if refusal == nil { refusal = (position, error) }
  }

  /// The error for a message out of sequence: the earlier refusal that caused it, if any.
  @usableFromInline
  package func cause(of error: WireError) -> WireError {
    guard case .wrongRevision = error, let refusal else { return error }
    return .stopped(at: refusal.position, by: refusal.error)
  }

  /// Remembers the run of the list as one that the mirror has left.
  private mutating func leaveRun() {
    guard let epoch = position?.epoch, !epoch.isEmpty else { return }
    formerPositions.removeAll { $0.epoch == epoch }
    formerPositions = formerPositions.suffix(15) + [ListPosition(epoch: epoch, revision: newestRevision)]
  }

  /// Notes that the writer may never have had the list: the next whole list is applied.
  @usableFromInline
  package mutating func noteDoubtful() {
    leaveRun()
    let former = formerPositions
    self = MirrorProgress()
    formerPositions = former
    checkInvariants()
  }

  /// Notes that the stream does not continue the list: the next stream starts from nothing.
  package mutating func noteMissingList() {
    missesList = true
    checkInvariants()
  }

  private func checkInvariants() {
    assert(
      newestRevision >= position?.revision ?? 0 && formerPositions.count <= 16
        && !formerPositions.contains { $0.epoch == position?.epoch } && lineage.epoch == position?.epoch ?? "",
      "A mirror at \(state) has heard of revision \(newestRevision), was at \(formerPositions), after \(lineage)")
  }
}

/// The state of a mirror of a list.
public enum MirrorState: Hashable, Sendable {
  /// The mirror misses something, and keeps the list that it has.
  case waiting(for: MirrorNeed)
  /// The mirror is up to date with the newest message.
  case following(ListPosition)
  /// The list has ended, and the mirror has its last state.
  case ended(ListPosition)
}

/// What a mirror needs to continue.
public enum MirrorNeed: Hashable, Sendable {
  /// The whole list: an `initial` message.
  case wholeList
  /// The changes since a position, or the whole list.
  case changes(since: ListPosition)
}

extension MirrorState: CustomStringConvertible {
  /// The state in words.
  public var description: String {
    switch self {
    case .waiting(let need): "waiting for \(need)"
    case .following(let position): "following, at \(position)"
    case .ended(let position): "ended at \(position)"
    }
  }
}

extension MirrorNeed: CustomStringConvertible {
  /// The need in words.
  public var description: String {
    switch self {
    case .wholeList: "the whole list"
    case .changes(let position): "the changes since \(position)"
    }
  }
}
