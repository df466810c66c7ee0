import Testing

@Suite(.watched) struct ScenarioTests {
  @Test func `a feed and its replay show the same final list, and the same seed gives the same bytes`() async throws {
    let feed = try await Program.run(["feed", "--seed", "7", "--json", "--lockstep"])
    let again = try await Program.run(["feed", "--seed", "7", "--json", "--lockstep"])
    let other = try await Program.run(["feed", "--seed", "8", "--json", "--lockstep"])
    #expect(feed.status == 0 && feed.output == again.output)
    #expect(feed.output != other.output)
    let replay = try await Program.run(["replay", "-", "--json"], input: Data(feed.output.utf8))
    #expect(replay.status == 0, "\(replay.errors)")
    #expect(try replay.list().sections == feed.list().sections)
    #expect(try feed.list().sections.count == 4)
    let step = try await Program.run(["replay", "-", "--json", "--lockstep"], input: Data(feed.output.utf8))
    #expect(try step.list().sections == feed.list().sections)
    #expect(try step.objects().count == feed.objects().count)
  }

  @Test func `the feed's source that fails is seen to fail and to come back`() async throws {
    let feed = try await Program.run(["feed", "--json", "--lockstep"])
    let phases = try feed.objects().compactMap { message in
      let updates = (message["sections"] as? [String: Any])?["updates"] as? [[String: Any]]
      return updates?.first { $0["title"] as? String == "Sensors" }?["phase"] as? NSObject
    }
    let failure: NSDictionary = ["failed": "connection reset by peer", "retry": "automatic"]
    #expect(
      phases == ["loading" as NSString, "loaded" as NSString, failure, "loading" as NSString, "loaded" as NSString])
    let words = try await Program.run(["feed", "--lockstep"])
    #expect(words.output.contains("Sensors – connection reset by peer, retrying\n"))
  }

  @Test func `the log has words and no escape sequence`() async throws {
    let result = try await Program.run(["feed", "--lockstep"], environment: ["CLICOLOR_FORCE": "1"])
    #expect(result.status == 0)
    #expect(!result.output.contains("\u{1B}"))
    for sign in ["+ row", "- row", "~ row", "> row", "= end"] { #expect(result.output.contains(sign), "\(sign)") }
  }

  @Test func `a recording that does not fit is refused with its line`() async throws {
    let feed = try await Program.run(["feed", "--json", "--lockstep"])
    var lines = feed.output.split(separator: "\n").map(String.init)
    lines.remove(at: 3)
    let gap = try await Program.run("replay", "-", lines: lines)
    #expect(gap.status == 1)
    #expect(gap.errors.contains("line 4: the message starts at revision 3, but the list is at revision 2"))
    #expect(gap.errors.contains("; replay --join continues at the next whole list"))
    let garbage = try await Program.run("replay", "-", lines: ["{}"])
    #expect(garbage.status == 1 && garbage.errors.contains("line 1: "))
  }

  @Test func `a limit on updates counts the first list`() async throws {
    let result = try await Program.run(["feed", "--json", "--lockstep", "--max-updates", "3"])
    #expect(try result.objects().compactMap { $0["kind"] as? String } == ["initial", "changes", "changes", "end"])
  }
}
