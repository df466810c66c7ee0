import RowcastDiff
public import RowcastModel

/// The state of a store, and the waiting room of those who watch it.
///
/// Streams hold the core, the app holds the ``ListStore`` in front of it. So the streams of a store that the app has
/// dropped still deliver the last state, and end.
@usableFromInline
actor StoreCore<Section: SectionViewModel, Row: RowViewModel> {
  /// A list and the number of the transaction that made it.
  @usableFromInline
  struct State: Sendable {
    @usableFromInline var snapshot: ListSnapshot<Section, Row>
    @usableFromInline var revision: Int
  }

  @usableFromInline var state: State
  @usableFromInline var isFinished = false
  /// The newest list with what finds rows in it. With the editor while a transaction runs.
  @usableFromInline var draft: ListDraft<Section, Row>
  /// What an editor is made with, before it changes places with the draft.
  @usableFromInline let placeholder = ListDraft<Section, Row>()
  /// Where subscribers find differences that others have made.
  nonisolated let desk = DifferenceDesk()
  /// Subscribers that have seen the newest state and wait for the next. Empty while all are busy.
  private var waiters: [Int: Bell] = [:]
  /// Former waiters that something happened for, and who have not been told yet.
  private var called: [Int: Bell] = [:]
  /// Those who have been told, and have not come back yet.
  private var told: Set<Int> = []
  private var lastWaiter = 0

  @usableFromInline
  init(_ draft: ListDraft<Section, Row>) {
    state = State(snapshot: draft.snapshot, revision: 0)
    self.draft = draft
  }

  /// Runs one transaction; see ``ListStore/edit(_:)``.
  @inlinable
  final func edit<Result>(_ body: (inout ListEditor<Section, Row>) throws -> Result) throws -> Result {
    guard !isFinished else { throw ListStoreError.finished }
    // They change places, so that nobody else holds the draft and it is changed in place.
    var editor = ListEditor(placeholder)
    swap(&editor.draft, &draft)
    do {
      let result = try body(&editor)
      swap(&editor.draft, &draft)
      commit()
      return result
    } catch {
      swap(&editor.draft, &draft)
      draft.rollBack(to: state.snapshot)
      throw error
    }
  }

  @inlinable
  final func commit() {
    let edits = draft.editCount
    draft.commit()
    // One edit that changed something did so for good; several may have undone one another.
    if edits == 0 { return }
    let isChanged = edits == 1 || draft.snapshot != state.snapshot
    state.snapshot = draft.snapshot
    if !isChanged { return }
    state.revision += 1
    wakeWaiters()
  }

  /// Ends the store after its last state; see ``ListStore/finish()``.
  func finish() {
    isFinished = true
    wakeWaiters()
  }
}

// MARK: - Waiting

extension StoreCore {
  /// The newest state as soon as it is not the one at `revision` any more.
  ///
  /// - Returns: `nil` if there will be none: the store is finished, or the caller's task is cancelled.
  func state(after revision: Int?) async -> State? {
    while state.revision == revision {
      if isFinished { return nil }
      await nextWakeUp()
      if Task.isCancelled { return nil }
    }
    return state
  }

  /// Suspends until something happens, or the calling task is cancelled.
  private func nextWakeUp() async {
    lastWaiter += 1
    let waiter = lastWaiter
    let (rings, bell) = AsyncStream.makeStream(of: Void.self)
    waiters[waiter] = bell
    // A cancelled task is woken by the stream itself.
    for await _ in rings {}
    waiters[waiter] = nil
    called[waiter] = nil
    told.remove(waiter)
    tellSome()
  }

  /// Wakes all who wait: a few here, the others by those who have come back.
  @usableFromInline
  final func wakeWaiters() {
    if called.isEmpty {
      called = exchange(&waiters, with: [:])
    } else {
      called.merge(exchange(&waiters, with: [:])) { former, _ in former }
    }
    tellSome()
  }

  /// Tells the next ones, as long as few are on their way back.
  ///
  /// So a writer pays for few of many waiters, and never stands in line behind all of them. As long as anybody is still
  /// to be told somebody is on the way, and will go on from here.
  private func tellSome() {
    while told.count < Self.mostOnTheirWay, let (waiter, bell) = called.popFirst() {
      told.insert(waiter)
      bell.finish()
    }
  }

  /// How many are woken at once: enough to keep a few processors busy.
  private static var mostOnTheirWay: Int { 8 }

  /// The number of subscribers that wait for the next state. For tests.
  var waiterCount: Int { waiters.count }
  /// The number of former waiters who have not been told yet. For tests.
  var calledCount: Int { called.count }
}

/// Wakes one waiter, by finishing the stream that it reads.
private typealias Bell = AsyncStream<Void>.Continuation

private func exchange<Value>(_ variable: inout Value, with new: Value) -> Value {
  let old = variable
  variable = new
  return old
}
