import Testing

/// Streams from one program to another, with losses.
@Suite(.watched) struct MirrorTests {
  /// A recorded feed with keyframes, line by line.
  private func recording() async throws -> [String] {
    let feed = try await Program.run(["feed", "--seed", "5", "--json", "--lockstep", "--keyframe", "10"])
    #expect(feed.status == 0)
    return feed.output.split(separator: "\n").map(String.init)
  }

  @Test func `keyframes repeat the list, and every line has the epoch`() async throws {
    let lines = try await recording()
    let messages = try Program.objects(of: lines)
    #expect(messages.allSatisfy { $0["epoch"] as? String == "seed-5" })
    let kinds = messages.map { $0["kind"] as? String }
    #expect(kinds.first == "initial" && kinds.last == "end")
    for (index, kind) in kinds.enumerated().dropFirst() where kind == "initial" {
      #expect(messages[index]["revision"] as? Int == messages[index - 1]["revision"] as? Int)
      #expect(index % 11 == 0)
    }
    let replay = try await Program.run("replay", "-", "--json", "--lockstep", lines: lines)
    #expect(replay.status == 0, "\(replay.errors)")
    #expect(try replay.list().sections == Program.list(of: lines).sections)
  }

  @Test func `a replay that joins late, or misses every tenth line, ends with the same list`() async throws {
    let lines = try await recording()
    let expected = try Program.list(of: lines).sections
    let lossy = lines.enumerated().filter { $0.offset % 10 != 7 || $0.offset > lines.count - 12 }.map(\.element)
    var cut = lines
    cut[14] = String(cut[14].prefix(30))
    for (name, lines) in [
      ("late", Array(lines[25...])), ("lossy", lossy), ("cut", cut), ("doubled", lines.flatMap { [$0, $0] }),
    ] {
      let joined = try await Program.run("replay", "-", "--join", "--json", lines: lines)
      #expect(joined.status == 0, "\(name): \(joined.errors)")
      #expect(try joined.list().sections == expected, "\(name)")
      let strict = try await Program.run("replay", "-", "--json", lines: lines)
      #expect(strict.status == 1, "\(name)")
    }
  }

  @Test func `a replay whose stream ends in a gap says what it waits for`() async throws {
    let lines = try await recording()
    let result = try await Program.run("replay", "-", "--join", "--json", lines: Array(lines[1...5]))
    #expect(result.status == 1 && result.errors.contains("waiting for the whole list"), "\(result.errors)")
    #expect(result.errors.contains("standard input") && result.errors.contains("--keyframe N"), "\(result.errors)")
  }
}
