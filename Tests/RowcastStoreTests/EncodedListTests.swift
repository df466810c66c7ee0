import Foundation
import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore

/// Lines that are encoded once for many connections.
@Suite(.watched) struct EncodedListTests {
  private typealias Message = WireMessage<TestSection, TestRow>
  private typealias Mirror = WireReader<TestSection, TestRow>
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private typealias Encoded = EncodedList<TestSection, TestRow, Data>
  private typealias Lines = AsyncThrowingStream<Data, any Error>

  /// The lines of a list, with a count of how many were made.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private func encoded(_ list: some LiveList<TestSection, TestRow>) -> (list: Encoded, encodings: CallCount) {
    let encodings = CallCount()
    return (Encoded(list) { try JSONEncoder().encode(encodings.note($0)) }, encodings)
  }

  private func message(_ line: Data?) throws -> Message {
    try JSONDecoder().decode(Message.self, from: try #require(line))
  }

  /// How often lines are encoded for a thousand connections, which all have each line before the next edit.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private func encodings(edits: Int, on executor: (any TaskExecutor)? = nil) async throws -> [Int] {
    let store = try TestStore.with([])
    let (list, encodings) = encoded(store)
    let (deliveries, delivery) = AsyncStream.makeStream(of: Int.self)
    let connections = (0..<1_000).map { _ in
      Task(executorPreference: executor) {
        for try await line in list.lines() { delivery.yield(line.count) }
      }
    }
    var delivered = deliveries.makeAsyncIterator()
    var counts: [Int] = []
    for edit in 0...edits {
      if edit > 0 { try await store.edit { try $0.append(TestRow(edit), to: "a") } }
      for _ in connections { _ = await delivered.next() }
      counts.append(encodings.value - counts.reduce(0, +))
    }
    await store.finish()
    for connection in connections { try await connection.value }
    return counts
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a thousand connections on one thread share one encoding of each line`() async throws {
    #expect(try await encodings(edits: 5, on: QueueExecutor()) == [1, 1, 1, 1, 1, 1])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a thousand connections on all processors encode each line once for a thread at most`() async throws {
    let counts = try await encodings(edits: 20)
    // Where threads are held up the system may lend as many more.
    #expect(counts.allSatisfy { $0 <= 2 * ProcessInfo.processInfo.activeProcessorCount }, "\(counts)")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a connection that is slow gets one line with the net difference, and no other waits for it`() async throws
  {
    let store = try TestStore.with([])
    let (list, encodings) = encoded(store)
    var slow = list.lines().makeAsyncIterator()
    var others = (0..<3).map { _ in list.lines().makeAsyncIterator() }
    var mirror = Mirror()
    _ = try mirror.fold(message(try await slow.next()))
    for index in others.indices { _ = try await others[index].next() }
    for id in 1...5 {
      try await store.edit { try $0.append(TestRow(id), to: "a") }
      for index in others.indices {
        let line = try message(try await others[index].next())
        #expect(line.revision == id)
      }
    }
    #expect(encodings.value == 6)
    try await store.edit { try $0.remove(5) }
    let update = try mirror.fold(message(try await slow.next()))
    #expect(update?.revision == 6 && encodings.value == 7)
    #expect(await mirror.snapshot == store.snapshot)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(.ownThread)
  func `a connection that is held up while it encodes holds up no other, nor a writer`() async throws {
    let store = try TestStore.with([])
    let barrier = SubscriberSideTests.Barrier()
    let list = Encoded(store) { message in
      if message.revision == 1, barrier.arrivals.value == 0 { barrier.wait() }
      return try JSONEncoder().encode(message)
    }
    var ordinary = list.lines().makeAsyncIterator()
    _ = try await ordinary.next()
    try await store.edit { try $0.append(TestRow(1), to: "a") }
    let held = Task(executorPreference: QueueExecutor()) {
      var lines = list.lines().makeAsyncIterator()
      return try await lines.next()
    }
    await eventually { barrier.arrivals.value == 1 }
    for revision in 1...20 {
      if revision > 1 { try await store.edit { try $0.append(TestRow(revision), to: "a") } }
      #expect(try message(try await ordinary.next()).revision == revision)
    }
    barrier.releases.note(())
    #expect(try message(try await held.value).revision == 1 && barrier.losses.value == 0)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `mirrors that return to the whole list share its line, wherever they were`() async throws {
    let store = TestStore(try .of(("a", Array(0..<200))), epoch: "e", history: .last(1_000))
    for round in 0..<300 { try await store.edit { try $0.update(round % 200) { $0.text = "\(round)" } } }
    let (list, encodings) = encoded(store)
    var wholes: Set<Data> = []
    // The newest of them finds that the whole list is shorter; those before it are not compared.
    for revision in (0..<100).reversed() {
      var lines = list.lines(since: ListPosition(epoch: "e", revision: revision)).makeAsyncIterator()
      let line = try #require(try await lines.next())
      try #require(try message(line).kind == "initial", "a difference from revision \(revision)")
      wholes.insert(line)
    }
    #expect(wholes.count == 1 && encodings.value == 1)
    // One that is nearly up to date, and one that is; and an empty list is no shorter than nothing.
    let empty = encoded(TestStore(epoch: "e")).list
    for (list, revision, summary) in [
      (list, 299, "changes 299→300"), (list, 300, "progress 300→300"), (empty, 0, "progress 0→0"),
    ] {
      var lines = list.lines(since: ListPosition(epoch: "e", revision: revision)).makeAsyncIterator()
      #expect(try message(try await lines.next()).summary == summary)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a line that many get is kept, whatever others get in between`() async throws {
    let store = TestStore(try .of(("a", Array(0..<200))), epoch: "e", history: .last(100))
    for id in 0..<20 { try await store.edit { try $0.update(id) { $0.text = "new" } } }
    let (list, encodings) = encoded(store)
    var many = (0..<20).map { _ in list.lines().makeAsyncIterator() }
    for index in many.indices { _ = try await many[index].next() }
    try await store.edit { try $0.update(20) { $0.text = "new" } }
    for index in many.indices {
      #expect(try message(try await many[index].next()).revision == 21)
      // Each of these begins at another position.
      var other = list.lines(since: ListPosition(epoch: "e", revision: index)).makeAsyncIterator()
      _ = try await other.next()
    }
    // The last one is where the many are, and was before.
    #expect(encodings.value == 2 + many.count)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `lines end with the list, also when the store goes`() async throws {
    var store: TestStore? = try TestStore.with([1])
    let list = try encoded(#require(store)).list
    var lines = list.lines().makeAsyncIterator()
    _ = try await lines.next()
    let epoch = store?.epoch ?? ""
    store = nil
    #expect(try message(await lines.next()) == .end(revision: 0, updates: 1, epoch: epoch))
    #expect(try await lines.next() == nil)
  }
}
