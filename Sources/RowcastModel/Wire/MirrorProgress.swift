/// The progress of a mirror through the stream of its writer. It decides about messages, and holds no list.
///
/// Messages may be lost, doubled, reordered, cut short or foreign. A message is applied only if it starts at the position of the
/// mirror, or brings the whole list at a later revision. So the mirror is always at a state that its writer had.
///
/// A whole list of an earlier revision is late, or its writer has restarted under the same epoch. One such list
/// changes nothing, but the mirror then waits for another. The next that is later than that one, or the third, is
/// applied, unless the list has changed in between: a message is not that late twice in a row.
@usableFromInline
package struct MirrorProgress: Sendable {
  @usableFromInline
  package enum Verdict: Equatable, Sendable {
    /// The message is applied.
    case apply
    /// The message brings the whole list of a writer that has restarted, or of another list. A stream in order refuses it with the
    /// error.
    case applyRestart(WireError)
    /// The mirror has this list. Nothing is wrong: keyframes repeat the list.
    case skip
    /// The mirror has this list or a newer one. A stream in order refuses the message with the error.
    case stale(WireError)
    /// Messages before this one are missing.
    case gap(WireError)
  }

  /// The position of the list; `nil` before the first message, and after one that should fit the list and does not.
  package private(set) var position: ListPosition?
  /// True after the message that the list does not change any more.
  package private(set) var isEnded = false
  /// The newest revision that a message of the epoch has mentioned since the latest whole list.
  private var newestRevision = 0
  /// True if the newest message was of another epoch and could not be applied.
  private var missesEpoch = false
  /// The latest epochs that the mirror has left, each with the newest revision that was mentioned. Older messages
  /// come too late. Newer ones may be of a writer that is still there.
  private var formerPositions: [ListPosition] = []
  /// The newest of the whole lists that seemed late, and their number since the list has changed. With a doubt, even a whole
  /// list of the mirror's own revision is applied.
  private var doubt: (position: ListPosition, count: Int)?

  /// Starts at a position, or before the first message.
  package init(at position: ListPosition? = nil) {
    self.position = position
    newestRevision = position?.revision ?? 0
  }

  package var state: MirrorState {
    guard let position, !missesEpoch else { return .waiting(for: .wholeList) }
    if let doubt, doubt.count > 0, doubt.position.epoch == position.epoch { return .waiting(for: .wholeList) }
    if newestRevision > position.revision { return .waiting(for: .changes(since: position)) }
    return isEnded ? .ended(position) : .following(position)
  }

  /// Decides about a message.
  ///
  /// - Throws: ``WireError`` for a message that no writer sends.
  @usableFromInline
  package func verdict<Section, Row>(on message: WireMessage<Section, Row>) throws(WireError) -> Verdict {
    let revision = message.revision
    if revision < 0 { throw .negativeRevision(revision) }
    guard revision <= ListPosition.lastRevision else { throw .hugeRevision(revision) }
    var start = revision
    if case .changes(let changes) = message {
      start = changes.previous
      if start < 0 { throw .negativeRevision(start) }
      guard revision > start else { throw .fallingRevision(from: start, to: revision) }
    }
    let isWhole = if case .initial = message { true } else { false }
    guard let position else { return isWhole ? .apply : .gap(.missingInitial) }
    guard message.epoch == position.epoch else {
      let error = WireError.otherEpoch(list: position.epoch, message: message.epoch)
      if isLate(message.position, isWhole: isWhole) { return .stale(error) }
      return isWhole ? .applyRestart(error) : .gap(error)
    }
    if isWhole { return verdict(onWholeListAt: revision, from: position) }
    let wrongStart = WireError.wrongRevision(list: position.revision, messageStartsAt: start)
    if start == position.revision { return isEnded ? .stale(.ended(revision: position.revision)) : .apply }
    return start < position.revision && revision <= position.revision ? .stale(wrongStart) : .gap(wrongStart)
  }

  private func verdict(onWholeListAt revision: Int, from position: ListPosition) -> Verdict {
    if revision < position.revision {
      let error = WireError.fallingRevision(from: position.revision, to: revision)
      return isLate(ListPosition(epoch: position.epoch, revision: revision), isWhole: true)
        ? .stale(error) : .applyRestart(error)
    }
    if isEnded {
      let error = WireError.ended(revision: position.revision)
      return revision > position.revision ? .applyRestart(error) : .stale(error)
    }
    return isKnown(ListPosition(epoch: position.epoch, revision: revision)) ? .skip : .apply
  }

  /// Returns `true` if a whole list is the one that the mirror has.
  private func isKnown(_ whole: ListPosition) -> Bool {
    // Without an epoch, the list at this revision may be another one.
    whole == position && !whole.epoch.isEmpty && !isEnded && doubt?.position.epoch != whole.epoch
  }

  /// Returns `true` if a message comes after newer ones of its epoch, and a whole list not for the second or third time.
  private func isLate(_ message: ListPosition, isWhole: Bool) -> Bool {
    let known = message.epoch == position?.epoch ? position : formerPositions.first { $0.epoch == message.epoch }
    guard let known, message.revision < known.revision || (!isWhole && message.revision == known.revision) else {
      return false
    }
    guard isWhole, let doubt, doubt.count > 0, doubt.position.epoch == message.epoch else { return true }
    return message.revision <= doubt.position.revision && doubt.count < 2
  }

  private mutating func noteKnown() {
    missesEpoch = false
    newestRevision = position?.revision ?? 0
    doubt = nil
  }

  @usableFromInline
  package mutating func noteApplied<Section, Row>(_ message: WireMessage<Section, Row>) {
    if position?.epoch != message.epoch {
      formerPositions.removeAll { $0.epoch == message.epoch }
      if let epoch = position?.epoch {
        formerPositions = formerPositions.suffix(15) + [ListPosition(epoch: epoch, revision: newestRevision)]
      }
    }
    position = message.position
    switch message {
    case .initial:
      isEnded = false
      noteKnown()
    case .changes: newestRevision = max(newestRevision, message.revision)
    case .end: isEnded = true
    }
    doubt?.count = 0
    checkInvariants()
  }

  @usableFromInline
  package mutating func noteSkipped<Section, Row>(_ message: WireMessage<Section, Row>, _ verdict: Verdict) {
    switch verdict {
    case .apply, .applyRestart: break
    case .stale:
      if case .initial = message, message.position != position { noteLate(message.position) }
    case .skip: noteKnown()
    case .gap where position == nil: break
    case .gap where message.epoch == position?.epoch: newestRevision = max(newestRevision, message.revision)
    case .gap: missesEpoch = true
    }
    checkInvariants()
  }

  private mutating func noteLate(_ whole: ListPosition) {
    if let former = doubt, former.count > 0, former.position.epoch == whole.epoch {
      doubt = (former.position, former.count + 1)
    } else {
      doubt = (whole, 1)
    }
  }

  /// Notes that the list may not be one that the writer had: the next whole list is applied.
  @usableFromInline
  package mutating func noteDoubtful() {
    self = MirrorProgress()
    checkInvariants()
  }

  private func checkInvariants() {
    assert(
      newestRevision >= position?.revision ?? 0 && formerPositions.count <= 16
        && !formerPositions.contains { $0.epoch == position?.epoch } && doubt?.count ?? 0 <= 2,
      "A mirror at \(state) has heard of revision \(newestRevision), and was at \(formerPositions)")
  }
}
