import RowcastDiff
public import RowcastModel

/// The messages of a list for many connections, encoded once for all that keep up.
///
///     let shared = EncodedList(store) { try encoder.encode($0) }
///     for try await line in shared.lines(since: position) { try await connection.send(line) }  // one loop a connection
///
/// Each connection pulls its lines, as a subscriber pulls its updates: a slow one gets the net difference since its last line.
/// Cached lines are reused; others are encoded. No connection waits for a line that is being made: at most, each thread that
/// needs it at that moment encodes it once. Connections that read at different moments need different lines: with a pace, all get
/// lines between the same revisions.
///
/// The list keeps the eight lines that were used last, and does not keep a store alive. Encode a `ListArchive` rather than its
/// store: its lines are sent once they are in its file, so that mirrors can continue after a restart.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public final class EncodedList<Section: WireSection, Row: RowViewModel & Codable, Line: Sendable>: Sendable {
  fileprivate let resume: @Sendable (_ position: ListPosition?) -> Resumption<Section, Row>
  fileprivate let encode: @Sendable (WireMessage<Section, Row>) throws -> Line
  fileprivate let clock: AnyClock
  fileprivate let cache = LineCache<Line>()

  /// Creates the lines of a list.
  ///
  /// - Parameters:
  ///   - list: A store, or any other list of rows that can be encoded.
  ///   - pace: The shortest interval between two revisions that are sent, and before the end; not negative. All connections get
  ///     the same revisions: however many keep up, at most one line is encoded for each interval, and one for each new
  ///     connection. A connection that is slower than the pace may need lines of its own. No time is measured while no connection
  ///     waits.
  ///   - clock: Measures the pace, and heartbeats.
  ///   - encode: Makes a line. It is called on any task that reads lines, and on several concurrently.
  public init(
    _ list: some LiveList<Section, Row>, every pace: Duration = .zero, clock: some Clock<Duration> = ContinuousClock(),
    encode: @escaping @Sendable (WireMessage<Section, Row>) throws -> Line
  ) {
    require(pace >= .zero, "A list cannot be sent every \(pace)")
    self.encode = encode
    let clock = AnyClock(clock)
    self.clock = clock
    let resume = list.updatesSincePosition
    if pace == .zero {
      self.resume = resume
    } else {
      let paced = PacedList(resume, every: pace, on: clock) { [cache] in
        // All waiting connections are at the start of the update.
        _ = await cache.line(of: $0, encode)
      }
      self.resume = paced.resumption
    }
  }

  /// The lines of one connection: the updates of ``ListStore/updates(since:)``, with the whole list where that is shorter.
  ///
  /// The first line is sent at once: the difference, the whole list, or, for a mirror that is up to date, a `progress` line. If
  /// the list has ended, the last line is `end`; releasing a store ends its list. A stream that stops without an `end` line was
  /// cut: `MirroredList.follow` then connects again. The stream of an archive that is closed stops so, too: its list continues in
  /// the next run.
  ///
  /// With a heartbeat, a stream that has had no line for some time repeats the newest position that was sent, as a `progress` line:
  /// proxies do not close the connection, and a handler that only sends notices that the other end is gone.
  ///
  /// - Parameters:
  ///   - position: The position of the mirror at the other end, or `nil` if it has nothing. Only stores and archives know former
  ///     positions: the first line of another list is the whole list.
  ///   - heartbeat: The time from the request of a line to a heartbeat in its place; above zero. Less than a millisecond counts
  ///     as one. `nil` for none. After a heartbeat the next update is read as soon as it exists, before it is requested: a slow
  ///     connection then gets that update first, and the net difference of later ones with its next line.
  /// - Returns: A stream of lines, which stops with the list. While `encode` throws for the newest list, only heartbeats are
  ///   sent; the next list that can be encoded is one line: the difference since the last list that was sent.
  /// - Complexity: O(1) for a cached line; otherwise the cost of encoding a message with k operations.
  public func lines(
    since position: ListPosition? = nil, heartbeat: Duration? = nil
  ) -> AsyncThrowingStream<Line, any Error> {
    require(heartbeat ?? .seconds(1) > .zero, "There is no heartbeat every \(heartbeat ?? .zero)")
    let connection = LineConnection(self, since: position, heartbeat: heartbeat)
    let turns = Turns()
    return AsyncThrowingStream { try await turns.next { try await connection.next() } }
  }

  /// Counts of what was sent, and the oldest and newest positions of the connections.
  ///
  /// - Complexity: O(number of connections).
  public var figures: LineFigures { get async { await cache.sharedStep { $0.figures } } }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension EncodedList: CustomStringConvertible, CustomReflectable {
  /// The numbers of connections, lines and encodings in words.
  public var description: String { "EncodedList of \(Row.self): \(cache.counts)" }

  /// The same numbers by name, without the list.
  public var customMirror: Mirror {
    let figures = cache.counts
    return Mirror(
      self,
      children: [
        "connections": figures.connections, "lines": figures.lines, "encodings": figures.encodings,
        "bytes": figures.bytes,
      ])
  }
}

