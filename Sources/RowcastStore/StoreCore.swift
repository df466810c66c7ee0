import RowcastDiff
public import RowcastModel

/// The state of a store, and the waiting room of those who watch it.
///
/// Streams hold the core, the app holds the ``ListStore`` in front of it. So the streams of a store that the app has
/// dropped still deliver the last state, and end.
///
/// Its members are final, as those of all actors here are whose code is inlined: no actor has heirs, but only what says so
/// is called directly from other modules, and specialised.
@usableFromInline
actor StoreCore<Section: SectionViewModel, Row: RowViewModel>: ListPublisher {
  @usableFromInline final var state: ListState<Section, Row>
  @usableFromInline final var isFinished = false
  /// The newest list with what finds rows in it. Lent to the editor while a transaction runs.
  @usableFromInline final var draft: ListDraft<Section, Row>
  @usableFromInline final var desk = DifferenceDesk()
  final var room = WaitingRoom()

  @usableFromInline
  init(_ draft: ListDraft<Section, Row>) {
    state = ListState(snapshot: draft.snapshot, revision: 0)
    self.draft = draft
  }

  /// Runs one transaction; see ``ListStore/edit(_:)``.
  @inlinable
  final func edit<Result>(_ body: (inout ListEditor<Section, Row>) throws -> Result) throws -> Result {
    guard !isFinished else { throw ListStoreError.finished }
    // The draft is changed where it is: a copy of it would hold what is to be changed in place. An editor is a draft and
    // nothing else, so the memory of the one can be lent as the other.
    assert(MemoryLayout<ListEditor<Section, Row>>.size == MemoryLayout<ListDraft<Section, Row>>.size)
    return try withUnsafeMutablePointer(to: &draft) { draft in
      try UnsafeMutableRawPointer(draft).withMemoryRebound(to: ListEditor<Section, Row>.self, capacity: 1) { editor in
        do {
          let result = try body(&editor.pointee)
          commit(&editor.pointee.draft)
          return result
        } catch {
          editor.pointee.draft.rollBack(to: state.snapshot)
          throw error
        }
      }
    }
  }

  /// Makes what a transaction did the newest state.
  ///
  /// The draft comes as a parameter, because the actor has lent it.
  @inlinable
  @inline(__always)
  final func commit(_ draft: inout ListDraft<Section, Row>) {
    let edits = draft.editCount
    draft.commit()
    if edits == 0 { return }
    // One edit that changed something did so for good; several may have undone one another.
    if edits > 1, draft.snapshot == state.snapshot {
      state.snapshot = draft.snapshot
    } else {
      state = ListState(snapshot: draft.snapshot, revision: state.revision + 1)
      wakeWaiters()
    }
  }

  /// Ends the store after its last state; see ``ListStore/finish()``.
  final func finish() {
    isFinished = true
    wakeWaiters()
  }
}

// MARK: - Waiting

extension StoreCore {
  @inlinable
  final func state(after revision: Int?) async -> ListState<Section, Row>? {
    while state.revision == revision {
      if isFinished { return nil }
      await nextWakeUp()
      if Task.isCancelled { return nil }
    }
    return state
  }

  /// Suspends until something happens, or the calling task is cancelled.
  @usableFromInline
  final func nextWakeUp() async {
    let (rings, bell) = AsyncStream.makeStream(of: Void.self)
    let waiter = room.enter(bell)
    // A cancelled task is woken by the stream itself.
    for await _ in rings {}
    room.leave(waiter)
  }

  @usableFromInline
  final func wakeWaiters() { room.wakeAll() }

  /// The number of subscribers that wait for the next state. For tests.
  final var waiterCount: Int { room.waiterCount }
  /// The number of former waiters who have not been told yet. For tests.
  final var calledCount: Int { room.calledCount }
}
