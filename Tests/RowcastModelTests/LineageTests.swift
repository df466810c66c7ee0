import Foundation
import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

/// The runs of a list, and what messages say of them.
@Suite(.watched) struct LineageTests {
  typealias Message = WireMessage<TestSection, TestRow>

  private static func at(_ epoch: String, _ revision: Int) -> ListPosition {
    ListPosition(epoch: epoch, revision: revision)
  }

  @Test func `a position is in the lineage if its run had the revision`() throws {
    let lineage = try #require(Lineage([Self.at("a", 0), Self.at("b", 7), Self.at("c", 7), Self.at("d", 9)]))
    // Each run, with the revisions that it had; the list is at 12.
    for (epoch, revisions) in [("a", 0...7), ("b", 7...7), ("c", 7...9), ("d", 9...12)] {
      for revision in -1...14 {
        #expect(
          lineage.contains(Self.at(epoch, revision), upTo: 12) == revisions.contains(revision), "\(epoch) \(revision)")
      }
    }
    #expect(!lineage.contains(Self.at("e", 7), upTo: 12) && !lineage.contains("e") && lineage.contains("a"))
    #expect(!Lineage().contains(Self.at("", 0), upTo: 12))
  }

  @Test func `a position is read from its text, and from no other`() {
    for position in [
      Self.at("k3", 7), Self.at("a/b//c", 0), Self.at("", 12), Self.at("é 1/2", 1 << 53 - 1), Self.at("/", 3),
    ] {
      #expect(ListPosition(String(position)) == position)
    }
    #expect(String(Self.at("k3", 7)) == "k3/7" && ListPosition("x k3/7".dropFirst(2)) == Self.at("k3", 7))
    let long = String(repeating: "e", count: 65)
    for text in [
      "", "/", "k3", "k3/", "k3/-1", "k3/+1", "k3/ 1", "k3/1x", "k3/9007199254740992", "k3/99999999999999999999",
      "\(long)/1",
    ] {
      #expect(ListPosition(text) == nil, "\(text)")
    }
  }

  @Test func `the newest runs are kept, and those that the history has`() throws {
    let lineage = try #require(Lineage((0..<100).map { Self.at("run \($0)", 10 * $0) }))
    #expect(lineage.newest(16).runs.first == Self.at("run 84", 840) && lineage.newest(16).runs.count == 16)
    #expect(lineage.newest(16, andSince: 305).runs.first == Self.at("run 30", 300))
    #expect(lineage.newest(16, andSince: 990).runs.count == 16 && lineage.newest(200) == lineage)
    #expect(lineage.inMessage.runs.count == 16 && Lineage(of: "a").inMessage == Lineage())
  }

  @Test func `runs that contradict each other are none, and no message that is read has them`() throws {
    let long = String(repeating: "x", count: 65)
    for runs in [
      [Self.at("a", 0), Self.at("a", 3)], [Self.at("a", 4), Self.at("b", 3)], [Self.at("", 0)], [Self.at(long, 0)],
      [Self.at("a", -1)],
    ] {
      #expect(Lineage(runs) == nil)
    }
    for runs in [
      #"[{"epoch":"a","revision":0},{"epoch":"a","revision":1}]"#, #"[{"epoch":"b","revision":0}]"#,
      #"[{"epoch":"a","revision":9}]"#, #"[{"epoch":"a"}]"#, #"[7]"#, "7", #"[{"epoch":"\#(long)","revision":0}]"#,
    ] {
      let text = #"{"v":1,"kind":"initial","epoch":"a","revision":3,"lineage":\#(runs),"sections":[]}"#
      #expect(throws: (any Error).self, "\(runs)") { try JSONDecoder().decode(Message.self, from: Data(text.utf8)) }
    }
  }

  @Test func `each message is read as it was written, with its runs`() throws {
    let list = try TestSnapshot.of(("a", [1]))
    let lineage = try #require(Lineage([Self.at("a", 0), Self.at("b", 7)]))
    let changes = ListUpdate(
      revision: 9, previous: 7, changes: TestSnapshot().changes(to: list), snapshot: list, epoch: "b",
      previousEpoch: "a", lineage: lineage)
    for (message, text) in [
      (
        Message.initial(revision: 8, snapshot: TestSnapshot(), epoch: "b", lineage: lineage),
        #""lineage":[{"epoch":"a","revision":0}"#
      ),
      (Message(changes), #""previousEpoch":"a""#), (.run(lineage), #""kind":"run""#),
      (.progress(Self.at("b", 7), since: Self.at("a", 7)), #""previousEpoch":"a","revision":7"#),
      (.progress(Self.at("b", 9), since: Self.at("b", 7)), #""kind":"progress","previous":7,"revision":9"#),
    ] {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      let data = try encoder.encode(message)
      #expect(String(decoding: data, as: UTF8.self).contains(text), "\(String(decoding: data, as: UTF8.self))")
      #expect(try JSONDecoder().decode(Message.self, from: data) == message)
    }
    let plain = try JSONEncoder().encode(Message.progress(Self.at("b", 7), since: Self.at("b", 7)))
    #expect(!String(decoding: plain, as: UTF8.self).contains("previous"))
  }

  @Test func `an update of another run follows the end of the run before it, and the beginning of its own`() throws {
    let update = ListUpdate(
      revision: 9, previous: 7, changes: ListChanges(), snapshot: TestSnapshot(), epoch: "b", previousEpoch: "a")
    #expect(update.follows(Self.at("a", 7)) && update.follows(Self.at("b", 7)) && !update.follows(Self.at("c", 7)))
    #expect(!update.follows(Self.at("a", 8)) && !update.follows(nil))
    #expect(update.start == Self.at("a", 7))
  }

  @Test func `a writer makes the end of its list, and signs of life`() throws {
    var writer = WireWriter<TestSection, TestRow>(keyframes: KeyframePolicy(everyUpdates: 1))
    let list = try TestSnapshot.of(("a", [1]))
    let lineage = try #require(Lineage([Self.at("a", 0), Self.at("b", 2)]))
    _ = writer.messages(for: ListUpdate(initial: list, revision: 2, epoch: "b", lineage: lineage))
    let next = ListUpdate(
      revision: 3, previous: 2, changes: list.changes(to: TestSnapshot()), snapshot: TestSnapshot(), epoch: "b",
      lineage: lineage)
    #expect(
      writer.messages(for: next).last == .initial(revision: 3, snapshot: TestSnapshot(), epoch: "b", lineage: lineage))
    #expect(writer.progress() == .progress(Self.at("b", 3), since: Self.at("b", 3)))
    #expect(writer.end() == .end(revision: 3, updates: 3, epoch: "b"))
  }
}
