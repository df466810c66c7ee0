public import RowcastModel
private import Synchronization

/// The messages of a list for many connections, encoded once for all that keep up.
///
///     let shared = EncodedList(store) { try encoder.encode($0) }
///     for try await line in shared.lines(since: position) { try await connection.send(line) }  // one loop a connection
///
/// Each connection pulls its lines, as a subscriber pulls its updates: a slow one gets the net difference since its last line.
/// Cached lines are reused; others are encoded. No connection waits for a line that is being made: at most, each thread that
/// needs it at that moment encodes it once.
///
/// The list keeps the eight newest lines, and does not keep a store alive. Encode a `ListArchive` rather than its store: its lines
/// are there when they are in its file, so that mirrors can go on after a restart.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public final class EncodedList<Section: WireSection, Row: RowViewModel & Codable, Line: Sendable>: Sendable {
  private let updates: @Sendable (_ position: ListPosition?) -> AsyncStream<ListUpdate<Section, Row>>
  private let encode: @Sendable (WireMessage<Section, Row>) throws -> Line
  private let cache = LineCache<Line>()

  /// Creates the lines of a list.
  ///
  /// - Parameters:
  ///   - list: A store, or any other list of rows that can be encoded.
  ///   - encode: Makes a line. It is called on any task that reads lines, and on several concurrently.
  public init(
    _ list: some LiveList<Section, Row>, encode: @escaping @Sendable (WireMessage<Section, Row>) throws -> Line
  ) {
    self.encode = encode
    if let list = list as? any ResumableList<Section, Row> {
      updates = list.resumption
    } else {
      updates = { _ in list.updates() }
    }
  }

  /// The lines of one connection: those of ``ListStore/updates(since:)``, with the whole list where that is shorter.
  ///
  /// - Parameter position: The position of the mirror at the other end, or `nil` if it has nothing. Only stores and archives know
  ///   former positions: the first line of another list is the whole list.
  /// - Returns: A stream of lines, which ends with the list. It rethrows the errors of `encode`; the message is lost then, and
  ///   a new stream from the position of the mirror continues.
  /// - Complexity: O(1) for a cached line; otherwise that of encoding a message with k operations.
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

/// The newest lines.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private actor LineCache<Line: Sendable> {
  private var slots: [(previous: Int?, revision: Int, line: LineSlot<Line>)] = []

  /// The slot of the line for a step: the same for all connections that ask for it at about the same time.
  func slot(from previous: Int?, to revision: Int) -> LineSlot<Line> {
    if let slot = slots.first(where: { $0.previous == previous && $0.revision == revision }) { return slot.line }
    let line = LineSlot<Line>()
    slots = slots.suffix(7) + [(previous, revision, line)]
    return line
  }
}

/// The slot of one line, empty until a connection has made the line.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class LineSlot<Line: Sendable>: Sendable {
  /// Written once. No actor guards it: there, storing the line would queue behind all that look for it.
  private let box = AtomicLazyReference<SharedBox<Line>>()

  /// The line, made if it is not there yet.
  func line(orMade make: () throws -> Line) rethrows -> Line {
    try (box.load() ?? box.storeIfNil(SharedBox(make()))).value
  }
}
