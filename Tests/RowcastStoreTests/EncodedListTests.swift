@testable import RowcastStore

/// Lines that are encoded once for many connections.
@Suite(.watched) struct EncodedListTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private typealias Encoded = EncodedList<TestSection, TestRow, Data>

  /// The lines of a list, with a count of how many were made.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private func encoded(_ list: some LiveList<TestSection, TestRow>) -> (list: Encoded, encodings: CallCount) {
    let encodings = CallCount()
    return (Encoded(list) { try JSONEncoder().encode(encodings.note($0)) }, encodings)
  }

  private func message(_ line: Data?) throws -> TestMessage {
    try JSONDecoder().decode(TestMessage.self, from: try #require(line))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [false, true])
  func `a thousand connections encode each line once, or once for a thread if they have all processors`(
    hasAll: Bool
  ) async throws {
    let (store, executor) = (try TestStore.with([]), hasAll ? nil : QueueExecutor())
    let (list, encodings) = encoded(store)
    let (deliveries, delivery) = AsyncStream.makeStream(of: Int.self)
    let connections = (0..<1_000).map { _ in
      Task(executorPreference: executor) { for try await line in list.lines() { delivery.yield(line.count) } }
    }
    // If threads are blocked, the system may start as many more.
    let most = hasAll ? 2 * ProcessInfo.processInfo.activeProcessorCount : 1
    var (delivered, before) = (deliveries.makeAsyncIterator(), 0)
    for edit in 0...20 {
      if edit > 0 { try await store.edit { try $0.append(TestRow(edit), to: "a") } }
      // All have each line before the next edit.
      for _ in connections { _ = await delivered.next() }
      #expect(1...most ~= encodings.value - before, "edit \(edit)")
      before = encodings.value
    }
    await store.finish()
    for connection in connections { try await connection.value }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(.ownThread)
  func `a connection that is held up while it encodes holds up no other, nor a writer`() async throws {
    let store = try TestStore.with([])
    let barrier = Barrier()
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
    // A client that is nearly up to date, and one that is; and an empty list is no shorter than nothing.
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
  @Test func `bookmarkable: a mirror that is up to date is told so, and its position moves along`() async throws {
    let store = TestStore(try .of(("a", Array(0..<40))), epoch: "e", history: .last(2))
    let (list, start) = await (store.snapshot, store.position)
    var mirror = WireReader(list, at: start)
    var messages = EncodedList(store) { $0 }.lines(since: start).makeAsyncIterator()
    #expect(try await messages.next() == .progress(start, since: start))
    // What is undone again leaves no change, but other revisions: without a sign, the mirror would fall out of the history.
    for _ in 0..<5 {
      for text in ["new", ""] { try await store.edit { try $0.update(0) { $0.text = text } } }
      _ = try mirror.fold(try #require(try await messages.next()))
      #expect(mirror.position == (await store.position))
    }
    #expect(mirror.snapshot == list)
    await store.finish()
    #expect(try await messages.next() == .end(revision: 10, updates: 6, epoch: "e"))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `lines end with the list, also when its store goes, or the one that it follows`() async throws {
    var store: TestStore? = try TestStore.with([1])
    let (copy, epoch) = (TestStore(following: try #require(store)), try #require(store).epoch)
    await eventually { await copy.snapshot.rowCount == 1 }
    let (lines, copied) = (try encoded(#require(store)).list.lines(), encoded(copy).list.lines())
    for lines in [lines, copied] { _ = try await lines.next() }
    store = nil
    #expect(try message(await lines.next()) == .end(revision: 0, updates: 1, epoch: epoch))
    #expect(try message(await copied.next()).kind == "end")
    for lines in [lines, copied] { #expect(try await lines.next() == nil) }
  }
}
