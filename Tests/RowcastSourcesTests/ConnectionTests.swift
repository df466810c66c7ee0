import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastSources
@testable import RowcastStore

/// Connections of mirrors that begin well, and then stop or break.
@Suite(.watched) struct ConnectionTests {
  typealias Message = WireMessage<TestSection, TestRow>
  typealias Mirrored = MirroredList<TestSection, TestRow>

  struct Refusal: Error { let status: Int }

  private static func whole(_ revision: Int, _ epoch: String = "e") -> Message {
    let list = TestSnapshot(
      unchecked: [ListSection(TestSection("a"), rows: (0..<revision).map { TestRow($0) })])
    return .initial(revision: revision, snapshot: list, epoch: epoch)
  }

  private static let wrong = Message(
    ListUpdate(
      revision: 9, previous: 1, changes: ListChanges(rows: Changeset(deletes: [RowPath(section: 0, row: 8)])),
      snapshot: TestSnapshot(), epoch: "e"))

  /// Counts connections.
  actor Server {
    private(set) var positions: [ListPosition?] = []

    func connect(_ position: ListPosition?, _ make: (Int) throws -> [Message]) rethrows -> AsyncStream<Message> {
      positions.append(position)
      let messages = try make(positions.count)
      return AsyncStream { continuation in
        for message in messages { continuation.yield(message) }
        continuation.finish()
      }
    }
  }

  private static func backOff(_ attempts: Int = 5) -> BackOff { BackOff(first: .zero, attempts: attempts, jitter: 0) }

  @Test func `a stream that stops without the end of its list has failed, and the next one goes on`() async throws {
    let (server, mirror) = (Server(), Mirrored())
    let binding = mirror.follow(retrying: .backOff(Self.backOff())) { position in
      await server.connect(position) { number in
        number < 4 ? [Self.whole(number)] : [.end(revision: 3, updates: 1, epoch: "e")]
      }
    }
    guard case .ended = await binding.outcome else { throw Refusal(status: 0) }
    let positions = await server.positions
    #expect(positions.map { $0?.revision } == [nil, 1, 2, 3])
    #expect(await mirror.state == .ended(ListPosition(epoch: "e", revision: 3)))
  }

  @Test(arguments: [[whole(1), wrong], [whole(1)], [wrong]])
  func `a server whose streams begin well and then break is given up`(messages: [Message]) async throws {
    let (server, mirror) = (Server(), Mirrored())
    let binding = mirror.follow(retrying: .backOff(Self.backOff())) { position in
      await server.connect(position) { _ in messages }
    }
    #expect(await binding.outcome.error is WireError)
    // The first whole list is news, and begins the row.
    #expect(await server.positions.count == 6)
  }

  @Test func `a server that starts anew for each connection, with the same list, is given up as well`() async throws {
    let (server, mirror) = (Server(), Mirrored())
    let binding = mirror.follow(retrying: .backOff(Self.backOff())) { position in
      await server.connect(position) { [Self.whole(2, "run \($0)")] }
    }
    #expect(await binding.outcome.error as? WireError == .missingEnd)
    #expect(await server.positions.count == 6)
  }

  @Test func `news ends a row of failures`() async throws {
    let (server, mirror) = (Server(), Mirrored())
    let binding = mirror.follow(retrying: .backOff(Self.backOff(2))) { position in
      await server.connect(position) { [Self.whole(min($0 / 2, 10))] }
    }
    #expect(await binding.outcome.error as? WireError == .missingEnd)
    #expect(await server.positions.count == 22)
  }

  @Test func `a message before which something is missing ends the attempt, and the next asks from nothing`()
    async throws
  {
    let (server, mirror) = (Server(), Mirrored())
    let gap = Message.progress(ListPosition(epoch: "e", revision: 7), since: ListPosition(epoch: "e", revision: 7))
    let end = Message.end(revision: 7, updates: 2, epoch: "e")
    let binding = mirror.follow(retrying: .backOff(Self.backOff())) { position in
      await server.connect(position) { $0 == 1 ? [Self.whole(1), gap] : [Self.whole(7), end] }
    }
    guard case .ended = await binding.outcome else { throw Refusal(status: 0) }
    let positions = await server.positions
    #expect(positions.map { $0?.revision } == [nil, nil])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `time without a failure ends a row, too`() async throws {
    let (clock, mirror) = (ManualClock(), Mirrored(TestSnapshot(), at: ListPosition(epoch: "e", revision: 0)))
    let (streams, opened) = AsyncStream.makeStream(of: AsyncStream<Message>.Continuation.self)
    let binding = mirror.follow(retrying: .backOff(BackOff(first: .seconds(1), attempts: 2, jitter: 0)), clock: clock) {
      _ in
      let (messages, stream) = AsyncStream.makeStream(of: Message.self)
      opened.yield(stream)
      return messages
    }
    let position = ListPosition(epoch: "e", revision: 0)
    var attempts: [Int] = []
    var opening = streams.makeAsyncIterator()
    for seconds in [1, 30, 1, 1] {
      let stream = try #require(await opening.next())
      stream.yield(.progress(position, since: position))
      await eventually { if case .live = await binding.status { true } else { false } }
      await clock.advance(by: .seconds(seconds))
      stream.finish()
      await eventually { await ["waiting", "failed"].contains(binding.status.word) }
      if case .waiting(let attempt, _, _) = await binding.status {
        attempts.append(attempt)
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(5))
      }
    }
    #expect(attempts == [1, 1, 2])
    #expect(await binding.outcome.error as? WireError == .missingEnd)
  }

  @Test func `a policy sees the error: some stop, and some say how long to wait`() async throws {
    let (server, mirror) = (Server(), Mirrored())
    var rule = Self.backOff(.max)
    rule.first = .seconds(1_000)
    rule.response = { error in
      switch (error as? Refusal)?.status {
      case 401: .stop
      case 429: .wait(.zero)
      default: .backOff
      }
    }
    let binding = mirror.follow(retrying: .backOff(rule)) { position in
      try await server.connect(position) { throw Refusal(status: $0 < 20 ? 429 : 401) }
    }
    #expect((await binding.outcome.error as? Refusal)?.status == 401)
    #expect(await server.positions.count == 20)
  }

  @Test func `the end of a source is a failure, where the policy says so`() async throws {
    let store = try TestStore.with([])
    for (endsAreFailures, count) in [(false, 1), (true, 4)] {
      let server = Server()
      var rule = Self.backOff(3)
      rule.endsAreFailures = endsAreFailures
      let binding = store.attach(retrying: .backOff(rule)) {
        await server.connect(nil) { _ in [] }
      } apply: { _, _ in
      }
      let outcome = await binding.outcome
      #expect(outcome.error is SourceEnded == endsAreFailures)
      #expect(await server.positions.count == count)
    }
  }

  @Test func `a mirror is connecting until a message of the attempt is there`() async throws {
    let mirror = Mirrored()
    let gate = Gate()
    let (messages, stream) = AsyncStream.makeStream(of: Message.self)
    let binding = mirror.follow { _ in
      await gate.pass()
      return messages
    }
    for _ in 0..<100 { await Task.yield() }
    #expect(await binding.status.word == "connecting")
    await gate.open()
    for _ in 0..<100 { await Task.yield() }
    #expect(await binding.status.word == "connecting")
    stream.yield(Self.whole(1))
    await eventually { await binding.status.word == "live" }
    stream.yield(.end(revision: 1, updates: 1, epoch: "e"))
    #expect(await binding.outcome.word == "ended")
  }
}
