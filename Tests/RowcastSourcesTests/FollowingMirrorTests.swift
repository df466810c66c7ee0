import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastSources
@testable import RowcastStore

/// Mirrors that connect to their writer again.
@Suite(.watched) struct FollowingMirrorTests {
  typealias Message = WireMessage<TestSection, TestRow>
  typealias Mirrored = MirroredList<TestSection, TestRow>

  /// A server whose connections break off after their messages; after those of the last one, the list has ended.
  actor Server {
    struct Broken: Error {}

    private var connections: ArraySlice<[Message]>
    private(set) var positions: [ListPosition?] = []

    init(_ connections: [Message]...) { self.connections = connections[...] }

    func connect(since position: ListPosition?) -> AsyncThrowingStream<Message, any Error> {
      positions.append(position)
      let messages = connections.popFirst() ?? []
      let isLast = connections.isEmpty
      return AsyncThrowingStream { continuation in
        for message in messages { continuation.yield(message) }
        let last = messages.last?.position ?? position
        if isLast, let last { continuation.yield(.end(revision: last.revision, updates: 1, epoch: last.epoch)) }
        continuation.finish(throwing: isLast ? nil : Broken())
      }
    }
  }

  private static func list(_ rows: Int, _ text: String = "") -> TestSnapshot {
    TestSnapshot(unchecked: [ListSection(TestSection("a"), rows: (0..<rows).map { TestRow($0, text) })])
  }

  private static func whole(_ revision: Int, _ text: String = "") -> Message {
    .initial(revision: revision, snapshot: list(revision, text), epoch: "e")
  }

  private static func changes(_ previous: Int, _ revision: Int, _ text: String = "") -> Message {
    let (before, after) = (list(previous, text), list(revision, text))
    return Message(
      ListUpdate(
        revision: revision, previous: previous, changes: before.changes(to: after), snapshot: after, epoch: "e"))
  }

  private static func at(_ revision: Int) -> ListPosition { ListPosition(epoch: "e", revision: revision) }

  /// Follows a server to its end. Returns how that came, and where the server was asked to go on.
  private func follow(_ server: Server, _ mirror: Mirrored) async -> (end: SourceStatus, positions: [ListPosition?]) {
    let policy = RetryPolicy.backOff(BackOff(first: .zero, attempts: 3, jitter: 0))
    let binding = mirror.follow(retrying: policy) { await server.connect(since: $0) }
    let end = await binding.outcome
    return (end, await server.positions)
  }

  @Test func `a mirror whose connection fails goes on where it is`() async throws {
    let mirror = Mirrored()
    let server = Server([Self.whole(1), Self.changes(1, 2)], [Self.changes(2, 5)], [])
    let (end, positions) = await follow(server, mirror)
    #expect(positions == [nil, Self.at(2), Self.at(5)])
    guard case .ended = end else { throw Server.Broken() }
    #expect(await mirror.snapshot == Self.list(5))
    #expect(await mirror.state == .ended(Self.at(5)))
  }

  @Test func `a writer that has restarted with its epoch is followed with the first message of the next connection`()
    async throws
  {
    for revision in [0, 6] {
      let mirror = Mirrored(Self.list(6), at: Self.at(6))
      let server = Server([Self.whole(revision, "new"), Self.changes(revision, 7, "new")])
      let (_, positions) = await follow(server, mirror)
      #expect(positions == [Self.at(6)])
      #expect(await mirror.state == .ended(Self.at(7)))
      #expect(await mirror.snapshot == Self.list(7, "new"))
    }
  }

  @Test func `a message that does not fit is a failure, and the next connection brings the whole list`() async throws {
    let mirror = Mirrored(Self.list(6), at: Self.at(6))
    let wrong = ListUpdate(
      revision: 7, previous: 6, changes: ListChanges(rows: Changeset(deletes: [RowPath(section: 0, row: 8)])),
      snapshot: Self.list(8), epoch: "e")
    let (end, positions) = await follow(Server([Message(wrong)], [Self.whole(3, "new")]), mirror)
    #expect(positions == [Self.at(6), nil])
    guard case .ended = end else { throw Server.Broken() }
    #expect(await mirror.snapshot == Self.list(3, "new"))
  }

  @Test func `only the first message of a connection is believed whatever the mirror has`() async throws {
    let mirror = Mirrored(Self.list(6), at: Self.at(6))
    _ = await follow(Server([Self.changes(6, 7), Self.whole(2), Self.whole(7)]), mirror)
    #expect(await mirror.state == .ended(Self.at(7)))
    #expect(await mirror.snapshot == Self.list(7))
  }

  @Test func `a source that goes on failing is given up, with its error`() async throws {
    let server = Server([], [], [], [], [])
    let (end, positions) = await follow(server, Mirrored())
    #expect(end.error is Server.Broken && positions.count == 4)
  }

  @Test func `a binding does not keep its mirror, and ends with it`() async throws {
    var mirror: Mirrored? = Mirrored()
    weak let gone = mirror
    let (messages, sending) = AsyncStream.makeStream(of: Message.self)
    let binding = try #require(mirror).follow { _ in messages }
    sending.yield(Self.whole(1))
    await eventually { await gone?.position == Self.at(1) }
    mirror = nil
    await eventually { gone == nil }
    sending.yield(Self.whole(2))
    #expect(await binding.outcome.error is ListStoreError)
  }

  @Test func `a binding that is cancelled changes nothing any more`() async throws {
    let mirror = Mirrored()
    let (messages, sending) = AsyncStream.makeStream(of: Message.self)
    let binding = mirror.follow { _ in messages }
    sending.yield(Self.whole(1))
    await eventually { await mirror.position == Self.at(1) }
    binding.cancel()
    guard case .cancelled = await binding.outcome else { throw Server.Broken() }
    sending.yield(Self.whole(2))
    #expect(await mirror.position == Self.at(1))
  }
}
