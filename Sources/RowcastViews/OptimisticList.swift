import RowcastDiff
public import RowcastModel
public import RowcastStore

/// The list of a store or a mirror with the edits of a person, which show at once and are confirmed later.
///
///     let shown = OptimisticList(store)
///     try await shown.edit { try $0.update(id) { $0.state = .queued } } confirming: { try await server.retry(id) }
///
/// An edit is *pending* until it is answered. The list is always the confirmed one, which the store has, with the pending edits
/// replayed on it in the order of asking. Other edits of the store, and answers in any order, lose nothing of it.
///
/// The list of a mirror changes by messages only: an edit is pending until a message has it, by a position or a condition. See
/// ``editMirror(isolation:until:_:confirming:)``.
///
/// A pending edit that does not apply to the newest list, such as an edit of a row that was removed since, shows nothing. It
/// shows again if it applies again, and is reported when it is answered.
///
/// The list ends with its store or mirror. Its last state is the confirmed one: the edits that are pending then can no longer be
/// confirmed. No store is kept alive.
public final class OptimisticList<Section: SectionViewModel, Row: RowViewModel>: SourceList {
  @usableFromInline let core: ViewCore<Section, Row>
  private let edits: PendingEdits<Section, Row>

  /// Creates a list without pending edits.
  ///
  /// - Parameters:
  ///   - store: The confirmed list.
  ///   - mark: Marks a row that is not confirmed, so that its cell can say so. It runs on the shown row, inside of a read of the
  ///     store, and cannot await. The row keeps its id: a mark that changes it is left out.
  @inlinable
  public convenience init(_ store: ListStore<Section, Row>, marking mark: (@Sendable (inout Row) -> Void)? = nil) {
    self.init(on: store.core, marking: mark) { $1.rows(differingFrom: $0) }
  }

  /// `difference` returns the ids of the rows that differ, and is made where their type is known: the rest is not specialised.
  @usableFromInline
  init(
    on store: StoreCore<Section, Row>, marking mark: (@Sendable (inout Row) -> Void)?,
    progress: (@Sendable () -> MirrorProgress)? = nil,
    difference: @escaping @Sendable (_ confirmed: ListSnapshot<Section, Row>, ListSnapshot<Section, Row>) -> Set<Row.ID>
  ) {
    let edits = PendingEdits(on: store, marking: mark, progress: progress, difference: difference)
    self.edits = edits
    core = ViewCore({ $0.showing(edits) }, refusal: "an edit that is not confirmed removes it")
  }

  /// Creates a list of a mirror, without pending edits.
  ///
  /// - Parameters:
  ///   - mirror: The confirmed list.
  ///   - mark: Marks a row that is not confirmed; see ``init(_:marking:)``.
  @inlinable
  public convenience init(
    _ mirror: MirroredList<Section, Row>, marking mark: (@Sendable (inout Row) -> Void)? = nil
  ) where Section: WireSection, Row: Codable {
    self.init(on: mirror.store.core, marking: mark, progress: mirror.readProgress) { $1.rows(differingFrom: $0) }
  }

  @usableFromInline var source: any ListPublisher<Section, Row> { core }

  /// The newest list.
  public var snapshot: ListSnapshot<Section, Row> { get async { await core.latest.snapshot } }

  /// The revision of the store, and the number of edits that were asked for, answered or dropped until then.
  public var revision: Int { get async { await core.latest.revision } }

  /// Watches the list: the whole of it first, then its changes; see ``ListStore/updates()``.
  @inlinable
  public func updates() -> AsyncStream<ListUpdate<Section, Row>> { Subscription(to: core).stream }

