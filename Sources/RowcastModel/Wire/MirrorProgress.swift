/// Where a mirror is in the stream of its writer: decides what becomes of a message, and holds no list.
///
/// Messages may be lost, doubled, reordered, cut short or foreign. A message is applied only if it starts where the mirror
/// is, or brings the whole list at a later revision. So the mirror is always at a state that its writer had.
@usableFromInline
package struct MirrorProgress: Sendable {
  /// What becomes of a message.
  @usableFromInline
  package enum Verdict: Equatable, Sendable {
    /// The message is applied.
    case apply
    /// The message brings the whole list of another epoch: of a writer that has restarted, or another list.
    case applyOtherEpoch(WireError)
    /// The mirror has what the message says. Nothing is wrong: keyframes repeat the list.
    case skip
    /// The mirror has what the message says, or something newer. The error says what a stream in order would not have.
    case stale(WireError)
    /// Messages before this one are missing.
    case gap(WireError)
  }

  /// The position of the list; `nil` before the first message.
  package private(set) var position: ListPosition?
  /// Whether a message said that the list does not change any more.
  package private(set) var isEnded = false
  /// The newest revision that a message of the epoch has mentioned.
  private var newestRevision = 0
  /// Whether the newest message was one of another epoch that could not be applied.
  private var missesEpoch = false
  /// The epochs that the mirror has left, the last ones, each with the newest revision that was mentioned. Older messages
  /// come too late. Newer ones show that the writer is there: which of two epochs is the later one is not known.
  private var formerPositions: [ListPosition] = []

  /// Starts at a position, or before the first message.
  package init(at position: ListPosition? = nil) {
    self.position = position
    newestRevision = position?.revision ?? 0
  }

  package var state: MirrorState {
    guard let position, !missesEpoch else { return .waiting(for: .wholeList) }
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
      if let former = formerPositions.last(where: { $0.epoch == message.epoch }),
        revision < former.revision || (!isWhole && revision == former.revision)
      {
        return .stale(error)
      }
      return isWhole ? .applyOtherEpoch(error) : .gap(error)
    }
    if isWhole { return verdict(onWholeListAt: revision, from: position) }
    let wrongStart = WireError.wrongRevision(list: position.revision, messageStartsAt: start)
    if start == position.revision { return isEnded ? .stale(.ended(revision: position.revision)) : .apply }
    return start < position.revision && revision <= position.revision ? .stale(wrongStart) : .gap(wrongStart)
  }

  private func verdict(onWholeListAt revision: Int, from position: ListPosition) -> Verdict {
    if revision < position.revision { return .stale(.fallingRevision(from: position.revision, to: revision)) }
    if isEnded { return .stale(.ended(revision: position.revision)) }
    // Without an epoch nothing says that the list at this revision is the same one.
    return revision == position.revision && !position.epoch.isEmpty ? .skip : .apply
  }

  /// Notes a keyframe of which only the position is known, if it says nothing new. Returns whether it does.
  package mutating func skips(keyframeAt keyframe: ListPosition) -> Bool {
    guard keyframe == position, !keyframe.epoch.isEmpty, !isEnded else { return false }
    missesEpoch = false
    checkInvariants()
    return true
  }

  @usableFromInline
  package mutating func noteApplied<Section, Row>(_ message: WireMessage<Section, Row>) {
    if let epoch = position?.epoch, epoch != message.epoch {
      let others = formerPositions.filter { $0.epoch != epoch && $0.epoch != message.epoch }
      formerPositions = others.suffix(15) + [ListPosition(epoch: epoch, revision: newestRevision)]
      newestRevision = 0
      isEnded = false
    }
    position = message.position
    newestRevision = max(newestRevision, message.revision)
    switch message {
    case .initial: missesEpoch = false
    case .changes: break
    case .end: isEnded = true
    }
    checkInvariants()
  }

  @usableFromInline
  package mutating func noteSkipped<Section, Row>(_ message: WireMessage<Section, Row>, _ verdict: Verdict) {
    switch verdict {
    case .apply, .applyOtherEpoch, .stale: break
    case .skip: missesEpoch = false
    case .gap where position == nil: break
    case .gap where message.epoch == position?.epoch: newestRevision = max(newestRevision, message.revision)
    case .gap: missesEpoch = true
    }
    checkInvariants()
  }

  private func checkInvariants() {
    assert(
      newestRevision >= position?.revision ?? 0 && formerPositions.count <= 16
        && !formerPositions.contains { $0.epoch == position?.epoch },
      "A mirror at \(state) has heard of revision \(newestRevision), and was at \(formerPositions)")
  }
}
