import RowcastSchedules
import Testing

@testable import RowcastConsole

/// The order in which the actions of keys begin.
@Suite(.watched) struct KeyOrderTests {
  /// A terminal that sends keys in one burst once the list is shown, and is closed when a stream has ended.
  private final class Burst: AppTerminal {
    private let keys: [Key]
    private let isOver: AsyncStream<Void>
    private let (isShown, show) = AsyncStream.makeStream(of: Void.self)
    private(set) var isEntered = false

    init(_ keys: [Key], until isOver: AsyncStream<Void>) { (self.keys, self.isOver) = (keys, isOver) }

    var hasKeys: Bool { true }
    var usesManualClock: Bool { true }
    var reportedSize: TerminalSize? { TerminalSize(columns: 40, lines: 6) }
    var writer: @Sendable (String, _ whenWritten: @escaping @Sendable () -> Void) async throws -> Void { { $1() } }

    func enter(usingMouse: Bool, asking questions: String) { isEntered = true }
    func leave() { isEntered = false }
    func settled(_ number: Int) { show.finish() }

    func listen(_ take: @escaping @Sendable (TerminalInput) -> Void) -> Task<Void, Never> {
      Task { [keys, isOver, isShown] in
        take(.settle(1))
        for await _ in isShown {}
        for key in keys { take(.key(key)) }
        for await _ in isOver {}
        take(.ended)
      }
    }
  }

  /// Keys of a command, and what its action notes.
  private typealias Command = (keys: [Key], name: String)

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `actions begin in the order of their keys, whatever kinds of commands they are`() async throws {
    var random = SeededGenerator.forFuzzing("bursts of keys")
    let kinds: [Command] = [
      (["a"], "a"), (["b"], "b"), (["u"], "undo"), ([.control("r")], "redo"), (["w", "y", .enter], "w: y"),
      (["d", "y"], "d"), ([":", "b", "u", "r", .enter], "burst"),
    ]
    for _ in 0..<SeededGenerator.rounds(4, long: 200) {
      var commands = (0..<8).map { _ in kinds.randomElement(using: &random) ?? kinds[0] }
      // A command of a prompt takes one text at a time, so there is only one.
      commands.insert((["t", "x", .enter], "t: x"), at: Int.random(in: 0...8, using: &random))
      try await explore(commands)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private func explore(_ commands: [Command]) async throws {
    try await Schedules.explore(100) { run in
      let (begun, begin) = AsyncStream.makeStream(of: String.self)
      let (isOver, end) = AsyncStream.makeStream(of: Void.self)
      let act: @Sendable (String) async -> String? = { name in
        begin.yield(name)
        // No action waits for the end of another one.
        for await _ in AsyncStream<Void>(Void.self, { _ in }) {}
        return nil
      }
      let store = try TestStore.rows(3)
      var app = testApp(store)
      app.keys = [
        KeyCommand("a", label: "a", help: "") { _ in await act("a") },
        KeyCommand("b", label: "b", help: "") { _ in await act("b") },
        KeyCommand(label: "burst", help: "") { _ in await act("burst") },
        KeyCommand("t", label: "t", help: "", prompt: "t: ") { await act("t: \($0)") },
        KeyCommand("w", label: "w", help: "", sending: "w: ") { await act("w: \($0)") },
        KeyCommand("d", label: "d", help: "", asking: { _ in "d?" }) { _ in await act("d") },
      ]
      app.onUndo = { await act("undo") }
      app.onRedo = { await act("redo") }
      // The question is about the focused row.
      app.terminal = Burst([.down] + commands.flatMap(\.keys), until: isOver)
      let order = Task {
        defer { end.finish() }
        return await begun.prefix(commands.count).reduce(into: [String]()) { $0.append($1) }
      }
      _ = try await app.run()
      let names = await order.value
      try run.expect(names == commands.map(\.name), "\(names) in place of \(commands.map(\.name))")
      withExtendedLifetime(store) {}
    }
  }
}
