import RowcastDiff
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
/// The list keeps the eight newest lines, and does not keep a store alive. Encode a `ListArchive` rather than its store: its
/// lines are sent once they are in its file, so that mirrors can continue after a restart.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public final class EncodedList<Section: WireSection, Row: RowViewModel & Codable, Line: Sendable>: Sendable {
  private let resume: @Sendable (_ position: ListPosition?) -> Resumption<Section, Row>
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
    resume = list.updatesSincePosition
  }

  /// The lines of one connection: those of ``ListStore/updates(since:)``, with the whole list where that is shorter.
  ///
  /// The first line is sent at once: the difference, the whole list, or, for a mirror that is up to date, a `progress` line. The
  /// last is an `end` line, if the list has ended. A stream that stops without it was cut: `MirroredList.follow` then connects
  /// again. That is so when an archive is closed, whose list continues in the next run.
  ///
  /// - Parameter position: The position of the mirror at the other end, or `nil` if it has nothing. Only stores and archives know
  ///   former positions: the first line of another list is the whole list.
  /// - Returns: A stream of lines, which stops with the list. While `encode` throws for the newest list, nothing is sent; the
  ///   next one that can be encoded is one line, the difference since the last that was sent.
  /// - Complexity: O(1) for a cached line; otherwise that of encoding a message with k operations.
  public func lines(since position: ListPosition? = nil) -> AsyncThrowingStream<Line, any Error> {
    let connection = Connection { [resume, cache] in
      resume(await onSharedExecutor { await cache.isAnsweredWhole(position) } ? nil : position)
    }
    return AsyncThrowingStream { [cache, encode] in
      var isUnsent = false
      while true {
        switch await connection.next(isUnsent) {
        case .update(let update):
          // A cancelled task gets nothing, even if there was something.
          if Task.isCancelled { return nil }
          // The whole list is one line, whatever it is sent in place of.
          let isWhole = update.start == nil || (!update.changes.isEmpty && update.isLongerThanList)
          let slot = await onSharedExecutor {
            await cache.slot(from: update.start, to: update.position, isWhole: isWhole)
          }
          if let line = slot.line(orMade: { try? encode(WireMessage(shortest: update)) }) { return line }
          isUnsent = true
        case .end(let position, let count):
          return try encode(.end(revision: position.revision, updates: count, epoch: position.epoch))
        case .stop: return nil
        }
      }
    }
  }

  /// What one connection was sent so far.
  private actor Connection {
    enum Step: Sendable {
      case update(ListUpdate<Section, Row>)
      case end(ListPosition, count: Int)
      case stop
    }

    /// Makes the updates, when the first is asked for.
    private let resume: @Sendable () async -> Resumption<Section, Row>
    private var made: Resumption<Section, Row>?
    private var position = ListPosition(epoch: "", revision: 0)
    /// The list after the last update; `nil` before the first.
    private var snapshot: ListSnapshot<Section, Row>?
    /// The position before the last update that was sent or is to be sent, and the list there, if it is known.
    private var start: ListPosition?
    private var former: ListSnapshot<Section, Row>?
    private var count = 0
    private var hasEnded = false

    init(_ resume: @escaping @Sendable () async -> Resumption<Section, Row>) { self.resume = resume }

    private func resumption() async -> Resumption<Section, Row> {
      if let made { return made }
      let new = await resume()
      // Another reader of the stream may have made them in the meantime.
      let resumption = made ?? new
      made = resumption
      return resumption
    }

    /// The next step. If the update before it was not sent, it is in this one.
    func next(_ isUnsent: Bool) async -> Step {
      let resumption = await resumption()
      if var update = await resumption.next() {
        // Of several tasks that read one stream, each gets other updates.
        if update.revision >= position.revision { position = update.position }
        count += 1
        if !isUnsent {
          (start, former) = (update.start, snapshot)
        } else if let start, let former {
          update.previous = start.revision
          update.previousEpoch = start.epoch == update.epoch ? nil : start.epoch
          update.changes = former.changes(to: update.snapshot)
        } else {
          update.previous = nil
        }
        snapshot = update.snapshot
        return .update(update)
      }
      if hasEnded || Task.isCancelled { return .stop }
      guard await resumption.isEnded(), !Task.isCancelled, !hasEnded else { return .stop }
      hasEnded = true
      return .end(position, count: count)
    }
  }
}

/// The newest lines.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private actor LineCache<Line: Sendable> {
  private var slots: [(start: ListPosition?, end: ListPosition, line: LineSlot<Line>)] = []
  /// The newest position from which a connection got the whole list because that is shorter than the difference, and the position of
  /// that list. It says nothing of later lists.
  private var whole: (since: ListPosition, at: ListPosition)?

  /// The slot of the line for a step: the same for all connections that ask for it at about the same time, and for all that get the
  /// whole list.
  func slot(from start: ListPosition?, to end: ListPosition, isWhole: Bool) -> LineSlot<Line> {
    if whole?.at != end { whole = nil }
    if isWhole, let start, whole.map({ $0.since.epoch != start.epoch || $0.since.revision < start.revision }) ?? true {
      whole = (start, end)
    }
    let start = isWhole ? nil : start
    if let slot = slots.first(where: { $0.start == start && $0.end == end }) { return slot.line }
    let line = LineSlot<Line>()
    slots = slots.suffix(7) + [(start, end, line)]
    return line
  }

  /// True if a mirror at a position gets the whole list without a look at the difference: a newer one was that long already.
  func isAnsweredWhole(_ position: ListPosition?) -> Bool {
    guard let position, let since = whole?.since else { return false }
    return position.epoch == since.epoch && position.revision <= since.revision
  }
}

/// The slot of one line, empty until a connection has made the line.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class LineSlot<Line: Sendable>: Sendable {
  /// Written once. No actor guards it: there, storing the line would wait behind all connections that look for it.
  private let box = AtomicLazyReference<SharedBox<Line?>>()

  /// The line, made if it is not there yet; `nil` if it could not be made.
  func line(orMade make: () -> Line?) -> Line? { (box.load() ?? box.storeIfNil(SharedBox(make()))).value }
}
