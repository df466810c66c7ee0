import Foundation
import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

/// Mirrors that join late, miss messages, and meet writers that restart.
@Suite(.watched) struct MirrorReceivingTests {
  typealias Message = WireMessage<TestSection, TestRow>
  typealias Mirror = WireReader<TestSection, TestRow>

  private static func list(_ count: Int) -> TestSnapshot {
    TestSnapshot(unchecked: [ListSection(TestSection("a"), rows: (0..<count).map { TestRow($0) })])
  }

  /// The list of a revision has as many rows.
  private static func initial(_ revision: Int, _ epoch: String = "e") -> Message {
    .initial(revision: revision, snapshot: list(revision), epoch: epoch)
  }

  private static func changes(_ previous: Int, _ revision: Int, _ epoch: String = "e") -> Message {
    let changes = list(previous).changes(to: list(revision))
    return Message(
      ListUpdate(revision: revision, previous: previous, changes: changes, snapshot: list(revision)), epoch: epoch)
  }

  private static func at(_ revision: Int, _ epoch: String = "e") -> ListPosition {
    ListPosition(epoch: epoch, revision: revision)
  }

  /// A mirror that has received some messages.
  private func mirror(_ messages: Message...) throws -> Mirror {
    var mirror = Mirror()
    for message in messages {
      _ = try mirror.receive(message)
      #expect(mirror.snapshot == mirror.position.map { Self.list($0.revision) } ?? TestSnapshot())
    }
    return mirror
  }

  @Test func `a mirror that joins late waits for the whole list, and follows from there`() throws {
    #expect(Mirror().state == .waiting(for: .wholeList))
    #expect(try mirror(Self.changes(3, 4), Self.changes(4, 5)).state == .waiting(for: .wholeList))
    let late = try mirror(Self.changes(3, 4), Self.initial(4), Self.changes(4, 5))
    #expect(late.state == .following(Self.at(5)) && late.position == Self.at(5))
  }

  @Test func `a gap is known, and ends with the next whole list or the message that was missing`() throws {
    let first = (Self.initial(0), Self.changes(0, 2), Self.changes(4, 5))
    let gap = try mirror(first.0, first.1, first.2)
    #expect(gap.state == .waiting(for: .changes(since: Self.at(2))))
    #expect(try mirror(first.0, first.1, first.2, Self.initial(5)).state == .following(Self.at(5)))
    #expect(try mirror(first.0, first.1, first.2, Self.changes(2, 5)).state == .following(Self.at(5)))
    // The message that was missing came, but the one behind it was not kept.
    let half = try mirror(first.0, first.1, first.2, Self.changes(2, 4))
    #expect(half.state == .waiting(for: .changes(since: Self.at(4))))
  }

  @Test func `changes that start before the list and end behind it show that something is missing`() throws {
    let mirror = try mirror(Self.initial(5), Self.changes(3, 7))
    #expect(mirror.state == .waiting(for: .changes(since: Self.at(5))))
  }

  @Test func `the newest message that was missed is remembered, in whatever order they come`() throws {
    let mirror = try mirror(Self.initial(5), Self.changes(8, 9), Self.changes(6, 7), Self.changes(5, 7))
    #expect(mirror.state == .waiting(for: .changes(since: Self.at(7))))
  }

  @Test func `what comes twice or late changes nothing`() throws {
    let mirror = try mirror(
      Self.initial(2), Self.changes(2, 3), Self.changes(2, 3), Self.changes(3, 5), Self.changes(2, 3), Self.initial(2),
      Self.initial(5), Self.changes(1, 4))
    #expect(mirror.state == .following(Self.at(5)))
  }

  @Test func `a keyframe that says nothing new gives no update, and the end is a state`() throws {
    var mirror = try mirror(Self.initial(2))
    #expect(try mirror.receive(Self.initial(2)) == nil)
    #expect(try mirror.fold(Self.initial(2)) == nil)
    #expect(try mirror.receive(.end(revision: 2, updates: 1, epoch: "e")) == nil)
    #expect(mirror.state == .ended(Self.at(2)))
    #expect(try mirror.receive(Self.changes(2, 3)) == nil && mirror.state == .ended(Self.at(2)))
  }

  @Test func `an end behind messages that are missing is waited for`() throws {
    var mirror = try mirror(Self.initial(2), .end(revision: 4, updates: 3, epoch: "e"))
    #expect(mirror.state == .waiting(for: .changes(since: Self.at(2))))
    _ = try mirror.receive(Self.changes(2, 4))
    _ = try mirror.receive(.end(revision: 4, updates: 3, epoch: "e"))
    #expect(mirror.state == .ended(Self.at(4)))
  }

  @Test func `messages of another epoch change nothing before its whole list comes, and old ones nothing afterwards`()
    throws
  {
    var mirror = try mirror(Self.initial(3), Self.changes(3, 4, "f"))
    #expect(mirror.state == .waiting(for: .wholeList) && mirror.position == Self.at(3))
    _ = try mirror.receive(Self.initial(1, "f"))
    #expect(mirror.state == .following(Self.at(1, "f")) && mirror.snapshot == Self.list(1))
    for old in [Self.changes(2, 3), Self.initial(2), .end(revision: 3, updates: 2, epoch: "e")] {
      #expect(try mirror.receive(old) == nil && mirror.state == .following(Self.at(1, "f")))
    }
    _ = try mirror.receive(Self.changes(1, 2, "f"))
    #expect(mirror.state == .following(Self.at(2, "f")))
  }

  @Test func `of two writers whose whole lists came in the wrong order, the one that goes on is followed`() throws {
    var mirror = try mirror(Self.initial(3), Self.initial(1, "new"), Self.initial(2, "old"))
    _ = try mirror.receive(Self.changes(1, 2, "new"))
    #expect(mirror.state == .waiting(for: .wholeList))
    _ = try mirror.receive(Self.initial(2, "new"))
    #expect(mirror.state == .following(Self.at(2, "new")))
  }

  @Test func `a stream in order has one epoch`() throws {
    var mirror = Mirror()
    _ = try mirror.fold(Self.initial(3))
    for other in [Self.initial(5, "f"), Self.changes(3, 4, "f"), .end(revision: 3, updates: 1, epoch: "f")] {
      #expect(throws: WireError.otherEpoch(list: "e", message: "f")) { try mirror.fold(other) }
    }
    #expect(throws: WireError.fallingRevision(from: 3, to: 2)) { try mirror.fold(Self.initial(2)) }
    #expect(try mirror.fold(Self.changes(3, 4)) != nil && mirror.position == Self.at(4))
  }

  @Test func `the epoch is in every message, and messages without one are read`() throws {
    for message in [Self.initial(1), Self.changes(1, 2), .end(revision: 2, updates: 2, epoch: "e")] {
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
}
