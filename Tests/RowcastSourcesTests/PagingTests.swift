import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore
@testable import RowcastSources

/// A server of numbered rows, whose answers a test lets go one by one.
actor PageServer {
  struct Down: Error, CustomStringConvertible {
    var description: String { "server is down" }
  }

  typealias Pages = Paging<PhasedTestSection, TestRow, String, Int>

  private(set) var requests: [String] = []
  private(set) var most = 0
  private var underWay = 0
  private var gates: [Gate] = []
  private var isGated: Bool
  private var failures: Int

  init(isGated: Bool = false, failures: Int = 0) {
    self.isGated = isGated
    self.failures = failures
  }

  /// Three rows a page, three pages; the ids begin at 100 for each letter of the query.
  func page(_ query: String, _ cursor: Int?) async throws -> Pages.Page {
    let number = cursor ?? 0
    requests.append("\(query)\(number)")
    underWay += 1
    most = max(most, underWay)
    defer { underWay -= 1 }
    if isGated {
      let gate = Gate()
      gates.append(gate)
      await gate.pass()
    }
    await Task.yield()
    if failures > 0 {
      failures -= 1
      throw Down()
    }
    let first = query.count * 100 + number * 3
    return .init(rows: (first..<first + 3).map { TestRow($0) }, next: number < 2 ? number + 1 : nil)
  }

  /// Lets the answer to a request go.
  func answer(_ request: Int) async { await gates[request].open() }

  /// Lets the answers to all requests go, also to later ones.
  func answerAll() async {
    isGated = false
    for gate in gates { await gate.open() }
  }
}

@Suite(.watched) struct PagingTests {
  private func make(
    _ server: PageServer, at edge: PagingEdge = .bottom, rows: [Int] = []
  ) async throws -> (PhasedStore, PageServer.Pages) {
    let store = PhasedStore()
    try await store.edit { try $0.append(PhasedTestSection(id: "a"), rows: rows.map { TestRow($0) }) }
    let paging = PageServer.Pages(store, section: "a", at: edge, query: "x") { try await server.page($0, $1) }
    return (store, paging)
  }

  private func ids(_ store: PhasedStore) async -> [Int] { await store.snapshot.rows(inSection: 0).map(\.id) }
  private func phase(_ store: PhasedStore) async -> SectionPhase { await store.snapshot.section(at: 0).phase }

  @Test func `pages follow each other to the last one`() async throws {
    let server = PageServer()
    let (store, paging) = try await make(server)
    #expect(await phase(store) == .idle)
    for count in 1...3 {
      await paging.demand()
      #expect(await ids(store) == Array(100..<100 + 3 * count))
    }
    #expect(await paging.isComplete)
    await paging.demand()
    #expect(await server.requests == ["x0", "x1", "x2"])
    #expect(await phase(store) == .loaded)
  }

  @Test func `a list that was complete is demanded again after a reload that failed`() async throws {
    let requests = CallCount()
    let (store, _) = try await make(PageServer())
    let paging = PageServer.Pages(store, section: "a", query: "x") { _, _ in
      requests.note(())
      if requests.value == 2 { throw PageServer.Down() }
      return .init(rows: [TestRow(requests.value)], next: nil)
    }
    await paging.demand()
    await paging.reload()
    #expect(await paging.failure is PageServer.Down)
    #expect(await !paging.isComplete)
    await paging.demand()
    #expect(await ids(store) == [3])
    #expect(await paging.isComplete)
  }

  @Test func `demands that wait end when the section is gone and the query changes`() async throws {
    let server = PageServer(isGated: true)
    let (store, paging) = try await make(server)
    let first = Task { await paging.demand() }
    await eventually { await server.requests.count == 1 }
    let second = Task { await paging.demand() }
    await eventually { await paging.waitingCount == 1 }
    try await store.edit { try $0.removeSection("a") }
    await paging.change(to: "xx")
    await second.value
    await server.answer(0)
    await first.value
    #expect(await server.requests == ["x0"])
    #expect(await paging.failure is ListError<String, Int>)
  }

  @Test func `a history grows at its top`() async throws {
    let (store, paging) = try await make(PageServer(), at: .top)
    for _ in 0..<2 { await paging.demand() }
    #expect(await ids(store) == [103, 104, 105, 100, 101, 102])
  }

