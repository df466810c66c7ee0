import Foundation
import RowcastDiff
import RowcastTestSupport
import Testing

@testable import RowcastModel

/// Mirrors whose writer begins again, and mirrors that were told what no writer says.
@Suite(.watched) struct MirrorRestartTests {
  typealias Message = WireMessage<TestSection, TestRow>
  typealias Mirror = WireReader<TestSection, TestRow>

  /// The list of a writer at a revision: as many rows, with a text of the writer.
  private static func list(_ revision: Int, _ writer: String = "") -> TestSnapshot {
    TestSnapshot(unchecked: [ListSection(TestSection("a"), rows: (0..<revision).map { TestRow($0, writer) })])
  }

  private static func whole(_ revision: Int, _ writer: String = "", at told: Int? = nil) -> Message {
    .initial(revision: told ?? revision, snapshot: list(revision, writer), epoch: "e")
  }

  private static func changes(_ previous: Int, _ revision: Int, _ writer: String = "", at told: Int? = nil) -> Message {
    let (before, after) = (list(previous, writer), list(revision, writer))
    return Message(
      ListUpdate(
        revision: told ?? revision, previous: previous, changes: before.changes(to: after), snapshot: after, epoch: "e")
    )
  }

  private static func at(_ revision: Int) -> ListPosition { ListPosition(epoch: "e", revision: revision) }

  private func mirror(_ revision: Int) -> Mirror { Mirror(Self.list(revision), at: Self.at(revision)) }

  @Test func `without an epoch every whole list is taken`() throws {
    func whole(_ revision: Int, _ writer: String) -> Message {
      .initial(revision: revision, snapshot: Self.list(revision, writer))
    }
    var mirror = Mirror()
    for (revision, writer) in [(3, "x"), (3, "y"), (1, "z"), (5, "x")] {
      #expect(try mirror.receive(whole(revision, writer)) != nil)
      #expect(mirror.snapshot == Self.list(revision, writer) && mirror.position?.revision == revision)
    }
  }

  @Test func `a mirror that gets changes that do not fit its list takes the next whole list, whatever its revision`()
    throws
  {
    var mirror = mirror(6)
    let wrong = Message(
      ListUpdate(
        revision: 7, previous: 6, changes: ListChanges(rows: Changeset(deletes: [RowPath(section: 0, row: 8)])),
        snapshot: Self.list(8), epoch: "e"))
    #expect(throws: WireError.self) { try mirror.receive(wrong) }
    #expect(mirror.state == .waiting(for: .wholeList) && mirror.position == nil && mirror.snapshot == Self.list(6))
    #expect(try mirror.receive(Self.changes(6, 7)) == nil)
    _ = try mirror.receive(Self.whole(2, "new"))
    #expect(mirror.state == .following(Self.at(2)) && mirror.snapshot == Self.list(2, "new"))
  }

  @Test func `messages of impossible revisions are errors and change nothing`() throws {
    for revision in [Int.max, 1 << 53] {
      for message in [
        Self.whole(0, at: revision), Self.changes(3, 4, at: revision), .end(revision: revision, updates: 1, epoch: "e"),
      ]
      where message.revision == revision {
        var (lenient, strict) = (mirror(3), mirror(3))
        #expect(throws: WireError.self) { try lenient.receive(message) }
        #expect(throws: WireError.self) { try strict.fold(message) }
        #expect(lenient.state == .following(Self.at(3)) && lenient.snapshot == Self.list(3))
      }
    }
  }

  @Test func `a message and a writer name the epoch of the update`() throws {
    let first = ListUpdate(initial: Self.list(1), revision: 1, epoch: "e")
    #expect(Message(first).epoch == "e" && Message(shortest: first).epoch == "e")
    #expect(Message(first, epoch: "f").epoch == "f")
    var writer = WireWriter<TestSection, TestRow>(keyframes: KeyframePolicy(everyUpdates: 1))
    let after = Self.list(2)
    let second = ListUpdate(
      revision: 2, previous: 1, changes: Self.list(1).changes(to: after), snapshot: after, epoch: "e")
    #expect((writer.messages(for: first) + writer.messages(for: second)).map(\.epoch) == ["e", "e", "e"])
  }

