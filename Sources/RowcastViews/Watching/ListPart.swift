public import RowcastModel
public import RowcastStore

/// One watcher of a part of a list: what the watcher's node reads.
@usableFromInline
actor ListPart<Section: SectionViewModel, Row: RowViewModel, Value: Sendable> {
  @usableFromInline typealias Hub = ListHub<Section, Row>
  @usableFromInline typealias Key = ListParts<Section, Row>.Key<Value>

  private let key: Key
  /// Finds the part in a list.
  private let find: @Sendable (ListSnapshot<Section, Row>) -> Value
  private let findHub: @Sendable () async -> Hub
  /// The hub, as soon as somebody has asked.
  private var hub: Hub?
  /// The newest value that somebody was given, and the revision that brought it.
  private var newest: (value: Value, revision: Int)?

  @inlinable
  init(
    _ key: Key, of list: some LiveList<Section, Row>, find: @escaping @Sendable (ListSnapshot<Section, Row>) -> Value
  ) {
    self.init(key, of: list.upstream.publisher, find: find) { parts, before, after in
      parts.take(
        before.snapshot.changes(to: after.snapshot), from: before.snapshot, to: after.snapshot,
        revision: after.revision)
    }
  }

  @usableFromInline
  init(
    _ key: Key, of publisher: any ListPublisher<Section, Row>,
    find: @escaping @Sendable (ListSnapshot<Section, Row>) -> Value, advance: @escaping Hub.Advance
  ) {
    self.key = key
    self.find = find
    findHub = { await publisher.findHub(advance) }
  }

  deinit {
    guard let hub else { return }
    Task { [key] in await hub.leave(key) }
  }

  /// The newest value, unless it is the one at a revision, and others may follow.
  ///
  /// - Complexity: That of finding the part in the list the first time, then that of the changes since somebody asked.
  final func value(after revision: Int?) async -> UpstreamValue<Value>? {
    if hub == nil {
      let found = await findHub()
      await found.join(key)
      // Another reader may have joined meanwhile.
      if hub == nil { hub = found } else { await found.leave(key) }
    }
    guard let hub else { return nil }
    guard let revision, newest != nil else {
      let (state, isFinal) = await hub.newest()
      note(find(state.snapshot), state.revision)
      return newest.map { UpstreamValue($0.value, revision: $0.revision, isFinal: isFinal) }
    }
    let change = await hub.change(of: key, after: revision)
    if let value = change.value { note(value, change.revision) } else if !change.isFinal { return nil }
    return newest.map { UpstreamValue($0.value, revision: $0.revision, isFinal: change.isFinal) }
  }

  /// Takes a value in, unless another reader has brought a later one meanwhile.
  private func note(_ value: Value, _ revision: Int) {
    if let newest, newest.revision >= revision { return }
    newest = (value, revision)
  }

  /// Adds a signal; see ``Upstream``.
  ///
  /// - Returns: What removes it; `nil` if there is a newer value already, or will be none.
  final func addWaiter(_ signal: Signal, after revision: Int) async -> Upstreams.WaiterRemoval? {
    guard let hub, let token = await hub.addWaiter(signal, to: key, after: revision) else { return nil }
    return { [key] in await hub.removeWaiter(token, from: key) }
  }
}

extension Upstreams {
  /// The state of a part of a list.
  @usableFromInline
  func state<Value>(of part: ListPart<some SectionViewModel, some RowViewModel, Value>) -> UpstreamState<Value> {
    let state = UpstreamState<Value>(upstreamID: ObjectIdentifier(part), hasRows: true)
    add(
      Link(
        state,
        fetch: {
          if !state.isFinal, let newest = await part.value(after: state.revision) { state.take(newest) }
        }, addWaiter: { await part.addWaiter($0, after: $1) }))
    return state
  }
}
