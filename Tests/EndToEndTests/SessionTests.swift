import RowcastSchedules
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
      (.finished, 0), (.limitReached, 0), (.quit, 0), (.outputClosed, 0), (.signalled(2), 130), (.signalled(15), 143),
    ]
    for (ending, code) in codes { #expect(ending.exitCode == code, "\(ending)") }
    #expect(ExitError(CancellationError()).exitCode == 1)
    #expect(ExitError(TableError.unregistered(identifier: "")).exitCode == 3)
  }

  @Test func `undo goes back one edit at a time, redo goes on, and an edit forgets what was taken back`() async throws {
    let store = Store()
    let undo = ListUndo(store, limit: 10)
    await undo.note()
    func edit(_ id: String) async throws {
      try await store.edit {
        if $0.index(ofSection: "a") == nil { try $0.append(Group(id: "a")) }
        try $0.append(Item(id: id), to: "a")
      }
      await undo.note()
    }
    for id in ["1", "2", "3"] { try await edit(id) }
    func expect(_ given: String?, _ list: String, _ answer: String? = nil) async {
      let ids = await store.snapshot.allRows.map(\.id).joined()
      #expect(given == answer && ids == list)
    }
    await expect(undo.undo(), "12")
    // The update of an undo is not an edit.
    await undo.note()
    await expect(undo.undo(), "1")
    await expect(undo.redo(), "12")
    try await edit("4")
    await expect(undo.redo(), "124", "nothing to redo")
    for list in ["12", "1", ""] { await expect(undo.undo(), list) }
    await expect(undo.undo(), "", "nothing to undo")
    for number in 10..<30 { try await edit("\(number)") }
    var count = 0
    while await undo.undo() == nil { count += 1 }
    #expect((5...10).contains(count), "\(count) edits are kept")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `undo goes back one edit at a time beside whoever notes each update`() async throws {
    try await Schedules.explore(300) { _ in
      let store = Store()
      let undo = ListUndo(store)
      await undo.note()
      try await store.edit { try $0.append(Group(id: "a")) }
      await undo.note()
      try await store.edit { try $0.append(Item(id: "1"), to: "a") }
      let noting = Task { for await _ in store.updates() { await undo.note() } }
      for sections in [1, 0] {
        _ = await undo.undo()
        let list = await store.snapshot
        if list.sectionCount != sections || list.rowCount != 0 { throw Mismatch("\(list)") }
      }
      await store.finish()
      await noting.value
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `two keys go back twice, and an event between them is a step of its own`() async throws {
    try await Schedules.explore(300) { _ in
      let store = Store()
      let undo = ListUndo(store)
      await undo.note()
      for id in ["a", "b"] {
        try await store.edit { try $0.append(Group(id: id)) }
        await undo.note()
      }
      async let others = (undo.undo(), undo.undo())
      _ = await (undo.undo(), others)
      if await store.snapshot.sectionCount != 0 { throw Mismatch("\(await store.snapshot)") }
      async let second = undo.redo()
      _ = await (undo.redo(), second)
      if await store.snapshot.sectionCount != 2 { throw Mismatch("\(await store.snapshot)") }
      // An event beside an undo is taken back, or what was before it is; and then the other.
      async let event: Void = {
        try await store.edit { try $0.append(Group(id: "c")) }
        await undo.note()
      }()
      _ = await undo.undo()
      try await event
      let sections = await store.snapshot.contents.map(\.section.id)
      if ![["a", "b"], ["a", "c"]].contains(sections) { throw Mismatch("\(sections)") }
      if sections == ["a", "c"] { _ = await undo.undo() }
      if await store.snapshot.contents.map(\.section.id).first != "a" { throw Mismatch("\(await store.snapshot)") }
    }
  }
}
