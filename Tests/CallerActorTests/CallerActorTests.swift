import Dispatch
import Foundation
import Rowcast
import RowcastConsole
import RowcastSchedules
import RowcastTesting
import RowcastTestSupport
import Testing

/// Where a caller must be again after each call. Its queue says so: an assertion of isolation may be left out of optimised code.
private protocol Home: Actor {
  nonisolated var isCurrent: Bool { get }
}

/// An actor with a queue of its own.
private actor QueueActor: Home {
  private static let current = DispatchSpecificKey<Bool>()

  private final class Executor: SerialExecutor {
    let queue = DispatchQueue(label: "actor of a test")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }

  private let executor = Executor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  init() { executor.queue.setSpecific(key: Self.current, value: true) }

  nonisolated var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.current) == true }
}

private let mainQueue = DispatchSpecificKey<Bool>()

extension MainActor: Home {
  nonisolated var isCurrent: Bool { DispatchQueue.getSpecific(key: mainQueue) == true }
}

/// Calls that are deprecated, as a requirement that is not.
private protocol FormerCalls {
  func rearrange(
    _ list: ArrangedList<TestSection, TestRow>, _ check: HomeCheck, on home: isolated (any Actor)?) async
}

private struct Refused: Error {}

private struct Phased: PhasedSection {
  let id: String
  var phase = SectionPhase.idle
}

private struct Shop: Codable {
  var rows: WireMessage<SoleSection, TestRow>?
}

private struct Note: ConsoleRow {
  let id: Int
  var title: String { "note" }
  var subtitle: String? { nil }
}

/// Holds each line of a caller to its actor.
private struct HomeCheck {
  let isHome: @Sendable () -> Bool

  init(_ home: some Home) {
    DispatchQueue.main.setSpecific(key: mainQueue, value: true)
    isHome = { home.isCurrent }
  }

  @inline(never)
  func callAsFunction(_ call: String, _ location: SourceLocation = #_sourceLocation) {
    #expect(isHome(), "not on the caller's actor after \(call)", sourceLocation: location)
  }
}

@Suite struct `After every call the caller is on its own actor again`: FormerCalls {
  private func calls(on home: isolated some Home) async {
    let check = HomeCheck(home)
    check("nothing")
    let store = ListStore<TestSection, TestRow>(history: .last(10))
    let number = try? await store.edit { list in
      try list.append(TestSection("a"))
      try list.append(TestRow(1), to: "a")
      return 1
    }
    check("edit, \(number ?? 0)")
    try? await store.edit { list in _ = try? list.update(1) { $0.text = "x" } }
    check("edit without a result")
    try? await store.edit { _ in throw Refused() }
    check("edit that throws")
    _ = try? await store.edit { _ -> Int in throw Refused() }
    check("edit with a result that throws")
    try? await store.replace(with: TestSnapshot.of(("a", [1, 2]), ("b", [])))
    check("replace")
    let snapshot = await store.snapshot
    check("snapshot of \(snapshot.rowCount)")
    _ = await store.revision
    check("revision")
    let position = await store.position
    check("position")
    let message = await store.message(since: nil)
    check("message")
    _ = await store.message(since: position)
    check("message since a position")

    var updates = store.updates().makeAsyncIterator()
    _ = await updates.next(isolation: home)
    check("an update")
    var resumed = store.updates(since: position).makeAsyncIterator()
    try? await store.edit { list in _ = try list.append(TestRow(3), to: "b") }
    _ = await resumed.next(isolation: home)
    check("an update since a position")

    let mirror = MirroredList<TestSection, TestRow>()
    if let message { _ = try? await mirror.receive(message) }
    check("receive")
    _ = (await mirror.snapshot, await mirror.revision, await mirror.position, await mirror.state)
    _ = await mirror.checkpoint
    check("the properties of a mirror")
    let encoded = EncodedList(store) { _ in 1 }
    var lines = encoded.lines(since: nil).makeAsyncIterator()
    _ = try? await lines.next(isolation: home)
    check("a line")
    let paced = EncodedList(store, every: .milliseconds(1)) { _ in 1 }
    var pacedLines = paced.lines(heartbeat: .milliseconds(1)).makeAsyncIterator()
    for _ in 0..<2 { _ = try? await pacedLines.next(isolation: home) }
    check("a heartbeat")
    _ = await paced.figures
    check("figures")

    let list = try? ListStore([TestRow(2), TestRow(1)])
    try? await list?.set([TestRow(1), TestRow(2), TestRow(3)])
    check("set")
    try? await list?.set([TestRow(1), TestRow(1)])
    check("set that throws")

    await transactions(check)
    await views(of: store, check)
    await sources(of: store, check)
    await archives(check)
    await store.finish()
    check("finish")
    try? await store.edit { _ in }
    check("edit of a finished store")
    _ = await updates.next(isolation: home)
    check("the last update")
    _ = await updates.next(isolation: home)
    check("the end")
  }

