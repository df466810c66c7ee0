import Foundation
import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore

/// Stores that change together, and their mirrors at the other end of a line.
@Suite(.watched) struct MirroredSpaceTests {
  typealias Rows = ListStore<SoleSection, TestRow>
  typealias Message = WireMessage<SoleSection, TestRow>

  struct Shop: Codable {
    var orders: Message?
    var customers: Message?
  }

  typealias Line = SpaceMessage<Shop>

  private struct Refusal: Error {}

  /// Two stores, and lines that are values.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private struct Server {
    let space = ListSpace()
    let orders: Rows
    let customers: Rows
    let lines: EncodedSpace<Shop, Line>
    let encodings = CallCount()

    init(_ clock: some Clock<Duration> = ContinuousClock(), name: String = "") {
      orders = space.store(epoch: "orders" + name, history: .last(10))
      customers = space.store(epoch: "customers" + name, history: .last(10))
      // A row below zero cannot be encoded.
      var lines = EncodedSpace(Shop(), clock: clock) { [encodings] (line: Line) in
        let text = String(decoding: try JSONEncoder().encode(encodings.note(line)), as: UTF8.self)
        if text.contains(#""id":-"#) { throw Refusal() }
        return line
      }
      lines.add(orders, as: \.orders)
      lines.add(customers, as: \.customers)
      self.lines = lines
    }

    /// Adds a customer, and its order.
    func add(_ id: Int) async throws {
      try await space.edit(orders, customers) {
        try $0.upsert(TestRow(id, "order"))
        try $1.upsert(TestRow(id, "customer"))
      }
    }
  }

  /// Mirrors of both.
  private struct Client {
    let shop: MirroredSpace<Shop>
    let orders: MirroredList<SoleSection, TestRow>
    let customers: MirroredList<SoleSection, TestRow>

    init() {
      var shop = MirroredSpace<Shop>()
      orders = shop.list(\.orders)
      customers = shop.list(\.customers)
      self.shop = shop
    }

    var ids: [[Int]] {
      get async { [await orders.snapshot.allRows.map(\.id), await customers.snapshot.allRows.map(\.id)] }
    }
    var revisions: [Int] { get async { [await orders.revision, await customers.revision] } }
  }

  private func next(_ lines: AsyncStream<Line>) async -> Line? {
    var iterator = lines.makeAsyncIterator()
    return await iterator.next()
  }

  private func kinds(_ line: Line?) -> [String] {
    [line?.lists.orders, line?.lists.customers].map {
      switch $0 {
      case .initial: "initial"
      case .changes: "changes"
      case .progress: "progress"
      case .end: "end"
      case .run: "run"
      case nil: "nil"
      }
    }
  }

  private static func positions(_ orders: Int, _ customers: Int) -> [ListPosition] {
    [ListPosition(epoch: "orders", revision: orders), ListPosition(epoch: "customers", revision: customers)]
  }

