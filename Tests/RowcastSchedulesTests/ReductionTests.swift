#if ROWCAST_HOOKS
  import RowcastSchedules
  import RowcastTestSupport
  import RowcastTesting
  import Testing

  /// A reduced enumeration sees every result that the whole one sees.
  @Suite(.watched, .enabled(if: Schedules.reduces)) struct ReductionTests {
    /// Tasks that can be cancelled by others.
    private actor Handles {
      private var tasks: [Task<Void, Never>] = []

      func set(_ tasks: [Task<Void, Never>]) { self.tasks = tasks }
      func cancel(_ number: Int) { if tasks.indices.contains(number) { tasks[number].cancel() } }
    }

    private enum Step: CaseIterable {
      case note, noteElsewhere, send, check, cancel, pass, open, sleep, yield, main, child
    }

    /// No lock orders its notes.
    @MainActor private final class Board {
      private(set) var notes: [Int] = []

      nonisolated init() {}
      func add(_ note: Int) { notes.append(note) }
    }

    /// Some tasks with some steps each, and all that they left behind.
    private struct Program {
      let tasks: [[Step]]

      init(tasks: [[Step]]) { self.tasks = tasks }

      /// Few kinds of steps, so that they meet.
      init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let kinds = Step.allCases.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)) + [.note]
        let counts = [[1, 1, 1], [2, 2], [2, 1], [3, 1], [1, 1, 2]].shuffled(using: &random)[0]
        tasks = counts.map { count in (0..<count).map { _ in kinds.shuffled(using: &random)[0] } }
      }

      func run(_ run: ScheduleRun) async -> String {
        let (notes, others, board, gate, handles) = (Notes(), Notes(), Board(), Gate(), Handles())
        let (sent, sender) = AsyncStream.makeStream(of: Int.self)
        let running = tasks.enumerated().map { number, steps in
          Task {
            for (place, step) in steps.enumerated() {
              let note = number * 10 + place
              switch step {
              case .note: await notes.add(note)
              case .noteElsewhere: await others.add(note)
              case .send: sender.yield(note)
              case .check: await notes.add(Task.isCancelled ? -note : note)
              case .cancel: await handles.cancel((number + 1) % tasks.count)
              case .pass: await gate.pass()
              case .open: await gate.open()
              case .sleep: try? await ContinuousClock().sleep(for: .seconds(1))
              case .yield: await Task.yield()
              case .main: await board.add(note)
              case .child:
                async let first: Void = notes.add(note)
                async let second: Void = notes.add(note + 5)
                _ = await (first, second)
              }
            }
          }
        }
        await handles.set(running)
        await gate.open()
        for task in running { await task.value }
        sender.finish()
        let order = await sent.reduce(into: []) { $0.append($1) }
        return "\(order) \(await notes.all) \(await others.all) \(await board.notes)"
      }

      /// The results of all schedules, and how many there were; `nil` if there are too many.
      func results(preemptions: Int, isReduced: Bool) async throws -> (all: Set<String>, distinct: Int)? {
        let (results, result) = AsyncStream.makeStream(of: String.self)
        let all = try await Schedules.explore(
          2_000, strategy: .enumeration(preemptions: preemptions, isReduced: isReduced), timers: .whenIdle, seed: 1
        ) { run in result.yield(await self.run(run)) }
        result.finish()
        guard all.isComplete else { return nil }
        return (await results.reduce(into: Set()) { $0.insert($1) }, all.distinct)
      }
    }

    /// Compares the results of both enumerations of a program, where the whole one is small enough.
    private static func compare(_ program: Program, _ bounds: [Int], _ name: String) async throws -> (Int, whole: Int) {
      var (reduced, whole) = (0, 0)
      for preemptions in bounds {
        guard let all = try await program.results(preemptions: preemptions, isReduced: false) else { break }
        let some = try #require(try await program.results(preemptions: preemptions, isReduced: true))
        #expect(some.all == all.all, "\(name), \(preemptions) preemptions: \(program.tasks)")
        reduced += some.distinct
        whole += all.distinct
      }
      return (reduced, whole)
    }

    @Test func `a reduced enumeration has every result of the whole one, for any two steps`() async throws {
      var (reduced, whole, compared) = (0, 0, 0)
      for (number, first) in Step.allCases.enumerated() {
        for second in Step.allCases[number...] {
          // The notes that follow have orders that are lost, if the first steps are taken for independent.
          let counts = try await Self.compare(
            Program(tasks: [[first, .note], [second, .note]]), [0, 1], "two steps")
          (reduced, whole, compared) = (reduced + counts.0, whole + counts.whole, compared + (counts.whole > 0 ? 1 : 0))
        }
      }
      print("\(compared) pairs: \(reduced) of \(whole) schedules")
      #expect(compared > 50 && reduced < whole)
      // With three tasks, no other schedule shows what a wrongly omitted one would have shown.
      for step in Step.allCases {
        _ = try await Self.compare(Program(tasks: [[step, step], [step], [step]]), [1], "\(step)")
      }
    }

    @Test func `a reduced enumeration has every result of the whole one, for random steps`() async throws {
      let base = SeededGenerator.forFuzzing("reduced enumerations").seed
      for number in 0..<UInt64(SeededGenerator.rounds(2, long: 5_000)) {
        _ = try await Self.compare(Program(seed: base &+ number), [0, 1, .max], "ROWCAST_SEED=\(base &+ number)")
      }
    }

    @Test func `the order in which tasks lock a mutex counts, long after they did`() async throws {
      var results: [Set<String>] = []
      for isReduced in [false, true] {
        let (seen, see) = AsyncStream.makeStream(of: String.self)
        let all = try await Schedules.explore(
          20_000, strategy: .enumeration(preemptions: .max, isReduced: isReduced)
        ) { _ in
          let (notes, calls) = (Notes(), CallCount())
          let (sent, sender) = AsyncStream.makeStream(of: Int.self)
          await withTaskGroup { group in
            for number in 0..<2 {
              group.addTask {
                sender.yield(number)
                for _ in 0..<3 { await notes.add(calls.note(number)) }
              }
            }
          }
          sender.finish()
          see.yield("\(await sent.reduce(into: []) { $0.append($1) }) \(await notes.all)")
        }
        see.finish()
        #expect(all.isComplete)
        results.append(await seen.reduce(into: Set()) { $0.insert($1) })
      }
      #expect(results[0] == results[1] && results[0].count > 20)
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
      #expect(!whole.isComplete, "\(whole)")
      let all = try await Schedules.explore(
        100_000, strategy: .enumeration(preemptions: 2, isReduced: true), Self.mostlyApart)
      print("all schedules with two preemptions: \(all)")
      #expect(all.isComplete)
      #expect(all.distinct < 1_000 && all.jobs >= 30 * all.schedules)
    }
  }
#endif
