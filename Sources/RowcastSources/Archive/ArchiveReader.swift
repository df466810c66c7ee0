import RowcastDiff
import RowcastModel
import RowcastStore

/// A line of an archive.
///
/// It is a message of the wire form, whose object begins with a checksum of all that follows it on the line:
///
///     {"crc":"0b1c2d3e","epoch":"e","kind":"changes", …}
///     {"crc":"3e2d1c0b","keyframe":true,"epoch":"e","kind":"initial", …}
///     {"crc":"2f1e0d3c","run":true,"epoch":"f","kind":"run", …}
///     {"crc":"4c3b2a19","origin":{"epoch":"o","kind":"initial", …},"epoch":"f","kind":"changes", …}
///
/// Readers of the wire form ignore these fields. Marks tell the kind of a line without decoding it. The origin is the position at
/// which a mirror's writer had the list after the line: a message without the list.
struct ArchiveLine {
  /// The content of a line.
  enum Kind: Equatable, Sendable {
    case changes
    /// The whole list.
    case keyframe
    /// Runs that have begun.
    case run

    fileprivate var mark: String.UTF8View {
      switch self {
      case .changes: "".utf8
      case .keyframe: "\"keyframe\":true,".utf8
      case .run: "\"run\":true,".utf8
      }
    }

    /// True if a message is of the kind: of lines that are never decoded only the mark is known.
    fileprivate func isKind<Section, Row>(of message: WireMessage<Section, Row>) -> Bool {
      switch message {
      case .initial: self == .keyframe
      case .changes: self == .changes
      case .run: self == .run
      case .progress, .end: false
      }
    }
  }

  /// The line without its end.
  let bytes: ArraySlice<UInt8>
  let hasEnd: Bool
  /// `nil` for a damaged line.
  let kind: Kind?

  init(_ bytes: ArraySlice<UInt8>, hasEnd: Bool = true) {
    (self.bytes, self.hasEnd, kind) = (bytes, hasEnd, Self.kind(of: bytes))
  }

  /// The size in the file.
  var size: Int { bytes.count + (hasEnd ? 1 : 0) }

  private static let lineEnd = UInt8(ascii: "\n")
  private static let start = Array("{\"crc\":\"".utf8)
  private static let end = Array("\",".utf8)
  private static var prefixCount: Int { start.count + 8 + end.count }

  private static let originMark = Array("\"origin\":".utf8)

  /// Makes a line from an encoded message, and an encoded message of the origin.
  ///
  /// - Throws: ``ArchiveError/unencodable(reason:)`` if a message is not one object on a line.
  static func line(
    of message: some Collection<UInt8>, _ kind: Kind, origin: [UInt8]? = nil
  ) throws(ArchiveError) -> [UInt8] {
    var content = Array(kind.mark)
    if let origin { content += try originMark + object(origin) + [UInt8(ascii: ",")] }
    content += try object(message).dropFirst()
    return prefix(of: content[...]) + content + [lineEnd]
  }

  /// A JSON object without the end of its line.
  private static func object(_ message: some Collection<UInt8>) throws(ArchiveError) -> [UInt8] {
    var message = Array(message)
    if message.last == lineEnd { message.removeLast() }
    guard message.first == UInt8(ascii: "{"), message.last == UInt8(ascii: "}"), !message.contains(lineEnd) else {
      throw .unencodable(reason: "it must be a JSON object on one line")
    }
    return message
  }