  private func transactions(_ check: HomeCheck, on home: isolated (any Actor)? = #isolation) async {
    let space = ListSpace()
    let (one, two, three) = (
      space.store(of: TestRow.self), space.store(of: TestRow.self), space.store(of: TestRow.self)
    )
    _ = try? await space.edit(one, two) { one, _ in try one.upsert(TestRow(1)) }
    check("a transaction over two stores")
    _ = try? await space.edit(one, two) { _, _ in throw Refused() }
    check("a transaction over two stores that throws")
    _ = try? await space.edit(one, two, three) { one, _, _ in one.snapshot.rowCount }
    check("a transaction over three stores")
    _ = try? await space.edit(one, two, one) { _, _, _ in }
    check("a transaction over stores that are refused")
  }

  @available(*, deprecated)
  fileprivate func rearrange(
    _ list: ArrangedList<TestSection, TestRow>, _ check: HomeCheck, on home: isolated (any Actor)?
  ) async {
    let text = "x"
    await list.rearrange { $0.filter { !$0.text.contains(text) } }
    check("rearrange")
    await list.rearrange(by: Arrangement<TestSection, TestRow, TestSection, TestRow>())
    check("rearrange by a value")
  }

  private func views(
    of store: ListStore<TestSection, TestRow>, _ check: HomeCheck, on home: isolated (any Actor)? = #isolation
  ) async {
    let arranged = store.arranged { $0.filter { $0.id > 0 } }
    _ = (await arranged.snapshot, await arranged.revision, await arranged.failures)
    check("the properties of an arranged list")
    let expansion = OutlineExpansion<Int>()
    await expansion.prune(keeping: [1])
    check("prune")
    await expansion.expand(1)
    check("expand")
    await expansion.collapse(1)
    check("collapse")
    await expansion.expandAll()
    check("expandAll")
    await expansion.collapseAll()
    check("collapseAll")
    _ = await arranged.explain(1)
    check("explain")
    let query = Parameter(0)
    await query.set(1)
    check("a parameter that is set")
    _ = await query.value
    check("the value of a parameter")
    let found = store.arranged { $0.filter(by: query) { $0.id > $1 } }
    for await _ in found.updates() { break }
    check("an update of a list that reads a parameter")
    await (self as any FormerCalls).rearrange(arranged, check, on: home)
    for await _ in arranged.updates() { break }
    check("an update of an arranged list")
    let merged = MergedList(store, store)
    _ = (await merged.snapshot, await merged.revision)
    check("the properties of a merged list")
    let joined = store.joined(with: store, on: \.id) { row, _ in row }
    _ = (await joined.snapshot, await joined.revision, await joined.failures)
    check("the properties of a joined list")
    let shown = OptimisticList(store)
    _ = (await shown.snapshot, await shown.revision, await shown.pending.value)
    check("the properties of an optimistic list")
    try? await shown.edit { list in
      try list.update(1) { $0.text += "!" }
    } confirming: {
      // A closure is on the actor of a parameter that it captures.
      _ = home
      check("a confirmation")
      await Task.yield()
      check("a confirmation after a wait")
    }
    check("a confirmed edit")
    try? await shown.edit { list in
      _ = try list.remove(1)
    } confirming: {
      throw CancellationError()
    }
    check("a refused edit")
    try? await shown.edit { list in
      _ = try list.remove(9_999)
    } confirming: {
    }
    check("an edit that does not apply")
    let mirror = MirroredList<TestSection, TestRow>()
    if let message = await store.message(since: nil) { _ = try? await mirror.receive(message) }
    let mirrored = OptimisticList(mirror)
    _ = try? await mirrored.editMirror(until: \.self) { list in
      try list.update(1) { $0.text += "!" }
    } confirming: {
      _ = home
      check("a confirmation of an edit of a mirror")
      return await mirror.position ?? ListPosition(epoch: "", revision: 0)
    }
    check("an edit of a mirror")
    try? await shown.edit { list in
      try list.update(1) { $0.text += "?" }
    } confirming: {
    } until: {
      $0.row(1) != nil
    }
    check("an edit that the store has by itself")
    _ = await store.rowCount.value
    check("a watched count")
    var rows = store.row(1).updates().makeAsyncIterator()
    _ = await rows.next(isolation: home)
    check("a watched row")
  }

