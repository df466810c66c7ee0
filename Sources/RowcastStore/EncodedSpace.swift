import RowcastDiff
public import RowcastModel

/// The lines of stores that change together, for many connections: the changes of one transaction reach the other end in one
/// line.
///
///     var shop = EncodedSpace(Shop()) { try JSONEncoder().encode($0) }
///     shop.add(orders, as: \.orders)
///     shop.add(customers, as: \.customers)
///     for await line in shop.lines(since: position) { try await connection.send(line) }  // one loop a connection
///
/// A line has a message for each list; `SpaceMessage` describes it. All stores are read at one moment. Each connection pulls its
/// lines: a slow one gets the net difference since its last line, and connections at the same revisions share each line.
///
/// The value does not keep the stores alive.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public struct EncodedSpace<Lists: Codable & Sendable, Line: Sendable>: Sendable {
  private let empty: Lists
  fileprivate let clock: AnyClock
  private let encode: @Sendable (SpaceMessage<Lists>) throws -> Line
  private let cache = LineCache<Line>()
  private var space: ListSpace?
  fileprivate private(set) var parts: [SpacePart<Lists>] = []

  /// Creates the lines, at first of no store.
  ///
  /// - Parameters:
  ///   - empty: The fields of a line without messages.
  ///   - clock: Measures heartbeats.
  ///   - encode: Makes a line. It is called on any task that reads lines, and on several concurrently.
  public init(
    _ empty: Lists, clock: some Clock<Duration> = ContinuousClock(),
    encode: @escaping @Sendable (SpaceMessage<Lists>) throws -> Line
  ) {
    (self.empty, self.clock, self.encode) = (empty, AnyClock(clock), encode)
  }

  /// Adds a store to the lines that are requested later.
  ///
  /// - Parameters:
  ///   - store: A store of the same space as the others, not added before.
  ///   - field: The field of its messages, which no other store has.
  public mutating func add<Section, Row>(
    _ store: ListStore<Section, Row>, as field: any WritableKeyPath<Lists, WireMessage<Section, Row>?> & Sendable
  ) {
    require(
      space == nil || space === store.core.space,
      "\(store) is not of the space of the stores before it: only stores of one ListSpace are read at one moment")
    require(
      !parts.contains { $0.store === store.core || $0.field == field },
      "\(store) or the field \(field) is in these lines already: each store has one field of its own")
    space = store.core.space
    parts.append(SpacePart(of: store.core, field))
  }

  /// The lines of one connection.
  ///
  /// The first line is sent at once. It has, for each list, the difference since the position, the whole list, or `progress`. The
  /// others follow when lists have changed. When all lists have ended, or the app has released their stores, the last line has an
  /// `end` message for each. A stream that stops without that line was cut.
  ///
  /// - Parameters:
  ///   - position: The positions of the mirrors at the other end, in any order. A list that is at none of them is sent whole.
  ///   - heartbeat: The time from the request of a line to one without news in its place; above zero. `nil` for none.
  /// - Returns: A stream of lines. While `encode` throws for the newest lists, only heartbeats are sent; the next line that can
  ///   be encoded has the difference since the last line that was sent.
  /// - Complexity: O(number of lists) for a cached line; otherwise the cost of encoding the messages.
  public func lines(since position: [ListPosition] = [], heartbeat: Duration? = nil) -> AsyncStream<Line> {
    require(heartbeat ?? .seconds(1) > .zero, "There is no heartbeat every \(heartbeat ?? .zero)")
    guard let space else { return AsyncStream { nil } }
    let connection = SpaceConnection(self, in: space, since: position, heartbeat: heartbeat)
    let turns = Turns()
    return AsyncStream { await turns.next { await connection.next() } }
  }

  /// The line from former to newest states of the lists. With a `count`, the line for the end, after so many lines.
  fileprivate func line(from former: [SpaceState?], to newest: [SpaceState], endingAfter count: Int?) async -> Line? {
    // The cache has one position for all lists.
    func name(_ positions: [ListPosition?]) -> String {
      positions.map { $0.map { String($0) } ?? "" }.joined(separator: "\n")
    }
    let start = ListPosition(epoch: name(former.map { $0?.position }), revision: 0)
    let end = ListPosition(epoch: name(newest.map { $0.position }), revision: count.map { $0 + 1 } ?? 0)
    return await cache.line(from: start, to: end) {
      var lists = empty
      for index in parts.indices {
        parts[index].write(newest[index], former[index], count, &lists)
      }
      return try encode(SpaceMessage(position: newest.map { $0.position }, lists: lists))
    }
  }
}

