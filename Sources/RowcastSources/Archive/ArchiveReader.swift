import RowcastModel
import RowcastStore

/// The content of an archive: the list, and its former states.
struct ArchiveContent<Section: WireSection, Row: RowViewModel & Codable>: Sendable {
  typealias State = ListState<Section, Row>

  /// The states in the order of their revisions, the newest one last. There is one at least once the file is read.
  var states: [State] = []
  var layout = ArchiveLayout()
  /// True if damaged lines were left out, so that the file has to be written anew.
  var isRepaired = false
  /// The lines that are kept in another file then, each with its end, and their number.
  var rest: (bytes: [UInt8], lines: Int) = ([], 0)
  /// True if the last line has no end.
  var lacksEnd = false
  /// The epoch of the last line with the list or its changes.
  var writtenEpoch = ""
  /// The newest list by the position of its origin, if it is one that was read of a mirror.
  var origin: State?
  /// The runs that have begun at the newest state, and changed nothing, and the size of the file before their line.
  var idle: (runs: [ListPosition], size: Int) = ([], 0)

  /// The newest state.
  var newest: State { states[states.count - 1] }
}

/// Reads the content of an archive from its bytes.
struct ArchiveReader<Section: WireSection, Row: RowViewModel & Codable>: Sendable {
  typealias Message = WireMessage<Section, Row>

  /// The former states that are of use.
  let history: ListHistory
  /// True if damaged lines are left out.
  let isRecovering: Bool
  let decode: @Sendable ([UInt8]) throws -> Message

  /// A line, without its end.
  private struct Line {
    var bytes: ArraySlice<UInt8>
    var hasEnd = true

    /// `nil` for one that is not as it was written.
    let kind: ArchiveLine.Kind?

    /// The size in the file.
    var size: Int { bytes.count + (hasEnd ? 1 : 0) }

    init(_ bytes: ArraySlice<UInt8>, hasEnd: Bool = true) {
      (self.bytes, self.hasEnd, kind) = (bytes, hasEnd, ArchiveLine.kind(of: bytes))
    }
  }

  /// Reads a file. An incomplete last line is left out; one that only lacks its end is not.
  ///
  /// - Returns: The content; `nil` for an empty file.
  /// - Throws: ``ArchiveError/damaged(path:line:)``, ``ArchiveError/unreadable(path:line:reason:)``.
  func read(_ bytes: [UInt8], at path: String) throws(ArchiveError) -> ArchiveContent<Section, Row>? {
    if bytes.isEmpty { return nil }
    let (lines, tail) = Self.lines(of: bytes)
    let damaged = lines.firstIndex { $0.kind == nil } ?? (lines.isEmpty ? 0 : nil)
    if let damaged, !isRecovering { throw .damaged(path: path, line: damaged + 1) }
    var fold = Fold(reader: self, path: path)
    var next = damaged == nil ? start(in: lines) : 0
    if next > 0 {
      try fold.apply(lines[next], number: next + 1)
      // A copy of a keyframe, away from its place, has another list than the lines before it.
      let before = (lines[..<next].last { $0.kind == .changes } ?? lines.first).flatMap { try? decode(Array($0.bytes)) }
      if before?.revision == fold.content.newest.revision {
        next += 1
      } else {
        (fold, next) = (Fold(reader: self, path: path), 0)
      }
    }
    for index in next..<lines.count { try fold.apply(lines[index], number: index + 1) }
    if fold.content.states.isEmpty { throw .damaged(path: path, line: (damaged ?? 0) + 1) }
    fold.content.isRepaired = damaged != nil || fold.content.rest.lines > 0
    if fold.content.isRepaired, !tail.isEmpty { fold.leaveOut(Line(tail, hasEnd: false)) }
    fold.content.lacksEnd = lines.last?.hasEnd == false
    return fold.content
  }

