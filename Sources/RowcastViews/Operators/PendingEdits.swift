import RowcastDiff
public import RowcastModel
import RowcastStore

/// The edits of an ``OptimisticList`` that are not answered yet, in the order in which they were made.
///
/// It runs on the executor of the store's space, so that an edit goes from here to the store in one step, and readers see both at
/// one moment. Edits are replayed in a transaction of the store that is then rolled back: they use the store's index, and nothing
/// else is kept.
final actor PendingEdits<Section: SectionViewModel, Row: RowViewModel>: Upstream {
  typealias Body = @Sendable (inout ListEditor<Section, Row>) throws -> Void
  typealias Echo = @Sendable (borrowing ListEditor<Section, Row>) -> Bool
  /// The confirmed list, the list with the pending edits replayed on it, and the rows in which the two differ.
  typealias Replayed = (
    confirmed: ListSnapshot<Section, Row>, snapshot: ListSnapshot<Section, Row>, pending: Set<Row.ID>
  )

  private final class Edit {
    let number: Int
    let body: Body
    /// Recognises the edit in the confirmed list.
    let echo: Echo?
    /// The run of the mirror at the time of the edit.
    let run: String?
    /// The position at which the mirror has the edit, once the answer has named it.
    var target: ListPosition?

    init(_ number: Int, _ body: @escaping Body, echo: Echo?, run: String?) {
      (self.number, self.body, self.echo, self.run) = (number, body, echo, run)
    }
  }

  nonisolated let store: StoreCore<Section, Row>
  private let mark: (@Sendable (inout Row) -> Void)?
  /// Reads the progress of a mirror, whose list is never edited here; `nil` for other lists.
  nonisolated let progress: (@Sendable () -> MirrorProgress)?
  private let difference: @Sendable (ListSnapshot<Section, Row>, ListSnapshot<Section, Row>) -> Set<Row.ID>
  private var edits: [Edit] = []
  private var nextNumber = 0
  /// The number of times that an edit was added or removed.
  private var changeCount = 0
  private var waiters = WaiterList()
  /// The list at the last read, with its revision.
  private var newest: (list: Replayed, revision: Int)?

  init(
    on store: StoreCore<Section, Row>, marking mark: (@Sendable (inout Row) -> Void)?,
    progress: (@Sendable () -> MirrorProgress)?,
    difference: @escaping @Sendable (ListSnapshot<Section, Row>, ListSnapshot<Section, Row>) -> Set<Row.ID>
  ) {
    (self.store, self.mark, self.progress, self.difference) = (store, mark, progress, difference)
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe store.unownedExecutor }

  /// The number of edits that are not answered.
  var count: Int { edits.count }

  /// The state of the store, and true if it is the last one.
  private var confirmed: (state: ListState<Section, Row>, isFinal: Bool) {
    store.assumeIsolated { ($0.state, $0.isFinished) }
  }

  /// The revision of the list. The end counts as a change: edits that are still pending are then no longer shown.
  private var revision: Int {
    let (state, isFinal) = confirmed
    return state.revision + changeCount + (isFinal ? 1 : 0)
  }

  // MARK: - Edits

  /// Adds an edit, if it applies to the newest list. Returns its number.
  func add(_ body: @escaping Body, until echo: Echo?) throws -> Int {
    if confirmed.isFinal { throw ListStoreError.finished }
    dropEchoes()
    let bodies = edits.map { $0.body } + [body]
    let error = preview { editor, list in editor.replay(bodies, on: list)[bodies.count - 1] }
    if let error { throw error }
    edits.append(Edit(nextNumber, body, echo: echo, run: progress?().position?.epoch))
    nextNumber += 1
    noteChange()
    return nextNumber - 1
  }

  /// Removes an edit. Returns its body; `nil` if it was removed already.
  @discardableResult
  func remove(_ number: Int) -> Body? {
    guard let index = edits.firstIndex(where: { $0.number == number }) else { return nil }
    defer { noteChange() }
    return edits.remove(at: index).body
  }

  /// Makes an edit in the store, and removes it here.
  func confirm(_ number: Int) throws {
    guard let body = remove(number) else { return }
    do { try store.assumeIsolated { try $0.edit(body) } } catch {
      throw confirmed.isFinal ? error : OptimisticListError.noLongerApplies(error)
    }
  }

  /// Waits until the store has an edit by itself: at a position of the mirror, if one is given.
  nonisolated func awaitEcho(of number: Int, at position: ListPosition? = nil) async throws {
    while let (signal, leave) = try await onSharedExecutor({ () async throws in
      try await self.awaitChange(of: number, at: position)
    }) {
      let isWoken = await signal.wait()
      await leave()
      if isWoken { continue }
      await onSharedExecutor { _ = await self.remove(number) }
      throw CancellationError()
    }
  }

  /// Adds a signal that is sent at the next change; `nil` if an edit was removed.
  private func awaitChange(
    of number: Int, at position: ListPosition?
  ) throws -> (signal: Signal, leave: WaiterRemoval)? {
    let edit = edits.first { $0.number == number }
    if let position, edit?.target == nil { edit?.target = position }
    dropEchoes()
    guard let edit, edits.contains(where: { $0 === edit }) else { return nil }
    let signal = Signal()
    if hasReached(edit) != false, let leave = enqueue(signal, after: revision) { return (signal, leave) }
    remove(number)
    if let position { throw OptimisticListError.unknown(position) }
    throw ListStoreError.finished
  }

  /// Tells if the mirror has an edit whose position is known; `nil` if that is open.
  private func hasReached(_ edit: Edit) -> Bool? {
    edit.target.flatMap { progress?().hasReached($0, since: edit.run) }
  }

  /// Removes the edits whose positions the mirror has reached.
  private func dropReached() {
    if progress == nil { return }
    let count = edits.count
    edits.removeAll { hasReached($0) == true }
    if edits.count != count { noteChange() }
  }

  /// Removes the edits that the confirmed list has by itself.
  private func dropEchoes() {
    dropReached()
    let echoes = edits.map { $0.echo }
    if echoes.allSatisfy({ $0 == nil }) { return }
    let areEchoed = preview { editor, _ in echoes.map { echo in echo.map { $0(editor) } ?? false } }
    if !areEchoed.contains(true) { return }
    edits = zip(edits, areEchoed).filter { !$0.1 }.map { $0.0 }
    noteChange()
  }

  private func noteChange() {
    changeCount += 1
    newest = nil
    waiters.wakeAll()
  }

  // MARK: - Reading

  /// Runs a body on the confirmed list, and undoes its edits.
  private func preview<Result: Sendable>(
    _ body: @Sendable (inout ListEditor<Section, Row>, ListSnapshot<Section, Row>) -> Result
  ) -> Result {
    store.assumeIsolated { store in
      let list = store.state.snapshot
      return store.transact { editor in
        let result = body(&editor, list)
        editor.draft.rollBack(to: list)
        return result
      }
    }
  }

  /// The confirmed list with all edits that apply to it.
  private func replay() -> Replayed {
    let bodies = edits.map { $0.body }
    return preview { [mark, difference] editor, list in
      _ = editor.replay(bodies, on: list)
      let pending = difference(list, editor.snapshot)
      // A mark that changes the id is left out.
      if let mark { for id in pending { try? editor.update(id, mark) } }
      return (list, editor.snapshot, pending)
    }
  }

  func value(after revision: Int?) -> UpstreamValue<Replayed>? {
    let (state, isFinal) = confirmed
    let unedited: Replayed = (state.snapshot, state.snapshot, [])
    if isFinal { return (unedited, self.revision, true) }
    // The position of a mirror may rise while its list stays.
    dropReached()
    if self.revision == revision { return nil }
    dropEchoes()
    let current = self.revision
    if let newest, newest.revision == current { return (newest.list, current, false) }
    let list = edits.isEmpty ? unedited : replay()
    newest = (list, current)
    return (list, current, false)
  }

  func enqueue(_ signal: Signal, after revision: Int) -> WaiterRemoval? {
    guard self.revision == revision,
      let storePlace = store.assumeIsolated({ $0.addWaiter(signal, after: $0.state.revision) })
    else { return nil }
    let token = waiters.add(signal)
    return {
      await self.step { edits in
        edits.waiters.remove(token)
        edits.store.assumeIsolated { $0.waiters.remove(storePlace) }
      }
    }
  }
}

