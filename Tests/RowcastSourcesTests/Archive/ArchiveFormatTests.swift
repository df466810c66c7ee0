@testable import RowcastSources

/// The lines of an archive, without a file.
@Suite(.watched) struct ArchiveFormatTests {
  @Test func `the checksum is that of zlib`() {
    #expect(ArchiveLine.checksum(of: Array("123456789".utf8)[...]) == 0xCBF4_3926)
    #expect(ArchiveLine.checksum(of: []) == 0)
  }

  @Test func `a line is a JSON object with the fields of its message, a checksum, and a mark of keyframes`() throws {
    let file = try ShortFile()
    for (line, isKeyframe) in zip(file.lines, [true, false, false, false, true]) {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
      #expect(object["keyframe"] as? Bool == (isKeyframe ? true : nil))
      let text = String(decoding: line, as: UTF8.self)
      let content = try #require(text.range(of: "\","))
      let sum = ArchiveLine.checksum(of: Array(text[content.upperBound...].utf8.dropLast())[...])
      #expect(object["crc"] as? String == String(format: "%08x", sum))
      #expect(object["epoch"] as? String == "e")
    }
  }

  @Test(arguments: ["", "7", "[]", "{\n}", "{\"a\":\n1}"])
  func `a message that is not one object on a line is refused`(text: String) {
    #expect(throws: ArchiveError.unencodable(reason: "it must be a JSON object on one line")) {
      try ArchiveLine.line(of: Array(text.utf8), .changes)
    }
  }

  @Test func `a file has the list, its lineage, its revision and the former states that are of use`() throws {
    let file = try ShortFile()
    for (history, first) in [
      (ListHistory.none, 6), (.last(0), 6), (.last(2), 4), (.last(3), 3), (.last(100), 0), (.within(.zero), 0),
    ] {
      let content = try #require(try ArchiveCoding.read(file.bytes, history: history))
      #expect(content.newest.lineage == Lineage(of: "e") && !content.isRepaired)
      let states = content.states.suffix(7 - first)
      #expect(states.map(\.revision) == Array(first...6))
      #expect(states.map(\.snapshot) == Array(file.lists[first...]))
      #expect(content.layout.size == file.bytes.count)
    }
    #expect(try ArchiveCoding.read([]) == nil)
  }

  @Test func `a file that was cut at any byte has the list of its last complete line, which may lack its end`() throws {
    let file = try ShortFile()
    var ends: [Int] = []
    for line in file.lines { ends.append((ends.last ?? 0) + line.count) }
    for count in 1...file.bytes.count {
      let complete = ends.count { $0 - 1 <= count }
      let cut = file.bytes.prefix(count)
      if complete == 0 {
        for recovering in [false, true] {
          #expect(throws: ArchiveError.damaged(path: ArchiveCoding.path, line: 1)) {
            try ArchiveCoding.read(cut, recovering: recovering)
          }
        }
        continue
      }
      // The fifth line is the keyframe.
      let revision = complete - (complete > 4 ? 2 : 1)
      let content = try #require(try ArchiveCoding.read(cut, history: .last(9)))
      #expect(content.newest.revision == revision && content.newest.snapshot == file.lists[revision])
      #expect(content.layout.size == min(count, ends[complete - 1]) && !content.isRepaired)
      #expect(content.lacksEnd == (count < ends[complete - 1]))
    }
  }

  @Test func `a file with one damaged byte has a list that there was, or says where it is damaged`() throws {
    let file = try ShortFile()
    let bytes = file.bytes
    let ends = file.lines.indices.map { file.lines[...$0].reduce(0) { $0 + $1.count } }
    var random = SeededGenerator.forFuzzing("damaged archives")
    for index in bytes.indices {
      for mask in (1...255).shuffled(using: &random).prefix(SeededGenerator.rounds(1, long: 255)) as ArraySlice<UInt8> {
        var damaged = bytes
        damaged[index] ^= mask
        let line = ends.count { $0 <= index }
        do {
          let content = try #require(try ArchiveCoding.read(damaged))
          // Only damage at the end of the last line is not noticed: it looks like an incomplete line.
          #expect(index == bytes.count - 1 && content.newest.revision == 5)
          #expect(content.newest.snapshot == file.lists[5])
        } catch let error as ArchiveError { #expect(error == .damaged(path: ArchiveCoding.path, line: line + 1)) }
        let content = try #require(try ArchiveCoding.read(damaged, history: .within(.zero), recovering: true))
        for state in content.states { #expect(state.snapshot == file.lists[state.revision]) }
        // Without its end, a line and the next are one. The fifth is a keyframe, without news.
        let revision = (ends.contains(index + 1) ? [6, 6, 6, 2, 3, 3, 4, 5] : [6, 6, 6, 6, 6, 3, 4, 5])[line]
        #expect(content.newest.revision == revision)
        #expect(content.newest.lineage == Lineage(of: "e"))
      }
    }
  }

  @Test func `a file of another version, of other rows, or of two lists is unreadable`() throws {
    let file = try ShortFile()
    func error(_ bytes: some Sequence<UInt8>) throws -> ArchiveError? {
      try #require(throws: ArchiveError.self) { try ArchiveCoding.read(bytes) }
    }
    func unreadable(_ line: Int, _ reason: String) -> ArchiveError {
      .unreadable(path: ArchiveCoding.path, line: line, reason: reason)
    }
    /// The first line with another text in it.
    func changed(_ text: String, to other: String) throws -> [UInt8] {
      let first = try ArchiveCoding.encode(.initial(revision: 0, snapshot: file.lists[0]))
      return try ArchiveLine.line(
        of: String(decoding: first, as: UTF8.self).replacing(text, with: other).utf8, .keyframe)
    }
    let version = "this is version 2 of the wire form; only version 1 can be read"
    #expect(try error(changed("\"v\":1", to: "\"v\":2")) == unreadable(1, version))
    guard case .unreadable(_, line: 1, let reason) = try error(changed("\"text\"", to: "\"title\"")) else {
      Issue.record("rows of another type were read")
      return
    }
    #expect(reason.hasPrefix("sections.0.rows.0: No value associated with key") && !reason.hasSuffix("."), "\(reason)")
    let foreign = TestMessage(
      TestUpdate(revision: 1, previous: 0, changes: .init(), snapshot: file.lists[0], epoch: "f"))
    for (bytes, line, problem) in [
      (file.lines[0] + (try ArchiveCoding.line(foreign)), 2, WireError.otherEpoch(list: "e", message: "f")),
      (file.lines[0] + file.lines[2], 2, .wrongRevision(list: 0, messageStartsAt: 1)),
      (file.lines[1], 1, .missingInitial),
    ] { #expect(try error(bytes) == unreadable(line, "\(problem)")) }
  }

  @Test func `a line that is marked as the whole list and is not is left out, also where reading would begin`() throws {
    let file = try ShortFile()
    let changes = TestUpdate(revision: 7, previous: 6, changes: .init(), snapshot: file.lists[6], epoch: "e")
    let line = try ArchiveLine.line(of: ArchiveCoding.encode(TestMessage(changes)), .keyframe)
    let content = try #require(try ArchiveCoding.read(file.bytes + line, recovering: true))
    #expect(content.newest.revision == 6 && content.newest.snapshot == file.lists[6])
    #expect(content.rest.bytes == line && content.rest.lines == 1)
  }

  @Test func `a file with a line too many, too few or elsewhere has its list, or says which is wrong`() throws {
    let file = try ShortFile()
    // The run that begins at the end tells which list that is. It has the position of an origin.
    let origin = TestState(snapshot: file.lists[6], revision: 9, lineage: Lineage(of: "o"))
    let run = try ArchiveCoding.encoder.line(of: .run(Lineage(of: "f", since: 6)), .run, origin: origin)
    let whole = file.lines + [run]
    var cases: [(name: String, lines: [[UInt8]], hasAll: Bool)] = []
    for line in whole.indices {
      var others = whole
      others.remove(at: line)
      cases.append(("without \(line)", others, line == 4 || line == 8))
      for place in 0...others.count {
        var moved = others
        moved.insert(whole[line], at: place)
        cases.append(("\(line) at \(place)", moved, place == line || [4, 8].contains(line) && place > 0))
      }
      for place in 1...whole.count {
        var more = whole
        more.insert(whole[line], at: place)
        cases.append(("\(line) again at \(place)", more, true))
      }
    }
    for (name, lines, hasAll) in cases {
      let bytes = lines.flatMap { $0 }
      for (history, recovering) in [ListHistory.none, .last(2), .within(.zero)].flatMap({ [($0, false), ($0, true)] }) {
        let name = "\(name), \(history), recovering: \(recovering)"
        let content: TestContent
        do { content = try #require(try ArchiveCoding.read(bytes, history: history, recovering: recovering)) } catch {
          if case ArchiveError.unreadable = error, !recovering { continue }
          Issue.record("\(name): \(error)")
          continue
        }
        if hasAll || !recovering { #expect(content.newest.revision == 6, "\(name)") }
        #expect(content.origin == nil || content.newest.revision == 6, "\(name)")
        for state in content.states { #expect(state.snapshot == file.lists[state.revision], "\(name)") }
        if content.isRepaired { continue }
        #expect(content.layout.size == bytes.count)
        for keyframe in content.layout.keyframes {
          let rest = try #require(try ArchiveCoding.read(bytes[keyframe.offset...], history: .within(.zero)))
          #expect(rest.states.first?.revision == keyframe.revision && rest.newest.revision == content.newest.revision)
        }
      }
    }
  }

  @Test func `a compact file is at most twice as long as its last part, and each byte is copied once on average`() {
    var layout = ArchiveLayout()
    layout.addKeyframe(size: 100_000, revision: 0, count: 100)
    var (copied, added) = (0, 0)
    for revision in 1...20_000 {
      layout.addChanges(size: 500)
      added += 500
      guard layout.needsKeyframe(after: 0, of: 100) else { continue }
      if let start = layout.compactStart(keeping: revision - 100) {
        copied += layout.size - start
        layout.removeBytes(before: start)
      }
      layout.addKeyframe(size: 100_000, revision: revision, count: 100)
      added += 100_000
      #expect(layout.size <= 5 * 100_000 + 500)
      #expect(layout.keyframes.contains { $0.revision <= revision - 100 } || revision < 400)
    }
    #expect(copied <= added)
  }
}
