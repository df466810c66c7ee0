#if ROWCAST_HOOKS
  import RowcastDiff
  import RowcastModel
  import RowcastStore
  import RowcastTestSupport
  import Testing

  /// Interleavings of writers, subscribers, cancellations and the end, by seed.
  @Suite(.watched) struct ExplorationTests {
    private typealias Log = AsyncStream<Occurrence>.Continuation

    @Test func `every explored schedule keeps the promises`() async throws {
      let base = SeededGenerator.forFuzzing("schedules").seed
      let count = SeededGenerator.rounds(2_000, long: 1_000_000)
      let lanes = 2
      await withTaskGroup(of: Void.self) { group in
        for lane in 0..<lanes {
          group.addTask {
            for index in stride(from: lane, to: count, by: lanes) {
              let seed = base &+ UInt64(index)
              do { try await Self.explore(seed: seed) } catch {
                Issue.record("ROWCAST_SEED=\(seed) reproduces as the first schedule: \(error)")
                return
              }
            }
          }
        }
      }
    }

    /// Runs one schedule and checks its history.
    private static func explore(seed: UInt64) async throws {
      let result = await Schedule.run(seed: seed) { () async -> Result<HistoryChecker, any Error> in
        do { return .success(try await history(seed: seed)) } catch { return .failure(error) }
      }
      guard let value = result.value else { throw Mismatch("T5: everybody waits: a wake-up was lost") }
      try value.get().check()
    }

    private static func history(seed: UInt64) async throws -> HistoryChecker {
      var random = SeededGenerator(seed: seed &* 31 &+ 7)
      let store = TestStore(try Transaction.initial)
      // Yielding into it is synchronous, so the order of the history is the order of what happened.
      let (occurrences, log) = AsyncStream.makeStream(of: Occurrence.self)
      let writers = Int.random(in: 1...3, using: &random)
      let plans = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        SubscriberPlan(
          pause: Int.random(in: 0..<4, using: &random),
          patience: Int.random(in: 0..<3, using: &random) == 0 ? Int.random(in: 0..<25, using: &random) : nil)
      }
      let transactions = (0..<writers * 3).map {
        Transaction(number: $0, aborts: Int.random(in: 0..<6, using: &random) == 0)
      }
      await withTaskGroup(of: Void.self) { group in
        for (number, plan) in plans.enumerated() {
          group.addTask { await plan.follow(store, as: number, log) }
        }
        group.addTask {
          await withTaskGroup(of: Void.self) { group in
            for writer in 0..<writers {
              group.addTask {
                for transaction in transactions[writer * 3..<writer * 3 + 3] {
                  log.yield(.began(transaction))
                  let result: Void? = try? await store.edit { try transaction.apply(to: &$0) }
                  log.yield(.over(transaction, isCommitted: result != nil))
                }
              }
            }
          }
          await store.finish()
        }
      }
      log.finish()
      var history: [Occurrence] = []
      for await occurrence in occurrences { history.append(occurrence) }
      return await HistoryChecker(history: history, final: store.snapshot, finalRevision: store.revision)
    }

    /// How a subscriber behaves.
    private struct SubscriberPlan: Sendable {
      /// How long it is busy with each update.
      let pause: Int
      /// After how long it is cancelled, if it is.
      let patience: Int?

      func follow(_ store: TestStore, as number: Int, _ log: Log) async {
        await withTaskGroup(of: Void.self) { group in
          group.addTask {
            for await update in store.updates() {
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
  }

  /// What happened in a run, in the order in which it happened.
  enum Occurrence: Sendable {
    case began(Transaction)
    case over(Transaction, isCommitted: Bool)
    case received(subscriber: Int, TestUpdate)
    /// A subscriber's stream ended.
    case ended(subscriber: Int)
    /// A subscriber's task was cancelled.
    case cancelled(subscriber: Int)
  }

  /// One transaction of a run: it writes its number into the journal, so that the list itself tells the order.
  struct Transaction: Hashable, Sendable {
    struct Abort: Error {}

    let number: Int
    /// Whether it throws after its edits.
    let aborts: Bool

    static let journal = "journal"

    /// The list that every run starts with.
    static var initial: TestSnapshot {
      get throws { try .of((journal, []), ("x", [0, 1, 2]), ("y", [3])) }
    }

    var edits: [RandomEditTests.Edit] {
      let row = number % 5
      let data: RandomEditTests.Edit =
        switch number % 4 {
        case 0: .upsert(TestRow(row, "\(number)"), "x")
        case 1: .upsert(TestRow(row, "\(number)"), "y")
        case 2: .moveSection("y", number % 3)
        default: .upsertSection(TestSection("x", "\(number)"))
        }
      return [.append(TestRow(1_000 + number), Self.journal), data]
    }

    func apply(to list: inout TestEditor) throws {
      for edit in edits { try edit.apply(to: &list) }
      if aborts { throw Abort() }
    }
  }

  /// Checks a whole run against the promises T1 to T5.
  struct HistoryChecker {
    let history: [Occurrence]
    let final: TestSnapshot
    let finalRevision: Int

    func check() throws {
      let states = try self.states(after: committedInOrder())
      let subscribers = history.compactMap { if case .ended(let subscriber) = $0 { subscriber } else { nil } }
      for subscriber in subscribers { try check(subscriber, states: states) }
    }

    /// T1, T2: the journal holds each committed transaction once, and agrees with what was seen from outside.
    private func committedInOrder() throws -> [Transaction] {
      guard let index = final.scanForIndex(ofSection: Transaction.journal) else { throw Mismatch("T1: no journal") }
      let numbers = final.rows(inSection: index).map { $0.id - 1_000 }
      let places = Dictionary(numbers.enumerated().map { ($1, $0) }) { first, _ in first }
      var committed: [Int: Transaction] = [:]
      for occurrence in history {
        switch occurrence {
        case .began(let transaction):
          // What was over before it stands before it.
          let place = places[transaction.number] ?? .max
          let isInOrder = committed.keys.allSatisfy { places[$0] ?? -1 < place }
          try Mismatch.unless(isInOrder, "T1: \(transaction) comes too early in \(numbers)")
        case .over(let transaction, true): committed[transaction.number] = transaction
        default: break
        }
      }
      try Mismatch.unless(
        numbers.sorted() == committed.keys.sorted() && !committed.values.contains(where: \.aborts),
        "T2: committed \(committed.keys.sorted()), found \(numbers)")
      try Mismatch.unless(
        finalRevision == numbers.count, "T1: \(numbers.count) transactions, revision \(finalRevision)")
      return numbers.compactMap { committed[$0] }
    }

    /// The list at every revision, by plain arrays.
    private func states(after order: [Transaction]) throws -> [NaiveList<TestSection, TestRow>] {
      var states = [NaiveList(try Transaction.initial)]
      for transaction in order {
        var next = states[states.count - 1]
        for edit in transaction.edits { _ = edit.apply(to: &next) }
        states.append(next)
      }
      try Mismatch.unless(states.last == NaiveList(final), "T1: the list is not what its transactions make of it")
      return states
    }

    /// T3, T4, T5 for one subscriber.
    private func check(_ subscriber: Int, states: [NaiveList<TestSection, TestRow>]) throws {
      var follower = Follower()
      var isCancelled = false
      for occurrence in history {
        switch occurrence {
        case .received(subscriber, let update):
          let name = "subscriber \(subscriber), update \(update.previous ?? -1) to \(update.revision)"
          try Mismatch.unless(!isCancelled, "T5: \(name): delivered after cancellation")
          try Mismatch.unless(states.indices.contains(update.revision), "T3: \(name): no such revision")
          let before = follower.list
          do { try follower.take(update) } catch { throw Mismatch("T3: \(name): \(error)") }
          try Mismatch.unless(follower.list == states[update.revision], "T3: \(name): another list")
          let least = before.minimalMoves(to: follower.list)
          let moves = (rows: update.changes.rows.moves.count, sections: update.changes.sections.moves.count)
          try Mismatch.unless(update.previous == nil || moves == least, "T4: \(name): not the net difference")
        case .cancelled(subscriber): isCancelled = true
        default: break
        }
      }
      let isLast = isCancelled || follower.list == states.last
      try Mismatch.unless(isLast, "T5: subscriber \(subscriber): ended at \(follower.revision ?? -1)")
    }
  }
#endif
