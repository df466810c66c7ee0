#if ROWCAST_HOOKS
  import RowcastSchedules
  import RowcastTestSupport
  import RowcastTesting
  import Testing

  /// Schedules beside others, and beside tasks that are on none.
  @Suite(.watched) struct SideBySideTests {
    @Test func `an actor that others use is still one that runs one job at a time`() async throws {
      // Explorations side by side, and tasks off schedules, use one actor.
      let desk = Notes()
      try await withThrowingTaskGroup { group in
        for _ in 0..<3 {
          group.addTask { for _ in 0..<2_000 { await desk.add(1) } }
          group.addTask {
            for _ in 0..<20 {
              // A task that finds the actor busy leaves its schedule, which is a failure of its own.
              try await Schedules.explore(50, record: { _ in }) { _ in await desk.add(1) }
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(await desk.all.count >= 6_000)
    }

    @Test(arguments: [Schedules.Cancellation.never, .anywhere])
    func `a task that waits for what a schedule does is not cancelled with the schedule`(
      cancels: Schedules.Cancellation
    ) async throws {
      for _ in 0..<50 {
        let (requests, request) = AsyncStream.makeStream(of: CheckedContinuation<Void, Never>.self)
        let (ends, end) = AsyncStream<Void>.makeStream()
        let waiting = Task {
          await withCheckedContinuation { request.yield($0) }
          // It continues as a job of the schedule, and has not ended when that has.
          for await _ in ends {}
          return Task.isCancelled
        }
        var received = requests.makeAsyncIterator()
        let continuation = try #require(await received.next())
        try await Schedules.explore(1, cancels: cancels) { _ in
          continuation.resume()
          await Task.yield()
        }
        end.finish()
        #expect(await !waiting.value)
      }
    }

    @Test func `a task that waits for what a schedule does explores schedules of its own when it continues there`()
      async throws
    {
      let (requests, request) = AsyncStream.makeStream(of: CheckedContinuation<Void, Never>.self)
      let waiting = Task {
        await withCheckedContinuation { request.yield($0) }
        return try await Schedules.explore(7, strategy: .random) { _ in await Task.yield() }.schedules
      }
      var received = requests.makeAsyncIterator()
      let continuation = try #require(await received.next())
      try await Schedules.explore(1) { _ in
        continuation.resume()
        await Task.yield()
      }
      #expect(try await waiting.value == 7)
    }

    @Test func `neighbouring seeds have no schedule in common`() async throws {
      var seeds: [Set<UInt64>] = []
      for seed in 1...3 as ClosedRange<UInt64> {
        let (runs, run) = AsyncStream<UInt64>.makeStream()
        try await Schedules.explore(100, seed: seed) { run.yield($0.seed) }
        run.finish()
        seeds.append(await runs.reduce(into: Set()) { $0.insert($1) })
      }
      #expect(seeds.allSatisfy { $0.count == 100 })
      #expect(seeds[0].isDisjoint(with: seeds[1]) && seeds[1].isDisjoint(with: seeds[2]))
    }
  }
#endif