  /// The encoded message of the origin; `nil` if there is none.
  var origin: [UInt8]? {
    let content = bytes.dropFirst(Self.prefixCount + (kind?.mark.count ?? 0))
    guard content.starts(with: Self.originMark) else { return nil }
    var (object, depth, isText, isEscaped): ([UInt8], Int, Bool, Bool) = ([], 0, false, false)
    for byte in content.dropFirst(Self.originMark.count) {
      object.append(byte)
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\"") {
        isText.toggle()
      } else if isText {
        isEscaped = byte == UInt8(ascii: "\\")
      } else if byte == UInt8(ascii: "{") {
        depth += 1
      } else if byte == UInt8(ascii: "}") {
        depth -= 1
        if depth == 0 { return object }
      }
    }
    return nil
  }

  private static func kind(of line: ArraySlice<UInt8>) -> Kind? {
    guard line.starts(with: start) else { return nil }
    let content = line.dropFirst(prefixCount)
    guard line.starts(with: prefix(of: content)) else { return nil }
    return [.keyframe, .run].first { content.starts(with: $0.mark) } ?? .changes
  }

  private static func prefix(of content: ArraySlice<UInt8>) -> [UInt8] {
    let digits = String(checksum(of: content), radix: 16)
    return start + Array(repeating: UInt8(ascii: "0"), count: 8 - digits.utf8.count) + Array(digits.utf8) + end
  }

  // MARK: - CRC-32

  /// The CRC-32 of zlib and IEEE 802.3. It differs for any two contents that differ within 32 bits in a row.
  static func checksum(of bytes: ArraySlice<UInt8>) -> UInt32 {
    let table = table
    return ~bytes.reduce(~0) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
  }

  /// The remainders of all bytes.
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { remainder, _ in remainder >> 1 ^ (remainder & 1 == 1 ? 0xEDB8_8320 : 0) }
  }
}

/// Makes the lines of an archive.
struct ArchiveEncoder<Section: WireSection, Row: RowViewModel & Codable>: Sendable {
  typealias Message = WireMessage<Section, Row>
  typealias Snapshot = ListSnapshot<Section, Row>

  let encode: @Sendable (Message) throws -> [UInt8]

  /// Makes a line from a message, with the position of an origin.
  func line(
    of message: Message, _ kind: ArchiveLine.Kind, origin: ListState<Section, Row>? = nil
  ) throws(ArchiveError) -> [UInt8] {
    do {
      var position = origin
      position?.snapshot = Snapshot()
      return try ArchiveLine.line(of: encode(message), kind, origin: position.map { try encode(Message($0)) })
    } catch {
      throw error as? ArchiveError ?? .unencodable(reason: Self.reason(of: error))
    }
  }

  /// The reason in words, after the path of the field in its row or section.
  static func reason(of error: any Error) -> String {
    guard case EncodingError.invalidValue(_, let context)? = error as? EncodingError else { return "\(error)" }
    let path = context.codingPath.map(\.stringValue)
    let start = path.firstIndex { $0 == "row" || $0 == "section" }.map { $0 + 1 } ?? 0
    return "\(path[start...].joined(separator: ".")): \(context.debugDescription)"
  }
}

extension WireMessage {
  /// The whole list, with all of its lineage.
  static func keyframe(of state: ListState<Section, Row>) -> WireMessage {
    .initial(
      revision: state.revision, snapshot: state.snapshot, epoch: state.lineage.epoch,
      lineage: state.lineage.runs.count > 1 ? state.lineage : Lineage())
  }
}

/// The content of an archive: the list, and its former states. It is read from the lines of the file, one after the other.
final class ArchiveContent<Section: WireSection, Row: RowViewModel & Codable> {
  typealias State = ListState<Section, Row>
  typealias Message = WireMessage<Section, Row>

  /// The states in the order of their revisions, the newest one last; at least one once the file is read.
  var states: [State]
  var layout = ArchiveLayout()
  /// True if there is no file yet, or damaged lines were left out, so that the file must be rewritten.
  var isRepaired = true
  /// The lines that are kept in another file then, each with its end, and their number.
  var rest: (bytes: [UInt8], lines: Int) = ([], 0)
  /// True if the last line has no end.
  var lacksEnd = false
  /// The epoch of the last line with the list or its changes.
  var writtenEpoch = ""
  /// The newest list with the position of its origin, if it was read from a mirror.
  var origin: State?
  /// The runs that have begun at the newest state, and changed nothing, and the size of the file before their line.
  var idle: (runs: [ListPosition], size: Int) = ([], 0)

  /// The newest state.
  var newest: State { states[states.count - 1] }
  /// The newest state, with the position that its last line has.
  var written: State { newest.at(ListPosition(epoch: writtenEpoch, revision: newest.revision)) }

  // MARK: - Reading

  /// The path, for errors.
  private var path = ""
  /// The former states that the store keeps.
  private let history: ListHistory
  /// True if damaged lines are left out.
  private let isRecovering: Bool
  private let decode: @Sendable ([UInt8]) throws -> Message
  /// True after a damaged line, until a keyframe, or changes that begin where the line before it ended.
  private var isBroken = false
  private var wire = WireReader<Section, Row>()
  /// The runs up to here.
  private var lineage = Lineage()

