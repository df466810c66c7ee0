public import RowcastStore

/// An actor that an arranged list reads, and that tells when its value has changed: a store, or an arrangement.
@usableFromInline
protocol Upstream<Value>: Actor {
  associatedtype Value: Sendable

  /// Whether rows come from here. The list ends when all upstreams with rows have ended.
  static var hasRows: Bool { get }
  /// The newest value, unless it is the one at a revision, and others may follow.
  func value(after revision: Int?) -> UpstreamValue<Value>?
  /// Adds a signal that is sent at the next change after a revision. Returns its place, for ``removeWaiter(_:)``; `nil`
  /// if there is a newer value already, or will be none.
  func addWaiter(_ signal: Signal, after revision: Int) -> WaiterList.Token?
  /// Removes a signal, sent or not.
  func removeWaiter(_ token: WaiterList.Token)
}

/// A value, the number of the change that made it, and whether it is the last.
@usableFromInline
typealias UpstreamValue<Value> = (value: Value, revision: Int, isFinal: Bool)

/// What an arranged list has read of one upstream, whatever the type of its value.
@usableFromInline
class AnyUpstreamState {
  /// The actor that the values come from.
  let upstreamID: ObjectIdentifier
  /// Whether rows come from there.
  let hasRows: Bool
  /// The revision of the value; `nil` before the first.
  @usableFromInline final var revision: Int?
  /// Whether the value is the last.
  @usableFromInline final var isFinal = false

  /// Whether rows may still come.
  var awaitsRows: Bool { hasRows && !isFinal }

  @usableFromInline
  init(upstreamID: ObjectIdentifier, hasRows: Bool) {
    self.upstreamID = upstreamID
    self.hasRows = hasRows
  }
}

/// The value that was read last of one upstream. All operators read the same state, and so the same revision.
@usableFromInline
final class UpstreamState<Value: Sendable>: AnyUpstreamState {
  @usableFromInline var value: Value?

  /// Takes a value in, unless another reader has brought a later one meanwhile.
  @inlinable
  func take(_ newest: consuming UpstreamValue<Value>) {
    if let revision, isFinal || newest.revision < revision { return }
    (value, revision, isFinal) = newest
  }
}

/// The upstreams of one arranged list, with what was read of each.
@usableFromInline
final class Upstreams {
  /// One upstream: what was read of it, what reads the newest value, and what adds a signal and returns what removes it; see
  /// ``Upstream``. The closures are made where the types are known, so that the code in them is specialised.
  @usableFromInline typealias Link = (
    state: AnyUpstreamState, fetch: nonisolated(nonsending) () async -> Void,
    addWaiter: nonisolated(nonsending) (Signal, _ revision: Int) async -> WaiterRemoval?
  )

  /// Removes a signal from the waiters of an upstream.
  @usableFromInline typealias WaiterRemoval = @Sendable () async -> Void

  @usableFromInline private(set) var links: [Link] = []

  @inlinable
  init() {}

  /// The sum of all revisions, which rises with each change: a revision, and that of the upstream if there is only one.
  @usableFromInline var revision: Int { links.reduce(0) { $0 + ($1.state.revision ?? 0) } }

  /// The upstreams that may still change, and the revisions that were read last.
  @usableFromInline var seen: [(link: Link, revision: Int)] {
    links.filter { !$0.state.isFinal }.map { ($0, $0.state.revision ?? -1) }
  }

  /// Whether rows may still come.
  @usableFromInline var awaitsRows: Bool { links.contains { $0.state.awaitsRows } }

  /// The state of an upstream, the same one for all operators that read it.
  @inlinable
  func state<Source: Upstream>(of upstream: Source) -> UpstreamState<Source.Value> {
    if let known = known(ObjectIdentifier(upstream)) as? UpstreamState<Source.Value> { return known }
    let state = UpstreamState<Source.Value>(upstreamID: ObjectIdentifier(upstream), hasRows: Source.hasRows)
    add(
      (
        state,
        fetch: {
          if !state.isFinal, let newest = await upstream.value(after: state.revision) { state.take(newest) }
        },
        addWaiter: { signal, revision in
          guard let token = await upstream.addWaiter(signal, after: revision) else { return nil }
          return { await upstream.removeWaiter(token) }
        }
      ))
    return state
  }

  @usableFromInline
  func known(_ id: ObjectIdentifier) -> AnyUpstreamState? { links.first { $0.state.upstreamID == id }?.state }

  @usableFromInline
  func add(_ link: Link) {
    assert(known(link.state.upstreamID) == nil, "two states of one upstream, which is one of \(links.count)")
    links.append(link)
  }
}