  private func archives(_ check: HomeCheck, on home: isolated (any Actor)? = #isolation) async {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rowcast-\(UUID())")
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    guard
      let archive = try? ListArchive<TestSection, TestRow>(at: folder.appendingPathComponent("list").path),
      let store = try? archive.open()
    else {
      Issue.record("there is no archive")
      return
    }
    try? await store.edit { list in try list.append(TestSection("a")) }
    try? await archive.flush()
    check("flush")
    try? await archive.beginRun()
    _ = await archive.lag
    check("beginRun")
    try? await archive.compact()
    check("compact")
    _ = (await archive.snapshot, await archive.revision)
    check("the properties of an archive")
    _ = try? await archive.open(following: MirroredList<TestSection, TestRow>())
    check("following a mirror")
    var updates = archive.updates(since: nil).makeAsyncIterator()
    _ = await updates.next(isolation: home)
    check("an update of an archive")
    try? await archive.close()
    check("close")
    var statuses = archive.statuses.makeAsyncIterator()
    _ = await statuses.next(isolation: home)
    check("a status of an archive")
  }

  private func sources(
    of store: ListStore<TestSection, TestRow>, _ check: HomeCheck, on home: isolated (any Actor)? = #isolation
  ) async {
    let binding = store.attach(AsyncStream<Int> { $0.finish() }) { _, _ in }
    _ = await binding.outcome
    check("outcome")
    _ = await binding.run()
    check("run")
    _ = await binding.status
    check("status")
    await binding.retry()
    check("retry")
    let phased = ListStore<Phased, TestRow>()
    _ = try? await phased.attach([SectionSource(Phased(id: "a"), rows: { AsyncStream<[TestRow]> { $0.finish() } })])
    check("attach")
    let paging = Paging(phased, section: "a", query: 0) { (query: Int, _: Int?) in
      .init(rows: [TestRow(100 + query)], next: nil)
    }
    await paging.demand()
    check("demand")
    await paging.reload()
    check("reload")
    await paging.change(to: 1)
    check("change of a query")
    _ = (await paging.query, await paging.isComplete, await paging.failure)
    check("the properties of paging")
    var polls = Polling(every: .zero) { _ in 1 }.makeAsyncIterator()
    _ = try? await polls.next()
    check("a poll")
    let null = FileHandle(forReadingAtPath: "/dev/null") ?? .standardInput
    var lines = FileLines(descriptor: null.fileDescriptor, keeping: null).makeAsyncIterator()
    _ = try? await lines.next()
    check("a line of a file")
    var followed = FollowedFile(#filePath, from: .lastLines(1)).makeAsyncIterator()
    _ = try? await followed.next()
    check("a line of a followed file")
    var states = WatchedPath(#filePath).makeAsyncIterator()
    _ = try? await states.next()
    check("the state of a path")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private func spaces(_ check: HomeCheck, on home: isolated (any Actor)? = #isolation) async {
    let space = ListSpace()
    let store = space.store(of: TestRow.self)
    var encoded = EncodedSpace(Shop()) { $0 }
    encoded.add(store, as: \.rows)
    var mirrors = MirroredSpace<Shop>()
    let mirror = mirrors.list(\.rows)
    let positions = await mirrors.beginStream()
    check("beginStream")
    var lines = encoded.lines(since: positions).makeAsyncIterator()
    let line = await lines.next(isolation: home)
    check("a line of a space")
    if let line { try? await mirrors.receive(line) }
    check("receive of a space")
    _ = await mirror.snapshot
    check("a list of a space")
  }

  private func tests(
    of store: ListStore<SoleSection, TestRow>, _ check: HomeCheck, on home: isolated (any Actor)? = #isolation
  ) async {
    _ = try? await UpdateRecorder.record(store) { recorder in try await recorder.expectInitial() }
    check("record")
    let recorder = UpdateRecorder(store)
    _ = try? await recorder.next()
    check("next of a recorder")
    _ = try? await recorder.expectNothing()
    check("expectNothing")
    try? await store.set([])
    _ = try? await recorder.expect("fewer rows") { $0.snapshot.rowCount == 0 }
    check("expect with a condition")
    try? await store.set([TestRow(1)])
    _ = try? await recorder.expect(rows: Changeset(inserts: [RowPath(section: 0, row: 0)]))
    check("expect")
    try? await recorder.expectEnd()
    check("expectEnd")
    _ = try? await Schedules.replay(1) { run in try await run.clock.sleep(for: .seconds(1)) }
    check("replay")
    _ = try? await Schedules.explore(2) { _ in await Task.yield() }
    check("explore")
    let log = CallLog<Int, Int>()
    await log.record(1) {
      await Task.yield()
      return 1
    }
    check("record")
    let notes = try? ListStore([Note(id: 1)])
    guard let notes else { return }
    var app = ConsoleApp(notes, columns: [ConsoleColumn("ID", width: 4) { $0.title }])
    app.updateLimit = 1
    app.sink = LogSink { _ in }
    _ = try? await app.run()
    check("run")
    try? await ConsoleScreen.show(app) { try await use($0) }
    check("show")
  }

  @MainActor private func use(_ screen: ConsoleScreen) async throws {
    let check = HomeCheck(MainActor.shared)
    try await screen.type("/a")
    check("type")
    try await screen.paste("b")
    check("paste")
    try await screen.press(.escape)
    check("press")
    try await screen.click(line: 0, column: 0)
    check("click")
    try await screen.turnWheel(1)
    check("turnWheel")
    try await screen.resize(columns: 40, lines: 9)
    check("resize")
    try await screen.advance(by: .seconds(1))
    check("advance")
    try await screen.press("q")
  }

  @MainActor private func callsOfMain() async {
    let check = HomeCheck(MainActor.shared)
    let store = try? ListStore([TestRow(1)])
    try? await store?.edit { list in try list.upsert(TestRow(2)) }
    check("edit")
    try? await store?.edit { _ in throw Refused() }
    check("edit that throws")
    _ = try? await store?.edit { $0.snapshot.rowCount }
    check("edit with a result")
    try? await store?.set([TestRow(1)])
    check("set")
    try? await store?.replace(with: ListSnapshot())
    check("replace")
    guard let store else { return }
    let plan = Parameter(Arrangement<SoleSection, TestRow, SoleSection, TestRow>())
    let arranged = store.arranged(by: plan)
    await plan.set(.init().filter { !$0.text.isEmpty })
    check("an arrangement that is set")
    _ = await arranged.snapshot
    check("a list of an arrangement that is set")
    if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *) {
      let model = ListModel(store)
      try? await model.edit { list in try list.set([TestRow(1)]) }
      check("edit of a model")
      try? await model.edit { _ in throw Refused() }
      check("edit of a model that throws")
      await model.showNewest()
      check("the newest list of a model")
    }
    await store.finish()
    check("finish")
    try? await store.set([])
    check("set of a finished store")
  }

  private func callsOfTests(on home: isolated some Home) async {
    guard let store = try? ListStore([TestRow(1)]) else { return }
    await tests(of: store, HomeCheck(home))
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) { await spaces(HomeCheck(home)) }
  }

  @Test func `on the main actor`() async {
    await callsOfTests(on: MainActor.shared)
    for _ in 0..<20 {
      await calls(on: MainActor.shared)
      await callsOfMain()
    }
  }

  @Test func `on an actor with a queue of its own`() async {
    await callsOfTests(on: QueueActor())
    for _ in 0..<20 { await calls(on: QueueActor()) }
  }

  @Test func `in a task that was cancelled`() async {
    for isOnMain in [true, false] {
      let gate = Gate()
      let task = Task {
        await gate.pass()
        if isOnMain { await calls(on: MainActor.shared) } else { await calls(on: QueueActor()) }
      }
      task.cancel()
      await gate.open()
      await task.value
    }
  }
}
