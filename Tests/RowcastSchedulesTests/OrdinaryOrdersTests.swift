#if ROWCAST_HOOKS
  import RowcastSchedules
  import RowcastTestSupport
  import RowcastTesting
  import Testing

  /// An enumeration shows every order of the ordinary runtime: no ready job bypasses a schedule.
  @Suite(.watched) struct OrdinaryOrdersTests {
    /// A part of a program, which can run on an actor and on none.
    indirect enum Step: Sendable {
      /// Notes a number on an actor: on the one where the program is, or else on the way there.
      case note(Int)
      case noteOnMainActor(Int)
      case yield
      /// Takes a while, in which others get on.
      case work
      /// A task, isolated to the actor if the program is. Its maker waits for it at its own end.
      case task([Step])
      case detached([Step])
      case group([[Step]])
      /// Enters the actor for all of these.
      case visit([Step])
      /// Waits for a continuation, which the body resumes unless the program does.
      case wait
      case open
      /// Waits for an element of a stream.
      case receive
      case send
    }

    /// The notes of a run, in their order.
    private actor Desk {
      private(set) var notes: [Int] = []
      private var isOpen = false
      private var waiting: [CheckedContinuation<Void, Never>] = []
      private let stream = AsyncStream<Void>.makeStream()

      func note(_ number: Int) { notes.append(number) }

      func open() {
        isOpen = true
        let resumed = waiting
        waiting = []
        for continuation in resumed { continuation.resume() }
      }

      func wait() async {
        if !isOpen { await withCheckedContinuation { waiting.append($0) } }
      }

      func receive() async {
        for await _ in stream.stream { return }
      }

      func send() { stream.continuation.yield() }

      private static func work() { _ = (0..<200).reduce(0) { $0 &* 31 &+ $1 } }

      func perform(_ steps: [Step], _ board: Board) async {
        var made: [Task<Void, Never>] = []
        for step in steps {
          switch step {
          case .note(let number): notes.append(number)
          case .noteOnMainActor(let number): await board.note(number)
          case .yield: await Task.yield()
          case .work: Self.work()
          case .task(let steps): made.append(Task { await perform(steps, board) })
          case .detached(let steps): made.append(Task.detached { await Self.perform(steps, self, board) })
          case .group(let parts):
            await withTaskGroup { group in
              for part in parts { group.addTask { await self.perform(part, board) } }
            }
          case .visit(let steps): await perform(steps, board)
          case .wait: await wait()
          case .open: open()
          case .receive: await receive()
          case .send: send()
          }
        }
        for task in made { await task.value }
      }

      @concurrent static func perform(_ steps: [Step], _ desk: Desk, _ board: Board) async {
        var made: [Task<Void, Never>] = []
        for step in steps {
          switch step {
          case .note(let number): await desk.note(number)
          case .noteOnMainActor(let number): await board.note(number)
          case .yield: await Task.yield()
          case .work: Self.work()
          case .task(let steps): made.append(Task { await perform(steps, desk, board) })
          case .detached(let steps): made.append(Task.detached { await perform(steps, desk, board) })
          case .group(let parts):
            await withTaskGroup { group in
              for part in parts { group.addTask { await perform(part, desk, board) } }
            }
          case .visit(let steps): await desk.perform(steps, board)
          case .wait: await desk.wait()
          case .open: await desk.open()
          case .receive: await desk.receive()
          case .send: await desk.send()
          }
        }
        for task in made { await task.value }
      }
    }

    @MainActor private final class Board {
      private(set) var notes: [Int] = []

      nonisolated init() {}

      func note(_ number: Int) { notes.append(number) }
    }

    /// The orders of notes on the actor and on the main actor.
    private struct Orders: Hashable {
      let desk: [Int]
      let main: [Int]
    }

    private static func run(_ program: [[Step]], opens: Bool = true) async -> Orders {
      let (desk, board) = (Desk(), Board())
      let tasks = program.map { steps in Task.detached { await Desk.perform(steps, desk, board) } }
      if opens { await desk.open() }
      for task in tasks { await task.value }
      return await Orders(desk: desk.notes, main: board.notes)
    }

    /// Draws a program: a task with a few steps, beside a task that only notes a number.
    private static func program(_ random: inout SeededGenerator) -> [[Step]] {
      var number = 0
      func steps(_ depth: Int) -> [Step] {
        (0..<Int.random(in: 1...2, using: &random)).map { _ in
          number += 1
          switch Int.random(in: 0..<(depth == 0 ? 7 : 13), using: &random) {
          case 0, 1, 2: return .note(number)
          case 3: return .noteOnMainActor(number)
          case 4: return .wait
          case 5: return .yield
          case 6: return .work
          case 7, 8: return .task(steps(depth - 1))
          case 9: return .detached(steps(depth - 1))
          case 10: return .group([steps(0), steps(0)])
          default: return .visit(steps(depth - 1))
          }
        }
      }
      return [steps(2), [.note(0)]]
    }

    /// A program whose orders were not all seen: the task overtook every job on the way to the actor.
    private static let knownPrograms: [[[Step]]] = [[[.visit([.note(1), .work, .task([.note(2)])])], [.note(0)]]]

    /// Compares the orders of ordinary runs with the orders of all schedules. Returns `false` for a program with too many
    /// schedules, or one order alone.
    private static func check(_ program: [[Step]]) async throws -> Bool {
      let (orders, order) = AsyncStream<Orders>.makeStream()
      let all = try await Schedules.explore(1_000, strategy: .enumeration(preemptions: .max, isReduced: true)) { _ in
        order.yield(await run(program))
      }
      order.finish()
      let possible = await orders.reduce(into: Set()) { $0.insert($1) }
      guard all.isComplete, possible.count > 1 else { return false }
      for _ in 0..<SeededGenerator.rounds(100, long: 50_000) {
        let order = await run(program)
        if !possible.contains(order) {
          Issue.record("\(program) has the order \(order), which is none of \(possible)")
          break
        }
      }
      return true
    }

    @Test(.enabled(if: Schedules.reduces))
    func `an order of ordinary runs is one of an enumeration`() async throws {
      for program in Self.knownPrograms { #expect(try await Self.check(program)) }
      var random = SeededGenerator.forFuzzing("ordinary orders")
      var programs = Self.knownPrograms.count
      while programs < SeededGenerator.rounds(4, long: 200) {
        if try await Self.check(Self.program(&random)) { programs += 1 }
      }
    }

    /// Ways in which an actor makes a job ready that returns to it without a hop, and notes 1 after 0.
    static let ways: [[[Step]]] = [
      [[.visit([.note(0), .task([.note(1)])])]],
      [[.visit([.note(0), .group([[.note(1)]])])]],
      [[.visit([.wait, .note(1)])], [.visit([.note(0), .open])]],
      // The task returns from the group's own code, and then from a continuation.
      [[.visit([.group([[]]), .wait, .note(1)])], [.visit([.note(0), .open])]],
      [[.visit([.receive, .note(1)])], [.visit([.note(0), .send])]],
    ]

    @Test(arguments: ways)
    func `a caller on its way to an actor comes before what the actor has made ready itself`(
      _ way: [[Step]]
    ) async throws {
      let (orders, order) = AsyncStream<[Int]>.makeStream()
      let all = try await Schedules.explore(100_000, strategy: .enumeration(preemptions: 2)) { _ in
        order.yield(await Self.run(way + [[.note(2)]], opens: false).desk)
      }
      order.finish()
      let seen = await orders.reduce(into: Set()) { $0.insert($1) }
      #expect(all.isComplete && seen.isSuperset(of: [[0, 1, 2], [0, 2, 1], [2, 0, 1]]), "\(seen)")
    }
  }
#endif
