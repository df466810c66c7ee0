import RowcastDiff
public import RowcastModel

/// The owner of a list: it applies transactions, and its subscribers get the differences.
///
///     let store = ListStore<Channel, Message>()
///     try await store.edit { list in
///       try list.append(Channel(id: "general", title: "General"))
///       try list.append(Message(id: id, text: "hi"), to: "general")
///     }
///     for await update in store.updates() {
///       try table.apply(update)
///     }
///
/// Transactions have one serial order. Each that changes something makes a new revision; the first list has revision 0. Stores
/// that belong together share that order in a ``ListSpace``.
///
/// A store lives as long as the app holds it. Its streams do not keep it alive: when it is released they deliver its last state,
/// and end, as they do after ``finish()``.
public final actor ListStore<Section: SectionViewModel, Row: RowViewModel> {
  /// The state. All calls to it go through ``onSharedExecutor(_:)``, so no task can block it for others.
  @usableFromInline package nonisolated let core: StoreCore<Section, Row>

  /// The run of the list that began with this store: part of every `ListPosition`. It is drawn at random.
  public nonisolated var epoch: String { core.epoch }

  /// Creates a store that starts with a list, by default the empty one; a list of ``SoleSection`` has that section.
  ///
  /// - Parameters:
  ///   - snapshot: The list at revision 0.
  ///   - history: The former versions from which ``updates(since:)`` and ``message(since:)`` can continue.
  ///   - clock: Measures the age of versions, and waits for their end.
  @inlinable
  public init<Time: Clock>(
    _ snapshot: ListSnapshot<Section, Row> = .init(), history: ListHistory = .none, clock: Time = ContinuousClock()
  ) where Time.Duration == Duration {
    self.init(snapshot, epoch: ListPosition.randomEpoch(), history: history, clock: clock)
  }

  /// Creates a store with an epoch that no other list has, for tests and recordings that are the same each time.
  @inlinable
  package init<Time: Clock>(
    in space: ListSpace = ListSpace(), _ snapshot: ListSnapshot<Section, Row> = .init(), epoch: String,
    history: ListHistory = .none, clock: Time = ContinuousClock()
  ) where Time.Duration == Duration {
    self.init(
      in: space, ListState(snapshot: snapshot.begun, revision: 0, lineage: Lineage(of: epoch)), history: history,
      clock: AnyClock(clock))
  }

  /// Creates a store that continues from a state of an earlier run, with the states before it in the order of their revisions.
  ///
  /// With `isContinued`, the list does not end with the store, but continues in another run, or elsewhere.
  @inlinable
  package init(
    in space: ListSpace = ListSpace(), _ state: ListState<Section, Row>, after former: [ListState<Section, Row>] = [],
    isContinued: Bool = false, history: ListHistory, clock: AnyClock, origin: ListState<Section, Row>? = nil,
    validate: StoreCore<Section, Row>.Validation? = nil
  ) {
    core = StoreCore(
      ListDraft(state.snapshot), in: space, lineage: state.lineage, revision: state.revision, after: former,
      isContinued: isContinued, history: history, clock: clock, origin: origin, validate: validate)
  }

  deinit {
    let core = core
    Task { await core.stop() }
  }

  /// The newest list.
  public nonisolated var snapshot: ListSnapshot<Section, Row> {
    get async { await core.sharedStep { $0.state.snapshot } }
  }

  /// The number of transactions that have changed the list.
  public nonisolated var revision: Int {
    get async { await core.sharedStep { $0.state.revision } }
  }

  /// Changes the list in one transaction.
  ///
  /// Subscribers see all of it or nothing. If the body throws, the list stays as it was and the error is rethrown. If the
  /// list ends up equal to the one before, there is no revision and no update.
  ///
  /// - Parameter body: Edits the list. It runs once, and cannot await.
  /// - Returns: The result of the body.
  /// - Throws: Any error of the body; ``ListStoreError/finished`` after ``finish()``.
  @inlinable
  @discardableResult
  public final nonisolated func edit<Result: Sendable>(
    _ body: @Sendable (inout ListEditor<Section, Row>) throws -> Result
  ) async throws -> Result {
    // A closure around the body would copy its captures.
    if !SharedExecutor.callerPrefersAnother { return try await core.edit(body) }
    return try await onSharedExecutor { [core] () async throws in try await core.edit(body) }
  }

  /// Makes the list equal to a snapshot, in one transaction. Subscribers get the difference.
  ///
  /// The snapshot may be any list. A former one of this store, which the app kept, undoes all later transactions. That is one
  /// more revision; the history stays. A list that is equal to the newest one makes no revision.
  ///
  ///     let before = await store.snapshot
  ///     try await store.edit { try $0.removeSection("general") }
  ///     try await store.replace(with: before)
  ///
  /// - Throws: ``ListStoreError/finished`` after ``finish()``.
  /// - Complexity: O(d log n) for d rows and sections that differ, if the snapshot is a former one of this store. O(n) for any
  ///   other.
  @inlinable
  public nonisolated func replace(with snapshot: ListSnapshot<Section, Row>) async throws {
    try await edit { $0.replace(with: snapshot) }
  }

  /// Ends the store: subscribers get its last state, then their streams end. The list cannot change any more.
  public nonisolated func finish() async {
    await core.sharedStep { $0.finish() }
  }

  /// Watches the list.
  ///
  /// The first update is the whole list; every later one starts at the revision where the one before it ended. The
  /// difference is computed when the stream is asked for its next element: a slow subscriber gets one update to the
  /// newest state, the net difference since its last one, and delays no writer and no other stream. Nothing is queued.
  ///
  /// Each call makes an independent stream. Two tasks that read *one* stream share its updates: each update is delivered to one
  /// of them, and neither can follow the list. A task that needs all updates calls `updates()` itself.
  ///
  /// The stream ends after ``finish()``, when the store is released, and when the task that reads it is cancelled.
  @inlinable
  public final nonisolated func updates() -> AsyncStream<ListUpdate<Section, Row>> {
    Subscription(to: core).stream
  }

  /// Watches the list from a position on: for a subscriber or a mirror that reconnects.
  ///
  /// If the store still has the version at the position when the first update is requested, that update is the net difference
  /// since then, as soon as there is one. Otherwise, and for a position that the list never had, the first update is the whole
  /// list, as in ``updates()``.
  ///
  ///     for await update in store.updates(since: mirror.position) { … }
  ///
  /// - Parameter position: The position of the subscriber, or `nil` for the beginning.
  /// - Returns: A stream of updates.
  /// - Complexity: O(k log n) for the first update, for k rows and sections that changed since the position.
  @inlinable
  public final nonisolated func updates(since position: ListPosition?) -> AsyncStream<ListUpdate<Section, Row>> {
    Subscription(to: core) { [core] in await core.sharedStep { $0.state(at: position) } }.stream
  }

  /// The epoch of the run, and the newest revision.
  public nonisolated var position: ListPosition {
    get async { await core.sharedStep { $0.state.position } }
  }
}