/// One connection of a space: the states of the lists that it has received, and its next line. For one task at a time.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final actor SpaceConnection<Lists: Codable & Sendable, Line: Sendable> {
  private let lines: EncodedSpace<Lists, Line>
  private let space: ListSpace
  private let position: [ListPosition]
  private let heartbeat: Duration?
  /// The states that the other end has; empty before the first look at the lists.
  private var sent: [SpaceState?] = []
  /// The positions that were looked at last.
  private var seen: [ListPosition] = []
  /// The number of lines.
  private var count = 0
  private var hasEnded = false

  init(
    _ lines: EncodedSpace<Lists, Line>, in space: ListSpace, since position: [ListPosition], heartbeat: Duration?
  ) {
    (self.lines, self.space, self.position) = (lines, space, position)
    self.heartbeat = heartbeat.map { max($0.asWait, .milliseconds(1)) }
  }

  /// The next line: when a list has changed, or without news for a heartbeat. `nil` after the line for the end of all lists, or
  /// if the task is cancelled. If a line cannot be made, the next one has its changes, too.
  func next() async -> Line? {
    while let (newest, isEnd) = await step() {
      let line = await lines.line(from: sent, to: newest, endingAfter: isEnd ? count : nil)
      // A cancelled task gets nothing, even if a line is ready.
      if Task.isCancelled { return nil }
      guard let line else { continue }
      (sent, count) = (newest, count + 1)
      return line
    }
    return nil
  }

  /// The states at the end of the next line, which starts at the sent ones.
  private func step() async -> (newest: [SpaceState], isEnd: Bool)? {
    let (parts, clock) = (lines.parts, lines.clock)
    let deadline = heartbeat.map { clock.now + $0 }
    while !Task.isCancelled {
      let signal = Signal()
      let (newest, starts, waiters) = await space.sharedStep { [position, seen] _ in
        let newest = parts.map { $0.newest() }
        var (starts, waiters): ([SpaceState?], [(@Sendable () -> Void)?]) = ([], [])
        if seen.isEmpty { for part in parts { starts.append(part.state(position)) } }
        if newest.map({ $0.position }) == seen {
          for index in parts.indices { waiters.append(parts[index].enqueue(signal, seen[index].revision)) }
        }
        return (newest, starts, waiters)
      }
      if sent.isEmpty { sent = starts }
      if waiters.isEmpty {
        seen = newest.map { $0.position }
        return (newest, false)
      }
      // No list changes any more.
      if waiters.allSatisfy({ $0 == nil }) {
        // The end is sent only if the other end has the last states.
        let isSent = sent.indices.allSatisfy { sent[$0]?.position == seen[$0] }
        guard isSent, !hasEnded, newest.allSatisfy({ $0.isEnded }) else { return nil }
        hasEnded = true
        return (newest, true)
      }
      // A heartbeat repeats the sent states. The newest ones may differ, if they cannot be encoded.
      let repeated = sent.compactMap { $0 }
      let next = repeated.count == parts.count ? deadline : nil
      await signal.wait(until: next, on: clock)
      await space.sharedStep { _ in for remove in waiters { remove?() } }
      if let next, clock.now >= next { return (repeated, false) }
    }
    return nil
  }
}

/// A `ListState` of one list of a space, whatever its types, and true if the list does not change any more in any store.
private typealias SpaceState = (state: any Sendable, position: ListPosition, isEnded: Bool)

/// A store of a space, and the field of its messages. All closures but `write` run on the executor of the space, and so does the
/// removal that `enqueue` returns.
private struct SpacePart<Lists>: Sendable {
  let store: any Actor
  let field: any AnyKeyPath & Sendable
  let newest: @Sendable () -> SpaceState
  /// The state at one of some positions.
  let state: @Sendable (_ positions: [ListPosition]) -> SpaceState?
  /// Adds a signal that is sent at the next change after a revision. Returns its removal; `nil` if there will be no change.
  let enqueue: @Sendable (Signal, _ revision: Int) -> (@Sendable () -> Void)?
  /// Writes the message of a step; with a `count`, the `end` message, after so many lines.
  let write: @Sendable (_ newest: SpaceState, _ former: SpaceState?, _ count: Int?, _ lists: inout Lists) -> Void

  init<Section: WireSection, Row: RowViewModel & Codable>(
    of core: StoreCore<Section, Row>, _ field: any WritableKeyPath<Lists, WireMessage<Section, Row>?> & Sendable
  ) {
    (store, self.field) = (core, field)
    newest = { core.assumeIsolated { ($0.state, $0.state.position, $0.isEnded) } }
    state = { positions in
      core.assumeIsolated { core in
        positions.lazy.compactMap { core.state(at: $0) }.first.map { ($0, $0.position, false) }
      }
    }
    enqueue = { signal, revision in
      guard let place = core.assumeIsolated({ $0.addWaiter(signal, after: revision) }) else { return nil }
      return { core.assumeIsolated { $0.waiters.remove(place) } }
    }
    write = { newest, former, count, lists in
      if let count {
        lists[keyPath: field] = .end(revision: newest.position.revision, updates: count, epoch: newest.position.epoch)
      } else if let state = newest.state as? ListState<Section, Row> {
        lists[keyPath: field] = state.message(since: former?.state as? ListState<Section, Row>)
      }
    }
  }
}