/// One connection: what the other end has, and its next line. For one task at a time.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final actor LineConnection<Section: WireSection, Row: RowViewModel & Codable, Line: Sendable> {
  typealias Update = ListUpdate<Section, Row>

  private let lines: EncodedList<Section, Row, Line>
  /// The position of the other end at the beginning.
  private let position: ListPosition?
  private let heartbeat: Duration?
  /// The number of the connection.
  private let number: Int
  /// The updates, once the first was asked for.
  private var updates: Resumption<Section, Row>?
  /// The position of the list after the last update; `nil` before the first.
  private var newest: ListPosition?
  /// The position of the other end, and the list there, if they are known.
  private var sent: ListPosition?
  private var list: ListSnapshot<Section, Row>?
  /// True if the last update produced no line, so that the other end lacks it.
  private var isUnsent = false
  /// The number of lines.
  private var count = 0
  private var hasEnded = false

  /// Reads the next update, also while a heartbeat is sent.
  private var reading: Task<Void, Never>?
  /// The update that `reading` has read, or the end, until the connection takes it.
  private var arrived: Update??
  /// Signals that `arrived` was set.
  private var arrival: Signal?

  /// Creates a connection that was sent nothing.
  init(_ lines: EncodedList<Section, Row, Line>, since position: ListPosition?, heartbeat: Duration?) {
    (self.lines, self.position, number) = (lines, position, lines.cache.begin())
    // Leaves time for a change between heartbeats.
    self.heartbeat = heartbeat.map { max($0.asWait, .milliseconds(1)) }
  }

  deinit {
    reading?.cancel()
    lines.cache.leave(number)
  }

  /// The next line: for an update, for a heartbeat, which repeats the position of the other end, or for the end of the list. If
  /// an update cannot be encoded, the next line has its changes, too.
  ///
  /// - Returns: The line. `nil` after the end, if the list continues elsewhere, or if the task is cancelled.
  /// - Throws: The error of encoding the end.
  func next() async throws -> Line? {
    while !hasEnded {
      let updates = await resumption()
      let repeated = newest == nil ? nil : sent
      let deadline = repeated == nil ? nil : heartbeat.map { lines.clock.now + $0 }
      let (read, isLate) = await read(updates, until: deadline)
      // A cancelled task gets nothing, even if a line is ready.
      if Task.isCancelled { return nil }
      if isLate, let repeated {
        guard let line = await line(of: Update(repeating: repeated)) else { continue }
        count += 1
        return line
      }
      guard var update = read else {
        guard await updates.isEnded(), !Task.isCancelled else { return nil }
        hasEnded = true
        let end = newest ?? ListPosition(epoch: "", revision: 0)
        return lines.cache.end(
          try lines.encode(.end(revision: end.revision, updates: count, epoch: end.epoch)))
      }
      newest = update.position
      if !isUnsent {
        sent = update.start
      } else if let sent, let list {
        update.start(at: sent, list)
      } else {
        // The list at the position of a mirror that resumes is not known.
        update.previous = nil
      }
      isUnsent = true
      guard let line = await line(of: update) else { continue }
      (sent, list, isUnsent, count) = (update.position, update.snapshot, false, count + 1)
      return line
    }
    return nil
  }

  private func line(of update: Update) async -> Line? {
    await lines.cache.line(of: update, for: number, lines.encode)
  }

  private func resumption() async -> Resumption<Section, Row> {
    if let updates { return updates }
    let isWhole = await lines.cache.sharedStep { [position] in $0.isAnsweredWhole(position) }
    let resumption = lines.resume(isWhole ? nil : position)
    updates = resumption
    return resumption
  }

  // MARK: - Heartbeats

  /// Reads the next update, which is `nil` at the end, and if the task is cancelled. `isLate`: the deadline passed first.
  private func read(
    _ updates: Resumption<Section, Row>, until deadline: Duration?
  ) async -> (update: Update?, isLate: Bool) {
    // A read that began during a heartbeat must finish first.
    if deadline == nil, reading == nil, arrived == nil { return (await updates.next(), false) }
    while true {
      if let arrived {
        // The end is kept.
        if arrived != nil { self.arrived = nil }
        return (arrived, false)
      }
      if reading == nil { beginReading(updates) }
      if let deadline, lines.clock.now >= deadline { return (nil, true) }
      let signal = Signal()
      arrival = signal
      if await !signal.wait(until: deadline, on: lines.clock) { return (nil, false) }
    }
  }

  /// Reads an update in a task of its own, which continues during a heartbeat.
  private func beginReading(_ updates: Resumption<Section, Row>) {
    reading = Task.detached(priority: Task.currentPriority) { [weak self] in
      let update = await updates.next()
      await self?.take(update)
    }
  }

  private func take(_ update: Update?) {
    (arrived, reading) = (.some(update), nil)
    arrival?.send()
  }
}

extension ListUpdate {
  /// An update from a position to itself. Its line has no list.
  fileprivate init(repeating position: ListPosition) {
    self.init(
      revision: position.revision, previous: position.revision, changes: ListChanges(), snapshot: ListSnapshot(),
      epoch: position.epoch)
  }
}
