import Foundation
import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore

/// Heartbeats among the lines of a connection, and what is counted of them.
@Suite(.watched) struct LineHeartbeatTests {
  private typealias Message = WireMessage<TestSection, TestRow>
  private typealias Mirror = WireReader<TestSection, TestRow>
  private typealias Lines = AsyncThrowingStream<Message, any Error>

  private static let interval = Duration.seconds(15)

  private static func next(of lines: Lines) async throws -> Message? {
    var iterator = lines.makeAsyncIterator()
    return try await iterator.next()
  }

  /// Lines of which those with a new row below zero cannot be encoded, and the calls of the encoder.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func refusing(
    _ store: TestStore, _ clock: ManualClock
  ) -> (list: EncodedList<TestSection, TestRow, Message>, calls: CallCount) {
    struct Refusal: Error {}
    let calls = CallCount()
    let list = EncodedList(store, clock: clock) { (message: Message) throws -> Message in
      if case .changes(let changes) = calls.note(message), changes.insertedRows.contains(where: { $0.id < 0 }) {
        throw Refusal()
      }
      return message
    }
    return (list, calls)
  }

  /// The next line of a connection on which nothing happens for the interval.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func nextWhenIdle(_ lines: Lines, _ clock: ManualClock) async throws -> Message? {
    let line = Task { try await next(of: lines) }
    return try await whenIdle(line, clock)
  }

  /// The line for which a task waits, while nothing happens but that time passes: which of the tasks that sleep is the one of the
  /// heartbeat, and whether it sleeps already, cannot be seen.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func whenIdle(_ line: Task<Message?, any Error>, _ clock: ManualClock) async throws -> Message? {
    let arrivals = CallCount()
    let arrival = Task {
      _ = await line.result
      arrivals.note(())
    }
    await eventually {
      if await clock.sleeperCount > 0 { await clock.advance(by: interval) }
      return arrivals.value == 1
    }
    await arrival.value
    return try await line.value
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [true, false])
  func `an idle connection repeats its position, and gets the next change as a difference`(_ isStore: Bool) async throws
  {
    let (store, clock) = (try TestStore.with([1]), ManualClock())
    let list =
      isStore
      ? EncodedList(store, clock: clock) { (message: Message) in message }
      : EncodedList(PlainList(store: store), clock: clock) { (message: Message) in message }
    let lines = list.lines(heartbeat: Self.interval)
    #expect(try await Self.next(of: lines)?.revision == 0)
    for revision in 0..<3 {
      let position = await store.position
      for _ in 0..<3 {
        #expect(try await Self.nextWhenIdle(lines, clock) == .progress(position, since: position))
      }
      try await store.edit { try $0.append(TestRow(10 + revision), to: "a") }
      guard case .changes(let changes) = try await Self.next(of: lines) else {
        Issue.record("no changes at \(revision)")
        return
      }
      #expect(changes.previous == revision && changes.revision == revision + 1)
    }
    await eventually { await clock.sleeperCount == 0 }
    await store.finish()
    guard case .end = try await Self.next(of: lines) else {
      Issue.record("no end")
      return
    }
    #expect(try await Self.next(of: lines) == nil)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `time counts from the request of a line, and no clock runs without one`() async throws {
    let (store, clock) = (try TestStore.with([1]), ManualClock())
    let lines = EncodedList(store, clock: clock) { (message: Message) in message }.lines(heartbeat: Self.interval)
    _ = try await Self.next(of: lines)
    for revision in 1...5 {
      await clock.advance(by: Self.interval * 2)
      let line = Task { try await Self.next(of: lines) }
      await clock.waitForSleepers(1)
      await clock.advance(by: Self.interval / 2)
      try await store.edit { try $0.append(TestRow(10 + revision), to: "a") }
      guard case .changes(let changes) = try await line.value else {
        Issue.record("no changes at \(revision)")
        return
      }
      #expect(changes.revision == revision)
      await eventually { await clock.sleeperCount == 0 }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a connection that is dropped or cancelled after a heartbeat leaves nothing behind`() async throws {
    let (store, clock) = (try TestStore.with([1]), ManualClock())
    let list = EncodedList(store, clock: clock) { (message: Message) in message }
    var lines: Lines? = list.lines(heartbeat: Self.interval)
    let cancelled = list.lines(heartbeat: Self.interval)
    for lines in [try #require(lines), cancelled] {
      _ = try await Self.next(of: lines)
      _ = try await Self.nextWhenIdle(lines, clock)
    }
    await eventually { await store.core.waiterCount == 2 }
    lines = nil
    await eventually { await store.core.waiterCount == 1 }
    let task = Task { try await Self.next(of: cancelled) }
    await clock.waitForSleepers(1)
    task.cancel()
    #expect(try await task.value == nil)
    await eventually { await store.core.waiterCount == 0 }
    await eventually { await clock.sleeperCount == 0 }
    await eventually { await list.figures.connections == 0 }
    #expect(await list.figures.oldest == nil)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `idle connections at one position share the line of a heartbeat, also with a pace`() async throws {
    let (store, clock, encodings) = (try TestStore.with([1]), ManualClock(), CallCount())
    let list = EncodedList(store, every: .milliseconds(50), clock: clock) { (message: Message) in
      encodings.note(message)
    }
    let connections = (0..<20).map { _ in list.lines(heartbeat: Self.interval) }
    for lines in connections { _ = try await Self.next(of: lines) }
    for lines in connections { _ = try await Self.nextWhenIdle(lines, clock) }
    #expect(encodings.value == 2)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a list that cannot be encoded has the heartbeat of what was sent, and one difference afterwards`()
    async throws
  {
    let (store, clock) = (try TestStore.with(Array(0..<50)), ManualClock())
    let (list, calls) = Self.refusing(store, clock)
    let lines = list.lines(heartbeat: Self.interval)
    _ = try await Self.next(of: lines)
    let start = await store.position
    try await store.edit { try $0.append(TestRow(-1), to: "a") }
    for round in 0..<3 {
      let line = Task { try await Self.next(of: lines) }
      if round == 0 { await eventually { calls.value == 2 } }
      #expect(try await Self.whenIdle(line, clock) == .progress(start, since: start))
    }
    try await store.edit { try $0.remove(-1) }
    try await store.edit { try $0.append(TestRow(60), to: "a") }
    var mirror = Mirror(try .of(("a", Array(0..<50))), at: start)
    while let message = try await Self.next(of: lines) {
      _ = try mirror.fold(message)
      if await mirror.snapshot == store.snapshot { break }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a mirror that resumes where nothing can be encoded has the heartbeat of its position, then the list`()
    async throws
  {
    let (store, clock) = (TestStore(try .of(("a", Array(0..<50))), epoch: "e", history: .last(10)), ManualClock())
    let (list, calls) = Self.refusing(store, clock)
    let start = await store.position
    try await store.edit { try $0.append(TestRow(-1), to: "a") }
    let lines = list.lines(since: start, heartbeat: Self.interval)
    for round in 0..<3 {
      await eventually { await clock.sleeperCount == 0 }
      let line = Task { try await Self.next(of: lines) }
      if round == 0 { await eventually { calls.value == 1 } }
      await clock.waitForSleepers(1)
      await clock.advance(by: Self.interval)
      try #require(try await line.value == .progress(start, since: start))
    }
    try await store.edit { try $0.remove(-1) }
    try await store.edit { try $0.append(TestRow(60), to: "a") }
    var (mirror, count) = (Mirror(try .of(("a", Array(0..<50))), at: start), 3)
    while let message = try await Self.next(of: lines) {
      count += 1
      _ = try mirror.fold(message)
      if await mirror.snapshot == store.snapshot { break }
    }
    await store.finish()
    let revision = await store.revision
    #expect(try await Self.next(of: lines) == .end(revision: revision, updates: count, epoch: "e"))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `the end counts the lines before it: heartbeats, and no update that could not be encoded`() async throws {
    let (store, clock) = (TestStore(try .of(("a", Array(0..<50))), epoch: "e", history: .last(10)), ManualClock())
    let (list, calls) = Self.refusing(store, clock)
    let lines = list.lines(heartbeat: Self.interval)
    _ = try await Self.next(of: lines)
    _ = try await Self.nextWhenIdle(lines, clock)
    await eventually { await clock.sleeperCount == 0 }
    let before = calls.value
    try await store.edit { try $0.append(TestRow(-1), to: "a") }
    let line = Task { try await Self.next(of: lines) }
    await eventually { calls.value == before + 1 }
    try await store.edit { try $0.append(TestRow(-2), to: "a") }
    await eventually { calls.value == before + 2 }
    // Its deadline is set before it waits for the list.
    await eventually { await store.core.waiterCount == 1 }
    await clock.waitForSleepers(1)
    await clock.advance(by: Self.interval)
    guard case .progress = try await line.value else {
      Issue.record("no heartbeat")
      return
    }
    await store.finish()
    #expect(try await Self.next(of: lines) == .end(revision: 2, updates: 3, epoch: "e"))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `heartbeats that are due at once starve no change`() async throws {
    let store = try TestStore.with([1])
    let lines = EncodedList(store) { (message: Message) in message }.lines(heartbeat: .nanoseconds(1))
    _ = try await Self.next(of: lines)
    try await store.edit { try $0.append(TestRow(2), to: "a") }
    for _ in 0..<1_000 { if case .changes = try await Self.next(of: lines) { return } }
    Issue.record("no changes among a thousand lines")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `mirrors behind lines with heartbeats have the list, and each heartbeat is at their position`()
    async throws
  {
    var random = SeededGenerator.forFuzzing("heartbeats")
    for round in 0..<SeededGenerator.rounds(20, long: 1_000) {
      let (store, clock) = (TestStore(epoch: "e", history: .last(5)), ManualClock())
      let pace = Bool.random(using: &random) ? Duration.zero : .seconds(2)
      let list = EncodedList(store, every: pace, clock: clock) { (message: Message) in message }
      var states = [await store.snapshot]
      let folds = (0..<5).map { _ in
        Task {
          var (mirror, beats) = (Mirror(), 0)
          for try await message in list.lines(heartbeat: .seconds(3)) {
            if case .progress(let position, let start) = message, position == start {
              #expect(position == mirror.position)
              beats += 1
            }
            _ = try mirror.fold(message)
          }
          return (mirror, beats)
        }
      }
      for _ in 0..<60 {
        if Int.random(in: 0..<3, using: &random) == 0 {
          try await store.replace(with: try .random(sections: 2, rows: 6, using: &random))
          if await store.revision == states.count { states.append(await store.snapshot) }
        } else if await clock.sleeperCount > 0 {
          await clock.advance(by: .seconds(Int.random(in: 1...3, using: &random)))
        }
        for _ in 0..<Int.random(in: 0..<20, using: &random) { await Task.yield() }
      }
      await store.finish()
      let ticking = Task {
        while !Task.isCancelled {
          if await clock.sleeperCount > 0 { await clock.advance(by: .seconds(1)) }
          await Task.yield()
        }
      }
      for fold in folds {
        let mirror = try await fold.value.0
        #expect(mirror.snapshot == states.last, "seed \(random.seed), round \(round)")
        #expect(await mirror.state == .ended(store.position), "seed \(random.seed), round \(round)")
      }
      ticking.cancel()
    }
  }

  // MARK: - Figures

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `the figures are those of counting by hand`() async throws {
    let store = TestStore(try .of(("a", Array(0..<30))), epoch: "e", history: .last(10))
    let list = EncodedList(store) { (message: Message) in try JSONEncoder().encode(message) }
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
    let (store, clock) = (TestStore(try .of(("a", Array(0..<50))), epoch: "e"), ManualClock())
    let (list, calls) = Self.refusing(store, clock)
    let lines = list.lines()
    _ = try await Self.next(of: lines)
    let line = Task { try await Self.next(of: lines) }
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
    dump(EncodedList(store) { (message: Message) in "\(message)" }, to: &text)
    #expect(text.split(separator: "\n").count == 5 && text.contains("- encodings: 0"))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `under any schedule several tasks that read one stream of lines have each line once`() async throws {
    await expectEachLineOnce { try await Self.readTogether() }
  }

  /// The revisions between which lines lead that several tasks read, in their order, with the number in the end. Some lines have no
  /// news, and some revisions cannot be encoded.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func readTogether() async throws -> [[Int]] {
    struct Refusal: Error {}
    typealias Message = WireMessage<SoleSection, TestRow>
    let clock = ManualClock()
    let store = ListStore<SoleSection, TestRow>()
    for id in 0..<20 { try await store.edit { try $0.upsert(TestRow(id)) } }
    let list = EncodedList(store, clock: clock) { (message: Message) in
      // A row below zero cannot be encoded.
      let text = String(decoding: try JSONEncoder().encode(message), as: UTF8.self)
      if text.contains(#""id":-"#) { throw Refusal() }
      return message
    }
    let lines = list.lines(heartbeat: .seconds(1))
    let time = Task { for _ in 0..<4 { await clock.advance(by: .seconds(1)) } }
    let readers = (0..<3).map { _ in
      Task {
        var found: [[Int]] = []
        for try await line in lines {
          if case .end(let revision, let updates, _) = line {
            found.append([revision, revision, updates])
          } else {
            found.append([line.start?.revision ?? -1, line.revision, 0])
          }
        }
        return found
      }
    }
    for id in 20..<26 {
      try await store.edit { try $0.upsert(TestRow(id)) }
      if id == 22 { try await store.edit { try $0.upsert(TestRow(-1)) } }
      if id == 24 { try await store.edit { try $0.remove(-1) } }
    }
    await time.value
    await store.finish()
    var steps: [[Int]] = []
    for reader in readers { steps += try await reader.value }
    return steps
  }
}
