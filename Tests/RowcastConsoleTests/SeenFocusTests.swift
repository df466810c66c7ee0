import Testing

@testable import RowcastConsole

/// Keys act on the row that a person saw focused when pressing them.
@Suite(.watched) struct SeenFocusTests {
  /// A terminal that takes a frame when the test lets it.
  private final class SlowTerminal: AppTerminal {
    let hasKeys = true
    private(set) var isEntered = false
    let reportedSize: TerminalSize? = TerminalSize(columns: 60, lines: 10)
    let input: AsyncStream<TerminalInput>
    let board: Board
    var writer: @Sendable (String, _ whenWritten: @escaping @Sendable () -> Void) async throws -> Void {
      { [board] text, whenWritten in
        await board.take(text)
        whenWritten()
      }
    }

    init(_ input: AsyncStream<TerminalInput>, _ board: Board) { (self.input, self.board) = (input, board) }

    func enter(usingMouse: Bool, asking questions: String) { isEntered = true }
    func leave() { isEntered = false }
    func listen(_ take: @escaping @Sendable (TerminalInput) -> Void) -> Task<Void, Never> {
      Task { [input, board] in
        for await element in input {
          take(element)
          await board.noteInput()
        }
      }
    }
  }

  private actor Board {
    var (frames, deleted, inputCount): ([String], [Int], Int) = ([], [], 0)
    private var gate: Gate?

    func hold() -> Gate {
      let gate = Gate()
      self.gate = gate
      return gate
    }

    func take(_ frame: String) async {
      frames.append(frame)
      await gate?.pass()
    }

    func noteInput() { inputCount += 1 }
    func delete(_ id: Int) { deleted.append(id) }
    func shows(_ texts: String...) -> Bool { frames.contains { frame in texts.allSatisfy(frame.contains) } }
  }

  @Test func `a key does nothing while its row has left, and the screen shows it still, and says so`() async throws {
    let store = try TestStore.rows(6)
    let (input, type) = AsyncStream.makeStream(of: TerminalInput.self)
    let board = Board()
    var app = testApp(store)
    let taken = CallCount()
    (app.framesPerSecond, app.terminal) = (1_000, SlowTerminal(input, board))
    app.onDelete = { await board.delete($0) }
    app.onUpdate = { _ in taken.note(()) }
    let test = Task {
      await eventually { await board.shows("row 6") }
      for key in [Key.down, .down, .down] { type.yield(.key(key)) }
      // Each key may have had a frame of its own.
      await eventually { await board.shows("▸", "row 3") }
      // Row 3 has the focus, and is seen. The terminal takes the frame without it, which is not visible yet.
      type.yield(.key(.delete))
      await eventually { await board.deleted == [3] }
      let gate = await board.hold()
      try await store.edit { try $0.remove(3) }
      // A frame may still be the key's.
      await eventually { taken.value == 2 }
      for key in [Key.delete, .enter] { type.yield(.key(key)) }
      // The app has them before it hears that the frame was taken.
      await eventually { await board.inputCount == 6 }
      await gate.open()
      await eventually { await board.shows("nothing was done") }
      #expect(await board.deleted == [3])
      type.yield(.key("q"))
    }
    #expect(try await app.run() == .quit)
    try await test.value
  }

  @Test func `an edit waits for one that the app has not answered, and is not made if its row leaves meanwhile`()
    async throws
  {
    let store = try TestStore.rows(4)
    let (board, gate) = (Board(), Gate())
    try await onScreen(store) {
      $0.onDelete = { id in
        await board.delete(id)
        await gate.pass()
      }
    } _: { screen in
      try await screen.press("j", .delete, "j", .delete, "j", .delete)
      await eventually { await board.deleted == [1] }
      try await store.edit { try $0.remove(2) }
      try await screen.expect("the list without row 2") { $0[0].contains("3 rows") }
      #expect(await board.deleted == [1])
      await gate.open()
      await eventually { await board.deleted == [1, 3] }
      try await screen.expect("the reason") { $0.last?.contains("nothing was deleted") ?? false }
    }
  }

  @Test func `a key acts on the row that a key before it has focused, also before a frame shows that`() async throws {
    var app = testApp(try TestStore.rows(4))
    app.onDelete = { _ in }
    let screen = try await StepScreen(app, columns: 60, lines: 10)
    for key in [Key.down, .down, .delete] { try await screen.take(.key(key), draws: false) }
    #expect(await screen.works.count == 1)
  }
}
