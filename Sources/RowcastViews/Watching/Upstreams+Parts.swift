public import RowcastModel
public import RowcastStore

/// The hold of one watcher on a part of a list: the hub keeps the part up to date until it goes.
private final class PartWatch<Section: SectionViewModel, Row: RowViewModel, Value: Sendable>: Sendable {
  private let key: ListParts<Section, Row>.Key<Value>
  let hub: ListHub<Section, Row>

  init(_ key: ListParts<Section, Row>.Key<Value>, in hub: ListHub<Section, Row>) async {
    (self.key, self.hub) = (key, hub)
    await hub.join(key)
  }

  deinit { Task { [key, hub] in await hub.leave(key) } }
}

extension Upstreams {
  /// The state of a part of a list. The first read finds it; from then on the hub of the list tells what becomes of it.
  @inlinable
  func state<Section, Row, Value>(
    of key: ListParts<Section, Row>.Key<Value>, in list: any ListSource<Section, Row>,
    find: @escaping (ListSnapshot<Section, Row>) -> Value
  ) -> UpstreamState<Value> {
    state(of: key, in: list, find: find) { parts, before, after in
      parts.take(
        before.snapshot.changes(to: after.snapshot), from: before.snapshot, to: after.snapshot,
        revision: after.revision)
    }
  }

  @usableFromInline
  func state<Section, Row, Value>(
    of key: ListParts<Section, Row>.Key<Value>, in list: any ListSource<Section, Row>,
    find: @escaping (ListSnapshot<Section, Row>) -> Value, advance: @escaping ListHub<Section, Row>.Advance
  ) -> UpstreamState<Value> {
    let state = UpstreamState<Value>(upstreamID: ObjectIdentifier(self), hasRows: true)
    add((state, PartReader(key, in: list, state: state, find: find, advance: advance)))
    return state
  }
}

/// Reads a part of a list.
private final class PartReader<Section: SectionViewModel, Row: RowViewModel, Value: Sendable>: UpstreamReader {
  private let key: ListParts<Section, Row>.Key<Value>
  private let list: any ListSource<Section, Row>
  private let state: UpstreamState<Value>
  private let find: (ListSnapshot<Section, Row>) -> Value
  private let advance: ListHub<Section, Row>.Advance
  private var watch: PartWatch<Section, Row, Value>?

  init(
    _ key: ListParts<Section, Row>.Key<Value>, in list: any ListSource<Section, Row>, state: UpstreamState<Value>,
    find: @escaping (ListSnapshot<Section, Row>) -> Value, advance: @escaping ListHub<Section, Row>.Advance
  ) {
    (self.key, self.list, self.state, self.find, self.advance) = (key, list, state, find, advance)
  }

  func fetch(on reader: isolated any Actor) async {
    if state.isFinal { return }
    guard let watch, let revision = state.revision else {
      let new = await PartWatch(key, in: list.findHub(advance))
      let (newest, isFinal) = await new.hub.newest()
      state.take((find(newest.snapshot), newest.revision, isFinal))
      // Another reader may have been here meanwhile: one hold is enough.
      if watch == nil { watch = new }
      return
    }
    let change = await watch.hub.change(of: key, after: revision)
    if let value = change.value {
      state.take((value, change.revision, change.isFinal))
    } else if change.isFinal {
      state.isFinal = true
    }
  }

  func addWaiter(
    _ signal: Signal, after revision: Int, on reader: isolated any Actor
  ) async -> Upstreams.WaiterRemoval? {
    guard let hub = watch?.hub, let token = await hub.addWaiter(signal, to: key, after: revision) else { return nil }
    return { [key] in await hub.removeWaiter(token, from: key) }
  }
}