  // MARK: - Lines

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a transaction over two stores is one line, and one over a single store has progress of the other`()
    async throws
  {
    let server = Server()
    for id in 0..<9 { try await server.add(id) }
    let lines = server.lines.lines()
    var line = await next(lines)
    #expect(kinds(line) == ["initial", "initial"])
    #expect(line?.position == Self.positions(9, 9))
    for id in 9..<12 { try await server.add(id) }
    line = await next(lines)
    #expect(kinds(line) == ["changes", "changes"])
    #expect(line?.lists.orders?.previous == 9 && line?.lists.orders?.revision == 12)
    #expect(line?.position == Self.positions(12, 12))
    try await server.orders.edit { try $0.update(10) { $0.text = "sent" } }
    line = await next(lines)
    #expect(kinds(line) == ["changes", "progress"])
    #expect(line?.position == Self.positions(13, 12))
    #expect(line?.lists.customers == .progress(Self.positions(0, 12)[1], since: Self.positions(0, 12)[1]))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a transaction that throws is no line`() async throws {
    let server = Server()
    let lines = server.lines.lines()
    _ = await next(lines)
    await #expect(throws: Refusal.self) {
      try await server.space.edit(server.orders, server.customers) {
        try $0.upsert(TestRow(1))
        try $1.upsert(TestRow(1))
        throw Refusal()
      }
    }
    let line = Task { await next(lines) }
    await eventually { await server.orders.waiterCount == 1 }
    #expect(await server.customers.waiterCount == 1)
    try await server.add(2)
    #expect(await line.value?.lists.orders?.previous == 0)
    #expect(await server.orders.waiterCount == 0)
    #expect(await server.customers.waiterCount == 0)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a connection begins at its positions: difference, progress, or the whole list`() async throws {
    let server = Server()
    for id in 0..<20 { try await server.customers.edit { try $0.upsert(TestRow(id)) } }
    for id in 0..<5 { try await server.add(id) }
    let now = Self.positions(5, 25)
    #expect(kinds(await next(server.lines.lines(since: now))) == ["progress", "progress"])
    #expect(kinds(await next(server.lines.lines(since: now.reversed()))) == ["progress", "progress"])
    var line = await next(server.lines.lines(since: Self.positions(4, 24)))
    #expect(kinds(line) == ["changes", "changes"])
    #expect(line?.lists.orders?.previous == 4 && line?.lists.customers?.previous == 24)
    // Older than the history; unknown; missing.
    #expect(kinds(await next(server.lines.lines(since: Self.positions(5, 2)))) == ["progress", "initial"])
    line = await next(server.lines.lines(since: [ListPosition(epoch: "stranger", revision: 5), now[1]]))
    #expect(kinds(line) == ["initial", "progress"])
    #expect(kinds(await next(server.lines.lines(since: [now[1]]))) == ["initial", "progress"])
    // The first of two connections that begin so has encoded the line of the second.
    let count = server.encodings.value
    #expect(kinds(await next(server.lines.lines(since: [now[1]]))) == ["initial", "progress"])
    #expect(server.encodings.value == count)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `connections at the same revisions share each line`() async throws {
    let server = Server()
    let connections = (0..<20).map { _ in server.lines.lines() }
    for id in 0..<5 {
      if id > 0 { try await server.add(id) }
      for connection in connections { #expect(await next(connection)?.position == Self.positions(id, id)) }
      #expect(server.encodings.value == id + 1)
    }
    // One that was away needs a line of its own, once.
    let slow = [server.lines.lines(since: Self.positions(1, 2)), server.lines.lines(since: Self.positions(2, 1))]
    for connection in slow { #expect(await next(connection)?.position == Self.positions(4, 4)) }
    #expect(server.encodings.value == 7)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `the last line ends all lists, after the last change of any`() async throws {
    let server = Server()
    let (lines, late) = (server.lines.lines(), server.lines.lines())
    _ = await next(lines)
    try await server.add(1)
    await server.orders.finish()
    #expect(kinds(await next(lines)) == ["changes", "changes"])
    try await server.customers.edit { try $0.upsert(TestRow(2)) }
    #expect(kinds(await next(lines)) == ["progress", "changes"])
    let last = Task { await next(lines) }
    await eventually { await server.customers.waiterCount == 1 }
    await server.customers.finish()
    let line = await last.value
    #expect(kinds(line) == ["end", "end"])
    #expect(line?.lists.orders == .end(revision: 1, updates: 3, epoch: "orders"))
    #expect(line?.position == Self.positions(1, 2))
    #expect(await next(lines) == nil)
    #expect(await next(lines) == nil)
    #expect(kinds(await next(late)) == ["initial", "initial"])
    #expect(await next(late)?.lists.customers == .end(revision: 2, updates: 1, epoch: "customers"))
    #expect(await next(late) == nil)
    let resumed = server.lines.lines(since: Self.positions(1, 2))
    #expect(kinds(await next(resumed)) == ["progress", "progress"])
    #expect(kinds(await next(resumed)) == ["end", "end"])
    #expect(await next(resumed) == nil)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `what cannot be encoded is in the next line, and a stream that ends so was cut`() async throws {
    let server = Server()
    let lines = server.lines.lines()
    _ = await next(lines)
    try await server.add(-1)
    let line = Task { await next(lines) }
    await eventually { await server.orders.waiterCount == 1 }
    try await server.space.edit(server.orders, server.customers) {
      for id in [2, 3] {
        try $0.upsert(TestRow(id))
        try $1.upsert(TestRow(id))
      }
      try $0.remove(-1)
      try $1.remove(-1)
    }
    #expect(await line.value?.lists.orders?.previous == 0)
    #expect(await line.value?.position == Self.positions(2, 2))
    try await server.add(-1)
    await server.orders.finish()
    await server.customers.finish()
    #expect(await next(lines) == nil)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `an idle connection has heartbeats, which are no news`() async throws {
    let clock = ManualClock()
    let server = Server(clock)
    let (lines, client) = (server.lines.lines(heartbeat: .seconds(15)), Client())
    try await client.shop.receive(#require(await next(lines)))
    for id in 1..<3 {
      await eventually { await clock.sleeperCount == 0 }
      let line = Task { await next(lines) }
      await clock.waitForSleepers(1)
      await clock.advance(by: .seconds(15))
      #expect(kinds(await line.value) == ["progress", "progress"])
      try await client.shop.receive(#require(await line.value))
      try await server.add(id)
      try await client.shop.receive(#require(await next(lines)))
    }
    #expect(await client.ids == [[1, 2], [1, 2]])
    await eventually { await server.orders.waiterCount == 0 }
    await eventually { await clock.sleeperCount == 0 }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `while the newest lists cannot be encoded, heartbeats repeat what was sent`() async throws {
    let clock = ManualClock()
    let server = Server(clock)
    let lines = server.lines.lines(heartbeat: .seconds(15))
    try await server.add(1)
    _ = await next(lines)
    try await server.add(-1)
    for _ in 0..<2 {
      let line = Task { await next(lines) }
      await clock.waitForSleepers(1)
      await clock.advance(by: .seconds(15))
      #expect(kinds(await line.value) == ["progress", "progress"])
      #expect(await line.value?.position == Self.positions(1, 1))
    }
    try await server.space.edit(server.orders, server.customers) {
      try $0.remove(-1)
      try $1.remove(-1)
      try $0.upsert(TestRow(2))
    }
    let line = await next(lines)
    #expect(line?.lists.orders?.previous == 1)
    #expect(line?.position == Self.positions(3, 3))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a connection that is cancelled or dropped leaves nothing behind`() async throws {
    let server = Server()
    var lines: AsyncStream<Line>? = server.lines.lines()
    let cancelled = server.lines.lines()
    let task = Task { [lines] in
      if let lines { _ = await next(lines) }
      _ = await next(cancelled)
      return await next(cancelled)
    }
    await eventually { await server.customers.waiterCount == 1 }
    task.cancel()
    #expect(await task.value == nil)
    lines = nil
    #expect(await server.orders.waiterCount == 0)
    #expect(await server.customers.waiterCount == 0)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `under any schedule several tasks that read one stream have each line once`() async throws {
    for seed in 0..<UInt64(SeededGenerator.rounds(200, long: 10_000)) {
      let result = await Schedule.run(seed: seed) { try? await Self.readTogether() }
      guard let steps = result.value ?? nil, let first = steps.first else {
        Issue.record("seed \(seed) is stuck")
        continue
      }
      #expect(first[0] == -1, "seed \(seed)")
      // Each begins where the one before has ended.
      for (step, following) in zip(steps, steps.dropFirst()) {
        #expect(following[0] == step[1], "seed \(seed): \(steps)")
      }
      // The last line is the end, and no other is.
      #expect(steps.last == [28, 28, 1] && steps.count { $0[2] == 1 } == 1, "seed \(seed): \(steps)")
    }
  }

  /// The revisions between which lines lead that several tasks read, in their order, with 1 for the end. Some have no news, and
  /// some revisions cannot be encoded.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func readTogether() async throws -> [[Int]] {
    let clock = ManualClock()
    let server = Server(clock)
    for id in 0..<20 { try await server.add(id) }
    let lines = server.lines.lines(heartbeat: .seconds(1))
    let readers = (0..<3).map { _ in
      Task {
        var found: [[Int]] = []
        for await line in lines {
          guard let orders = line.lists.orders else { continue }
          let isEnd = if case .end = orders { 1 } else { 0 }
          found.append([isEnd == 1 ? orders.revision : orders.previous ?? -1, orders.revision, isEnd])
        }
        return found
      }
    }
    let time = Task {
      for _ in 0..<4 {
        await clock.advance(by: .seconds(1))
        await Task.yield()
      }
    }
    for id in 20..<26 {
      try await server.add(id)
      if id == 22 { try await server.add(-1) }
      if id == 24 {
        try await server.space.edit(server.orders, server.customers) {
          try $0.remove(-1)
          try $1.remove(-1)
        }
      }
    }
    await time.value
    await server.orders.finish()
    await server.customers.finish()
    var steps: [[Int]] = []
    for reader in readers { steps += await reader.value }
    return steps.sorted { ($0[1], $0[0], $0[2]) < ($1[1], $1[0], $1[2]) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a store of another space traps`() async {
    await #expect(processExitsWith: .failure) {
      guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
      var lines = EncodedSpace(Shop()) { (line: Line) in line }
      lines.add(ListSpace().store(of: TestRow.self), as: \.orders)
      lines.add(ListSpace().store(of: TestRow.self), as: \.customers)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a store with two fields traps, and so does a field with two stores or two mirrors`() async {
    await #expect(processExitsWith: .failure) {
      guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
      var lines = EncodedSpace(Shop()) { (line: Line) in line }
      let store = ListSpace().store(of: TestRow.self)
      lines.add(store, as: \.orders)
      lines.add(store, as: \.customers)
    }
    await #expect(processExitsWith: .failure) {
      guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
      var lines = EncodedSpace(Shop()) { (line: Line) in line }
      let space = ListSpace()
      lines.add(space.store(of: TestRow.self), as: \.orders)
      lines.add(space.store(of: TestRow.self), as: \.orders)
    }
    await #expect(processExitsWith: .failure) {
      var shop = MirroredSpace<Shop>()
      let mirrors = [shop.list(\.orders), shop.list(\.orders)]
      _ = await mirrors[0].revision
    }
  }

  // MARK: - The wire form

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a line is one object, with a message for each list by the name of its field`() async throws {
    let server = Server()
    try await server.customers.edit { try $0.upsert(TestRow(1, "Ann")) }
    let line = try #require(await next(server.lines.lines(since: [Self.positions(0, 0)[0]])))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(line), as: UTF8.self)
    #expect(
      text == """
        {"kind":"space","lists":{"customers":{"epoch":"customers","kind":"initial","revision":1,\
        "sections":[{"id":0,"rows":[{"id":1,"text":"Ann"}]}],"v":1},\
        "orders":{"epoch":"orders","kind":"progress","revision":0,"v":1}},\
        "position":[{"epoch":"orders","revision":0},{"epoch":"customers","revision":1}],"v":1}
        """)
    let read = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
    #expect(read.position == line.position)
    #expect(read.lists.orders == line.lists.orders && read.lists.customers == line.lists.customers)
  }

  @Test func `a newer server with more lists, and an older one with fewer, break no mirror`() async throws {
    let client = Client()
    let whole = #"{"v":1,"kind":"initial","epoch":"a","revision":3,"sections":[{"id":0,"rows":[{"id":1,"text":""}]}]}"#
    let line = #"{"v":1,"kind":"space","since":7,"lists":{"invoices":{"v":9},"orders":\#(whole)}}"#
    try await client.shop.receive(JSONDecoder().decode(Line.self, from: Data(line.utf8)))
    #expect(await client.ids == [[1], []])
    #expect(await client.shop.beginStream() == [ListPosition(epoch: "a", revision: 3)])
  }

  @Test(arguments: [#""v":2,"kind":"space""#, #""v":1,"kind":"initial""#, #""kind":"space""#, #""v":1"#])
  func `lines of another version or kind cannot be read`(_ head: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Line.self, from: Data(#"{\#(head),"lists":{}}"#.utf8))
    }
  }

  // MARK: - Mirrors

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a line that contradicts one list changes none, and the next connection brings that list whole`()
    async throws
  {
    let (server, client) = (Server(), Client())
    for id in 0..<9 { try await server.add(id) }
    let lines = server.lines.lines()
    try await client.shop.receive(#require(await next(lines)))
    try await server.add(10)
    let line = try #require(await next(lines))
    for isFirst in [false, true] {
      var wrong = line
      let position = Self.positions(9, 9)[isFirst ? 0 : 1]
      // A row that is there already.
      let change = Message.changes(
        WireChanges(
          epoch: position.epoch, previous: 9, revision: 10,
          changes: ListChanges(rows: .init(inserts: [RowPath(section: 0, row: 0)])), insertedRows: [TestRow(3)]))
      if isFirst { wrong.lists.orders = change } else { wrong.lists.customers = change }
      let (ids, revisions) = await (client.ids, client.revisions)
      do throws(WireError) {
        try await client.shop.receive(wrong)
        Issue.record("the line was taken")
      } catch {
        guard case .refusedLine(let list, .contradiction) = error else { throw error }
        #expect(list.contains(isFirst ? "orders" : "customers"))
      }
      #expect(await client.ids == ids)
      #expect(await client.revisions == revisions)
      let kept = await client.shop.beginStream()
      #expect(kept == [Self.positions(9, 9)[isFirst ? 1 : 0]])
      // Without it, lines do not fit.
      await #expect(throws: WireError.self) { try await client.shop.receive(line) }
      #expect(await client.ids == ids)
      let resumed = try #require(await next(server.lines.lines(since: kept)))
      #expect(kinds(resumed) == (isFirst ? ["initial", "changes"] : ["changes", "initial"]))
      // For the second round.
      if isFirst { try await client.shop.receive(resumed) } else { try await restore(client, to: 9) }
    }
    #expect(await client.ids == [[0, 1, 2, 3, 4, 5, 6, 7, 8, 10], [0, 1, 2, 3, 4, 5, 6, 7, 8, 10]])
  }

  /// Brings the mirror of the customers to a position that it has lost.
  private func restore(_ client: Client, to revision: Int) async throws {
    var whole = Shop()
    let rows = (0..<revision).map { TestRow($0, "customer") }
    whole.customers = .initial(
      revision: revision, snapshot: try ListSnapshot([ListSection(SoleSection(), rows: rows)]), epoch: "customers")
    whole.orders = .progress(Self.positions(revision, 0)[0], since: Self.positions(revision, 0)[0])
    // Not later than what was heard of it: only at the beginning of a stream.
    _ = await client.shop.beginStream()
    try await client.shop.receive(Line(position: [], lists: whole))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test
  func `after a line that was lost none fits, even if it changes another list, and the position is that before it`()
    async throws
  {
    let (server, client) = (Server(), Client())
    for id in 0..<9 { try await server.add(id) }
    let lines = server.lines.lines()
    try await client.shop.receive(#require(await next(lines)))
    let position = Self.positions(9, 9)
    try await server.customers.edit { try $0.upsert(TestRow(9)) }
    _ = await next(lines)
    try await server.orders.edit { try $0.upsert(TestRow(9)) }
    let line = try #require(await next(lines))
    do throws(WireError) {
      try await client.shop.receive(line)
      Issue.record("an order came without its customer")
    } catch {
      guard case .refusedLine(let list, .wrongRevision(list: 9, messageStartsAt: 10)) = error else { throw error }
      #expect(list.contains("customers") && "\(error)".contains("9"))
    }
    #expect(await client.ids[0].count == 9)
    #expect(await client.customers.state == .waiting(for: .changes(since: position[1])))
    #expect(await client.shop.beginStream() == position)
    let resumed = try #require(await next(server.lines.lines(since: position)))
    #expect(kinds(resumed) == ["changes", "changes"])
    try await client.shop.receive(resumed)
    #expect(await client.ids == [Array(0..<10), Array(0..<10)])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `after a connection that began with a gap, the next one asks for that list as a whole`() async throws {
    let (server, client) = (Server(), Client())
    for id in 0..<9 { try await server.add(id) }
    try await client.shop.receive(#require(await next(server.lines.lines())))
    _ = await client.shop.beginStream()
    for id in 9..<12 { try await server.add(id) }
    let line = try #require(
      await next(server.lines.lines(since: [Self.positions(9, 0)[0], Self.positions(0, 10)[1]])))
    #expect(kinds(line) == ["changes", "changes"])
    await #expect(throws: WireError.self) { try await client.shop.receive(line) }
    #expect(await client.ids == [Array(0..<9), Array(0..<9)])
    let position = await client.shop.beginStream()
    #expect(position == [Self.positions(9, 0)[0]])
    try await client.shop.receive(#require(await next(server.lines.lines(since: position))))
    #expect(await client.ids == [Array(0..<12), Array(0..<12)])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a line that comes twice or late is ignored, and one that would lead one list back is refused`()
    async throws
  {
    let (server, client) = (Server(), Client())
    for id in 0..<9 { try await server.add(id) }
    let lines = server.lines.lines()
    var received: [Line] = []
    for id in 9..<13 {
      received.append(try #require(await next(lines)))
      try await client.shop.receive(received[id - 9])
      try await server.add(id)
    }
    let (ids, revisions) = await (client.ids, client.revisions)
    for line in received + received.reversed() { try await client.shop.receive(line) }
    #expect(await client.ids == ids)
    #expect(await client.revisions == revisions)
    var mixed = try #require(await next(lines))
    mixed.lists.customers = received[1].lists.customers
    do throws(WireError) {
      try await client.shop.receive(mixed)
      Issue.record("lists of different moments")
    } catch {
      guard case .refusedLine(let list, .wrongRevision) = error else { throw error }
      #expect(list.contains("customers"))
    }
    #expect(await client.ids == ids)
    // Where it leads, the mirror of the customers is.
    mixed.lists.customers = received[3].lists.customers
    try await client.shop.receive(mixed)
    #expect(await client.ids[0].count == 13)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a mirror that goes back to a server it has left has that server's lists from the first line on`()
    async throws
  {
    let (servers, client) = ([Server(), Server(name: "2")], Client())
    for id in 0..<3 { try await servers[id % 2].add(id) }
    for turn in 0..<6 {
      let position = await client.shop.beginStream()
      try await client.shop.receive(#require(await next(servers[turn % 2].lines.lines(since: position))))
      #expect(await client.ids == (turn % 2 == 0 ? [[0, 2], [0, 2]] : [[1], [1]]))
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `mirrors that the app has let go are no obstacle, and a stream that ends ends the others`() async throws {
    let server = Server()
    try await server.add(1)
    let lines = server.lines.lines()
    var shop = MirroredSpace<Shop>()
    let orders = shop.list(\.orders)
    do { _ = shop.list(\.customers) }
    try await shop.receive(#require(await next(lines)))
    try await server.add(2)
    await server.orders.finish()
    await server.customers.finish()
    while let line = await next(lines) { try await shop.receive(line) }
    #expect(await orders.snapshot.allRows.map(\.id) == [1, 2])
    #expect(await orders.state == .ended(Self.positions(2, 0)[0]))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `of a mirror that the app has let go nothing is left, and its field can have another one`() async throws {
    let server = Server()
    for id in 0..<9 { try await server.add(id) }
    var shop = MirroredSpace<Shop>()
    let orders = shop.list(\.orders)
    var customers: MirroredList<SoleSection, TestRow>? = shop.list(\.customers)
    weak let receiver = customers?.receiver
    try await shop.receive(#require(await next(server.lines.lines())))
    #expect(await shop.beginStream() == Self.positions(9, 9))
    customers = nil
    await eventually { receiver == nil }
    let position = await shop.beginStream()
    #expect(position == [Self.positions(9, 0)[0]])
    let again = shop.list(\.customers)
    try await shop.receive(#require(await next(server.lines.lines(since: position))))
    #expect(await again.snapshot.rowCount == 9)
    #expect(await orders.snapshot.rowCount == 9)
  }
}
