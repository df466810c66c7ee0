import RowcastDiff
import RowcastModel
import RowcastStore

/// The lines of an archive.
///
/// Each is a message of the wire form, whose object begins with a checksum of all that follows it on the line:
///
///     {"crc":"0b1c2d3e","epoch":"e","kind":"changes", …}
///     {"crc":"3e2d1c0b","keyframe":true,"epoch":"e","kind":"initial", …}
///     {"crc":"2f1e0d3c","run":true,"epoch":"f","kind":"run", …}
///     {"crc":"4c3b2a19","origin":{"epoch":"o","kind":"initial", …},"epoch":"f","kind":"changes", …}
///
/// Readers of the wire form ignore these fields. Marks tell the kind of a line without decoding it. The origin is the position at
/// which a mirror's writer had the list after the line: a message without the list.
enum ArchiveLine {
  /// What a line brings.
  enum Kind: Equatable, Sendable {
    case changes
    /// The whole list.
    case keyframe
    /// Runs that have begun.
    case run

    fileprivate var mark: [UInt8] {
      switch self {
      case .changes: []
      case .keyframe: ArchiveLine.keyframeMark
      case .run: ArchiveLine.runMark
      }
    }
  }

  private static let lineEnd = UInt8(ascii: "\n")
  private static let start = Array("{\"crc\":\"".utf8)
  private static let end = Array("\",".utf8)
  private static let keyframeMark = Array("\"keyframe\":true,".utf8)
  private static let runMark = Array("\"run\":true,".utf8)
  private static var prefixCount: Int { start.count + 8 + end.count }

  private static let originMark = Array("\"origin\":".utf8)

