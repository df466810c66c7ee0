import Foundation
import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

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

  @Test func `whole lists that come late change nothing, however often they come`() throws {
    var mirror = mirror(6)
    for revision in 1...6 {
      for _ in 0..<4 { #expect(try mirror.receive(Self.whole(revision - 1)) == nil) }
      #expect(mirror.state == .following(Self.at(revision + 5)))
      _ = try mirror.receive(Self.changes(revision + 5, revision + 6))
      #expect(mirror.state == .following(Self.at(revision + 6)) && mirror.snapshot == Self.list(revision + 6))
    }
  }

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

  @Test func `a writer that goes on after its end is followed from its next whole list on`() throws {
    var mirror = mirror(6)
    let end = Message.end(revision: 6, updates: 1, epoch: "e")
    _ = try mirror.receive(end)
    #expect(try mirror.receive(Self.whole(6)) == nil && mirror.state == .ended(Self.at(6)))
    #expect(throws: WireError.ended(revision: 6)) { try mirror.fold(Self.whole(8)) }
    _ = try mirror.receive(Self.whole(8))
    #expect(mirror.state == .following(Self.at(8)))
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

  @Test
  func `a gap and an end of a huge revision are forgotten with the next keyframe, also one that says nothing new`()
    throws
  {
    let huge = (1 << 53) - 1
    let gap = Message(
      ListUpdate(revision: huge, previous: huge - 1, changes: ListChanges(), snapshot: Self.list(0), epoch: "e"))
    for message in [gap, .end(revision: huge, updates: 1, epoch: "e")] {
      for keyframe in [3, 5] {
        var mirror = mirror(3)
        _ = try mirror.receive(message)
        #expect(mirror.state == .waiting(for: .changes(since: Self.at(3))))
        var other = mirror
        _ = try mirror.receive(Self.whole(keyframe))
        #expect(mirror.state == .following(Self.at(keyframe)) && mirror.snapshot == Self.list(keyframe))
        #expect(try other.receive(Self.whole(3)) == nil && other.state == .following(Self.at(3)))
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

  @Test func `two lists under one roof are not mixed, though nobody names their epochs`() throws {
    var mirror = Mirror()
    _ = try mirror.receive(Message(ListUpdate(initial: Self.list(1), revision: 1, epoch: "one")))
    let after = Self.list(2, "two")
    let other = ListUpdate(
      revision: 2, previous: 1, changes: Self.list(1, "two").changes(to: after), snapshot: after, epoch: "two")
    _ = try mirror.receive(Message(other))
    #expect(mirror.state == .waiting(for: .wholeList) && mirror.snapshot == Self.list(1))
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
}
