import Foundation
import Testing

/// The runs of a list, and what messages say of them.
@Suite(.watched) struct LineageTests {
  @Test func `a position is in the lineage if its run had the revision`() throws {
    let lineage = try #require(Lineage([at("a", 0), at("b", 7), at("c", 7), at("d", 9)]))
    // Each run, with the revisions that it had; the list is at 12.
    for (epoch, revisions) in [("a", 0...7), ("b", 7...7), ("c", 7...9), ("d", 9...12)] {
      for revision in -1...14 {
        #expect(
          lineage.contains(at(epoch, revision), upTo: 12) == revisions.contains(revision), "\(epoch) \(revision)")
      }
    }
    #expect(!lineage.contains(at("e", 7), upTo: 12) && !lineage.contains("e") && lineage.contains("a"))
    #expect(!Lineage().contains(at("", 0), upTo: 12))
  }

  @Test func `a position is read from its text, and from no other`() {
    for position in [
      at("k3", 7), at("a/b//c", 0), at("", 12), at("é 1/2", 1 << 53 - 1), at("/", 3),
    ] {
      #expect(ListPosition(String(position)) == position)
    }
    #expect(String(at("k3", 7)) == "k3/7" && ListPosition("x k3/7".dropFirst(2)) == at("k3", 7))
    let long = String(repeating: "e", count: 65)
    for text in [
      "", "/", "k3", "k3/", "k3/-1", "k3/+1", "k3/ 1", "k3/1x", "k3/9007199254740992", "k3/99999999999999999999",
      "\(long)/1",
    ] {
      #expect(ListPosition(text) == nil, "\(text)")
    }
  }

  @Test func `the newest runs are kept, and those that the history has`() throws {
    let lineage = try #require(Lineage((0..<100).map { at("run \($0)", 10 * $0) }))
    #expect(lineage.newest(16).runs.first == at("run 84", 840) && lineage.newest(16).runs.count == 16)
    #expect(lineage.newest(16, andSince: 305).runs.first == at("run 30", 300))
    #expect(lineage.newest(16, andSince: 990).runs.count == 16 && lineage.newest(200) == lineage)
    #expect(lineage.inMessage.runs.count == 16 && Lineage(of: "a").inMessage == Lineage())
  }

  @Test func `runs that contradict each other are none, and no message that is read has them`() throws {
    let long = String(repeating: "x", count: 65)
    for runs in [
      [at("a", 0), at("a", 3)], [at("a", 4), at("b", 3)], [at("", 0)], [at(long, 0)],
      [at("a", -1)],
    ] {
      #expect(Lineage(runs) == nil)
    }
    for runs in [
      #"[{"epoch":"a","revision":0},{"epoch":"a","revision":1}]"#, #"[{"epoch":"b","revision":0}]"#,
      #"[{"epoch":"a","revision":9}]"#, #"[{"epoch":"a"}]"#, #"[7]"#, "7", #"[{"epoch":"\#(long)","revision":0}]"#,
    ] {
      let text = #"{"v":1,"kind":"initial","epoch":"a","revision":3,"lineage":\#(runs),"sections":[]}"#
      #expect(throws: (any Error).self, "\(runs)") { try read(text) }
    }
  }

  @Test func `each message is read as it was written, with its runs`() throws {
    let list = try TestSnapshot.of(("a", [1]))
    let lineage = try #require(Lineage([at("a", 0), at("b", 7)]))
    let changes = ListUpdate(
      revision: 9, previous: 7, changes: TestSnapshot().changes(to: list), snapshot: list, epoch: "b",
      previousEpoch: "a", lineage: lineage)
    for (message, text) in [
      (
        Message.initial(revision: 8, snapshot: TestSnapshot(), epoch: "b", lineage: lineage),
        #""lineage":[{"epoch":"a","revision":0}"#
      ),
      (Message(changes), #""previousEpoch":"a""#), (.run(lineage), #""kind":"run""#),
      (.progress(at("b", 7), since: at("a", 7)), #""previousEpoch":"a","revision":7"#),
      (.progress(at("b", 9), since: at("b", 7)), #""kind":"progress","previous":7,"revision":9"#),
    ] {
      let line = try json(message)
      #expect(line.contains(text), "\(line)")
      #expect(try read(line) == message)
    }
    #expect(try !json(Message.progress(at("b", 7), since: at("b", 7))).contains("previous"))
  }

  @Test func `an update of another run follows the end of the run before it, and the beginning of its own`() throws {
    let update = ListUpdate(
      revision: 9, previous: 7, changes: ListChanges(), snapshot: TestSnapshot(), epoch: "b", previousEpoch: "a")
    #expect(update.follows(at("a", 7)) && update.follows(at("b", 7)) && !update.follows(at("c", 7)))
    #expect(!update.follows(at("a", 8)) && !update.follows(nil))
    #expect(update.start == at("a", 7))
  }

  @Test func `a writer makes the end of its list, and signs of life`() throws {
    var writer = WireWriter<TestSection, TestRow>(keyframes: KeyframePolicy(everyUpdates: 1))
    let list = try TestSnapshot.of(("a", [1]))
    let lineage = try #require(Lineage([at("a", 0), at("b", 2)]))
    _ = writer.messages(for: ListUpdate(initial: list, revision: 2, epoch: "b", lineage: lineage))
    let next = ListUpdate(
      revision: 3, previous: 2, changes: list.changes(to: TestSnapshot()), snapshot: TestSnapshot(), epoch: "b",
      lineage: lineage)
    #expect(
      writer.messages(for: next).last == .initial(revision: 3, snapshot: TestSnapshot(), epoch: "b", lineage: lineage))
    #expect(writer.progress() == .progress(at("b", 3), since: at("b", 3)))
    #expect(writer.end() == .end(revision: 3, updates: 3, epoch: "b"))
  }
}
