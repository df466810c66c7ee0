#if ROWCAST_HOOKS
  import RowcastSchedules
  import RowcastTestSupport
  import RowcastTesting
  import Testing

  /// Each job that becomes ready waits for the schedule, however it became ready.
  @Suite(.watched) struct ReadyJobsTests {
    /// Waits for itself in each way that leads back to an actor without a hop.
    private actor Desk {
      private(set) var notes: [Int] = []
      private var waiting: CheckedContinuation<Void, Never>?
      private let stream = AsyncStream<Int>.makeStream()

      func note(_ number: Int) { notes.append(number) }

      func makeTask() -> Task<Void, Never> {
        notes.append(0)
        return Task { note(1) }
      }

      func addToGroup() async {
        await withTaskGroup { group in
          group.addTask { await self.note(1) }
          notes.append(0)
        }
      }

      func wait() async {
        if notes.contains(0) { return }
        await withCheckedContinuation { waiting = $0 }
        notes.append(1)
      }

      func open() {
        notes.append(0)
        waiting?.resume()
      }

      func receive() async {
        for await number in stream.stream {
          notes.append(number)
          return
        }
      }

      func send() {
        notes.append(0)
        stream.continuation.yield(1)
      }

      /// The task comes back from the group's own code, and then from a continuation.
      func waitAfterGroup() async {
        await withTaskGroup { group in
          group.addTask {}
          for await _ in group {}
        }
        await wait()
      }
    }

    @Test(arguments: ["task", "group", "continuation", "stream", "continuation after a group"])
    func `a caller on its way to an actor comes before what the actor has made ready itself`(_ way: String) async throws
    {
      let (orders, order) = AsyncStream<[Int]>.makeStream()
      let all = try await Schedules.explore(100_000, strategy: .enumeration(preemptions: 2)) { _ in
        let desk = Desk()
        let caller = Task { await desk.note(2) }
        switch way {
        case "task": await desk.makeTask().value
        case "group": await desk.addToGroup()
        case "stream":
          let receiver = Task { await desk.receive() }
          await desk.send()
          await receiver.value
        default:
          let waiter = Task { await way == "continuation" ? desk.wait() : desk.waitAfterGroup() }
          await desk.open()
          await waiter.value
        }
        await caller.value
        order.yield(await desk.notes)
      }
      order.finish()
      let seen = await orders.reduce(into: Set()) { $0.insert($1) }
      #expect(all.isComplete && seen.isSuperset(of: [[0, 1, 2], [0, 2, 1], [2, 0, 1]]), "\(seen)")
    }

    @Test func `an actor that others use is still one that runs one job at a time`() async throws {
      // Explorations side by side, and tasks off schedules, use one actor.
      let desk = Desk()
      try await withThrowingTaskGroup { group in
        for _ in 0..<3 {
          group.addTask { for _ in 0..<2_000 { await desk.note(1) } }
          group.addTask {
            for _ in 0..<20 {
              // A task that finds the actor busy leaves its schedule, which is a failure of its own.
              try await Schedules.explore(50, record: { _ in }) { _ in await desk.note(1) }
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(await desk.notes.count >= 6_000)
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
