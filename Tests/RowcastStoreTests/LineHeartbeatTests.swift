import Foundation
import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore

/// What heartbeats cost, and what is counted of lines. What is sent, and when, is driven by `LinesFuzz`.
@Suite(.watched) struct LineHeartbeatTests {
  private typealias Message = WireMessage<TestSection, TestRow>
  private typealias Lines = AsyncThrowingStream<Message, any Error>

  private static let interval = Duration.seconds(15)

  private static func next(of lines: Lines) async throws -> Message? {
    var iterator = lines.makeAsyncIterator()
    return try await iterator.next()
  }

  /// The next line of a connection on which nothing happens for the interval.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func nextWhenIdle(_ lines: Lines, _ clock: ManualClock) async throws -> Message? {
    // The clock of the line before may still be on its way out.
    await eventually { await clock.sleeperCount == 0 }
    let line = Task { try await next(of: lines) }
    await clock.waitForSleepers(1)
    await clock.advance(by: interval)
    return try await line.value
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
  @Test func `heartbeats that are due at once starve no change`() async throws {
    let store = try TestStore.with([1])
    let lines = EncodedList(store) { (message: Message) in message }.lines(heartbeat: .nanoseconds(1))
    _ = try await Self.next(of: lines)
    try await store.edit { try $0.append(TestRow(2), to: "a") }
    for _ in 0..<1_000 { if case .changes = try await Self.next(of: lines) { return } }
    Issue.record("no changes among a thousand lines")
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
            found.append([line.previous ?? -1, line.revision, 0])
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