extension ListEditor {
  /// Makes edits one after the other. One that throws leaves no trace.
  ///
  /// - Parameters:
  ///   - bodies: The edits, in their order.
  ///   - list: The list before, to which the editor can be rolled back.
  /// - Returns: The error of each edit, in their order.
  /// - Complexity: The cost of the edits; once more for each that throws after it has changed something.
  fileprivate mutating func replay(
    _ bodies: [PendingEdits<Section, Row>.Body], on list: ListSnapshot<Section, Row>
  ) -> [(any Error)?] {
    var errors = [(any Error)?](repeating: nil, count: bodies.count)
    var index = 0
    while index < bodies.count {
      let edits = draft.editCount
      do {
        if errors[index] == nil { try bodies[index](&self) }
        index += 1
      } catch {
        errors[index] = error
        // All edits share one journal: rolling back part of an edit also rolls back those before it.
        if draft.editCount != edits {
          draft.rollBack(to: list)
          index = 0
        }
      }
    }
    return errors
  }
}

extension ListSnapshot {
  /// The ids of the rows that differ from another list in their content or their place.
  @inlinable
  func rows(differingFrom other: ListSnapshot) -> Set<Row.ID> {
    let changes = other.changes(to: self)
    let touched = TouchedRows(contentOf: changes, from: other, to: self).current
    return Set(touched.map { row(at: $0).id })
  }
}

extension Upstreams {
  /// The state of pending edits, which is read in one step with the stores of the space.
  func state<Section, Row>(of edits: PendingEdits<Section, Row>) -> UpstreamState<PendingEdits<Section, Row>.Replayed> {
    state(of: edits, in: edits.store.space) { edits, revision in edits.assumeIsolated { $0.value(after: revision) } }
  }

  /// The list with pending edits. The confirmed one is noted before it.
  func showing<Section, Row>(_ edits: PendingEdits<Section, Row>) -> ListNode<Section, Row> {
    let state = state(of: edits)
    let confirmed = ListNode<Section, Row>(
      pull: { true }, snapshot: { state.value?.confirmed ?? .init() }, failures: { [:] })
    let (before, shown) = (noting(confirmed, ""), ListNode<Section, Row>.reading(state, list: { $0.snapshot }))
    return shown.pulling {
      _ = before.pull()
      return shown.pull()
    }
  }
}