extension ListStore where Section: WireSection, Row: Codable {
  /// The message that brings a mirror up to date: for transports that request and answer.
  ///
  /// - Parameter position: The position of the mirror, or `nil` if it has nothing.
  /// - Returns: The net difference if the store still has the version at the position. The whole list if not, or if that is
  ///   the shorter message. `nil` if the mirror is at the newest position; progress if that is only of another run.
  /// - Complexity: O(k log n) for k rows and sections that changed since the position; O(n) for the whole list.
  @inlinable
  public final nonisolated func message(since position: ListPosition?) async -> WireMessage<Section, Row>? {
    let (former, newest) = await core.sharedStep { ($0.state(at: position), $0.state) }
    if let former, former.position == newest.position { return nil }
    return newest.message(since: former)
  }
}

extension ListState where Section: WireSection, Row: Codable {
  /// The shortest message that leads here from a former state, or from nothing.
  @usableFromInline
  func message(since former: ListState?) -> WireMessage<Section, Row> {
    WireMessage(shortest: update(since: former, former?.snapshot.changes(to: snapshot) ?? ListChanges()))
  }
}

// The list itself is in the actor: a reader without `await` would race with a writer.

extension ListStore: CustomStringConvertible, CustomReflectable {
  /// The types of the list, and the epoch of its run. Its revision and its rows are read with `await`: ``position``, ``snapshot``.
  public nonisolated var description: String { "ListStore of \(Section.self) and \(Row.self), run \(epoch)" }

  /// The epoch of the run, without the list.
  public nonisolated var customMirror: Mirror { Mirror(self, children: ["epoch": epoch]) }
}

/// The reason why a store, or a space, refused a transaction as a whole.
public enum ListStoreError: Error, Hashable {
  /// The store was finished; its list does not change any more.
  case finished
  /// The store, named by its epoch, does not belong to the space of the transaction.
  case foreignStore(epoch: String)
  /// The store, named by its epoch, was given twice to one transaction.
  case repeatedStore(epoch: String)
}

extension ListStoreError: CustomStringConvertible {
  /// The mistake, and its remedy.
  public var description: String {
    switch self {
    case .finished: "the store is finished: its list cannot change any more; edit before calling finish()"
    case .foreignStore(let epoch): "the store \(epoch) is not of this space; make it with the store(of:) of this space"
    case .repeatedStore(let epoch): "the store \(epoch) is listed twice in the transaction; list each store once"
    }
  }
}
