public import RowcastModel
public import RowcastStore

/// Reads a list of an app's own type with the requirements of ``LiveList`` alone.
@usableFromInline
actor OutsideList<Section: SectionViewModel, Row: RowViewModel>: Upstream {
  private let list: any LiveList<Section, Row>
  /// True once a stream of updates has ended.
  private var isFinished = false

  init(_ list: any LiveList<Section, Row>) { self.list = list }

  /// The revision is read first: the list may be newer than it says, and is then read once more.
  @usableFromInline
  func value(after revision: Int?) async -> UpstreamValue<ListSnapshot<Section, Row>>? {
    let isFinal = isFinished
    let newest = await list.revision
    if newest == revision, !isFinal { return nil }
    return (await list.snapshot, newest, isFinal)
  }

  @usableFromInline
  func enqueue(_ signal: Signal, after revision: Int) -> WaiterRemoval? {
    if isFinished { return nil }
    let task = Task {
      for await update in list.updates() where update.revision > revision {
        signal.send()
        return
      }
      if Task.isCancelled { return }
      isFinished = true
      signal.send()
    }
    return { task.cancel() }
  }
}

extension Upstreams {
  /// The state of a list of any type. Operators that read one object share its state; each copy of a value has its own.
  @usableFromInline
  func state<Section, Row>(of list: any LiveList<Section, Row>) -> UpstreamState<ListSnapshot<Section, Row>> {
    // A value gets an object here.
    let object = list as AnyObject
    return known(object) ?? add(UpstreamState<ListSnapshot<Section, Row>>(OutsideList(list), object: object))
  }
}
