public import RowcastModel

/// A list that messages of another process bring here: a ``LiveList`` that any number of watchers and views follow.
///
///     let mirror = MirroredList<Channel, Message>()
///     Task { for try await message in messages { try await mirror.receive(message) } }
///     for await update in mirror.updates() { try table.apply(update) }
///
/// Messages may be lost, doubled or out of order: the list is always one that its writer had, and ``state`` says what is
/// missing. Its revisions count the changes here; ``position`` is where the writer was.
public final class MirroredList<Section: WireSection, Row: RowViewModel & Codable>: LiveList {
  /// Holds the list.
  @usableFromInline package let store: ListStore<Section, Row>
  private let receiver: MirrorReceiver<Section, Row>

  /// Creates a mirror.
  ///
  /// - Parameters:
  ///   - snapshot: The list so far, for a mirror that was kept.
  ///   - position: Its position, or `nil` if there was no message yet.
  public init(_ snapshot: ListSnapshot<Section, Row> = .init(), at position: ListPosition? = nil) {
    store = ListStore(snapshot)
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

  /// Where the writer was with this list. `nil` before the first message, and if one has shown that the list is not the one
  /// that the writer had.
  public var position: ListPosition? {
    get async { await onSharedExecutor { [receiver] in await receiver.progress.position } }
  }

  /// How the mirror stands with the list that it mirrors.
  public var state: MirrorState { get async { await onSharedExecutor { [receiver] in await receiver.progress.state } } }

  /// How the mirror stands now, and whenever that changes.
  ///
  /// Each call makes an independent stream, which ends when the mirror goes. A reader that is slow gets the newest state.
  public var states: AsyncStream<MirrorState> { receiver.values }

  /// Watches the list; see ``ListStore/updates()``.
  public func updates() -> AsyncStream<ListUpdate<Section, Row>> { store.updates() }

  /// Takes a message: applies it if it leads on from where the mirror is, or brings a newer whole list, which is compared
  /// with the one that is here. All others leave the list as it is.
  ///
  /// - Parameter message: Any message.
  /// - Returns: How the mirror stands after the message.
  /// - Throws: `WireError` for a message that no writer sends: it contradicts itself, or the list. The list is then as it
  ///   was. If the message starts where the mirror is, the mirror has lost its position, and takes the next whole list.
  /// - Complexity: O(k log n) for k operations on n rows, those of inserted and deleted sections included; O(n) for the
  ///   whole list, and O(1) if it says nothing new.
  @discardableResult
  public func receive(_ message: WireMessage<Section, Row>) async throws(WireError) -> MirrorState {
    try await onSharedExecutor { [receiver] () async throws(WireError) in try await receiver.receive(message) }
  }

  /// Begins with a stream of messages that was asked for anew: if its first message is the whole list, that is what the
  /// writer has now, whatever the mirror has.
  ///
  /// - Returns: Where the stream may go on; `nil` if the mirror needs the whole list.
  package func beginStream() async -> ListPosition? {
    await onSharedExecutor { [receiver] in await receiver.beginStream() }
  }
}

/// The part of a mirrored list that takes messages, one at a time. It runs on the executor of the list, so that a message
/// and what it does to the list are one step.
actor MirrorReceiver<Section: WireSection, Row: RowViewModel & Codable>: ValuePublisher {
  private let core: StoreCore<Section, Row>
  private(set) var progress: MirrorProgress {
    didSet { if progress.state != watched.value { watched.set(progress.state) } }
  }
  /// The state of the progress.
  var watched: WatchedValue<MirrorState>
  /// Whether the next message is the first of a stream that was asked for.
  private var isAtStart = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe core.unownedExecutor }

  init(_ core: StoreCore<Section, Row>, at position: ListPosition?) {
    self.core = core
    progress = MirrorProgress(at: position)
    watched = WatchedValue(progress.state)
  }

  func receive(_ message: WireMessage<Section, Row>) throws(WireError) -> MirrorState {
    defer { checkInvariants() }
    var progress = progress
    if isAtStart, case .initial = message { progress.noteDoubtful() }
    let verdict = try progress.verdict(on: message)
    isAtStart = false
    defer { self.progress = progress }
    switch verdict {
    case .apply, .applyRestart:
      let result = core.assumeIsolated { core in
        Result { () throws(WireError) in
          try core.transact { (list) throws(WireError) in
            switch message {
            case .initial(_, let snapshot, _): list.replace(with: snapshot)
            case .changes(let changes): try changes.apply(to: &list.draft)
            case .end: break
            }
          }
        }
      }
      do { try result.get() } catch {
        progress.noteDoubtful()
        throw error
      }
      progress.noteApplied(message)
    case .skip, .stale, .gap:
      progress.noteSkipped(message, verdict)
    }
    return progress.state
  }

  func beginStream() -> ListPosition? {
    isAtStart = true
    return progress.state == .waiting(for: .wholeList) ? nil : progress.position
  }

  /// Checks, in debug builds, that readers of the state get the one that the mirror has.
  private func checkInvariants() {
    #if DEBUG
      let (told, state) = (watched.value, progress.state)
      assert(told == state, "Readers get \"\(told)\" of a mirror that is \"\(state)\"")
    #endif
  }

  /// Ends the streams of states.
  func finish() { watched.finish() }
}
