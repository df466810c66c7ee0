import Rowcast
import RowcastConsole
import RowcastPlatform
import RowcastTestSupport
import Testing

@testable import RowcastDemo

@Suite(.watched) struct SessionTests {
  /// A session that writes nothing.
  private func session(updates: [Update]) throws -> Session {
    let run = ScenarioRun(
      options: try Options(["--json", "--quiet"]), store: Store(), pacer: Pacer(lockstep: false),
      diagnostics: Diagnostics(isQuiet: true, isDeferred: false), board: SourceBoard(), hasKeys: false)
    let scenario = PreparedScenario(
      source: {},
      updates: {
        let (stream, continuation) = AsyncStream.makeStream(of: Update.self)
        for update in updates { continuation.yield(update) }
        continuation.finish()
        return stream
      })
    return Session(
      run: run, scenario: scenario, output: OutputPlan(try Options(["--json"]), scenario: .feed, environment: [:]))
  }

  @Test func `an update that the table refuses ends with exit code 3, the rule and its message`() async throws {
    let list = try Snapshot([ListSection(Group(id: "a"), rows: [Item(id: "1")])])
    let changes = ListChanges(rows: .init(deletes: [RowPath(section: 0, row: 7)]))
    let session = try session(updates: [
      Update(initial: list, revision: 0), Update(revision: 1, previous: 0, changes: changes, snapshot: list),
    ])
    let error = try #require(await #expect(throws: ExitError.self) { try await session.show() })
    let reason = error.description
    #expect(error.exitCode == 3)
    #expect(reason.contains("0-7"), "\(reason)")
    #expect(reason.firstMatch(of: /[A-Z][0-9]+/) != nil, "\(reason) names no rule")
  }

  @Test func `every ending has its exit code`() {
    let codes: [(ConsoleEnding, Int32)] = [
      (.finished, 0), (.limitReached, 0), (.quit, 0), (.outputClosed, 0), (.signalled(.interrupt), 130),
      (.signalled(.terminate), 143),
    ]
    for (ending, code) in codes { #expect(ending.exitCode == code, "\(ending)") }
    #expect(ExitError(CancellationError()).exitCode == 1)
    #expect(ExitError(SystemError.failed("")).exitCode == 1)
    #expect(ExitError(TableError.unregistered(identifier: "")).exitCode == 3)
  }

  @Test func `undo goes back one update at a time, and does not undo itself`() throws {
    let lists = try (0...3).map { count in
      try Snapshot([ListSection(Group(id: "a"), rows: (0..<count).map { Item(id: "\($0)") })])
    }
    var history = UndoHistory()
    history.remember(Snapshot(), before: Update(initial: lists[0], revision: 0))
    func update(_ from: Int, _ to: Int) -> Update {
      Update(revision: 9, previous: 8, changes: lists[from].changes(to: lists[to]), snapshot: lists[to])
    }
    history.remember(lists[0], before: update(0, 1))
    history.remember(lists[1], before: update(1, 2))
    #expect(history.goBack() == lists[1])
    history.remember(lists[2], before: update(2, 1))
    #expect(history.goBack() == lists[0])
    history.remember(lists[1], before: update(1, 0))
    #expect(history.goBack() == nil)
  }

  @Test func `how sources are doing is known to whoever asks late`() async {
    let board = SourceBoard()
    let noRoute = FileError(reason: "no route")
    await board.report("a", .live)
    await board.report("b", .waiting(attempt: 1, delay: .zero, error: noRoute))
    await board.report("a", .ended)
    for await reports in board.changes {
      #expect(
        reports == [
          .init(name: "a", status: .ended),
          .init(name: "b", status: .waiting(attempt: 2, delay: .zero, error: noRoute)),
        ])
      break
    }
  }
}
