import RowcastModel
import RowcastStore

/// The content of an archive: the list, and its former states.
struct ArchiveContent<Section: WireSection, Row: RowViewModel & Codable>: Sendable {
  typealias State = ListState<Section, Row>

  var epoch: String
  /// The states in the order of their revisions, the newest one last.
  var states: [State]
  var layout: ArchiveLayout
  /// True if damaged lines were left out, so that the file has to be written anew.
  var isRepaired = false
  /// True if the newest lines are among them. Those who have read these must not go on from another list with the same revisions.
  var isBehind = false

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

  private typealias Line = (bytes: ArraySlice<UInt8>, isKeyframe: Bool?)

  /// Reads a file. An incomplete last line is left out.
  ///
  /// - Returns: The content; `nil` for an empty file.
  /// - Throws: ``ArchiveError/damaged(line:)``, ``ArchiveError/unreadable(line:reason:)``.
  func read(_ bytes: [UInt8]) throws(ArchiveError) -> ArchiveContent<Section, Row>? {
    if bytes.isEmpty { return nil }
    let lines = Self.lines(of: bytes)
    let damaged = lines.firstIndex { $0.isKeyframe == nil } ?? (lines.isEmpty ? 0 : nil)
    if let damaged, !isRecovering { throw .damaged(line: damaged + 1) }
    var fold = Fold(reader: self)
    var problem = damaged.map { ArchiveError.damaged(line: $0 + 1) }
    for index in (damaged == nil ? start(in: lines) : 0)..<lines.count {
      do {
        try fold.take(lines[index], number: index + 1)
      } catch {
        guard isRecovering else { throw error }
        problem = problem ?? error
        fold.isBroken = true
      }
    }
    guard var content = fold.content else { throw problem ?? .damaged(line: 1) }
    content.isRepaired = problem != nil
    content.isBehind = fold.isBroken
    return content
  }

  /// The complete lines.
  private static func lines(of bytes: [UInt8]) -> [Line] {
    var lines: [Line] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      lines.append((rest[..<end], ArchiveLine.isKeyframe(rest[..<end])))
      rest = rest[(end + 1)...]
    }
    return lines
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
      if lines[index].isKeyframe == false { missing -= 1 } else if missing <= 0 { return index }
    }
    return 0
  }

  /// The lines that were read so far.
  private struct Fold {
    let reader: ArchiveReader
    var content: ArchiveContent<Section, Row>?
    /// True after a line that cannot be used, until a keyframe, or changes that begin where the line before it ended.
    var isBroken = false
    private var wire = WireReader<Section, Row>()

    init(reader: ArchiveReader) { self.reader = reader }

    mutating func take(_ line: Line, number: Int) throws(ArchiveError) {
      guard let isKeyframe = line.isKeyframe else { throw .damaged(line: number) }
      // A keyframe amid its list has no news.
      if isKeyframe, !isBroken, let revision = wire.revision {
        content?.layout.addKeyframe(size: line.bytes.count + 1, revision: revision)
        return
      }
      if isKeyframe { wire = WireReader() }  // Even of another epoch, after damage.
      do {
        if let update = try wire.fold(try reader.decode(Array(line.bytes))) { add(update, line) }
      } catch let error as DecodingError {
        throw .unreadable(line: number, reason: error.reason)
      } catch {
        throw .unreadable(line: number, reason: "\(error)")
      }
      isBroken = false
    }

    private mutating func add(_ update: ListUpdate<Section, Row>, _ line: Line) {
      let state = ListState(snapshot: update.snapshot, revision: update.revision)
      let size = line.bytes.count + 1
      if content == nil || line.isKeyframe == true {
        content = ArchiveContent(epoch: update.epoch, states: [state], layout: ArchiveLayout())
        // Nothing before this line is needed any more.
        content?.layout.addChanges(size: line.bytes.startIndex)
        content?.layout.addKeyframe(size: size, revision: state.revision)
        return
      }
      content?.layout.addChanges(size: size)
      if reader.history == .none { content?.states = [] }
      content?.states.append(state)
    }
  }
}

extension DecodingError {
  /// The reason in words, without the place in the object.
  fileprivate var reason: String {
    switch self {
    case .keyNotFound(_, let context), .typeMismatch(_, let context), .valueNotFound(_, let context),
      .dataCorrupted(let context):
      context.debugDescription
    @unknown default: "\(self)"
    }
  }
}
