import RowcastDiff
public import RowcastModel

/// The lines of stores that change together, for many connections: what one transaction has changed reaches the other end in
/// one line.
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
  private let clock: AnyClock
  private let encode: @Sendable (SpaceMessage<Lists>) throws -> Line
  private let cache = LineCache<Line>()
  private var space: ListSpace?
  private var parts: [any SpacePart<Lists>] = []

  /// Creates the lines of no list.
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

  /// Adds a store, for lines that are asked for later.
  ///
  /// - Parameters:
  ///   - store: A store of the space that the others are of, and none of them.
  ///   - field: The field of its messages, and of no other's.
  public mutating func add<Section, Row>(
    _ store: ListStore<Section, Row>, as field: any WritableKeyPath<Lists, WireMessage<Section, Row>?> & Sendable
  ) {
    require(
      space == nil || space === store.core.space,
      "\(store) is not of the space of the stores before it: only stores of one ListSpace are read at one moment")
    require(
      !parts.contains { $0.has(store.core, field) },
      "\(store) or the field \(field) is in these lines already: each store has one field of its own")
    space = store.core.space
    parts.append(StorePart(core: store.core, field: field))
  }

  /// The lines of one connection.
  ///
  /// The first line is sent at once. It has, for each list, the difference since the position, the whole list, or `progress`. The
  /// others follow when lists have changed. When all lists have ended, the last line has an `end` message for each. A stream that
  /// stops before was cut.
  ///
  /// - Parameters:
  ///   - position: The positions of the mirrors at the other end, in any order. A list that is at none of them is sent whole.
  ///   - heartbeat: The time from the request of a line to one without news in its place; above zero. `nil` for none.
  /// - Returns: A stream of lines. While `encode` throws for the newest lists, nothing is sent but heartbeats; the next line that
  ///   can be encoded has the difference since the last that was sent.
  /// - Complexity: O(number of lists) for a cached line; otherwise that of encoding the messages.
  public func lines(since position: [ListPosition] = [], heartbeat: Duration? = nil) -> AsyncStream<Line> {
    require(heartbeat ?? .seconds(1) > .zero, "There is no heartbeat every \(heartbeat ?? .zero)")
    guard let space else { return AsyncStream { nil } }
    let connection = SpaceConnection(space, parts, since: position, heartbeat: heartbeat, on: clock)
    let turns = Turns()
    return AsyncStream { [empty, encode, cache, parts] in
      await turns.next {
        await connection.next { step in
          let (start, end) = step.span
          return await cache.line(from: start, to: end) {
            var lists = empty
            for (index, part) in parts.enumerated() { part.write(step, at: index, into: &lists) }
            return try encode(SpaceMessage(position: step.newest.map { $0.position }, lists: lists))
          }
        }
      }
    }
  }
}
