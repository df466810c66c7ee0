public import RowcastModel

/// A copy of a list in another process, kept up to date by messages: a ``LiveList`` with any number of watchers and views.
///
///     let mirror = MirroredList<Channel, Message>()
///     Task { for try await message in messages { try await mirror.receive(message) } }
///     for await update in mirror.updates() { try table.apply(update) }
///
/// Messages may be lost, doubled or out of order: the list is always one that its writer had, and ``state`` names the missing
/// message. Revisions count the changes here; ``position`` is that of the writer.
public final class MirroredList<Section: WireSection, Row: RowViewModel & Codable>: LiveList {
  @usableFromInline package let store: ListStore<Section, Row>
  let receiver: MirrorReceiver<Section, Row>

  /// Creates a mirror.
  ///
  /// - Parameters:
  ///   - snapshot: The list so far, for a mirror that was saved.
  ///   - position: Its position, or `nil` if there was no message yet.
  public convenience init(_ snapshot: ListSnapshot<Section, Row> = .init(), at position: ListPosition? = nil) {
    self.init(in: ListSpace(), snapshot, at: position)
  }

  /// Creates a mirror in a space.
  init(in space: ListSpace, _ snapshot: ListSnapshot<Section, Row> = .init(), at position: ListPosition? = nil) {
    // A saved list keeps its sections, even none: the next message starts from it.
    store = ListStore(
      in: space,
      ListState(
        snapshot: position == nil ? snapshot.begun : snapshot, revision: 0,
        lineage: Lineage(of: ListPosition.randomEpoch())),
      isContinued: true, history: .none, clock: AnyClock(ContinuousClock()))
    receiver = MirrorReceiver(store.core, at: position)
  }

  deinit {
    let receiver = receiver
    Task { await receiver.finish() }
  }

  /// The list after the latest message.
  public var snapshot: ListSnapshot<Section, Row> { get async { await store.snapshot } }

  /// The number of messages that have changed the list.
  public var revision: Int { get async { await store.revision } }

  /// The position at which the writer had this list. `nil` before the first message, and after one that contradicts the list.
  public var position: ListPosition? {
    get async { await receiver.sharedStep { $0.progress.position } }
  }

  /// The list and its position in one value, for an app that keeps a mirror in a file: the whole list as a message. A new mirror
  /// that receives it is where this one was, and resumes from there.
  ///
  ///     try JSONEncoder().encode(await mirror.checkpoint).write(to: file)
  ///
  /// `nil` while the mirror has no position. Read one after the other, ``snapshot`` and ``position`` may be of different moments.
  public var checkpoint: WireMessage<Section, Row>? {
    get async { await receiver.sharedStep { $0.checkpoint } }
  }

  /// Reads the progress on the executor of the store.
  @usableFromInline package var readProgress: @Sendable () -> MirrorProgress {
    { [receiver] in receiver.assumeIsolated { $0.progress } }
  }

  /// Tells if the mirror is up to date, or which message it waits for.
  public var state: MirrorState { get async { await receiver.sharedStep { $0.progress.state } } }

  /// The state now, and whenever it changes.
  ///
  /// Each call makes an independent stream, which ends when the mirror is released. A slow reader gets the newest state.
  public var states: AsyncStream<MirrorState> { receiver.values }

  /// Watches the list; see ``ListStore/updates()``.
  public func updates() -> AsyncStream<ListUpdate<Section, Row>> { store.updates() }

  /// Applies a message that starts at the position of the mirror, or has a whole list that is later or of another writer. A whole
  /// list is compared with the one here. Any other message leaves the list unchanged.
  ///
  /// - Parameter message: Any message.
  /// - Returns: The state of the mirror after the message.
  /// - Throws: `WireError` for a message that contradicts itself or the list, which no writer sends. The list stays as it was.
  ///   If the message starts at the position of the mirror, that position is wrong, and the mirror takes the next whole list.
  /// - Complexity: O(k log n) for k operations on n rows, those of inserted and deleted sections included; O(n) for the
  ///   whole list, and O(1) for a message without news.
  @discardableResult
  public func receive(_ message: WireMessage<Section, Row>) async throws(WireError) -> MirrorState {
    try await onSharedExecutor { [receiver] () async throws(WireError) in try await receiver.receive(message) }
  }

  /// Applies the next message of an ordered stream. If it does not fit, this throws, and the next stream starts from nothing.
  ///
  /// - Returns: True if the position advanced, or the list is another one; and whether the list has ended.
  package func applyNext(
    _ message: WireMessage<Section, Row>
  ) async throws(WireError) -> (isNews: Bool, hasEnded: Bool) {
    try await onSharedExecutor { [receiver] () async throws(WireError) in try await receiver.applyNext(message) }
  }

  /// Prepares for a new stream of messages. If its first message is the whole list, that list replaces the list of the mirror.
  ///
  /// - Returns: The position from which the stream may continue; `nil` if the mirror needs the whole list.
  package func beginStream() async -> ListPosition? {
    await receiver.sharedStep { $0.beginStream() }
  }
}

