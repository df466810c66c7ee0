public import RowcastModel

/// The owner of a list: transactions go in, differences come out.
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
/// Transactions have one serial order. Each that changes something makes a new revision; the first list has revision 0.
///
/// A store lives as long as the app holds it. Its streams do not keep it alive: when it goes they deliver what their
/// subscribers have not seen, and end, as they do after ``finish()``.
public actor ListStore<Section: SectionViewModel, Row: RowViewModel> {
  /// The state. All calls to it go over ``onSharedExecutor(_:)``, so no task can hold it up for others.
  @usableFromInline package nonisolated let core: StoreCore<Section, Row>

  /// Creates a store that starts with a list, by default the empty one; a list of ``SoleSection`` has that section.
  @inlinable
  public init(_ snapshot: ListSnapshot<Section, Row> = .init()) {
    core = StoreCore(ListDraft(snapshot.isEmpty ? .fresh : snapshot))
  }

  deinit {
    let core = core
    Task { await core.finish() }
  }

  /// The newest list.
  public nonisolated var snapshot: ListSnapshot<Section, Row> {
    get async { await onSharedExecutor { [core] in await core.state.snapshot } }
  }

  /// The number of transactions that have changed the list.
  public nonisolated var revision: Int {
    get async { await onSharedExecutor { [core] in await core.state.revision } }
  }

  /// Changes the list in one transaction.
  ///
  /// Subscribers see all of it or nothing. If the body throws, nothing has happened and the error is thrown on. If the
  /// list is in the end what it was before, no revision is made and nothing is emitted.
  ///
  /// - Parameter body: Edits the list. It runs once, and cannot await.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws; ``ListStoreError/finished`` after ``finish()``.
  @inlinable
  @discardableResult
  public final nonisolated(nonsending) func edit<Result: Sendable>(
    _ body: @Sendable (inout ListEditor<Section, Row>) throws -> Result
  ) async throws -> Result {
    try await onSharedExecutor { [core] () async throws in try await core.edit(body) }
  }

  /// Makes the list equal to a snapshot, in one transaction. Subscribers get the difference.
  ///
  /// - Throws: ``ListStoreError/finished`` after ``finish()``.
  @inlinable
  public nonisolated(nonsending) func replace(with snapshot: ListSnapshot<Section, Row>) async throws {
    try await edit { $0.replace(with: snapshot) }
  }

  /// Goes back to a list that the store once had, and that the app kept: undo.
  ///
  /// It is one more revision, with the difference as its update; nothing is taken out of history. Subscribers cannot
  /// tell it from any other transaction. A list that is equal to the newest one makes no revision.
  ///
  ///     let before = await store.snapshot
  ///     try await store.edit { try $0.removeSection("general") }
  ///     try await store.restore(before)
  ///
  /// - Parameter snapshot: A list. One that this store never had will do, as in ``replace(with:)``.
  /// - Throws: ``ListStoreError/finished`` after ``finish()``.
  /// - Complexity: O(d log n) for d rows and sections that differ: keeping a snapshot costs what was changed since.
  @inlinable
  public nonisolated(nonsending) func restore(_ snapshot: ListSnapshot<Section, Row>) async throws {
    try await replace(with: snapshot)
  }

  /// Ends the store: subscribers get its last state, then their streams end. The list cannot change any more.
  public nonisolated func finish() async {
    await onSharedExecutor { [core] in await core.finish() }
  }

  /// Watches the list.
  ///
  /// The first update is the whole list; every later one starts at the revision where the one before it ended. The
  /// difference is made when the stream is asked for its next element: a subscriber that is slow gets one update to the
  /// newest state, net of all that it missed, and makes nobody wait. Nothing is queued.
  ///
  /// Each call makes an independent stream. Two tasks that read *one* stream share its updates: each update goes to one
  /// of them, and neither can fold what it gets. A task that wants all updates takes a stream of its own.
  ///
  /// The stream ends after ``finish()``, when the store goes, and when the task
  /// that reads it is cancelled.
  @inlinable
  public final nonisolated func updates() -> AsyncStream<ListUpdate<Section, Row>> {
    Subscription(to: core).stream
  }
}
