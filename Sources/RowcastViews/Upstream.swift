public import RowcastStore

/// An actor that an arranged list reads, and that tells when its value has changed: a store, or an arrangement.
@usableFromInline
protocol Upstream<Value>: Actor {
  associatedtype Value: Sendable

  /// The actor on whose executor this one runs: those that share one are read at one moment.
  nonisolated var serializer: any Actor { get }
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

extension Upstream {
  @usableFromInline nonisolated var serializer: any Actor { self }
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
  /// Whether the list was not made of the value, because there is another one.
  @usableFromInline final var isGivenUp = false

  /// Whether rows may still come.
  var awaitsRows: Bool { hasRows && !isFinal }

  @usableFromInline
  init(upstreamID: ObjectIdentifier, hasRows: Bool) {
    self.upstreamID = upstreamID
    self.hasRows = hasRows
  }

  /// Takes in an ``UpstreamValue`` of the type of this state.
  @usableFromInline
  func take(any newest: any Sendable) {}
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
    isGivenUp = false
  }

  @usableFromInline
  override func take(any newest: any Sendable) {
    if let newest = newest as? UpstreamValue<Value> { take(newest) }
  }
}

/// Reads one upstream into its state, on the actor of the list that is made of it.
@usableFromInline
protocol UpstreamReader {
  /// Reads the newest value.
  func fetch(on reader: isolated any Actor) async
  /// Adds a signal to the waiters of the upstream, and returns what removes it; see ``Upstream``.
  func addWaiter(_ signal: Signal, after revision: Int, on reader: isolated any Actor) async -> Upstreams.WaiterRemoval?
}

/// Reads an actor: by itself, or in one step with the others of its group.
@usableFromInline
struct ActorReader<Source: Upstream>: UpstreamReader {
  let upstream: Source
  let state: UpstreamState<Source.Value>
  let group: UpstreamGroup
  let isFirst: Bool

  @usableFromInline
  init(_ upstream: Source, state: UpstreamState<Source.Value>, in group: UpstreamGroup, isFirst: Bool) {
    (self.upstream, self.state, self.group, self.isFirst) = (upstream, state, group, isFirst)
  }

  @usableFromInline
  func fetch(on reader: isolated any Actor) async {
    if group.members.count > 1 {
      // The first of several brings all of them.
      if isFirst { await group.fetch(on: reader) }
    } else if !state.isFinal, let newest = await upstream.value(after: state.revision) {
      // One by itself needs no erasure.
      state.take(newest)
    }
  }

  @usableFromInline
  func addWaiter(
    _ signal: Signal, after revision: Int, on reader: isolated any Actor
  ) async -> Upstreams.WaiterRemoval? {
    guard let token = await upstream.addWaiter(signal, after: revision) else { return nil }
    return { [upstream] in await upstream.removeWaiter(token) }
  }
}

/// The upstreams of one list that share an executor. One step on it reads all of them, so that no change comes between.
@usableFromInline
final class UpstreamGroup {
  /// Reads the value of an upstream, unless it is the one at a revision; to be called on the executor.
  @usableFromInline typealias Read = @Sendable (_ revision: Int?) -> (any Sendable)?

  let serializer: any Actor
  @usableFromInline var members: [(state: AnyUpstreamState, read: Read)] = []

  init(_ serializer: any Actor) { self.serializer = serializer }

  /// Brings the states of all upstreams of the group to one moment.
  @usableFromInline
  func fetch(on reader: isolated any Actor) async {
    let open = members.filter { !$0.state.isFinal }
    if open.isEmpty { return }
    let reads = open.map { ($0.read, $0.state.revision) }
    let values = await serializer.perform { reads.map { read, revision in read(revision) } }
    for (member, value) in zip(open, values) { if let value { member.state.take(any: value) } }
  }
}

extension Actor {
  /// Does something on the actor, in one step.
  fileprivate func perform<Result: Sendable>(_ body: @Sendable () -> Result) -> Result { body() }
}

/// The upstreams of one arranged list, with what was read of each.
@usableFromInline
final class Upstreams {
  /// One upstream: what was read of it, and what reads it.
  @usableFromInline typealias Link = (state: AnyUpstreamState, reader: any UpstreamReader)

  /// Removes a signal from the waiters of an upstream.
  @usableFromInline typealias WaiterRemoval = @Sendable () async -> Void

  @usableFromInline private(set) var links: [Link] = []
  private var groups: [UpstreamGroup] = []

  @inlinable
  init() {}

  /// The sum of all revisions, which rises with each change: a revision, and that of the upstream if there is only one.
  @usableFromInline var revision: Int { links.reduce(0) { $0 + ($1.state.revision ?? 0) } }

  /// The upstreams that may still change, and the revisions that were read last.
  @usableFromInline var seen: [(reader: any UpstreamReader, revision: Int)] {
    links.filter { !$0.state.isFinal }.map { ($0.reader, $0.state.revision ?? -1) }
  }

  /// Whether rows may still come.
  @usableFromInline var awaitsRows: Bool { links.contains { $0.state.awaitsRows } }

  /// The state of an upstream, the same one for all operators that read it.
  @inlinable
  func state<Source: Upstream>(of upstream: Source) -> UpstreamState<Source.Value> {
    if let known = known(ObjectIdentifier(upstream)) as? UpstreamState<Source.Value> { return known }
    let state = UpstreamState<Source.Value>(upstreamID: ObjectIdentifier(upstream), hasRows: Source.hasRows)
    let group = group(of: upstream.serializer)
    group.members.append((state, { revision in upstream.assumeIsolated { $0.value(after: revision) } }))
    add((state, ActorReader(upstream, state: state, in: group, isFirst: group.members.count == 1)))
    return state
  }

  /// The upstreams that share an executor; none for one that no upstream has yet.
  @usableFromInline
  func group(of serializer: any Actor) -> UpstreamGroup {
    if let known = groups.first(where: { $0.serializer === serializer }) { return known }
    groups.append(UpstreamGroup(serializer))
    return groups[groups.count - 1]
  }

  @usableFromInline
  func known(_ id: ObjectIdentifier) -> AnyUpstreamState? { links.first { $0.state.upstreamID == id }?.state }

  @usableFromInline
  func add(_ link: Link) {
    assert(known(link.state.upstreamID) == nil, "two states of one upstream, which is one of \(links.count)")
    links.append(link)
  }
}
