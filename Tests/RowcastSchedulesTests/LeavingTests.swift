#if ROWCAST_HOOKS
  import Dispatch
  import Foundation
  import RowcastSchedules
  import RowcastTestSupport
  import Synchronization
  import Testing

  /// A job can be left inside, where the runtime calls the schedule, as if another processor were faster.
  @Suite(.watched, .enabled(if: Schedules.leavesJobs)) struct LeavingTests {
    private static let strategies: [Schedules.Strategy] = [
      .mixed, .random, .priorities(depth: 3), .enumeration(preemptions: 1, inside: 2),
    ]

    private actor Workshop {
      /// Comes back to the actor from the runtime's own code, which asks no executor.
      func make() async -> Task<Bool, Never> {
        let box = Shared<Task<Bool, Never>?>(nil)
        await withTaskGroup { $0.addTask {} }
        let made = Task.detached { box.value != nil }
        box.update { $0 = made }
        return made
      }
    }

    /// A fault that needs a job to be left.
    struct Twin: Sendable, CustomTestStringConvertible {
      let name: String
      let body: @Sendable (ScheduleRun) async throws -> Void

      var testDescription: String { name }

      static let all = [
        Twin(name: "a task reads the place where its maker stores it") { run in
          let box = Shared<Task<Bool, Never>?>(nil)
          let made = Task { box.value != nil }
          box.update { $0 = made }
          let found = await made.value
          try run.expect(found, "the task was not stored yet")
        },
        Twin(name: "a task reads what its maker stores on an actor, after it returned to it from a group") { run in
          let made = await Workshop().make()
          let found = await made.value
          try run.expect(found, "the task was not stored yet")
        },
        Twin(name: "a waiter that is resumed reads what is written after that") { run in
          let state = Shared((waiter: CheckedContinuation<Void, Never>?.none, isDone: false))
          let (ready, isReady) = AsyncStream<Void>.makeStream()
          let waiter = Task {
            await withCheckedContinuation { continuation in
              state.update { $0.waiter = continuation }
              isReady.finish()
            }
            return state.value.isDone
          }
          for await _ in ready {}
          state.value.waiter?.resume()
          state.update { $0.isDone = true }
          let isDone = await waiter.value
          try run.expect(isDone, "the waiter went on before the end of the job that resumed it")
        },
      ]
    }

    @Test(arguments: Twin.all)
    func `a fault inside of a job is found, by the default strategy from nearly any seed`(_ twin: Twin) async throws {
      var found = 0
      var needed: [Int] = []
      for seed in 1...50 as ClosedRange<UInt64> {
        let all = try await Schedules.explore(2_000, seed: seed, record: { _ in found += 1 }, twin.body)
        needed.append(all.schedules)
      }
      print("\(twin.name): \(found) of 50 seeds, median \(needed.sorted()[25])")
      #expect(found >= 45)
    }

    @Test(arguments: Twin.all)
    func `an enumeration finds it inside of jobs, and nothing between them`(_ twin: Twin) async throws {
      let between = try await Schedules.explore(50_000, strategy: .enumeration(preemptions: 1), twin.body)
      #expect(between.isComplete && between.description.hasSuffix("no more with 1 preemption between jobs"))
      let failure = try await SchedulesTests.failure {
        try await Schedules.explore(50_000, strategy: .enumeration(preemptions: 1, inside: 1), twin.body)
      }
      #expect(failure.isRepeatable)
      #expect(failure.shortest.description.contains("@"), "\(failure.shortest)")
      #expect(failure.trace.contains("is left inside of") && failure.trace.contains("goes on"), "\(failure)")
      // Not a function of the trace itself.
      #expect(!failure.trace.contains("Array.init"), "\(failure)")
      let again = try await SchedulesTests.failure { try await Schedules.replay(failure.shortest, twin.body) }
      #expect(again.shortest == failure.shortest)
    }

    @Test func `a cancellation waits for a job that was left inside of the runtime, holding a lock of the task`()
      async throws
    {
      try await Schedules.explore(4_000, cancels: .anywhere) { _ in
        let parent = Task {
          await withTaskGroup { group in
            for _ in 0..<2 {
              group.addTask {
                let (numbers, number) = AsyncStream<Int>.makeStream()
                let reader = Task { for await _ in numbers {} }
                await withTaskCancellationHandler {
                  await reader.value
                } onCancel: {
                  number.finish()
                }
              }
            }
            await Task.yield()
            group.cancelAll()
          }
        }
        await parent.value
      }
    }

    @Test func `what waits for the lock of a cancellation that was left mostly goes on before others end`()
      async throws
    {
      let ends = Shared((soon: 0, late: 0))
      try await Schedules.explore(2_000, strategy: .priorities(depth: 2), cancels: .anywhere, seed: 1) { _ in
        let (isCancelling, isOver) = (Shared(false), Shared(false))
        let (numbers, number) = AsyncStream<Int>.makeStream()
        async let other: Void = {
          for _ in 0..<6 { await Task.yield() }
          isOver.update { $0 = true }
        }()
        let reader = Task {
          for await _ in numbers {}
          // Waking the task that waits for this one needs the lock.
          return isCancelling.value
        }
        let victim = Task {
          let waited = await withTaskCancellationHandler {
            await reader.value
          } onCancel: {
            isCancelling.update { $0 = true }
            // Here the cancellation is left, with the lock of the task.
            number.finish()
            isCancelling.update { $0 = false }
          }
          if waited { ends.update { if isOver.value { $0.late += 1 } else { $0.soon += 1 } } }
        }
        await other
        number.finish()
        await victim.value
      }
      #expect(ends.value.soon > ends.value.late, "\(ends.value)")
    }

    /// A lock of some kind around a piece of code.
    enum Lock: CaseIterable, Sendable {
      case mutex, foundation, queue, unlocked

      func make() -> @Sendable (() -> Void) -> Void {
        switch self {
        case .mutex:
          let mutex = Shared(())
          return { body in mutex.update { _ in body() } }
        case .foundation:
          let lock = NSLock()
          return { body in lock.withLock(body) }
        case .queue:
          let queue = DispatchQueue(label: "lock")
          return { body in queue.sync(execute: body) }
        case .unlocked: return { body in body() }
        }
      }
    }

    @Test(arguments: Lock.allCases)
    func `a lock that is held when its job is left excludes others, and hangs nothing`(_ lock: Lock) async throws {
      let isExcluding = lock != .unlocked
      @Sendable func body(_ run: ScheduleRun) async throws {
        let (locked, inside) = (lock.make(), Occupancy())
        await withTaskGroup { group in
          for _ in 0..<2 {
            group.addTask {
              locked {
                inside.enter()
                // Here the job is left.
                Task {}
                inside.exit()
              }
            }
          }
        }
        try run.expect(inside.most == 1, "\(inside.most) were inside at once")
      }
      for strategy in Self.strategies {
        var failure: ScheduleFailure?
        try await Schedules.explore(2_000, strategy: strategy, seed: 3, record: { failure = $0 }, body)
        #expect((failure == nil) == isExcluding, "\(strategy): \(String(describing: failure))")
      }
    }

    @Test(arguments: [Lock.mutex, .foundation])
    func `a lock that a thread outside holds for a moment changes no schedule`(_ lock: Lock) async throws {
      let (locked, isOver) = (lock.make(), Shared(false))
      DispatchQueue(label: "outside").async {
        let count = Shared(0)
        func spend(_ rounds: Int) { for _ in 0..<rounds { count.update { $0 += 1 } } }
        while !isOver.value {
          locked { spend(50) }
          spend(50)
        }
      }
      defer { isOver.update { $0 = true } }
      @Sendable func orders() async throws -> [[Int]] {
        let orders = Shared<[[Int]]>([])
        try await Schedules.explore(200, seed: 5) { _ in
          let order = Shared<[Int]>([])
          await withTaskGroup { group in
            for number in 0..<3 {
              group.addTask {
                for _ in 0..<3 {
                  // Here the job is left.
                  Task {}
                  locked { order.update { $0.append(number) } }
                }
              }
            }
          }
          orders.update { $0.append(order.value) }
        }
        return orders.value
      }
      let (first, second) = (try await orders(), try await orders())
      #expect(first == second && Set(first).count > 10)
    }

    @Test func `an enumeration has no more switches inside of jobs than it is told`() async throws {
      var counts: [Int] = []
      for inside in 0...2 {
        let all = try await Schedules.explore(20_000, strategy: .enumeration(preemptions: 0, inside: inside)) { _ in
          await withTaskGroup { group in
            for _ in 0..<2 { group.addTask { Task {} } }
          }
        }
        #expect(all.isComplete)
        counts.append(all.schedules)
      }
      #expect(counts[0] < counts[1] && counts[1] < counts[2], "\(counts)")
    }

    @Test func `locks that two jobs take in either order are a deadlock`() async throws {
      let failure = try await SchedulesTests.failure {
        try await Schedules.explore(2_000, strategy: .enumeration(preemptions: 1, inside: 2)) { _ in
          let (first, second) = (NSLock(), NSLock())
          await withTaskGroup { group in
            for (outer, inner) in [(first, second), (second, first)] {
              group.addTask {
                outer.withLock {
                  Task {}
                  inner.withLock {}
                }
              }
            }
          }
        }
      }
      guard case .deadlock = failure.kind else { throw failure }
    }

    @Test func `a job that was left keeps its actor`() async throws {
      actor Room {
        private let inside = Occupancy()
        var most: Int { inside.most }

        func visit() {
          inside.enter()
          Task {}
          inside.exit()
        }
      }
      for strategy in Self.strategies {
        try await Schedules.explore(2_000, strategy: strategy) { run in
          let room = Room()
          await withTaskGroup { group in
            for _ in 0..<3 { group.addTask { await room.visit() } }
          }
          let most = await room.most
          try run.expect(most == 1, "\(most) were on the actor at once")
        }
      }
    }

    @Test func `conditions are not checked while a job is left`() async throws {
      try await Schedules.explore(1_000) { run in
        let count = CallCount()
        run.invariant("the count is even between jobs") { count.value % 2 == 0 }
        await withTaskGroup { group in
          for _ in 0..<2 {
            group.addTask {
              count.note(())
              Task {}
              count.note(())
            }
          }
        }
      }
    }
  }
#endif
