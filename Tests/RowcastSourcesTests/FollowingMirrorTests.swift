@testable import RowcastSources
@testable import RowcastStore

/// Mirrors that reconnect to their writer: from which position they ask it to continue, and when they give up. Waits and statuses
/// are driven by `PagingFuzz`.
@Suite(.watched) struct FollowingMirrorTests {
  private static func list(_ rows: Int, _ text: String = "") -> TestSnapshot {
    TestSnapshot(unchecked: [ListSection(TestSection("a"), rows: (0..<rows).map { TestRow($0, text) })])
  }

  private static func whole(_ revision: Int, _ text: String = "", epoch: String = "e") -> TestMessage {
    .initial(revision: revision, snapshot: list(revision, text), epoch: epoch)
  }

  private static func changes(_ previous: Int, _ revision: Int, _ changes: ListChanges? = nil) -> TestMessage {
    let changes = changes ?? list(previous).changes(to: list(revision))
    return TestMessage(
      TestUpdate(revision: revision, previous: previous, changes: changes, snapshot: list(revision), epoch: "e"))
  }

  private static func end(_ revision: Int) -> TestMessage { .end(revision: revision, updates: 1, epoch: "e") }

  /// Changes that fit no list at the revision.
  private static func wrong(_ previous: Int) -> TestMessage {
    changes(previous, previous + 1, ListChanges(rows: Changeset(deletes: [RowPath(section: 0, row: 8)])))
  }

  /// Follows a server whose connections stop after their messages; all further connections repeat the last one's. Returns the
  /// outcome, and the positions from which the server was asked to continue.
  private func follow(
    _ mirror: TestMirror, _ connections: (Int) -> [TestMessage]
  ) async -> (end: SourceStatus, positions: [ListPosition?]) {
    let (asked, messages) = (Recorder<ListPosition?>(), (0..<10).map(connections))
    let policy = RetryPolicy.backOff(BackOff(first: .zero, attempts: 5, jitter: 0))
    let binding = mirror.follow(retrying: policy) { position in
      await asked.note(position)
      return messages[await asked.values.count - 1].async
    }
    return (await binding.outcome, await asked.values)
  }

  @Test(arguments: [
    // A connection that stops, one that ends for good, messages that do not fit, and a message after missing ones.
    ([[whole(1), changes(1, 2)], [changes(2, 5)], [end(5)]], [nil, 2, 5], 5),
    ([[wrong(6)], [whole(3), end(3)]], [6, nil], 3),
    ([[whole(1), .progress(.at(7), since: .at(7))], [whole(7), end(7)]], [nil, nil], 7),
    // Only the first message of a connection is believed whatever the mirror has.
    ([[changes(6, 7), whole(2), whole(7), end(7)]], [6], 7),
  ])
  func `a mirror goes on where it is, or asks for the whole list if it cannot`(
    connections: [[TestMessage]], revisions: [Int?], last: Int
  ) async throws {
    let mirror = revisions[0] == nil ? TestMirror() : TestMirror(Self.list(6), at: .at(6))
    let (end, asked) = await follow(mirror) { $0 < connections.count ? connections[$0] : [] }
    #expect(end.word == "ended" && asked == revisions.map { $0.map { .at($0) } })
    #expect(await mirror.state == .ended(.at(last)))
    #expect(await mirror.snapshot == Self.list(last))
  }

  @Test(arguments: [[whole(1), wrong(1)], [whole(1)], [wrong(1)]])
  func `a server whose streams begin well and then break is given up`(messages: [TestMessage]) async throws {
    let (end, positions) = await follow(TestMirror()) { _ in messages }
    #expect(end.error is WireError)
    // The first whole list is news, and begins the row.
    #expect(positions.count == 6)
  }

  @Test func `a server that starts anew for each connection, with the same list, is given up as well`() async throws {
    let (end, positions) = await follow(TestMirror()) { [Self.whole(2, epoch: "run \($0)")] }
    #expect(end.error as? WireError == .missingEnd)
    #expect(positions.count == 6)
  }

  @Test func `a binding does not keep its mirror, and ends with it`() async throws {
    var mirror: TestMirror? = TestMirror()
    weak let gone = mirror
    let (messages, sending) = AsyncStream.makeStream(of: TestMessage.self)
    let binding = try #require(mirror).follow { _ in messages }
    sending.yield(Self.whole(1))
    await eventually { await gone?.position == .at(1) }
    mirror = nil
    await eventually { gone == nil }
    sending.yield(Self.whole(2))
    #expect(await binding.outcome.error is ListStoreError)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `time without a failure ends a row, too`() async throws {
    let (clock, mirror) = (ManualClock(), TestMirror(TestSnapshot(), at: .at(0)))
    let (streams, opened) = AsyncStream.makeStream(of: AsyncStream<TestMessage>.Continuation.self)
    let policy = RetryPolicy.backOff(BackOff(first: .seconds(1), attempts: 2, jitter: 0))
    let binding = mirror.follow(retrying: policy, clock: clock) { _ in
      let (messages, stream) = AsyncStream.makeStream(of: TestMessage.self)
      opened.yield(stream)
      return messages
    }
    var attempts: [Int] = []
    var opening = streams.makeAsyncIterator()
    for seconds in [1, 30, 1, 1] {
      let stream = try #require(await opening.next())
      stream.yield(.progress(.at(0), since: .at(0)))
      await eventually { await binding.status.word == "live" }
      await clock.advance(by: .seconds(seconds))
      stream.finish()
      await eventually { await ["waiting", "failed"].contains(binding.status.word) }
      guard case .waiting(let attempt, _, _) = await binding.status else { break }
      attempts.append(attempt)
      await clock.waitForSleepers(1)
      await clock.advance(by: .seconds(5))
    }
    #expect(attempts == [1, 1, 2])
    #expect(await binding.outcome.error as? WireError == .missingEnd)
  }
}
