@testable import RowcastSources

typealias TestArchive = ListArchive<TestSection, TestRow>
typealias TestContent = ArchiveContent<TestSection, TestRow>
typealias TestState = ListState<TestSection, TestRow>

/// The path of a file without links.
func resolved(_ path: String) -> String { (try? Platform.resolve(path)) ?? path }

/// The lines of archives in the tests.
enum ArchiveCoding {
  /// The path that errors of bytes without a file name.
  static let path = "bytes"

  static let encode: @Sendable (TestMessage) throws -> [UInt8] = { message in
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return Array(try encoder.encode(message))
  }

  static let decode: @Sendable ([UInt8]) throws -> TestMessage = { bytes in
    try JSONDecoder().decode(TestMessage.self, from: Data(bytes))
  }

  static let encoder = ArchiveEncoder<TestSection, TestRow>(encode: encode)

  /// The content of a file.
  static func read(
    _ bytes: some Sequence<UInt8>, history: ListHistory = .none, recovering: Bool = false
  ) throws(ArchiveError) -> TestContent? {
    let (content, bytes) = (
      TestContent(TestSnapshot(), history: history, isRecovering: recovering, decode: decode), Array(bytes)
    )
    try content.read(bytes, at: path)
    return bytes.isEmpty ? nil : content
  }

  /// The line of a message.
  static func line(_ message: TestMessage) throws -> [UInt8] {
    let kind: ArchiveLine.Kind =
      switch message {
      case .initial: .keyframe
      case .run: .run
      case .changes, .progress, .end: .changes
      }
    return try encoder.line(of: message, kind)
  }

  /// The line from one list to another.
  static func line(
    from before: TestSnapshot, at previous: Int, to after: TestSnapshot, at revision: Int
  ) throws -> [UInt8] {
    try line(
      TestMessage(
        TestUpdate(
          revision: revision, previous: previous, changes: before.changes(to: after), snapshot: after, epoch: "e")))
  }
}

extension ListArchive<TestSection, TestRow> {
  /// Opens a file with the lines of the tests.
  convenience init(
    _ path: String, history: ListHistory = .none, durability: ArchiveDurability = .written, recovering: Bool = false,
    clock: some Clock<Duration> = ContinuousClock(),
    encode: @escaping @Sendable (TestMessage) throws -> [UInt8] = ArchiveCoding.encode
  ) throws {
    try self.init(
      at: path, history: history, durability: durability, recovering: recovering, clock: clock, encode: encode,
      decode: ArchiveCoding.decode)
  }
}

extension ListArchive {
  /// Opens a file with the lines that apps have by default.
  convenience init(
    json path: String, startingWith list: ListSnapshot<Section, Row> = .init(), history: ListHistory = .none,
    validating: Bool = false
  ) throws {
    try self.init(at: path, startingWith: list, history: history, validating: validating) {
      try JSONEncoder().encode($0)
    } decode: {
      try JSONDecoder().decode(WireMessage.self, from: Data($0))
    }
  }
}

extension TestFolder {
  /// The list in a file.
  func saved(_ name: String = "list.jsonl") throws -> TestSnapshot? {
    try ArchiveCoding.read(bytes(name))?.newest.snapshot
  }
}

/// What a power failure leaves of a file, or a device that loses what was on it.
enum ArchiveHarm: String {
  case cutLine, cutWithin, damage, copyLine, takeLine

  /// What is left of a file; `nil` if it is too short, or can no longer be read without `recovering`.
  func left(of bytes: [UInt8], isRecovering: Bool, using random: inout SeededGenerator) -> [UInt8]? {
    let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
    let isCut = self == .cutLine || self == .cutWithin
    guard ends.count > 1, isCut || isRecovering else { return nil }
    // Mostly near the end, and not within the first line, without which there is no list.
    let first = Bool.random(using: &random) ? max(0, ends.count - 6) : 0
    let end = ends[Int.random(in: first...ends.count - 2, using: &random)]
    let number = Int.random(in: (self == .takeLine ? 1 : 0)..<ends.count, using: &random)
    let line = (number == 0 ? 0 : ends[number - 1] + 1)...ends[number]
    var left = bytes
    switch self {
    case .cutLine: left = Array(bytes[...end])
    case .cutWithin:
      // Sometimes the last line only lacks its end.
      let lacksEnd = Int.random(in: 0...2, using: &random) == 0
      left = Array(bytes.prefix(lacksEnd ? bytes.count - 1 : end + 1 + Int.random(in: 0...40, using: &random)))
    case .damage: left[Int.random(in: ends[0] + 1...bytes.count - 2, using: &random)] ^= 1
    case .copyLine: left.insert(contentsOf: bytes[line], at: ends[Int.random(in: ends.indices, using: &random)] + 1)
    case .takeLine: left.removeSubrange(line)
    }
    return left
  }
}

extension AsyncThrowingStream.Iterator where Element == TestMessage, Failure == any Error {
  /// The next message, where there must be one.
  mutating func message() async throws -> TestMessage {
    guard let message = try await next() else { throw Mismatch("the messages end") }
    return message
  }
}

extension WireReader<TestSection, TestRow> {
  /// A mirror that reconnects to a list with its former state, or with none, after the first message.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  static func comingBack(
    with saved: (list: TestSnapshot, position: ListPosition)?, to list: some LiveList<TestSection, TestRow>
  ) async throws -> (mirror: Self, messages: AsyncThrowingStream<TestMessage, any Error>.Iterator) {
    var mirror = saved.map { Self($0.list, at: $0.position) } ?? Self()
    let encoded = EncodedList(list) { $0 }
    var messages = encoded.lines(since: mirror.position).makeAsyncIterator()
    let first = try await messages.message()
    if case .initial = first { mirror = Self() }
    do { _ = try mirror.fold(first) } catch {
      throw Mismatch("\(first.position) does not fit \(mirror.state): \(error)")
    }
    return (mirror, messages)
  }
}

/// A short recording: its lists at the revisions 0, 1, 2, …, and its lines, among them a keyframe after the fourth.
struct ShortFile {
  let lists: [TestSnapshot]
  let lines: [[UInt8]]

  init() throws {
    lists = [
      try .of(("a", [1])), try .of(("a", [1, 2])), try .of(("a", [2, 1])), try .of(("b", [9]), ("a", [2, 1])),
      try .of(("b", []), ("a", [1, 9])), try .of(("a", [1, 9])), try .of(("a", [1, 7, 9])),
    ]
    var lines = [try ArchiveCoding.line(.initial(revision: 0, snapshot: lists[0], epoch: "e"))]
    for revision in 1..<lists.count {
      lines.append(
        try ArchiveCoding.line(from: lists[revision - 1], at: revision - 1, to: lists[revision], at: revision))
      if revision == 3 { lines.append(try ArchiveCoding.line(.initial(revision: 3, snapshot: lists[3], epoch: "e"))) }
    }
    self.lines = lines
  }

  var bytes: [UInt8] { lines.flatMap { $0 } }
}
