import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

/// What is explored: the store, or a store with a planted error.
protocol Subject: Sendable {
  func run(_ transaction: Transaction) async throws
  func updates() -> AsyncStream<TestUpdate>
  func finish() async
  var final: (snapshot: TestSnapshot, revision: Int) { get async }
}

extension ListStore<TestSection, TestRow>: Subject {
  func run(_ transaction: Transaction) async throws { try await edit { try transaction.apply(to: &$0) } }
  var final: (snapshot: TestSnapshot, revision: Int) { get async { await (snapshot, revision) } }
}

#if ROWCAST_HOOKS
  /// Interleavings of writers, subscribers, cancellations and the end, by seed.
  @Suite(.watched) struct ExplorationTests {
    /// Runs one schedule and checks its history.
    ///
    /// - Returns: The number of jobs.
    static func explore(seed: UInt64, _ make: @escaping @Sendable () throws -> any Subject) async throws -> Int {
      let result = await Schedule.run(seed: seed) { () async -> Result<HistoryChecker, any Error> in
        do { return .success(try await history(seed: seed, of: try make())) } catch { return .failure(error) }
      }
      guard let value = result.value else {
        throw BrokenPromise(promise: "T5", what: "everybody waits: a wake-up was lost")
      }
      try value.get().check()
      return result.jobs
    }

    private static func history(seed: UInt64, of subject: any Subject) async throws -> HistoryChecker {
      var random = SeededGenerator(seed: seed &* 31 &+ 7)
      // Yielding into it is synchronous, so the order of the history is the order of what happened.
      let (occurrences, log) = AsyncStream.makeStream(of: Occurrence.self)
      let writers = Int.random(in: 1...3, using: &random)
      let plans = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        SubscriberPlan(
          pause: Int.random(in: 0..<4, using: &random),
          patience: Int.random(in: 0..<3, using: &random) == 0 ? Int.random(in: 0..<25, using: &random) : nil)
      }
      let aborts = (0..<writers * 3).map { _ in Int.random(in: 0..<6, using: &random) == 0 }
      await withTaskGroup(of: Void.self) { group in
        for (number, plan) in plans.enumerated() {
          group.addTask { await plan.follow(subject, as: number, log) }
        }
        group.addTask {
          await withTaskGroup(of: Void.self) { group in
            for writer in 0..<writers {
              group.addTask {
                for step in 0..<3 {
                  let number = writer * 3 + step
                  await write(Transaction(number: number, aborts: aborts[number]), by: writer, to: subject, log)
                }
              }
            }
          }
          await subject.finish()
        }
      }
      log.finish()
      var history: [Occurrence] = []
      for await occurrence in occurrences { history.append(occurrence) }
      let final = await subject.final
      return HistoryChecker(history: history, final: final.snapshot, finalRevision: final.revision)
    }

    private static func write(
      _ transaction: Transaction, by writer: Int, to subject: any Subject, _ log: AsyncStream<Occurrence>.Continuation
    ) async {
      log.yield(.began(writer: writer, transaction))
      do {
        try await subject.run(transaction)
        log.yield(.committed(writer: writer, transaction))
      } catch {
        log.yield(.aborted(writer: writer, transaction))
      }
    }

    /// How a subscriber behaves.
    struct SubscriberPlan: Sendable {
      /// How long it is busy with each update.
      let pause: Int
      /// After how long it is cancelled, if it is.
      let patience: Int?

      func follow(_ subject: any Subject, as number: Int, _ log: AsyncStream<Occurrence>.Continuation) async {
        await withTaskGroup(of: Void.self) { group in
          group.addTask {
            for await update in subject.updates() {
              log.yield(.received(subscriber: number, update))
              for _ in 0..<pause { await Task.yield() }
            }
            log.yield(.ended(subscriber: number))
          }
          guard let patience else { return }
          for _ in 0..<patience { await Task.yield() }
          log.yield(.cancelled(subscriber: number))
          group.cancelAll()
        }
      }
    }

    @Test func `every explored schedule keeps the promises`() async throws {
      let base = SeededGenerator.forFuzzing("schedules").seed
      let count = SeededGenerator.rounds(2_000, long: 1_000_000)
      let lanes = 2
      try await withThrowingTaskGroup(of: Int.self) { group in
        for lane in 0..<lanes {
          group.addTask {
            var jobs = 0
            for index in stride(from: lane, to: count, by: lanes) {
              let seed = base &+ UInt64(index)
              do {
                jobs += try await Self.explore(seed: seed) { TestStore(try Transaction.initial) }
              } catch {
                Issue.record("ROWCAST_SEED=\(seed) reproduces as the first schedule: \(error)")
                return jobs
              }
            }
            return jobs
          }
        }
        var jobs = 0
        for try await part in group { jobs += part }
        print("explored \(count) schedules, \(jobs) jobs")
      }
    }

    @Test func `the same seed gives the same history`() async throws {
      for seed in 0..<UInt64(20) {
        let first = try await Self.explore(seed: seed) { TestStore(try Transaction.initial) }
        let second = try await Self.explore(seed: seed) { TestStore(try Transaction.initial) }
        #expect(first == second)
      }
    }

    // MARK: Planted errors

    private func caught(_ flaw: PlantedStore.Flaw?, within seeds: UInt64) async -> String? {
      for seed in 0..<seeds {
        do {
          _ = try await Self.explore(seed: seed) { PlantedStore(flaw, try Transaction.initial) }
        } catch {
          return "\(error)"
        }
      }
      return nil
    }

    @Test func `a store without a planted error passes`() async {
      #expect(await caught(nil, within: 500) == nil)
    }

    @Test(arguments: PlantedStore.Flaw.allCases)
    func `a planted error is found`(flaw: PlantedStore.Flaw) async throws {
      let report = try #require(await caught(flaw, within: 2_000))
      #expect(report.hasPrefix(flaw.promise), "\(report)")
    }
  }
#endif
