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

  /// Two stores, and lines that are values.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  struct Server {
    let space = ListSpace()
    let orders: Rows
    let customers: Rows
    let lines: EncodedSpace<Shop, Line>
    let encodings = CallCount()

    init(_ clock: some Clock<Duration> = ContinuousClock(), name: String = "") {
      orders = space.store(epoch: "orders" + name, history: .last(10))
      customers = space.store(epoch: "customers" + name, history: .last(10))
      var lines = EncodedSpace(Shop(), clock: clock) { [encodings] (line: Line) in
        try refusingRowsBelowZero(encodings.note(line))
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
  struct Client {
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

  func kinds(_ line: Line?) -> [String] { [line?.lists.orders, line?.lists.customers].map { $0?.kind ?? "nil" } }

  static func positions(_ orders: Int, _ customers: Int) -> [ListPosition] {
    [ListPosition(epoch: "orders", revision: orders), ListPosition(epoch: "customers", revision: customers)]
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [false, true])
  func `a line that contradicts one list changes none, and that list comes whole next`(isFirst: Bool) async throws {
    let (server, client) = (Server(), Client())
    for id in 0..<9 { try await server.add(id) }
    let lines = server.lines.lines()
    try await client.shop.receive(#require(await lines.next()))
    try await server.add(10)
    let line = try #require(await lines.next())
    var wrong = line
    // A row that exists already.
    func position(_ revision: Int) -> ListPosition {
      ListPosition(epoch: isFirst ? "orders" : "customers", revision: revision)
    }
    let change = Message.changes(
      WireChanges(
        from: position(9), to: position(10), ListChanges(rows: .init(inserts: [RowPath(section: 0, row: 0)])),
        insertedRows: [TestRow(3)]))
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
    let resumed = try #require(await server.lines.lines(since: kept).next())
    #expect(kinds(resumed) == (isFirst ? ["initial", "changes"] : ["changes", "initial"]))
    try await client.shop.receive(resumed)
    #expect(await client.ids == [[0, 1, 2, 3, 4, 5, 6, 7, 8, 10], [0, 1, 2, 3, 4, 5, 6, 7, 8, 10]])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a line that would lead one list back is refused, and taken if it leads that list nowhere`() async throws {
    let (server, client) = (Server(), Client())
    let lines = server.lines.lines()
    var received: [Line] = []
    for id in 0..<4 {
      try await server.add(id)
      received.append(try #require(await lines.next()))
      try await client.shop.receive(received[id])
    }
    let ids = await client.ids
    try await server.add(4)
    var mixed = try #require(await lines.next())
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
    #expect(await client.ids == [ids[0] + [4], ids[1]])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a mirror that goes back to a server has that server's lists from the first line on`() async throws {
    let (servers, client) = ([Server(), Server(name: "2")], Client())
    for id in 0..<3 { try await servers[id % 2].add(id) }
    for turn in 0..<6 {
      let position = await client.shop.beginStream()
      try await client.shop.receive(#require(await servers[turn % 2].lines.lines(since: position).next()))
      #expect(await client.ids == (turn % 2 == 0 ? [[0, 2], [0, 2]] : [[1], [1]]))
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a mirror that the app lets go leaves nothing, the others go on, and its field is free`() async throws {
    let server = Server()
    for id in 0..<9 { try await server.add(id) }
    var shop = MirroredSpace<Shop>()
    let orders = shop.list(\.orders)
    var customers: MirroredList<SoleSection, TestRow>? = shop.list(\.customers)
    weak let receiver = customers?.receiver
    try await shop.receive(#require(await server.lines.lines().next()))
    #expect(await shop.beginStream() == Self.positions(9, 9))
    customers = nil
    await eventually { receiver == nil }
    let position = await shop.beginStream()
    #expect(position == [Self.positions(9, 0)[0]])
    let again = shop.list(\.customers)
    try await shop.receive(#require(await server.lines.lines(since: position).next()))
    #expect(await again.snapshot.rowCount == 9)
    do { _ = consume again }
    try await server.add(9)
    await server.orders.finish()
    await server.customers.finish()
    let lines = await server.lines.lines(since: shop.beginStream())
    while let line = await lines.next() { try await shop.receive(line) }
    #expect(await orders.snapshot.rowCount == 10)
    #expect(await orders.state == .ended(Self.positions(10, 0)[0]))
  }
}