  /// The complete lines, and the bytes after them.
  private static func lines(of bytes: [UInt8]) -> (lines: [Line], tail: ArraySlice<UInt8>) {
    var lines: [Line] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(Line(rest[..<end]))
      rest = rest[(end + 1)...]
    }
    let last = Line(rest, hasEnd: false)
    return last.kind == nil ? (lines, rest) : (lines + [last], [])
  }

  /// The last keyframe from which on the lines have all former states that are of use.
  private func start(in lines: [Line]) -> Int {
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

  /// The lines that were read so far.
  private final class Fold {
    let reader: ArchiveReader
    let path: String
    var content = ArchiveContent<Section, Row>()
    /// True after a damaged line, until a keyframe, or changes that begin where the line before it ended.
    private var isBroken = false
    private var wire = WireReader<Section, Row>()
    /// The runs up to here.
    private var lineage = Lineage()

    init(reader: ArchiveReader, path: String) { (self.reader, self.path) = (reader, path) }

    func leaveOut(_ line: Line) {
      content.rest.bytes += line.bytes + [UInt8(ascii: "\n")]
      content.rest.lines += 1
    }

    func apply(_ line: Line, number: Int) throws(ArchiveError) {
      guard let kind = line.kind else {
        isBroken = true
        return leaveOut(line)
      }
      let message: Message
      var origin: ListState<Section, Row>?
      do {
        message = try reader.decode(Array(line.bytes))
        if let bytes = ArchiveLine.origin(in: line.bytes, kind) { origin = ListState(try reader.decode(bytes)) }
      } catch {
        throw .unreadable(path: path, line: number, reason: (error as? DecodingError)?.reason ?? "\(error)")
      }
      do throws(WireError) {
        if case .run(let runs) = message {
          try addRuns(runs, line)
          // The position alone has moved.
          if let origin { content.origin = origin }
          return
        }
        if kind == .keyframe {
          if try isKnown(message) { return addKnown(line) }
          wire = WireReader()  // Even of another list, after damage.
        }
        if let update = try wire.fold(message) {
          add(update, line)
          content.origin = origin
        }
      } catch {
        // It depends on a missing line, or is a copy of an earlier one.
        guard reader.isRecovering else { throw .unreadable(path: path, line: number, reason: "\(error)") }
        isBroken = true
        return leaveOut(line)
      }
      content.writtenEpoch = message.epoch
      isBroken = false
    }

    /// True for a keyframe with the list that the lines before it have; false for one that begins a list.
    private func isKnown(_ message: Message) throws(WireError) -> Bool {
      guard let revision = wire.revision else { return false }
      let isOfList = message.epoch == content.writtenEpoch || lineage.contains(message.epoch)
      if isBroken {
        if !isOfList || message.revision >= revision { return false }
      } else if isOfList, message.revision == revision {
        return true
      }
      throw .wrongRevision(list: revision, messageStartsAt: message.revision)
    }

    private func addKnown(_ line: Line) {
      content.layout.addKeyframe(size: line.size, revision: content.newest.revision, count: wire.snapshot.elementCount)
      content.idle.runs = []
    }

    private func add(_ update: ListUpdate<Section, Row>, _ line: Line) {
      noteRun(of: update)
      let state = ListState(snapshot: update.snapshot, revision: update.revision, lineage: lineage)
      content.idle.runs = []
      if content.states.isEmpty || line.kind == .keyframe {
        // Nothing before this line is needed any more.
        (content.states, content.layout) = ([], ArchiveLayout())
        content.layout.addChanges(size: line.bytes.startIndex)
        content.layout.addKeyframe(size: line.size, revision: state.revision, count: state.snapshot.elementCount)
      } else {
        content.layout.addChanges(size: line.size)
        if reader.history == .none { content.states = [] }
      }
      content.states.append(state)
    }

    private func noteRun(of update: ListUpdate<Section, Row>) {
      if update.previous == nil {
        // The epoch of a file without runs becomes the first of its lineage.
        lineage = update.lineage.runs.isEmpty && !update.epoch.isEmpty ? Lineage(of: update.epoch) : update.lineage
      } else if let previous = update.previous, !update.epoch.isEmpty, !lineage.contains(update.epoch) {
        lineage.begin(update.epoch, at: previous)
      }
    }

    /// Adds runs that began at the newest state. The last one names its revision, also if it has begun before.
    private func addRuns(_ runs: Lineage, _ line: Line) throws(WireError) {
      guard let last = content.states.indices.last else { throw .missingInitial }
      guard let run = runs.runs.last, run.revision == content.newest.revision else {
        throw .wrongRevision(list: content.newest.revision, messageStartsAt: runs.runs.last?.revision ?? 0)
      }
      if content.idle.runs.isEmpty { content.idle.size = content.layout.size }
      content.layout.addChanges(size: line.size)
      for run in runs.runs where run.revision == content.newest.revision && !lineage.contains(run.epoch) {
        lineage.begin(run.epoch, at: run.revision)
        content.idle.runs.append(run)
      }
      content.states[last].lineage = lineage
    }
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