  @Test func `rows that are there already are brought up to date where they are`() async throws {
    let store = PhasedStore()
    try await store.edit { try $0.append(PhasedTestSection(id: "a")) }
    let paging = PageServer.Pages(store, section: "a", query: "") { _, cursor in
      cursor == nil
        ? .init(rows: [TestRow(1), TestRow(2)], next: 1) : .init(rows: [TestRow(2, "new"), TestRow(3)], next: nil)
    }
    await paging.demand()
    await paging.demand()
    #expect(await store.snapshot.rows(inSection: 0).map { $0 } == [TestRow(1), TestRow(2, "new"), TestRow(3)])
  }

  @Test(arguments: [PagingEdge.top, .bottom], [false, true])
  func `what happens while a page is on its way is newer than the page`(at edge: PagingEdge, reloads: Bool) async throws
  {
    let server = PageServer(isGated: true)
    let (store, paging) = try await make(server, at: edge, rows: [7, 8, 100, 102])
    let load = Task { if reloads { await paging.reload() } else { await paging.demand() } }
    await eventually { await server.requests.count == 1 }
    try await store.edit {
      try $0.remove(8)
      try $0.remove(102)
      try $0.append(TestRow(101, "posted"), to: "a")
      try $0.append(TestRow(9), to: "a")
      try $0.update(100) { $0.text = "edited" }
    }
    await server.answer(0)
    await load.value
    let (edited, posted) = (TestRow(100, "edited"), TestRow(101, "posted"))
    let expected =
      switch (edge, reloads) {
      case (_, false): [TestRow(7), edited, posted, TestRow(9)]
      case (.top, true): [edited, posted, TestRow(9)]
      case (.bottom, true): [TestRow(9), edited, posted]
      }
    #expect(await store.snapshot.rows(inSection: 0).map { $0 } == expected)
    #expect(await phase(store) == .loaded)

    let next = Task { await paging.demand() }
    await eventually { await server.requests.count == 2 }
    try await store.edit {
      try $0.append(TestRow(103, "posted"), to: "a")
      try $0.remove(100)
    }
    await server.answer(1)
    await next.value
    let (rest, new) = (expected.filter { $0 != edited }, TestRow(103, "posted"))
    let others = [TestRow(104), TestRow(105)]
    #expect(
      await store.snapshot.rows(inSection: 0).map { $0 }
        == (edge == .top ? others + rest + [new] : rest + [new] + others))
  }

  @Test func `rows that come or go with their section while a page is on its way are newer than the page, too`()
    async throws
  {
    let server = PageServer(isGated: true)
    let (store, paging) = try await make(server)
    try await store.edit { try $0.append(PhasedTestSection(id: "b"), rows: [TestRow(101)]) }
    let load = Task { await paging.demand() }
    await eventually { await server.requests.count == 1 }
    try await store.edit {
      try $0.removeSection("b")
      try $0.append(PhasedTestSection(id: "c"), rows: [TestRow(100, "posted")])
    }
    await server.answer(0)
    await load.value
    #expect(await ids(store) == [102])
    #expect(await store.snapshot.rows(inSection: 1).map { $0 } == [TestRow(100, "posted")])
  }

  @Test func `rows that leave a removed section or enter a new one while a page is on its way are brought up to date`()
    async throws
  {
    let server = PageServer(isGated: true)
    let (store, paging) = try await make(server, rows: [7])
    try await store.edit {
      try $0.append(PhasedTestSection(id: "b"), rows: [TestRow(101, "old"), TestRow(102, "old"), TestRow(103, "old")])
    }
    let first = Task { await paging.reload() }
    await eventually { await server.requests.count == 1 }
    try await store.edit {
      for id in 101...103 { try $0.move(id, toEndOf: "a") }
      try $0.update(102) { $0.text = "edited" }
      try $0.removeSection("b")
    }
    await server.answer(0)
    await first.value
    // Those of the page are in its order, and 102 is newer than it.
    #expect(
      await store.snapshot.rows(inSection: 0).map { $0 }
        == [TestRow(103, "old"), TestRow(100), TestRow(101), TestRow(102, "edited")])

    let next = Task { await paging.demand() }
    await eventually { await server.requests.count == 2 }
    try await store.edit {
      try $0.append(PhasedTestSection(id: "c"))
      try $0.move(103, toEndOf: "c")
    }
    await server.answer(1)
    await next.value
    #expect(await ids(store) == [100, 101, 102, 104, 105])
    #expect(await store.snapshot.rows(inSection: 1).map { $0 } == [TestRow(103)])
  }

  @Test func `a demand during a load is met by one page more, and one page is loaded at a time`() async throws {
    let server = PageServer(isGated: true)
    let (store, paging) = try await make(server)
    let first = Task { await paging.demand() }
    await eventually { await server.requests.count == 1 }
    let others = (0..<5).map { _ in Task { await paging.demand() } }
    await eventually { await paging.waitingCount == 5 }
    #expect(await phase(store) == .loading)
    await server.answer(0)
    await first.value
    await eventually { await server.requests.count == 2 }
    await server.answer(1)
    for other in others { await other.value }
    #expect(await server.requests == ["x0", "x1"])
    #expect(await server.most == 1)
    #expect(await ids(store).count == 6)
  }

  @Test func `a demand whose load is cancelled by somebody else is still met`() async throws {
    let server = PageServer(isGated: true)
    let (store, paging) = try await make(server)
    let first = Task { await paging.demand() }
    await eventually { await server.requests.count == 1 }
    let second = Task { await paging.demand() }
    await eventually { await paging.waitingCount == 1 }
    first.cancel()
    await server.answer(0)
    await first.value
    await eventually { await server.requests.count == 2 }
    await server.answer(1)
    await second.value
    #expect(await ids(store).count == 3)
  }

  @Test func `a demand that is overtaken by a change which is cancelled is still met`() async throws {
    let server = PageServer(isGated: true)
    let (store, paging) = try await make(server)
    let demand = Task { await paging.demand() }
    await eventually { await server.requests.count == 1 }
    let change = Task { await paging.change(to: "xx") }
    await eventually { await server.requests.count == 2 }
    await server.answer(0)
    await eventually { await paging.waitingCount == 1 }
    change.cancel()
    await server.answerAll()
    await change.value
    await demand.value
    #expect(await ids(store) == [200, 201, 202])
    #expect(await server.requests == ["x0", "xx0", "xx0"])
  }

  @Test func `a cancelled load is no failure, and leaves no trace`() async throws {
    let server = PageServer(isGated: true)
    let (store, paging) = try await make(server, rows: [7])
    let load = Task { await paging.demand() }
    await eventually { await server.requests.count == 1 }
    load.cancel()
    await server.answer(0)
    await load.value
    #expect(await phase(store) == .idle)
    #expect(await ids(store) == [7])
    #expect(await paging.failure == nil)
  }

  @Test func `answers to a former query are discarded, and its rows stay until the new ones are there`() async throws {
    let server = PageServer(isGated: true)
    let (store, paging) = try await make(server, rows: [7])
    let former = Task { await paging.demand() }
    await eventually { await server.requests.count == 1 }
    let change = Task { await paging.change(to: "xx") }
    await eventually { await server.requests.count == 2 }
    #expect(await ids(store) == [7])
    await server.answer(0)
    // The task that asked then waits for the answer that counts now.
    await eventually { await paging.waitingCount == 1 }
    #expect(await ids(store) == [7])
    #expect(await phase(store) == .loading)
    await server.answer(1)
    await change.value
    await former.value
    #expect(await ids(store) == [200, 201, 202])
    #expect(await paging.query == "xx")
    await paging.change(to: "xx")
    #expect(await server.requests == ["x0", "xx0"])
  }

  @Test(arguments: [false, true])
  func `a query that is asked for again has its first page then, also if its load is cancelled`(
    isCancelled: Bool
  ) async throws {
    let server = PageServer(isGated: true)
    let (store, paging) = try await make(server, rows: [7])
    let first = Task { await paging.change(to: "xx") }
    await eventually { await server.requests.count == 1 }
    if isCancelled { first.cancel() }
    let returns = CallCount()
    let second = Task { returns.note(await paging.change(to: "xx")) }
    await eventually { await paging.waitingCount == 1 || returns.value == 1 }
    #expect(returns.value == 0)
    await server.answerAll()
    await first.value
    await second.value
    #expect(await ids(store) == [200, 201, 202])
    #expect(await server.requests == (isCancelled ? ["xx0", "xx0"] : ["xx0"]))
  }

  @Test func `a query whose load was cancelled is loaded when it is asked for again, and once only`() async throws {
    let server = PageServer(isGated: true)
    let (store, paging) = try await make(server, rows: [7])
    let first = Task { await paging.change(to: "xx") }
    await eventually { await server.requests.count == 1 }
    first.cancel()
    await server.answerAll()
    await first.value
    #expect(await ids(store) == [7])
    for _ in 0..<2 { await paging.change(to: "xx") }
    #expect(await ids(store) == [200, 201, 202])
    #expect(await server.requests == ["xx0", "xx0"])
  }

  @Test func `a failure shows, rows stay, and the next demand tries again`() async throws {
    let server = PageServer(failures: 1)
    let (store, paging) = try await make(server, rows: [7])
    await paging.demand()
    #expect(await phase(store) == .failed(message: "server is down", retry: .onRequest))
    #expect(await paging.failure is PageServer.Down)
    #expect(await ids(store) == [7])
    await paging.demand()
    #expect(await phase(store) == .loaded)
    #expect(await server.requests == ["x0", "x0"])
  }

  @Test func `reloading begins anew and changes what differs`() async throws {
    let server = PageServer()
    let (store, paging) = try await make(server)
    for _ in 0..<3 { await paging.demand() }
    await paging.reload()
    #expect(await ids(store) == [100, 101, 102])
    #expect(await paging.isComplete == false)
  }

  @Test func `reloading starts from the first page, wherever it had come to`() async throws {
    let server = PageServer()
    let (store, paging) = try await make(server)
    for _ in 0..<2 { await paging.demand() }
    await paging.reload()
    #expect(await server.requests == ["x0", "x1", "x0"])
    #expect(await ids(store) == [100, 101, 102])
    await paging.demand()
    #expect(await ids(store) == Array(100..<106))
  }

  @Test func `paging of a section that the list does not have says so, and loads nothing`() async throws {
    let server = PageServer()
    let (store, _) = try await make(server)
    let paging = PageServer.Pages(store, section: "b", query: "x") { try await server.page($0, $1) }
    #expect(await paging.failure == nil)
    await paging.demand()
    await paging.reload()
    #expect(await paging.failure as? TestListError == .unknownSection("b"))
    #expect(await server.requests.isEmpty)
    #expect(await store.revision == 1)
    try await store.edit { try $0.append(PhasedTestSection(id: "b")) }
    await paging.demand()
    #expect(await paging.failure == nil)
    #expect(await store.snapshot.rows(inSection: 1).map(\.id) == [100, 101, 102])
    await store.finish()
    await paging.demand()
    #expect(await paging.failure as? ListStoreError == .finished)
  }

  @Test func `a section that goes while its page is loaded is told of`() async throws {
    let server = PageServer(isGated: true)
    let (store, paging) = try await make(server)
    let load = Task { await paging.demand() }
    await eventually { await server.requests.count == 1 }
    try await store.edit { try $0.removeSection("a") }
    await server.answer(0)
    await load.value
    #expect(await paging.failure as? TestListError == .unknownSection("a"))
  }

  @Test func `in any interleaving, what is there at the end answers the last query, without a gap`() async throws {
    for seed in 0..<UInt64(SeededGenerator.rounds(200, long: 2_000)) {
      let result = await Schedule.run(seed: seed) { await Self.race(seed: seed) }
      #expect(result.value == .some(nil), "seed \(seed): \(result.value ?? "stuck")")
    }
  }

  /// Several tasks ask, some change the query, one gives up. Returns what is wrong with the list at the end.
  private static func race(seed: UInt64) async -> String? {
    let store = ListStore<PhasedTestSection, TestRow>()
    try? await store.edit { try $0.append(PhasedTestSection(id: "a")) }
    let server = PageServer(failures: Int(seed % 2))
    let paging = PageServer.Pages(store, section: "a", query: "x") { try await server.page($0, $1) }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<3 { group.addTask { for _ in 0..<2 { await paging.demand() } } }
      group.addTask { await paging.change(to: "xx") }
      group.addTask { await paging.change(to: "xxx") }
    }
    await paging.demand()
    let ids = await store.snapshot.rows(inSection: 0).map(\.id)
    let first = await paging.query.count * 100
    let isWhole = !ids.isEmpty && ids.count % 3 == 0 && ids == Array(first..<first + ids.count)
    return isWhole ? nil : "the list has \(ids) where the query begins with \(first)"
  }

  // MARK: - Loads that wait for themselves

  /// Gives a load the paging that it is of.
  private actor Own {
    private(set) var paging: PageServer.Pages?
    private(set) var tasks: [Task<Void, Never>] = []
    func set(_ paging: PageServer.Pages?) { self.paging = paging }
    func add(_ task: Task<Void, Never>) { tasks.append(task) }
  }

  @Test(arguments: ["demand", "reload", "change", "same query"])
  func `a load that waits for a page of its own paging is refused at once, and continues`(_ call: String) async throws {
    let own = Own()
    let (store, _) = try await make(PageServer())
    let paging = PageServer.Pages(store, section: "a", query: "x") { query, cursor in
      if cursor == nil {
        switch call {
        case "demand": await own.paging?.demand()
        case "reload": await own.paging?.reload()
        case "change": await own.paging?.change(to: query + "x")
        default: await own.paging?.change(to: query)
        }
      }
      return .init(rows: [TestRow(cursor ?? 0)], next: (cursor ?? 0) + 1)
    }
    await own.set(paging)
    await paging.demand()
    #expect(await paging.failure as? PagingError == .requestedByItsOwnLoad)
    #expect(await ids(store) == [0])
    #expect(await phase(store) == .loaded)
    #expect(await paging.query == "x")
    await paging.demand()
    #expect(await paging.failure == nil)
    #expect(await ids(store) == [0, 1])
    await own.set(nil)
  }

  @Test(arguments: [false, true])
  func `a task that a load starts and does not await waits for the next page`(isDetached: Bool) async throws {
    let own = Own()
    let (store, _) = try await make(PageServer())
    let paging = PageServer.Pages(store, section: "a", query: "x") { _, cursor in
      if cursor == nil {
        let demand: @Sendable () async -> Void = { await own.paging?.demand() }
        await own.add(isDetached ? Task.detached(operation: demand) : Task(operation: demand))
      }
      return .init(rows: [TestRow(cursor ?? 0)], next: (cursor ?? 0) + 1)
    }
    await own.set(paging)
    await paging.demand()
    for task in await own.tasks { await task.value }
    #expect(await ids(store) == [0, 1])
    #expect(await paging.failure == nil)
    await own.set(nil)
  }

  @Test func `loads of two pagings that wait for each other are refused, too`() async throws {
    let (first, second) = (Own(), Own())
    let (store, _) = try await make(PageServer())
    try await store.edit { try $0.append(PhasedTestSection(id: "b")) }
    let pagings = [(first, second, "a"), (second, first, "b")].map { _, other, section in
      PageServer.Pages(store, section: section, query: "x") { _, _ in
        await other.paging?.demand()
        return .init(rows: [TestRow(section == "a" ? 1 : 2)], next: nil)
      }
    }
    await first.set(pagings[0])
    await second.set(pagings[1])
    await pagings[0].demand()
    #expect(await pagings[0].failure as? PagingError == .requestedByItsOwnLoad)
    #expect(await pagings[1].failure == nil)
    #expect(await store.snapshot.allRows.map(\.id) == [1, 2])
    await first.set(nil)
    await second.set(nil)
  }

  @Test func `a source that waits for its own end is told at once that it cannot`() async throws {
    let bindings = AsyncStream.makeStream(of: SourceBinding.self)
    let store = PhasedStore()
    let binding = store.attach {
      for await binding in bindings.stream {
        guard case .failed(let error) = await binding.outcome else { break }
        throw error
      }
      return AsyncStream<Int> { $0.finish() }
    } apply: { _, _ in
    }
    bindings.continuation.yield(binding)
    bindings.continuation.finish()
    #expect(await binding.outcome.error as? SourceBindingError == .awaitedByItsOwnSource)
  }
}
