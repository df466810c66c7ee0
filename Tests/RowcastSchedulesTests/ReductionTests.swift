#if ROWCAST_HOOKS
  import RowcastSchedules
  import RowcastTestSupport
  import RowcastTesting
  import Testing

  /// A reduced enumeration sees every result that the whole one sees.
  @Suite(.watched) struct ReductionTests {
    private actor Notes {
      private(set) var all: [Int] = []

      func add(_ note: Int) { all.append(note) }
    }

    private enum Step {
      case note(actor: Int), send, check(actor: Int), cancel(task: Int), pass, open, sleep(Int), yield, main, child(
        actor: Int)

      static func random(_ random: inout some RandomNumberGenerator, tasks: Int) -> Step {
        switch Int.random(in: 0..<14, using: &random) {
        case 0...3: .note(actor: Int.random(in: 0..<2, using: &random))
        case 4, 5: .send
        case 6: .check(actor: Int.random(in: 0..<2, using: &random))
        case 7: .cancel(task: Int.random(in: 0..<tasks, using: &random))
        case 8: .pass
        case 9: .open
        case 10: .sleep(Int.random(in: 1...2, using: &random))
        case 11: .yield
        case 12: .main
        default: .child(actor: Int.random(in: 0..<2, using: &random))
        }
      }
    }

    @MainActor private static func noteOnMain(_ note: Int, _ notes: AsyncStream<Int>.Continuation) { notes.yield(note) }

    /// Some tasks with some steps each, and all that they left behind.
    private struct Program {
      let tasks: [[Step]]

      init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let count = Int.random(in: 2...3, using: &random)
        tasks = (0..<count).map { _ in
          (0..<Int.random(in: 1...(count == 2 ? 3 : 2), using: &random)).map { _ in Step.random(&random, tasks: count) }
        }
      }

      func run(_ run: ScheduleRun) async -> String {
        let actors = [Notes(), Notes()]
        let gate = Gate()
        let (sent, sender) = AsyncStream.makeStream(of: Int.self)
        let running = tasks.enumerated().map { number, steps in
          Task {
            for (place, step) in steps.enumerated() {
              let note = number * 10 + place
              switch step {
              case .note(let actor): await actors[actor].add(note)
              case .send: sender.yield(note)
              case .check(let actor): await actors[actor].add(Task.isCancelled ? -note : note)
              case .cancel(let task): sender.yield(1_000 + task)
              case .pass: await gate.pass()
              case .open: await gate.open()
              case .sleep(let seconds): try? await Task.sleep(for: .seconds(seconds))
              case .yield: await Task.yield()
              case .main: await ReductionTests.noteOnMain(note, sender)
              case .child(let actor):
                async let first: Void = actors[actor].add(note)
                async let second: Void = actors[1].add(note + 5)
                _ = await (first, second)
              }
            }
            sender.yield(100 + number)
          }
        }
        await gate.open()
        // Tasks are cancelled in the order in which others asked for it.
        var (log, ended) = ([Int](), 0)
        for await note in sent {
          log.append(note)
          if note >= 1_000 { running[note - 1_000].cancel() }
          if (100..<1_000).contains(note) { ended += 1 }
          if ended == tasks.count { break }
        }
        for task in running { await task.value }
        return "\(log) \(await actors[0].all) \(await actors[1].all)"
      }

      /// The results of all schedules, and how many there were; `nil` if there are too many.
      func results(preemptions: Int, isReduced: Bool) async throws -> (all: Set<String>, schedules: Int, distinct: Int)?
      {
        let (results, result) = AsyncStream.makeStream(of: String.self)
        let all = try await Schedules.explore(
          2_000, strategy: .enumeration(preemptions: preemptions, isReduced: isReduced), timers: .whenIdle, seed: 1
        ) { run in result.yield(await self.run(run)) }
        result.finish()
        guard all.isComplete else { return nil }
        return (await results.reduce(into: Set()) { $0.insert($1) }, all.schedules, all.distinct)
      }
    }

    @Test func `a reduced enumeration has every result of the whole one`() async throws {
      let base = SeededGenerator.forFuzzing("reduced enumerations").seed
      var (whole, reduced, compared) = (0, 0, 0)
      for number in 0..<UInt64(SeededGenerator.rounds(12, long: 5_000)) {
        let program = Program(seed: base &+ number)
        for preemptions in [0, 1, .max] {
          guard let all = try await program.results(preemptions: preemptions, isReduced: false) else { break }
          let some = try #require(try await program.results(preemptions: preemptions, isReduced: true))
          #expect(some.all == all.all, "ROWCAST_SEED=\(base &+ number), \(preemptions) preemptions: \(program.tasks)")
          #expect(some.distinct <= all.distinct)
          whole += all.schedules
          reduced += some.schedules
          compared += 1
        }
      }
      print("\(compared) comparisons: \(reduced) of \(whole) schedules")
      #expect(reduced < whole)
    }

    /// Three tasks that have an actor each, and meet once.
    private static func mostlyApart(_ run: ScheduleRun) async throws {
      let calls = CallCount()
      let common = Notes()
      await withTaskGroup { group in
        for number in 0..<3 {
          group.addTask {
            let own = Notes()
            for note in 0..<4 { await own.add(calls.note(note)) }
            await common.add(number)
          }
        }
      }
      let count = await common.all.count
      try run.expect(count == 3, "\(count)")
    }

    @Test func `thirty jobs that are mostly independent have few schedules`() async throws {
      let whole = try await Schedules.explore(3_000, strategy: .enumeration(preemptions: 2), Self.mostlyApart)
      #expect(!whole.isComplete)
      let all = try await Schedules.explore(
        100_000, strategy: .enumeration(preemptions: 2, isReduced: true), Self.mostlyApart)
      print("all schedules with two preemptions: \(all)")
      #expect(all.isComplete)
      #expect(all.distinct < 1_000 && all.jobs >= 30 * all.schedules)
    }
  }
#endif
