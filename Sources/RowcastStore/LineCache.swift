import RowcastDiff
public import RowcastModel
private import Synchronization

/// The lines that were used last, and the positions of the connections.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final actor LineCache<Line: Sendable> {
  /// A line, and its length.
  fileprivate typealias Encoded = (value: Line, size: Int)

  // The numbers of what was sent, counted by all threads.

  private nonisolated let begun = Atomic<Int>(0)
  private nonisolated let left = Atomic<Int>(0)
  private nonisolated let lines = Atomic<Int>(0)
  private nonisolated let encodings = Atomic<Int>(0)
  private nonisolated let bytes = Atomic<Int>(0)
  /// The lines in the order of their last use.
  private var slots: [(start: ListPosition?, end: ListPosition, line: LineSlot<Line>)] = []
  /// The newest position from which a connection got the whole list because it was shorter than the difference, and the position
  /// of that list. It says nothing about later lists.
  private var whole: (since: ListPosition, at: ListPosition)?
  /// What each connection was sent last.
  private var positions: [Int: ListPosition] = [:]
  private var newest: ListPosition?
  private var revisions = 0

  /// The line of an update, for a connection if there is one; made if it is not cached. `nil` if it cannot be made.
  nonisolated func line<Section, Row>(
    of update: ListUpdate<Section, Row>, for connection: Int? = nil,
    _ encode: @Sendable (WireMessage<Section, Row>) throws -> Line
  ) async -> Line? {
    // The whole list is one line, whichever difference it replaces.
    let isWhole = update.start == nil || (!update.changes.isEmpty && update.isLongerThanList)
    return await line(from: update.start, to: update.position, isWhole: isWhole, for: connection) {
      try encode(WireMessage(shortest: update))
    }
  }

  /// The line from a position to another one; made if it is not cached. `nil` if it cannot be made.
  nonisolated func line(
    from start: ListPosition?, to end: ListPosition, isWhole: Bool = false, for connection: Int? = nil,
    _ make: () throws -> Line
  ) async -> Line? {
    let (slot, isNoted) = await sharedStep { $0.slot(from: start, to: end, isWhole: isWhole, for: connection) }
    guard let line = slot.line(orMade: { (try? make()).map { encoded($0) } }) else { return nil }
    guard let connection else { return line.value }
    note(line)
    if !isNoted { await sharedStep { $0.note(connection, at: end) } }
    return line.value
  }

  /// The line that ends a stream.
  nonisolated func end(_ line: Line) -> Line {
    note(encoded(line))
    return line
  }

  /// A line that was just encoded.
  private nonisolated func encoded(_ line: Line) -> Encoded {
    encodings.add(1, ordering: .relaxed)
    return (line, (line as? String)?.utf8.count ?? (line as? any Collection<UInt8>)?.count ?? 0)
  }

  /// Counts a line that is sent.
  private nonisolated func note(_ line: Encoded) {
    lines.add(1, ordering: .relaxed)
    bytes.add(line.size, ordering: .relaxed)
  }

  /// The slot of the line for a step: the same for all connections that ask for it at about the same time, and for all that get
  /// the whole list. If the line exists, the connection is noted now; otherwise, when it has made the line.
  private func slot(
    from start: ListPosition?, to end: ListPosition, isWhole: Bool, for connection: Int?
  ) -> (slot: LineSlot<Line>, isNoted: Bool) {
    if whole?.at != end { whole = nil }
    if isWhole, let start, whole.map({ $0.since.epoch != start.epoch || $0.since.revision < start.revision }) ?? true {
      whole = (start, end)
    }
    let start = isWhole ? nil : start
    guard let index = slots.lastIndex(where: { $0.start == start && $0.end == end }) else {
      let line = LineSlot<Line>()
      slots = slots.suffix(7) + [(start, end, line)]
      return (line, false)
    }
    let slot = slots[index]
    // A line that many connections need is not evicted by lines that one needs.
    if index < slots.count - 1 { slots.append(slots.remove(at: index)) }
    guard let connection, slot.line.isMade else { return (slot.line, false) }
    note(connection, at: end)
    return (slot.line, true)
  }

  /// True if a mirror at a position gets the whole list without computing the difference: from a newer position it was longer.
  func isAnsweredWhole(_ position: ListPosition?) -> Bool {
    guard let position, let since = whole?.since else { return false }
    return position.epoch == since.epoch && position.revision <= since.revision
  }

  // MARK: - Figures

  private func note(_ connection: Int, at position: ListPosition) {
    positions[connection] = position
    if newest.map({ $0.revision < position.revision }) ?? true { (newest, revisions) = (position, revisions + 1) }
  }

  /// Counts a connection. Returns its number, which no other has.
  nonisolated func begin() -> Int { begun.add(1, ordering: .relaxed).newValue }

  /// Forgets a connection.
  nonisolated func leave(_ connection: Int) {
    left.add(1, ordering: .relaxed)
    Task { await forget(connection) }
  }

  private func forget(_ connection: Int) { positions[connection] = nil }

  /// The numbers, without those of single connections.
  nonisolated var counts: LineFigures {
    var figures = LineFigures()
    let left = left.load(ordering: .relaxed)
    figures.connections = begun.load(ordering: .relaxed) - left
    figures.lines = lines.load(ordering: .relaxed)
    figures.encodings = encodings.load(ordering: .relaxed)
    figures.bytes = bytes.load(ordering: .relaxed)
    return figures
  }

  var figures: LineFigures {
    var figures = counts
    figures.oldest = positions.values.min { $0.revision < $1.revision }
    (figures.newest, figures.revisions) = (newest, revisions)
    return figures
  }
}

/// The slot of one line, empty until a connection has made the line.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class LineSlot<Line: Sendable>: Sendable {
  /// Written once. No actor guards it: there, storing the line would wait behind all connections that look for it.
  private let box = AtomicLazyReference<SharedBox<LineCache<Line>.Encoded?>>()

  /// True if the line was made, and could be.
  var isMade: Bool { box.load().map { $0.value != nil } ?? false }

  /// The line, made if it is not there yet; `nil` if it could not be made.
  func line(orMade make: () -> LineCache<Line>.Encoded?) -> LineCache<Line>.Encoded? {
    (box.load() ?? box.storeIfNil(SharedBox(make()))).value
  }
}

/// The traffic of an ``EncodedList`` to its connections, for the operators of a server.
public struct LineFigures: Hashable, Sendable {
  /// The number of connections whose streams are kept.
  public var connections = 0
  /// The oldest of the positions last sent to them. A connection that does not read keeps the list at its position in memory.
  /// `nil` if no connection was sent a line.
  public var oldest: ListPosition?
  /// The newest position that was sent.
  public var newest: ListPosition?
  /// The number of revisions that were sent to at least one connection.
  public var revisions = 0
  /// The number of lines that were sent, heartbeats and ends included.
  public var lines = 0
  /// The number of lines that were encoded.
  public var encodings = 0
  /// The length of the lines that were sent, if they are strings, or collections of bytes like `Data`; 0 if they are not.
  public var bytes = 0

  /// Creates figures of nothing.
  package init() {}

  /// The number of lines that were sent without being encoded for their connection.
  public var sharedLines: Int { max(0, lines - encodings) }
}

extension LineFigures: CustomStringConvertible {
  /// The numbers in words.
  public var description: String {
    let sent = "\(connections) connections, \(lines) lines of \(bytes) bytes, \(encodings) encoded"
    let upTo = newest.map { ", \(revisions) revisions up to \($0)" } ?? ""
    return sent + upTo + (oldest.map { ", the oldest at \($0)" } ?? "")
  }
}
