public import RowcastModel

/// The list of a store, and the tasks that wait for it to change: all that a transaction reads and writes.
///
/// It is one property of its actor. An access to a property of an object is checked for conflicts at run time, one to a part of
/// a value at compile time: a transaction takes one check.
@usableFromInline
package struct StoreContents<Section: SectionViewModel, Row: RowViewModel>: ~Copyable {
  @usableFromInline var state: ListState<Section, Row>
  @usableFromInline var isFinished = false
  /// True if the list itself is over, and not only this store of it.
  var isEnded = false
  /// The newest list and its index, which the body of a transaction edits.
  @usableFromInline var editor: ListEditor<Section, Row>
  @usableFromInline var waiters = WaiterList()
  /// The former states with which subscribers may reconnect; `nil` if none are kept.
  @usableFromInline var history: StateHistory<Section, Row>?

  @usableFromInline
  init(
    _ draft: sending ListDraft<Section, Row>, at revision: Int, lineage: Lineage, history: StateHistory<Section, Row>?
  ) {
    state = ListState(snapshot: draft.snapshot, revision: revision, lineage: lineage)
    editor = ListEditor(draft: draft)
    self.history = history
  }

  /// Runs one transaction. Returns the result of the body, and `true` if tasks wait for the change.
  @inlinable
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

  /// Makes the edited list the newest state. Returns `true` if tasks wait for it, or for former states to become too old.
  @inlinable
  mutating func commit() -> Bool {
    let hasChanged = editor.draft.hasChanged(from: state.snapshot)
    editor.draft.commit()
    defer { checkInvariants() }
    guard hasChanged else {
      state.snapshot = editor.draft.snapshot
      return false
    }
    history?.append(state)
    state.snapshot = editor.draft.snapshot
    state.revision += 1
    return !waiters.isEmpty || history != nil
  }

  mutating func beginRun(_ epoch: String, after oldestRevision: Int) {
    history?.append(state)
    state.lineage.begin(epoch, at: state.revision)
    state.lineage = state.lineage.newest(Lineage.longestInFile, andSince: oldestRevision)
    state.revision += 1
    checkInvariants()
  }

  /// Checks, in debug builds, that the list between transactions is the newest state.
  @inlinable
  func checkInvariants() {
    assert(
      state.snapshot.isIdentical(to: editor.draft.snapshot) && editor.draft.editCount == 0,
      "Revision \(state.revision) has \(state.snapshot.rowCount) rows, and the list \(editor.draft.snapshot.rowCount)")
  }
}
