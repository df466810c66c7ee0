@testable import RowcastStore
@testable import RowcastSources

@Suite(.watched) struct StatusTests {
  private struct Broken: Error {}

  @Test func `a status is read as it is, then whenever it changes, to the last one`() async {
    let board = StatusPublisher()
    let statuses = board.values
    #expect(await statuses.next()?.word == "connecting")
    let next = Task { await statuses.next() }
    await board.post(.waiting(attempt: 1, delay: .zero, error: Broken()))
    #expect(await next.value?.word == "waiting")
    await board.post(.live)
    await board.post(.failed(Broken()))
    // Slow readers miss what is over.
    #expect(await statuses.next()?.word == "failed")
    #expect(await statuses.next() == nil)
    #expect(await board.values.next()?.word == "failed")
  }

  @Test(.enabled(if: roomsCheckInvariants))
  func `no status follows the last one, nor is one posted while the next attempt is waited for`() async {
    await #expect(processExitsWith: .failure) {
      let board = StatusPublisher()
      await board.post(.ended)
      await board.post(.live)
    }
    await #expect(processExitsWith: .failure) {
      let board = StatusPublisher()
      let clock = ManualClock()
      let run = Task { await board.run(retrying: .backOff(), clock: AnyClock(clock)) { _ in throw Broken() } }
      await clock.waitForSleepers(1)
      await board.post(.live)
      run.cancel()
      _ = await run.value
    }
  }

  @Test func `cancelled readers leave nothing with the board`() async {
    let board = StatusPublisher()
    let readers = (0..<20).map { _ in Task { for await _ in board.values {} } }
    await eventually { await board.watched.readers.count == 20 }
    for reader in readers { reader.cancel() }
    for reader in readers { await reader.value }
    await eventually { await board.watched.readers.isEmpty }
  }

  @Test func `a dropped binding leaves nothing behind, with or without a window`() async throws {
    final class Tag: Sendable {}
    for coalescing in [Coalescing.none, .debounce(for: .seconds(1_000)), .throttle(every: .seconds(1_000))] {
      let store = try TestStore.with([])
      weak var held: Tag?
      do {
        let tag = Tag()
        held = tag
        let (events, continuation) = AsyncStream.makeStream(of: Int.self)
        let binding = store.attach(retrying: .backOff(), coalescing: coalescing) {
          events
        } apply: { [tag] list, id in
          withExtendedLifetime(tag) {}
          try list.append(TestRow(id), to: "a")
        }
        for id in 0..<3 { continuation.yield(id) }
        if coalescing == .none { await eventually { await store.revision == 3 } }
        withExtendedLifetime(binding) {}
      }
      await eventually { held == nil }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `the first that is told of the wait for an attempt can end it already`() async throws {
    let (board, attempts) = (StatusPublisher(), CallCount())
    // The clock does not advance: a lost call leaves the run waiting.
    let end = await board.run(
      retrying: .backOff(BackOff(first: .seconds(1), jitter: 0)), clock: AnyClock(ManualClock())
    ) { status in
      if case .waiting = status { await board.endPause() }
    } subscribe: { _ in
      if attempts.note(attempts.value) == 0 { throw Broken() }
      return nil
    }
    #expect(end.word == "ended" && attempts.value == 2)
  }

  @Test func `a source that waits for its own end is told at once that it cannot`() async throws {
    let bindings = AsyncStream.makeStream(of: SourceBinding.self)
    let store = PhasedStore()
    let binding = store.attach {
      for await binding in bindings.stream {
        guard case .failed(let error) = await binding.outcome else { break }
        throw error
      }
      return AsyncStream<Int> { $0.finish() }
    } apply: { _, _ in
    }
    bindings.continuation.yield(binding)
    bindings.continuation.finish()
    #expect(await binding.outcome.error as? SourceBindingError == .awaitedByItsOwnSource)
  }
}
