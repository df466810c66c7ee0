public import RowcastModel
private import Synchronization

/// The messages of a list for many connections: what those that keep up get is encoded once.
///
///     let shared = EncodedList(store) { try encoder.encode($0) }
///     for try await line in shared.lines(since: position) { try await connection.send(line) }  // one loop a connection
///
/// Each connection pulls its lines, as a subscriber pulls its updates: one that is slow gets the net difference of what it
/// missed. It takes a line that another connection has made for the same step, and makes it if there is none. It never
/// waits for one that is being made: a line is encoded once for each thread that encodes it at that moment, at most.
///
/// It keeps the eight lines that were begun last, and does not keep a store alive.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public final class EncodedList<Section: WireSection, Row: RowViewModel & Codable, Line: Sendable>: Sendable {
  private let updates: @Sendable (_ position: ListPosition?) -> AsyncStream<ListUpdate<Section, Row>>
  private let encode: @Sendable (WireMessage<Section, Row>) throws -> Line
  private let cache = LineCache<Line>()

  /// Creates the lines of a list.
  ///
  /// - Parameters:
  ///   - list: A store, or any other list of rows that can be encoded.
  ///   - encode: Makes a line. It is called on any task that reads lines, and on several at a time.
  public init(
    _ list: some LiveList<Section, Row>, encode: @escaping @Sendable (WireMessage<Section, Row>) throws -> Line
  ) {
    self.encode = encode
    if let store = list as? ListStore<Section, Row> ?? (list as? MirroredList<Section, Row>)?.store {
      updates = { [core = store.core] in core.updates(since: $0) }
    } else {
      updates = { _ in list.updates() }
    }
  }

  /// The lines of one connection: those of ``ListStore/updates(since:)``, with the whole list where that is shorter.
  ///
  /// - Parameter position: Where the mirror at the other end is, or `nil` if it has nothing. Only a store knows earlier
  ///   positions: the first line of other lists is the whole list.
  /// - Returns: A stream of lines, which ends with the list. It throws what `encode` throws; the message is lost then, and
  ///   a stream since the position of the mirror goes on.
  /// - Complexity: O(1) for a line that is there; else that of encoding a message with k operations.
  public func lines(since position: ListPosition? = nil) -> AsyncThrowingStream<Line, any Error> {
    let updates = updates(position)
    return AsyncThrowingStream { [cache, encode] in
      // All iterators of a stream are one.
      var iterator = updates.makeAsyncIterator()
      guard let update = await iterator.next() else { return nil }
      let slot = await onSharedExecutor { await cache.slot(from: update.previous, to: update.revision) }
      return try slot.line { try encode(WireMessage(shortest: update)) }
    }
  }
}

/// The lines that were begun last.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private actor LineCache<Line: Sendable> {
  private var slots: [LineSlot<Line>] = []

  /// The place of the line for a step: the same for all that ask about at the same time.
  func slot(from previous: Int?, to revision: Int) -> LineSlot<Line> {
    if let slot = slots.first(where: { $0.previous == previous && $0.revision == revision }) { return slot }
    let slot = LineSlot<Line>(from: previous, to: revision)
    slots = slots.suffix(7) + [slot]
    assert(
      slots.count <= 8 && slots.count { $0.previous == previous && $0.revision == revision } == 1,
      "\(slots.count) lines are kept, to the revisions \(slots.map(\.revision))")
    return slot
  }
}

/// The place of one line, empty until a connection has made it.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class LineSlot<Line: Sendable>: Sendable {
  private final class Box: Sendable {
    let line: Line
    init(_ line: Line) { self.line = line }
  }

  let previous: Int?
  let revision: Int
  /// Written once. No actor guards it: what is to be stored would wait behind all that look for it.
  private let box = AtomicLazyReference<Box>()

  init(from previous: Int?, to revision: Int) {
    self.previous = previous
    self.revision = revision
  }

  /// The line, made if it is not there yet.
  func line(orMade make: () throws -> Line) rethrows -> Line {
    try (box.load() ?? box.storeIfNil(Box(make()))).line
  }
}
