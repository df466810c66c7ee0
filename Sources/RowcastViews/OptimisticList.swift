public import RowcastModel
public import RowcastStore

/// The list of a store with the edits of a person, which show at once and are confirmed later.
///
///     let shown = OptimisticList(store)
///     try await shown.edit { try $0.update(id) { $0.state = .queued } } confirming: { try await server.retry(id) }
///
/// An edit is *pending* until it is answered. The list is always the confirmed one, which the store has, with the pending edits
/// replayed on it in the order of asking. Other edits of the store, and answers in any order, lose nothing of it.
///
/// A pending edit that does not apply to the newest list, such as one of a row that was removed meanwhile, shows nothing. It
/// shows again if it applies again, and is reported when it is answered.
///
/// The list ends with its store. Its last state is the confirmed one: the edits that are pending then can no longer be
/// confirmed. No store is kept alive.
public final class OptimisticList<Section: SectionViewModel, Row: RowViewModel>: SourceList {
  private let core: ViewCore<Section, Row>
  private let edits: PendingEdits<Section, Row>

  /// Creates a list without pending edits.
  ///
  /// - Parameters:
  ///   - store: The confirmed list.
  ///   - mark: Marks a row that is not confirmed, so that its cell can say so. It runs on the shown row, inside of a read of the
  ///     store, and cannot await. The row keeps its id: a mark that changes it is left out.
  public init(_ store: ListStore<Section, Row>, marking mark: (@Sendable (inout Row) -> Void)? = nil) {
    let edits = PendingEdits(on: store.core, marking: mark)
    self.edits = edits
    core = ViewCore { .showing($0.state(of: edits)) }
  }

  @usableFromInline var source: any ListPublisher<Section, Row> { core }

  /// The newest list.
  public var snapshot: ListSnapshot<Section, Row> { get async { await core.latest.snapshot } }

  /// The revision of the store, and the number of edits that were asked for, answered or dropped until then.
  public var revision: Int { get async { await core.latest.revision } }

  /// Watches the list: the whole of it first, then its changes; see ``ListStore/updates()``.
  public func updates() -> AsyncStream<ListUpdate<Section, Row>> { Subscription(to: core).stream }

  /// The ids of the rows that are not confirmed: those that differ from the confirmed list in their content or their place.
  ///
  ///     for await ids in shown.pending.updates() { show("\(ids.count) not saved") }
  ///
  /// Of two neighbours that changed places, one counts as moved.
  public var pending: ListValue<Set<Row.ID>> {
    ListValue { [edits] in .showingPending($0.state(of: edits)) }
  }

  /// Edits the list at once, and keeps the edit if it is confirmed.
  ///
  /// Once `confirming` returns, the edit is made in the store and is no longer pending, in one step: nothing flickers. If it
  /// throws, the edit is removed, with one update.
  ///
  /// If the source of the store brings the edit itself, `isBrought` recognises it there. The edit is dropped at the
  /// moment at which a list that has it is read, before or after the answer, and never made in the store. The call returns after
  /// both.
  ///
  ///     try await shown.edit {
  ///       try $0.append(message, to: "general")
  ///     } confirming: {
  ///       try await server.send(message)
  ///     } until: {
  ///       $0.row(message.id) != nil
  ///     }
  ///
  /// - Parameters:
  ///   - isolation: The actor of the caller.
  ///   - body: Edits the list. It runs when it is asked for, again whenever the list is read after a change, and in the store
  ///     at the end: it gives the same edit each time, and has no other effect. It runs inside of a transaction or a
  ///     read of the store, which it delays, and cannot await.
  ///   - confirming: Waits for the answer, on the actor of the caller, whose state it may read. Nothing is blocked meanwhile.
  ///   - isBrought: Returns true if the confirmed list has the edit. The condition must stay true: intermediate lists may be
  ///     skipped. It runs inside of a read of the store, and cannot await.
  /// - Returns: The result of `confirming`.
  /// - Throws: Any error of `body` at first: then nothing was shown or asked. Any error of `confirming`.
  ///   ``OptimisticListError/noLongerApplies(_:)`` if the edit was confirmed, but does not apply to the store any more.
  ///   `ListStoreError.finished`; `CancellationError` if the task is cancelled while it waits for `isBrought`.
  /// - Complexity: O(p log n) for p pending edits of one row each, in a list of n rows, now and whenever the list is read after a
  ///   change.
  @discardableResult
  public func edit<Answer: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping @Sendable (inout ListEditor<Section, Row>) throws -> Void,
    confirming: () async throws -> Answer,
    until isBrought: (@Sendable (borrowing ListEditor<Section, Row>) -> Bool)? = nil
  ) async throws -> Answer {
    let number = try await onSharedExecutor { [edits] () async throws in try await edits.add(body, until: isBrought) }
    let answer: Answer
    do { answer = try await confirming() } catch {
      await onSharedExecutor { [edits] in _ = await edits.remove(number) }
      throw error
    }
    if isBrought == nil {
      try await onSharedExecutor { [edits] () async throws in try await edits.confirm(number) }
    } else {
      try await edits.awaitEcho(of: number)
    }
    return answer
  }
}

/// The reason for which a confirmed edit is not in the list.
public enum OptimisticListError: Error {
  /// The edit does not apply to the list of the store any more, by the error that its body threw there.
  case noLongerApplies(any Error)
}

extension OptimisticListError: CustomStringConvertible {
  /// Describes the problem and its cause.
  public var description: String {
    switch self {
    case .noLongerApplies(let error): "the edit was confirmed, but does not apply to the list any more: \(error)"
    }
  }
}