  /// A list that is in no file yet.
  init(
    _ initial: ListSnapshot<Section, Row>, history: ListHistory, isRecovering: Bool,
    decode: @escaping @Sendable ([UInt8]) throws -> Message
  ) {
    states = [State(snapshot: initial.begun, revision: 0)]
    (self.history, self.isRecovering, self.decode) = (history, isRecovering, decode)
  }

  /// Reads a file in place of the list, once; the list stays if the file is empty. An incomplete last line is left out; one that only
  /// lacks its end is not.
  ///
  /// - Throws: ``ArchiveError/damaged(path:line:)``, ``ArchiveError/unreadable(path:line:reason:)``.
  func read(_ bytes: [UInt8], at path: String) throws(ArchiveError) {
    if bytes.isEmpty { return }
    self.path = path
    let (lines, tail) = Self.lines(of: bytes)
    let damaged = lines.firstIndex { $0.kind == nil } ?? (lines.isEmpty ? 0 : nil)
    if let damaged, !isRecovering { throw .damaged(path: path, line: damaged + 1) }
    states = []
    var next = damaged == nil ? start(in: lines) : 0
    if next > 0 {
      try apply(lines[next], number: next + 1)
      // A copy of a keyframe, away from its place, has another list than the lines before it.
      let before = (lines[..<next].last { $0.kind == .changes } ?? lines.first).flatMap { try? decode(Array($0.bytes)) }
      if let newest = states.last, newest.revision == before?.revision {
        next += 1
      } else {
        (states, layout, rest, isBroken) = ([], ArchiveLayout(), ([], 0), false)
        (writtenEpoch, origin, lineage, wire) = ("", nil, Lineage(), WireReader())
        next = 0
      }
    }
    for index in next..<lines.count { try apply(lines[index], number: index + 1) }
    if states.isEmpty { throw .damaged(path: path, line: (damaged ?? 0) + 1) }
    // No list has so many changes, and none could be saved after the last revision.
    guard newest.revision <= ListPosition.lastRevision / 2 else {
      let reason = "the list continues at revision \(newest.revision), near the largest, \(ListPosition.lastRevision)"
      throw .unreadable(path: path, line: lines.count, reason: reason)
    }
    isRepaired = damaged != nil || rest.lines > 0
    if isRepaired, !tail.isEmpty { leaveOut(ArchiveLine(tail, hasEnd: false)) }
    lacksEnd = lines.last?.hasEnd == false
  }

