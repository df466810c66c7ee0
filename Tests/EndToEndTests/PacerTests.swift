import Testing

@testable import RowcastDemo

@Suite struct PacerTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `an output that is slower than the events waits for more of them, and no other does`() async {
    let pauses = CallCount()
    let pacer = Pacer(lockstep: false) { pauses.note(()) }
    for revision in 0...3 { await pacer.deliver(revision) }
    #expect(pauses.value == 0, "each update has one event")
    for revision in 7...8 {
      await pacer.deliver(revision)
      #expect(pauses.value == 1)
    }
    // In lockstep nothing is waited for but the update, though two sources may have edited the list before one.
    let lockstep = Pacer(lockstep: true) { pauses.note(()) }
    for revision in [2, 5] { await lockstep.deliver(revision) }
    #expect(pauses.value == 1)
  }

  /// Events that are counted as they are read.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private struct CountedEvents: AsyncSequence, Sendable {
    let count: Int
    let reads: CallCount

    struct AsyncIterator: AsyncIteratorProtocol {
      var rest: Range<Int>
      let reads: CallCount

      mutating func next() async throws -> Event? {
        reads.note(())
        return rest.popFirst().map { .upsert(id: "\($0)", .init(section: "a")) }
      }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: 0..<count, reads: reads) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `in lockstep a source reads one event while the update before it is delivered, and no more`() async throws
  {
    let (events, pacer) = (CountedEvents(count: 5, reads: CallCount()), Pacer(lockstep: true))
    let run = ScenarioRun(
      options: try Options(["--lockstep"]), store: Store(), pacer: pacer,
      diagnostics: Diagnostics(isQuiet: true, isDeferred: false), board: SourceBoard(), hasKeys: false)
    let source = Task {
      try await run.attach(events) { _, _ in
        .stop
      } apply: { list, event in
        try event.apply(to: &list)
      }
    }
    for revision in 0...5 {
      // The source waits for the update that its last event led to.
      await eventually { await pacer.waiters.map(\.revision) == [revision] }
      #expect(events.reads.value == revision + 1)
      await pacer.deliver(revision)
    }
    try await source.value
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a source where asking does something reads no event before the update is delivered`() async throws {
    let (events, pacer, store) = (CountedEvents(count: 5, reads: CallCount()), Pacer(lockstep: true), Store())
    let binding = store.attach(Paced(base: events, shown: store, pacer: pacer)) { list, event in
      try event.apply(to: &list)
    }
    for revision in 0...5 {
      await eventually { await pacer.waiters.map(\.revision) == [revision] }
      #expect(events.reads.value == revision)
      await pacer.deliver(revision)
    }
    #expect(await binding.outcome.error == nil)
  }
}