  /// The ids of the rows that are not confirmed: those that differ from the confirmed list in their content or their place.
  ///
  ///     for await ids in shown.pending.updates() { show("\(ids.count) not saved") }
  ///
  /// Of two neighbours that changed places, one counts as moved.
  public var pending: ListValue<Set<Row.ID>> {
    ListValue { [edits] in .reading($0.state(of: edits)) { $0.pending } }
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
  ///   - confirming: Waits for the answer, on the actor of the caller, whose state it may read. It blocks nothing.
  ///   - isBrought: Returns true if the confirmed list has the edit. The condition must stay true: intermediate lists may be
  ///     skipped. It runs inside of a read of the store, and cannot await.
  /// - Precondition: The list is not the list of a mirror, or there is a condition.
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
    require(
      isBrought != nil || edits.progress == nil,
      "A mirror changes by messages only: tell until which position, or condition, an edit is pending")
    let (number, answer) = try await ask(body, confirming: confirming, until: isBrought)
    if isBrought == nil {
      try await onSharedExecutor { [edits] () async throws in try await edits.confirm(number) }
    } else {
      try await edits.awaitEcho(of: number)
    }
    return answer
  }

  /// Edits the list of a mirror at once, until the mirror is at the position that the answer names.
  ///
  ///     try await shown.editMirror(until: \.position) {
  ///       try $0.append(message, to: "general")
  ///     } confirming: {
  ///       try await server.send(message)
  ///     }
  ///
  /// The server answers with the position of its list after the edit, or a later one. The edit is dropped at the moment at
  /// which a list at that position is read: nothing flickers. If the message with the edit arrives before the answer, the edit is
  /// replayed on it until then: set values, and do not add to them.
  ///
  /// A server that restarts may lose an edit. If the mirror changes to another run, and does not know that its list was at the
  /// position, the edit is removed, and ``OptimisticListError/unknown(_:)`` is thrown: send it again, with an id that the server
  /// remembers. A relay has positions of its own: behind one, use the condition of ``edit(isolation:_:confirming:until:)``.
  ///
  /// - Parameters:
  ///   - isolation: The actor of the caller.
  ///   - position: Returns the position that an answer names.
  ///   - body: Edits the list; see ``edit(isolation:_:confirming:until:)``.
  ///   - confirming: Waits for the answer, on the actor of the caller.
  /// - Returns: The result of `confirming`.
  /// - Throws: The errors of ``edit(isolation:_:confirming:until:)``, and ``OptimisticListError/unknown(_:)``, also if the list
  ///   ends before the position.
  /// - Precondition: The list is the list of a mirror.
  /// - Complexity: The cost of ``edit(isolation:_:confirming:until:)``.
  @discardableResult
  public func editMirror<Answer: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    until position: (Answer) -> ListPosition,
    _ body: @escaping @Sendable (inout ListEditor<Section, Row>) throws -> Void,
    confirming: () async throws -> Answer
  ) async throws -> Answer {
    require(edits.progress != nil, "A list waits for positions of its mirror, and this is one of a store")
    let (number, answer) = try await ask(body, confirming: confirming, until: nil)
    try await edits.awaitEcho(of: number, at: position(answer))
    return answer
  }

  /// Shows an edit and waits for its answer; removes it if there is none.
  private func ask<Answer: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping PendingEdits<Section, Row>.Body, confirming: () async throws -> Answer,
    until echo: PendingEdits<Section, Row>.Echo?
  ) async throws -> (number: Int, answer: Answer) {
    let number = try await onSharedExecutor { [edits] () async throws in try await edits.add(body, until: echo) }
    do { return (number, try await confirming()) } catch {
      await onSharedExecutor { [edits] in _ = await edits.remove(number) }
      throw error
    }
  }
}

/// The reason why a confirmed edit is not in the list.
public enum OptimisticListError: Error {
  /// The edit does not apply to the list of the store any more, by the error that its body threw there.
  case noLongerApplies(any Error)
  /// The mirror will not reach the position of the edit, or cannot tell: send the edit again.
  case unknown(ListPosition)
}

extension OptimisticListError: CustomStringConvertible {
  /// Describes the problem and its cause.
  public var description: String {
    switch self {
    case .noLongerApplies(let error): "the edit was confirmed, but does not apply to the list any more: \(error)"
    case .unknown(let position): "the list may not lead to \(position), where the edit was confirmed; send it again"
    }
  }
}
