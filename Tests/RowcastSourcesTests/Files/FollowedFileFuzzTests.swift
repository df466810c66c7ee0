@testable import RowcastSources

/// What happens to files that are followed.
enum FileFeature: String, DrivenFeature {
  /// Following starts at the last lines, not at the beginning; there is no file at first.
  case lastLines, missing
  case append, part, long, appendToRenamed, rename, empty, create, truncate, overwrite, remove, folder, look

  static let settings: Set<Self> = [.lastLines, .missing]
  static let impossible: [(Self, Self, because: String)] = [
    (.lastLines, .missing, because: "a file that comes later is read from its beginning")
  ]
}

/// A followed file, and the rules of `FollowedFile` over arrays.
private final class FileDriver {
  /// A file, wherever it is.
  private final class Content {
    var bytes: [UInt8] = []
    /// True if it has other content since it was read.
    var isOther = false
    /// How much of it was read.
    var position = 0
  }

  private let folder = TestFolder()
  private let file: GrowingFile
  private var random: SeededGenerator
  private let lastLines: Int?
  /// The file at the path, its predecessor under another name, and the lines read.
  private var (atPath, renamed, read): (Content?, Content?, Content?)
  private var isFolder = false
  private var wasMissing = false
  /// The incomplete line.
  private var rest: [UInt8] = []
  private var lastLine = 0
  private var (found, expected): ([String], [String]) = ([], [])

  init(_ run: FuzzRun<FileFeature>) throws {
    random = run.random
    lastLines = run.has(.lastLines) ? [0, 1, 2, 3, 4, .max].randomElement(using: &random) : nil
    file = GrowingFile(
      path: folder.path("log"), start: lastLines.map { .lastLines($0) } ?? .beginning,
      cutter: LineCutter(limit: 1_000_000))
    if !run.has(.missing) { try create(lines(3) + (number(0...1) == 0 ? Array(text().utf8) : [])) }
    try look()
  }

  private func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  /// The text of a line that no other one has.
  private func text() -> String {
    lastLine += 1
    return "line \(lastLine)"
  }

  private func lines(_ most: Int) -> [UInt8] { (0..<number(1...most)).flatMap { _ in Array("\(text())\n".utf8) } }

  private func create(_ bytes: [UInt8]) throws {
    try folder.write(String(decoding: bytes, as: UTF8.self), to: "log")
    atPath = Content()
    atPath?.bytes = bytes
  }

  private func append(_ bytes: [UInt8], to content: Content?, _ name: String = "log") throws -> Bool {
    guard let content else { return false }
    try folder.append(bytes, to: name)
    content.bytes += bytes
    return true
  }

  /// Gives the file at the path other content.
  private func replace(_ bytes: [UInt8], _ change: () throws -> Void) throws -> Bool {
    guard let atPath else { return false }
    try change()
    (atPath.bytes, atPath.isOther) = (bytes, atPath.position > 0)
    return true
  }

  func step(_ feature: FileFeature, _ random: SeededGenerator) throws -> Bool {
    self.random = random
    guard try perform(feature) else { return false }
    // Often more than one thing happens between two looks.
    if number(0...1) == 0 { try look() }
    return true
  }

  private func perform(_ feature: FileFeature) throws -> Bool {
    switch feature {
    case .lastLines, .missing: return false
    case .append: return try append(lines(3), to: atPath)
    case .part: return try append(Array(text().utf8), to: atPath)
    // More than is read at a time. What is equal to what was read cannot be told from it.
    case .long:
      let text = "\(text()), "
      return try append(Array(String(repeating: text, count: number(60_000...140_000) / text.count).utf8), to: atPath)
    case .appendToRenamed: return try append(lines(2), to: renamed, "log.1")
    case .rename:
      guard let atPath else { return false }
      try folder.rename("log", to: "log.1")
      (renamed, self.atPath) = (atPath, nil)
    case .empty, .create:
      if atPath != nil { return false }
      try removeFolder()
      try create(feature == .empty ? [] : lines(3))
    case .truncate: return try replace([]) { try folder.truncate("log") }
    case .overwrite:
      let bytes = lines(3)
      return try replace(bytes) {
        try folder.truncate("log")
        try folder.append(bytes, to: "log")
      }
    case .remove:
      if atPath == nil { return false }
      try folder.remove("log")
      atPath = nil
    case .folder:
      if atPath != nil || isFolder { return false }
      try FileManager.default.createDirectory(atPath: folder.path("log"), withIntermediateDirectories: false)
      isFolder = true
    case .look: try look()
    }
    return true
  }

  private func removeFolder() throws {
    if isFolder { try folder.remove("log") }
    isFolder = false
  }

  // MARK: - The rules

  private func deliver(_ bytes: some Collection<UInt8>) {
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        expected.append(String(decoding: rest, as: UTF8.self))
        rest = []
      } else {
        rest.append(byte)
      }
    }
  }

  /// Another file begins, or this one again: an incomplete line counts as it is.
  private func begin() { if !rest.isEmpty { deliver([UInt8(ascii: "\n")]) } }

  private func follow() {
    if read == nil {
      guard let atPath else { return wasMissing = true }
      read = atPath
      if let lastLines, !wasMissing {
        let ends = atPath.bytes.indices.filter { atPath.bytes[$0] == UInt8(ascii: "\n") }
        atPath.position = ends.count > lastLines ? ends[ends.count - 1 - lastLines] + 1 : 0
      }
    }
    while let content = read {
      if content.isOther {
        (content.position, content.isOther) = (0, false)
        begin()
      }
      deliver(content.bytes[content.position...])
      content.position = content.bytes.count
      guard let next = atPath, next !== content, !next.bytes.isEmpty else { return }
      begin()
      (next.position, next.isOther, read) = (0, false, next)
    }
  }

  func look() throws {
    while let lines = try file.look() { found += lines.map(\.text) }
    follow()
    try Mismatch.unless(
      found == expected,
      "read \(found.suffix(8).map { $0.prefix(40) }), expected \(expected.suffix(8).map { $0.prefix(40) })")
  }
}

/// Files that grow, are renamed, replaced, truncated and removed in any order, between any two looks.
@Suite(.watched) struct FollowedFileFuzzTests {
  /// Cases that failed before.
  static let found: [String] = []

  @Test func `whatever becomes of a file, each line that its writers leave until a look is read once`() async throws {
    try await FeaturePairs<FileFeature>.drive("files", runs: 24, long: 100_000, steps: 24, found: Self.found) { run in
      let driver = try FileDriver(run)
      try await run.playSteps { try driver.step($0, $1) }
      try driver.look()
    }
  }
}