/// The receiving part of a mirrored list. It runs on the executor of the list, so that a message and its edit are one step.
final actor MirrorReceiver<Section: WireSection, Row: RowViewModel & Codable>: ValuePublisher {
  private let core: StoreCore<Section, Row>
  private(set) var progress: MirrorProgress {
    didSet { if progress.state != watched.value { watched.set(progress.state) } }
  }
  var watched: WatchedValue<MirrorState>
  /// True if the next message is the first of a new stream.
  private var isAtStart = false
  /// The position that was last reported as news.
  private var news: ListPosition?
  /// The number of messages that were applied.
  private var messages = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe core.unownedExecutor }

  init(_ core: StoreCore<Section, Row>, at position: ListPosition?) {
    self.core = core
    progress = MirrorProgress(at: position)
    watched = WatchedValue(progress.state)
  }

  var checkpoint: WireMessage<Section, Row>? {
    newest.origin.map(WireMessage.init(_:))
  }

  /// The list with the position and the runs of the writer, if there is a position; and the number of messages that were applied.
  var newest: (origin: ListState<Section, Row>?, messages: Int) {
    let snapshot = core.assumeIsolated { $0.state.snapshot }
    let origin = progress.position.map {
      ListState(snapshot: snapshot, revision: $0.revision, lineage: progress.lineage)
    }
    return (origin, messages)
  }

  /// Begins with a list that was kept, unless the mirror has a position. A stream at its start remains there.
  func begin(at origin: ListState<Section, Row>) {
    if progress.position != nil { return }
    let isAtStart = isAtStart
    _ = try? fold(WireMessage(origin))
    self.isAtStart = isAtStart
  }

  /// Adds a signal that is sent when a message is applied; `nil` if there will be none.
  func addWaiter(_ signal: Signal) -> SubscriberList.Place? {
    core.assumeIsolated { $0.addWaiter(signal, after: $0.state.revision) }
  }

  func removeWaiter(_ place: SubscriberList.Place) { core.assumeIsolated { $0.waiters.remove(place) } }

  func receive(_ message: WireMessage<Section, Row>) throws(WireError) -> MirrorState {
    _ = try fold(message)
    return progress.state
  }

  func applyNext(_ message: WireMessage<Section, Row>) throws(WireError) -> (isNews: Bool, hasEnded: Bool) {
    let revision = core.assumeIsolated { $0.state.revision }
    if case .gap(let error) = try fold(message) {
      progress.noteMissingList()
      throw error
    }
    if case .ended = progress.state { return (false, true) }
    let isOther = core.assumeIsolated { $0.state.revision } != revision
    return (noteNews(isOther: isOther), false)
  }

  /// Returns `true` if the position is later than the last reported one; for another list, if its content differs.
  private func noteNews(isOther: Bool) -> Bool {
    guard let position = progress.position else { return false }
    let isSameList = news.map { $0.epoch == position.epoch || progress.lineage.contains($0.epoch) } ?? false
    if let news, isSameList ? position.revision <= news.revision : !isOther { return false }
    news = position
    return true
  }

  /// Decides about a message. The whole list at the beginning of a stream is trusted.
  private func check(
    _ message: WireMessage<Section, Row>
  ) throws(WireError) -> (progress: MirrorProgress, verdict: MirrorProgress.Verdict) {
    var progress = progress
    if isAtStart, case .initial = message { progress.noteDoubtful() }
    return (progress, try progress.verdict(on: message))
  }

  /// Applies a message, and what `rest` applies in the same step: all of it, or nothing.
  @discardableResult
  func fold(
    _ message: WireMessage<Section, Row>, then rest: @Sendable () throws(WireError) -> Void = {}
  ) throws(WireError) -> MirrorProgress.Verdict {
    var (progress, verdict) = try check(message)
    if verdict.isApplied {
      var fits = false
      let result = core.assumeIsolated { core in
        Result { () throws(WireError) in
          let revision = core.state.revision
          try core.transact { (list) throws(WireError) in
            try message.apply(to: &list.draft)
            fits = true
            try rest()
          }
          // A task may wait for the position although the list has not changed.
          if core.state.revision == revision { core.wakeWaiters() }
        }
      }
      if case .failure(let error) = result {
        if !fits {
          progress.noteDoubtful()
          (self.progress, isAtStart) = (progress, false)
        }
        throw error
      }
      messages += 1
    } else {
      try rest()
    }
    progress.note(message, verdict)
    (self.progress, isAtStart) = (progress, false)
    return verdict
  }

  /// Decides about a message of a line, before any of its messages is applied. Notes what is missing.
  func fit(_ message: WireMessage<Section, Row>) throws(WireError) -> MirrorProgress.Verdict {
    var (progress, verdict) = try check(message)
    switch verdict {
    case .apply, .applyOther, .skip: break
    // The mirror is where the message leads, or beyond.
    case .stale: if message.position == progress.position { return .skip }
    case .gap:
      // The next stream would begin with the same gap.
      if isAtStart { progress.noteMissingList() } else { progress.note(message, verdict) }
      self.progress = progress
    }
    return verdict
  }

  func beginStream() -> ListPosition? {
    isAtStart = true
    return progress.state == .waiting(for: .wholeList) ? nil : progress.position
  }

  /// Ends the streams of states.
  func finish() { watched.finish() }
}

extension WireMessage {
  /// The whole list with its position, and the runs that a message has.
  package init(_ state: ListState<Section, Row>) {
    self = .initial(
      revision: state.revision, snapshot: state.snapshot, epoch: state.lineage.epoch, lineage: state.lineage.inMessage)
  }
}