  /// The complete lines, and the bytes after them.
  private static func lines(of bytes: [UInt8]) -> (lines: [ArchiveLine], tail: ArraySlice<UInt8>) {
    var lines: [ArchiveLine] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(ArchiveLine(rest[..<end]))
      rest = rest[(end + 1)...]
    }
    let last = ArchiveLine(rest, hasEnd: false)
    return last.kind == nil ? (lines, rest) : (lines + [last], [])
  }

  /// The last keyframe from which the lines have all former states that the store keeps.
  private func start(in lines: [ArchiveLine]) -> Int {
    var missing: Int
    switch history {
    case .none: missing = 0
    case .last(let count): missing = count
    case .within: return 0
    }
    for index in lines.indices.reversed() {
      switch lines[index].kind {
      case .changes: missing -= 1
      case .keyframe where missing <= 0: return index
      case .keyframe, .run, nil: break
      }
    }
    return 0
  }

  private func leaveOut(_ line: ArchiveLine) {
    rest.bytes += line.bytes + [UInt8(ascii: "\n")]
    rest.lines += 1
  }

  private func apply(_ line: ArchiveLine, number: Int) throws(ArchiveError) {
    guard let kind = line.kind else {
      isBroken = true
      return leaveOut(line)
    }
    let message: Message
    var origin: ListState<Section, Row>?
    do {
      message = try decode(Array(line.bytes))
      if let bytes = line.origin { origin = ListState(try decode(bytes)) }
    } catch {
      throw .unreadable(path: path, line: number, reason: (error as? DecodingError)?.reason ?? "\(error)")
    }
    do throws(WireError) {
      guard kind.isKind(of: message) else { throw .contradiction("the line's kind and its mark contradict each other") }
      if case .run(let runs) = message {
        try addRuns(runs, line)
        // The position alone has moved.
        if let origin { self.origin = origin }
        return
      }
      if kind == .keyframe {
        if try isKnown(message) {
          layout.addKeyframe(size: line.size, revision: newest.revision, count: wire.snapshot.elementCount)
          idle.runs = []
          return
        }
        wire = WireReader()  // Even of another list, after damage.
      }
      if let update = try wire.fold(message) {
        add(update, line)
        self.origin = origin
      }
    } catch {
      // It depends on a missing line, or is a copy of an earlier one.
      guard isRecovering else { throw .unreadable(path: path, line: number, reason: "\(error)") }
      isBroken = true
      return leaveOut(line)
    }
    writtenEpoch = message.epoch
    isBroken = false
  }

  /// True for a keyframe with the list that the lines before it have; false for one that begins a list.
  private func isKnown(_ message: Message) throws(WireError) -> Bool {
    guard let revision = wire.revision else { return false }
    let isOfList = message.epoch == writtenEpoch || lineage.contains(message.epoch)
    if isBroken {
      if !isOfList || message.revision >= revision { return false }
    } else if isOfList, message.revision == revision {
      return true
    }
    throw .wrongRevision(list: revision, messageStartsAt: message.revision)
  }

  private func add(_ update: ListUpdate<Section, Row>, _ line: ArchiveLine) {
    noteRun(of: update)
    let state = ListState(snapshot: update.snapshot, revision: update.revision, lineage: lineage)
    idle.runs = []
    if states.isEmpty || line.kind == .keyframe {
      // No line before this one is needed any more.
      (states, layout) = ([], ArchiveLayout())
      layout.addChanges(size: line.bytes.startIndex)
      layout.addKeyframe(size: line.size, revision: state.revision, count: state.snapshot.elementCount)
    } else {
      layout.addChanges(size: line.size)
      if history == .none { states = [] }
    }
    states.append(state)
  }

  private func noteRun(of update: ListUpdate<Section, Row>) {
    guard let previous = update.previous else {
      // The epoch of a file without runs becomes the first of its lineage.
      lineage = update.lineage.runs.isEmpty && !update.epoch.isEmpty ? Lineage(of: update.epoch) : update.lineage
      return
    }
    if !update.epoch.isEmpty, !lineage.contains(update.epoch) { lineage.begin(update.epoch, at: previous) }
  }

  /// Adds runs that began at the newest state. The last one names its revision, even if it began earlier.
  private func addRuns(_ runs: Lineage, _ line: ArchiveLine) throws(WireError) {
    guard let last = states.indices.last else { throw .missingInitial }
    guard let run = runs.runs.last, run.revision == newest.revision else {
      throw .wrongRevision(list: newest.revision, messageStartsAt: runs.runs.last?.revision ?? 0)
    }
    if idle.runs.isEmpty { idle.size = layout.size }
    layout.addChanges(size: line.size)
    for run in runs.runs where run.revision == newest.revision && !lineage.contains(run.epoch) {
      lineage.begin(run.epoch, at: run.revision)
      idle.runs.append(run)
    }
    states[last].lineage = lineage
  }
}

extension ListState where Section: WireSection, Row: Codable {
  /// The position of an origin, and its runs, without the list; `nil` for a message of another kind.
  fileprivate init?(_ message: WireMessage<Section, Row>) {
    guard case .initial(let revision, let list, let epoch, var lineage) = message else { return nil }
    if lineage.runs.isEmpty, !epoch.isEmpty { lineage = Lineage(of: epoch) }
    self.init(snapshot: list, revision: revision, lineage: lineage)
  }
}

extension ListSnapshot {
  /// The number of rows and sections.
  var elementCount: Int { rowCount + sectionCount }
}

extension DecodingError {
  /// The reason in words, after the path of a field with another type than is expected.
  fileprivate var reason: String {
    switch self {
    case .keyNotFound(_, let context), .typeMismatch(_, let context), .valueNotFound(_, let context):
      let path = context.codingPath.map { key in key.intValue.map { "\($0)" } ?? key.stringValue }
      let text = context.debugDescription
      return "\(path.joined(separator: ".")): \(text.hasSuffix(".") ? String(text.dropLast()) : text)"
    case .dataCorrupted(let context): return context.debugDescription
    @unknown default: return "\(self)"
    }
  }
}