  /// Makes a line from an encoded message, and one of the origin.
  ///
  /// - Throws: ``ArchiveError/unencodable(reason:)`` if that is not one object on a line.
  static func line(
    of message: some Collection<UInt8>, _ kind: Kind, origin: [UInt8]? = nil
  ) throws(ArchiveError) -> [UInt8] {
    var content = kind.mark
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

  /// The encoded message of the origin in a line of a kind; `nil` if there is none.
  static func origin(in line: ArraySlice<UInt8>, _ kind: Kind) -> [UInt8]? {
    let content = line.dropFirst(prefixCount + kind.mark.count)
    guard content.starts(with: originMark) else { return nil }
    var (object, depth, isText, isEscaped): ([UInt8], Int, Bool, Bool) = ([], 0, false, false)
    for byte in content.dropFirst(originMark.count) {
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

  /// The kind of a line, without its end; `nil` for one that is not as it was written.
  static func kind(of line: ArraySlice<UInt8>) -> Kind? {
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

/// Makes the lines of an archive, and finds what cannot be encoded.
struct ArchiveEncoder<Section: WireSection, Row: RowViewModel & Codable>: Sendable {
  typealias Message = WireMessage<Section, Row>
  typealias Snapshot = ListSnapshot<Section, Row>

  let encode: @Sendable (Message) throws -> [UInt8]

  /// Makes a line of a message, with the position of an origin.
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

  /// Throws for a list that has something new that cannot be encoded.
  func validate(_ list: Snapshot, since former: Snapshot) throws(ArchiveError) {
    if let problem = encodable(list, since: former) { throw .unencodable(reason: problem.reason) }
  }

  /// Looks for rows and sections that cannot be encoded, among those that a list has and a former one has not.
  ///
  /// - Returns: The list without them: they are as they are in the former list, or absent; and why the first cannot be encoded.
  ///   `nil` if there are none.
  func encodable(_ list: Snapshot, since former: Snapshot) -> (list: Snapshot, reason: String)? {
    let patch = ListPatch(former.changes(to: list), to: list)
    var (rows, sections) = (patch.insertedRows + patch.updatedRows, patch.updatedSections)
    for section in patch.insertedSections {
      rows += section.rows
      sections.append(section.model)
    }
    var reason: String?
    let position = ListPosition(epoch: "", revision: 0)
    func isRefused(_ id: some Any, _ name: String, _ changes: WireChanges<Section, Row>) -> Bool {
      do {
        _ = try encode(.changes(changes))
        return false
      } catch {
        reason = reason ?? "\(name) \(id): \(Self.reason(of: error))"
        return true
      }
    }
    let refusedRows = rows.filter {
      let changes = ListChanges(rows: Changeset(inserts: [RowPath(section: 0, row: 0)]))
      return isRefused($0.id, "row", WireChanges(from: position, to: position, changes, insertedRows: [$0]))
    }
    let refusedSections = sections.filter {
      let section = ListSection<Section, Row>($0, rows: [])
      let changes = ListChanges(sections: Changeset(inserts: [0]))
      return isRefused(
        $0.id, "section", WireChanges(from: position, to: position, changes, insertedSections: [section]))
    }
    guard let reason else { return nil }
    // Made only for a problem, as it takes O(n).
    let before = ListDraft(former)
    var draft = ListDraft(list)
    for row in refusedRows {
      guard let path = draft.path(ofRow: row.id) else { continue }
      if let row = before.find(row.id)?.row {
        draft.replaceRow(at: path, with: row)
      } else {
        draft.removeRow(at: path)
      }
    }
    for section in refusedSections {
      guard let index = draft.index(ofSection: section.id) else { continue }
      if let place = before.index(ofSection: section.id) {
        draft.replaceSection(at: index, with: former.section(at: place))
      } else {
        draft.removeSection(at: index)
      }
    }
    return (draft.snapshot, reason)
  }

  /// The reason in words, after the path of the field in its row or section.
  private static func reason(of error: any Error) -> String {
    guard case EncodingError.invalidValue(_, let context)? = error as? EncodingError else { return "\(error)" }
    let path = context.codingPath.map(\.stringValue)
    let start = path.firstIndex { $0 == "row" || $0 == "section" }.map { $0 + 1 } ?? 0
    return "\(path[start...].joined(separator: ".")): \(context.debugDescription)"
  }
}

/// The places of the keyframes in an archive, by which it is kept short. Offsets and sizes are in bytes.
struct ArchiveLayout: Equatable, Sendable {
  /// A keyframe that reading can begin with.
  struct Keyframe: Equatable, Sendable {
    var offset: Int
    var revision: Int
    /// Its size.
    var size: Int
    /// The number of rows and sections in it.
    var count: Int
  }

  /// The size of the file.
  private(set) var size = 0
  private(set) var keyframes: [Keyframe] = []

  /// Adds a line with changes, or with a run.
  mutating func addChanges(size: Int) { self.size += size }

  /// Adds a line with the whole list at a revision.
  mutating func addKeyframe(size: Int, revision: Int, count: Int) {
    keyframes.append(Keyframe(offset: self.size, revision: revision, size: size, count: count))
    self.size += size
  }

  /// Removes the end of the file, after the last keyframe.
  mutating func cut(to size: Int) {
    self.size = size
    let end = keyframes.last.map { $0.offset + $0.size } ?? 0
    assert(end <= size, "the last keyframe ends at \(end), and the file was cut to \(size) bytes")
  }

  /// About the size of a keyframe with so many rows and sections: at most that of the last one.
  func estimatedSize(of count: Int) -> Int {
    guard let last = keyframes.last else { return 0 }
    return count >= last.count ? last.size : Int(Double(last.size) * Double(count + 1) / Double(last.count + 1))
  }

  /// True if, with so many bytes more, what follows the last keyframe is longer than one of the newest list, which has so many
  /// rows and sections. Short lists wait for some kilobytes.
  func needsKeyframe(after bytes: Int, of count: Int) -> Bool {
    let tail = size + bytes - (keyframes.last.map { $0.offset + $0.size } ?? 0)
    return tail > max(estimatedSize(of: count), 16_384)
  }

  /// The offset from which a compact file keeps the content, so that it has a revision and all that follow.
  ///
  /// - Returns: `nil` while that is more than half of the file, so that each byte is copied once on average.
  func compactStart(keeping revision: Int) -> Int? {
    guard let first = keyframes.last(where: { $0.revision <= revision }), first.offset >= size / 2 else { return nil }
    return first.offset
  }

  /// Takes off the beginning of the file, up to a keyframe.
  mutating func removeBytes(before offset: Int) {
    keyframes.removeAll { $0.offset < offset }
    for index in keyframes.indices { keyframes[index].offset -= offset }
    size -= offset
  }
}
