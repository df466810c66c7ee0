public import RowcastModel

/// The list of a store, and the tasks that wait for another one: all that a transaction reads and changes.
///
/// All of it is one property of its actor. Each access to a property of an object is checked for conflicts while the program runs,
/// each to a part of a value when it is compiled: a transaction takes one check.
@usableFromInline
package struct StoreContents<Section: SectionViewModel, Row: RowViewModel>: ~Copyable {
  @usableFromInline var state: ListState<Section, Row>
  @usableFromInline var isFinished = false
  /// The newest list with what finds rows in it, lent to the body of a transaction while that runs.
  @usableFromInline var editor: ListEditor<Section, Row>
  @usableFromInline var waiters = WaiterList()
  /// The former states that can be gone on from; `nil` if none are kept.
  @usableFromInline var history: StateHistory<Section, Row>?

  @usableFromInline
  init(_ draft: sending ListDraft<Section, Row>, history: StateHistory<Section, Row>?) {
    state = ListState(snapshot: draft.snapshot, revision: 0)
    editor = ListEditor(draft: draft)
    self.history = history
  }

  /// Runs one transaction, unless the list is finished.
  ///
  /// - Returns: What the body returns, and whether tasks wait for what it did.
  @inlinable
  @inline(__always)
  mutating func edit<Result>(
    _ body: (inout ListEditor<Section, Row>) throws -> Result
  ) throws -> (result: Result, isAwaited: Bool) {
    guard !isFinished else { throw ListStoreError.finished }
    return try transact(body)
  }

  /// Runs one transaction.
  ///
  /// - Returns: What the body returns, and whether tasks wait for what it did.
  @inlinable
  @inline(__always)
  mutating func transact<Result, Failure: Error>(
    _ body: (inout ListEditor<Section, Row>) throws(Failure) -> Result
  ) throws(Failure) -> (result: Result, isAwaited: Bool) {
    do throws(Failure) {
      return (try body(&editor), commit())
    } catch {
      editor.draft.rollBack(to: state.snapshot)
      checkInvariants()
      throw error
    }
  }

  /// Makes what a transaction did the newest state.
  ///
  /// - Returns: Whether tasks wait for it, or for former states to become too old.
  @inlinable
  @inline(__always)
  mutating func commit() -> Bool {
    let edits = editor.draft.editCount
    editor.draft.commit()
    if edits == 0 { return false }
    defer { checkInvariants() }
    // One edit that changed something did so for good; several may have undone one another.
    if edits > 1, isUndone() {
      state.snapshot = editor.draft.snapshot
      return false
    }
    if history != nil { keepState() }
    state = ListState(snapshot: editor.draft.snapshot, revision: state.revision + 1)
    return !waiters.isEmpty || history != nil
  }

  /// Whether the list is equal to the newest state. Not inlined: it is rare and long.
  @inlinable
  @inline(never)
  func isUndone() -> Bool { editor.draft.snapshot == state.snapshot }

  /// Keeps the newest state before it is changed.
  @usableFromInline
  mutating func keepState() { history?.append(state) }

  /// Checks, in debug builds, that the newest state is the list outside of transactions.
  @inlinable
  @inline(__always)
  func checkInvariants() {
    assert(
      state.snapshot.isIdentical(to: editor.draft.snapshot) && editor.draft.editCount == 0,
      "Revision \(state.revision) has \(state.snapshot.rowCount) rows, and the list \(editor.draft.snapshot.rowCount)")
  }

  /// The state at a revision: the newest one, or one that the history has.
  mutating func state(at revision: Int) -> ListState<Section, Row>? {
    revision == state.revision ? state : history?.state(at: revision)
  }
}
