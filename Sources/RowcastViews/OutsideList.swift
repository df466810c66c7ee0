public import RowcastModel
public import RowcastStore

/// Reads a list of an app's own type, by what ``LiveList`` requires and nothing else.
@usableFromInline
actor OutsideList<Section: SectionViewModel, Row: RowViewModel> {
  @usableFromInline typealias Snapshot = ListSnapshot<Section, Row>

  private let list: any LiveList<Section, Row>
  /// Whether a stream of updates has come to its end.
  private var isFinished = false

  init(_ list: any LiveList<Section, Row>) { self.list = list }

  /// The newest list, unless it is the one at a revision and others may follow.
  ///
  /// The revision is read first: the list may be newer than it says, and is then read once more.
  func value(after revision: Int?) async -> UpstreamValue<Snapshot>? {
    let isFinal = isFinished
    let newest = await list.revision
    if newest == revision, !isFinal { return nil }
    return (await list.snapshot, newest, isFinal)
  }

  /// Sends a signal as soon as there is an update after a revision, or no other will come. Returns the task that waits for it;
  /// `nil` if none will come.
  func wait(for signal: Signal, after revision: Int) -> Task<Void, Never>? {
    if isFinished { return nil }
    return Task {
      for await update in list.updates() where update.revision > revision {
        signal.send()
        return
      }
      if Task.isCancelled { return }
      isFinished = true
      signal.send()
    }
  }
}

extension Upstreams {
  /// The state of a list of any type. Operators that read one object read the same state; a value has no identity.
  @usableFromInline
  func state<Section, Row>(of list: any LiveList<Section, Row>) -> UpstreamState<ListSnapshot<Section, Row>> {
    // The object of a value is made here, and held so that no other object can have its identity.
    let object = list as AnyObject
    if let known = known(ObjectIdentifier(object)) as? UpstreamState<ListSnapshot<Section, Row>> { return known }
    let reader = OutsideList(list)
    let state = UpstreamState<ListSnapshot<Section, Row>>(upstreamID: ObjectIdentifier(object), hasRows: true)
    add((state, OutsideReader(list: reader, object: object, state: state)))
    return state
  }
}

private struct OutsideReader<Section: SectionViewModel, Row: RowViewModel>: UpstreamReader {
  let list: OutsideList<Section, Row>
  /// Keeps the identity of the list.
  let object: AnyObject
  let state: UpstreamState<ListSnapshot<Section, Row>>

  func fetch(on reader: isolated any Actor) async {
    if !state.isFinal, let newest = await list.value(after: state.revision) { state.take(newest) }
  }

  func addWaiter(
    _ signal: Signal, after revision: Int, on reader: isolated any Actor
  ) async -> Upstreams.WaiterRemoval? {
    guard let task = await list.wait(for: signal, after: revision) else { return nil }
    return { task.cancel() }
  }
}
