import Foundation
import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore

/// What lines between common revisions cost. What is sent, and when, is driven by `LinesFuzz`.
@Suite(.watched) struct PacedLinesTests {
  private typealias Message = WireMessage<TestSection, TestRow>
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private typealias Encoded = EncodedList<TestSection, TestRow, Message>
  private typealias Lines = AsyncThrowingStream<Message, any Error>

  private static let pace = Duration.milliseconds(50)

  /// The messages of a list, each a line, with a count of how many were made.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func encoded(
    _ list: some LiveList<TestSection, TestRow>, on clock: ManualClock, every pace: Duration = pace
  ) -> (list: Encoded, encodings: CallCount) {
    let encodings = CallCount()
    return (Encoded(list, every: pace, clock: clock) { encodings.note($0) }, encodings)
  }

  private static func next(of lines: Lines) async throws -> Message? {
    var iterator = lines.makeAsyncIterator()
    return try await iterator.next()
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `all connections get the lines between common revisions, each encoded once`() async throws {
    let (store, clock) = (try TestStore.with([]), ManualClock())
    let (list, encodings) = Self.encoded(store, on: clock)
    let connections = (0..<50).map { _ in list.lines() }
    for lines in connections { #expect(try await Self.next(of: lines)?.revision == 0) }
    for tick in 1...5 {
      for id in 0..<10 { try await store.edit { try $0.append(TestRow(10 * tick + id), to: "a") } }
      let first = Task { try await Self.next(of: connections[0]) }
      await clock.waitForSleepers(1)
      await clock.advance(by: Self.pace)
      #expect(try await first.value?.revision == 10 * tick)
      // The others read while the list changes again.
      for lines in connections.dropFirst() { #expect(try await Self.next(of: lines)?.revision == 10 * tick) }
    }
    #expect(encodings.value == 6)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `no clock runs, and no connection is left, while nobody waits`() async throws {
    let (store, clock) = (try TestStore.with([1]), ManualClock())
    var list: Encoded? = Self.encoded(store, on: clock).list
    #expect(await store.core.waiterCount == 0)
    var lines = list?.lines()
    if let lines { _ = try await Self.next(of: lines) }
    for id in 2...5 { try await store.edit { try $0.append(TestRow(id), to: "a") } }
    // Nobody waits for the next line.
    for _ in 0..<100 { await Task.yield() }
    #expect(await clock.sleeperCount == 0)
    #expect(await store.core.waiterCount == 0)
    let waiting = Task { [lines] in try await Self.next(of: #require(lines)) }
    await clock.waitForSleepers(1)
    await clock.advance(by: Self.pace)
    #expect(try await waiting.value?.revision == 4)
    // What reads waits for the list, without a clock.
    let cancelled = Task { [lines] in try await Self.next(of: #require(lines)) }
    await clock.waitForSleepers(1)
    await clock.advance(by: Self.pace)
    await eventually { await store.core.waiterCount == 1 }
    #expect(await clock.sleeperCount == 0)
    cancelled.cancel()
    #expect(try await cancelled.value == nil)
    (list, lines) = (nil, nil)
    await eventually { await store.core.waiterCount == 0 }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a connection that begins while an old state is being replaced waits for the new one`() async throws {
    /// A list of which nothing is read after its first change, until the gate is open.
    struct Held: LiveList {
      let store: TestStore
      let gate = Gate()
      let arrivals = CallCount()
      var snapshot: TestSnapshot { get async { await store.snapshot } }
      var revision: Int { get async { await store.revision } }
      func updates() -> AsyncStream<TestUpdate> {
        let updates = store.updates()
        return AsyncStream {
          if await store.revision > 0 {
            arrivals.note(())
            await gate.pass()
          }
          var iterator = updates.makeAsyncIterator()
          return await iterator.next()
        }
      }
    }
    let (held, clock) = (Held(store: try TestStore.with([1])), ManualClock())
    let (list, _) = Self.encoded(held, on: clock)
    let first = list.lines()
    #expect(try await Self.next(of: first)?.revision == 0)
    try await held.store.edit { try $0.append(TestRow(2), to: "a") }
    await clock.advance(by: .seconds(3_600))
    let second = Task { try await Self.next(of: first)?.revision }
    await eventually { held.arrivals.value == 1 }
    let late = Task { try await Self.next(of: list.lines())?.revision }
    for _ in 0..<1_000 { await Task.yield() }
    await held.gate.open()
    #expect(try await second.value == 1)
    #expect(try await late.value == 1)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [Duration.nanoseconds(1), .seconds(Int64.max)])
  func `a pace may be any duration`(_ pace: Duration) async throws {
    let store = try TestStore.with([1])
    #expect(try await Self.next(of: Encoded(store, every: pace) { $0 }.lines())?.revision == 0)
  }
}
