@testable import RowcastStore

/// Heartbeats among the lines of a connection, and what is counted of them.
@Suite(.watched) struct LineHeartbeatTests {
  private typealias Lines = AsyncThrowingStream<TestMessage, any Error>

  private static let interval = Duration.seconds(15)

  /// The next line of a connection on which nothing happens but that time passes: which of the tasks that sleep is the one of the
  /// heartbeat, and whether it sleeps already, cannot be seen.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func nextWhenIdle(_ lines: Lines, _ clock: ManualClock) async throws -> TestMessage? {
    let arrivals = CallCount()
    let line = Task {
      defer { arrivals.note(()) }
      return try await lines.next()
    }
    await eventually {
      if await clock.sleeperCount > 0 { await clock.advance(by: interval) }
      return arrivals.value == 1
    }
    return try await line.value
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [true, false])
  func `an idle connection repeats its position, and the next change is a difference`(_ isStore: Bool) async throws {
    let (store, clock) = (try TestStore.with([1]), ManualClock())
    let list =
      isStore ? EncodedList(store, clock: clock) { $0 } : EncodedList(PlainList(store: store), clock: clock) { $0 }
    let lines = list.lines(heartbeat: Self.interval)
    #expect(try await lines.next()?.revision == 0)
    for revision in 0..<3 {
      let position = await store.position
      for _ in 0..<3 { #expect(try await Self.nextWhenIdle(lines, clock) == .progress(position, since: position)) }
      try await store.edit { try $0.append(TestRow(10 + revision), to: "a") }
      #expect(try await lines.next()?.summary == "changes \(revision)→\(revision + 1)")
    }
    await eventually { await clock.sleeperCount == 0 }
    await store.finish()
    #expect(try await lines.next()?.kind == "end")
    #expect(try await lines.next() == nil)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `time counts from the request of a line, and no clock runs without one`() async throws {
    let (store, clock) = (try TestStore.with([1]), ManualClock())
    let lines = EncodedList(store, clock: clock) { $0 }.lines(heartbeat: Self.interval)
    _ = try await lines.next()
    for revision in 1...5 {
      await clock.advance(by: Self.interval * 2)
      let line = Task { try await lines.next() }
      await clock.waitForSleepers(1)
      await clock.advance(by: Self.interval / 2)
      try await store.edit { try $0.append(TestRow(10 + revision), to: "a") }
      #expect(try await line.value?.summary == "changes \(revision - 1)→\(revision)")
      await eventually { await clock.sleeperCount == 0 }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a connection that is dropped or cancelled after a heartbeat leaves nothing behind`() async throws {
    let (store, clock) = (try TestStore.with([1]), ManualClock())
    let list = EncodedList(store, clock: clock) { $0 }
    var lines: Lines? = list.lines(heartbeat: Self.interval)
    let cancelled = list.lines(heartbeat: Self.interval)
    for lines in [try #require(lines), cancelled] {
      _ = try await lines.next()
      _ = try await Self.nextWhenIdle(lines, clock)
    }
    await eventually { await store.core.waiterCount == 2 }
    lines = nil
    await eventually { await store.core.waiterCount == 1 }
    let task = Task { try await cancelled.next() }
    await clock.waitForSleepers(1)
    task.cancel()
    #expect(try await task.value == nil)
    await eventually { await store.core.waiterCount == 0 }
    await eventually { await clock.sleeperCount == 0 }
    // Positions are forgotten after the connections are counted.
    await eventually { await list.figures.connections == 0 }
    await eventually { await list.figures.oldest == nil }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `idle connections at one position share the line of a heartbeat, also with a pace`() async throws {
    let (store, clock, encodings) = (try TestStore.with([1]), ManualClock(), CallCount())
    let list = EncodedList(store, every: .milliseconds(50), clock: clock) { (message: TestMessage) in
      encodings.note(message)
    }
    let connections = (0..<20).map { _ in list.lines(heartbeat: Self.interval) }
    for lines in connections { _ = try await lines.next() }
    for lines in connections { _ = try await Self.nextWhenIdle(lines, clock) }
    #expect(encodings.value == 2)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `heartbeats that are due at once starve no change`() async throws {
    let store = try TestStore.with([1])
    let lines = EncodedList(store) { $0 }.lines(heartbeat: .nanoseconds(1))
    _ = try await lines.next()
    try await store.edit { try $0.append(TestRow(2), to: "a") }
    for _ in 0..<1_000 { if case .changes = try await lines.next() { return } }
    Issue.record("no changes among a thousand lines")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `the end counts no heartbeat that could not be encoded`() async throws {
    let (store, clock, refusals) = (try TestStore.with([1]), ManualClock(), CallCount())
    let lines = EncodedList(store, clock: clock) { (message: TestMessage) in
      if message.kind == "progress" { throw refusals.note(CancellationError()) }
      return message
    }.lines(heartbeat: Self.interval)
    _ = try await lines.next()
    let line = Task { try await lines.next() }
    await eventually {
      if await clock.sleeperCount > 0 { await clock.advance(by: Self.interval) }
      return refusals.value > 0
    }
    try await store.edit { try $0.append(TestRow(2), to: "a") }
    #expect(try await line.value?.summary == "changes 0→1")
    await store.finish()
    #expect(try await lines.next() == .end(revision: 1, updates: 2, epoch: store.epoch))
  }

  // MARK: - Figures

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `the figures are those of counting by hand`() async throws {
    let store = TestStore(try .of(("a", Array(0..<30))), epoch: "e", history: .last(10))
    let list = EncodedList(store) { (message: TestMessage) in try JSONEncoder().encode(message) }
    #expect(await list.figures == LineFigures())
    var streams = (0..<3).map { _ in list.lines() }
    func read(_ index: Int) async throws -> Int {
      var lines = streams[index].makeAsyncIterator()
      return try #require(try await lines.next()).count
    }
    var bytes = 0
    for index in streams.indices { bytes += try await read(index) }
    try await store.edit { try $0.append(TestRow(40), to: "a") }
    for index in 0..<2 { bytes += try await read(index) }
    try await store.edit { try $0.append(TestRow(41), to: "a") }
    bytes += try await read(0)
    var expected = LineFigures()
    expected.connections = 3
    expected.oldest = ListPosition(epoch: "e", revision: 0)
    expected.newest = ListPosition(epoch: "e", revision: 2)
    (expected.revisions, expected.lines, expected.encodings, expected.bytes) = (3, 6, 3, bytes)
    #expect(await list.figures == expected)
    #expect(expected.sharedLines == 3)
    #expect("\(list)" == "EncodedList of TestRow: 3 connections, 6 lines of \(bytes) bytes, 3 encoded")
    streams.removeLast()
    await eventually { await list.figures.oldest?.revision == 1 }
    #expect(await list.figures.connections == 2)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `the figures tell of no line that could not be encoded`() async throws {
    let (store, calls) = (TestStore(try .of(("a", Array(0..<50))), epoch: "e"), CallCount())
    let list = EncodedList(store) { (message: TestMessage) in
      if calls.note(message).revision == 1 { throw CancellationError() }
      return message
    }
    let lines = list.lines()
    _ = try await lines.next()
    let line = Task { try await lines.next() }
    try await store.edit { try $0.append(TestRow(-1), to: "a") }
    await eventually { calls.value == 2 }
    // It waits for another list: what was refused is over.
    await eventually { await store.core.waiterCount == 1 }
    var expected = LineFigures()
    (expected.connections, expected.revisions, expected.lines, expected.encodings) = (1, 1, 1, 1)
    expected.oldest = ListPosition(epoch: "e", revision: 0)
    expected.newest = expected.oldest
    #expect(await list.figures == expected)
    try await store.edit { try $0.remove(-1) }
    _ = try await line.value
    #expect(await list.figures.newest?.revision == 2)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a store and its lines print what can be read from any thread, and not their insides`() async throws {
    let store = TestStore(try .of(("a", Array(0..<30))), epoch: "e")
    #expect("\(store)" == "ListStore of TestSection and TestRow, run e")
    var text = ""
    dump(store, to: &text)
    #expect(text.split(separator: "\n").count == 2 && text.contains("epoch: \"e\""))
    text = ""
    dump(EncodedList(store) { (message: TestMessage) in "\(message)" }, to: &text)
    #expect(text.split(separator: "\n").count == 5 && text.contains("- encodings: 0"))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `under any schedule several tasks that read one stream of lines have each line once`() async throws {
    await expectEachLineOnce { clock in
      let store = ListStore<SoleSection, TestRow>()
      let list = EncodedList(store, clock: clock) { (message: WireMessage<SoleSection, TestRow>) in
        try refusingRowsBelowZero(message)
      }
      return SharedLines(edit: { try await store.edit($0) }, finish: { await store.finish() }) {
        [lines = list.lines(heartbeat: .seconds(1))] found in
        for try await line in lines { found.yield(line) }
      }
    }
  }
}