  @Test func `an epoch that would not be read is not written`() throws {
    for bytes in [64, 65] {
      let epoch = String(repeating: "e", count: bytes - 2) + "é"
      for message in [
        Message.initial(revision: 0, snapshot: .init(), epoch: epoch), .end(revision: 0, updates: 1, epoch: epoch),
      ] {
        guard bytes > 64 else {
          #expect(try JSONDecoder().decode(Message.self, from: JSONEncoder().encode(message)) == message)
          continue
        }
        #expect(throws: (any Error).self) { try JSONEncoder().encode(message) }
      }
    }
  }

  @Test func `the epoch is in every message, and messages without one are read`() throws {
    for message in [Self.whole(1), Self.changes(1, 2), .end(revision: 2, updates: 2, epoch: "e")] {
      let data = try JSONEncoder().encode(message)
      #expect(String(decoding: data, as: UTF8.self).contains(#""epoch":"e""#))
      #expect(try JSONDecoder().decode(Message.self, from: data) == message)
    }
    let old = try JSONDecoder().decode(
      Message.self, from: Data(#"{"v":1,"kind":"initial","revision":0,"sections":[]}"#.utf8))
    #expect(old == .initial(revision: 0, snapshot: .init()) && old.epoch.isEmpty)
    let long = #"{"v":1,"kind":"end","revision":0,"updates":0,"epoch":"\#(String(repeating: "x", count: 65))"}"#
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Message.self, from: Data(long.utf8)) }
  }

  @Test func `revisions that are negative or do not grow are refused`() throws {
    for (message, error) in [
      (Self.changes(3, 4, at: 3), WireError.fallingRevision(from: 3, to: 3)),
      (Self.changes(3, 4, at: 2), .fallingRevision(from: 3, to: 2)), (Self.whole(2), .fallingRevision(from: 3, to: 2)),
      (Self.changes(3, 4, at: -1), .negativeRevision(-1)), (Self.whole(0, at: -4), .negativeRevision(-4)),
    ] {
      var mirror = mirror(3)
      #expect(throws: error) { try mirror.fold(message) }
      #expect(mirror.snapshot == Self.list(3) && mirror.revision == 3)
    }
  }

  @Test func `nothing follows the end`() throws {
    var mirror = Mirror()
    let list = try TestSnapshot.of(("a", [1]))
    _ = try mirror.fold(.initial(revision: 5, snapshot: list))
    #expect(try mirror.fold(.end(revision: 5, updates: 1)) == nil && mirror.isEnded)
    let more = ListUpdate(revision: 6, previous: 5, changes: list.changes(to: .init()), snapshot: TestSnapshot())
    for message in [Message(more), .initial(revision: 7, snapshot: .init()), .end(revision: 5, updates: 1)] {
      #expect(throws: WireError.ended(revision: 5)) { try mirror.fold(message) }
    }
    #expect(mirror.snapshot == list && mirror.revision == 5)
  }

  @Test func `operations and contents of unequal number are refused`() throws {
    let list = try TestSnapshot.of(("a", [1]))
    let after = try TestSnapshot([ListSection(TestSection("a"), rows: [TestRow(1, "new"), TestRow(2)])])
    let update = ListUpdate(revision: 1, previous: 0, changes: list.changes(to: after), snapshot: after)
    var changes = WireChanges(update, since: ListPosition(epoch: "", revision: 0), epoch: "")
    changes.insertedRows = []
    var mirror = Mirror(list, at: ListPosition(epoch: "", revision: 0))
    #expect {
      try mirror.fold(.changes(changes))
    } throws: { error in
      guard case .contradiction(let text) = error as? WireError else { return false }
      return text.contains("1 inserts of rows")
    }
    #expect(mirror.snapshot == list)
  }
}
