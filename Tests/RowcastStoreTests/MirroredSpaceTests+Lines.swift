@testable import RowcastStore

extension MirroredSpaceTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a connection begins at its positions: difference, progress, or the whole list`() async throws {
    let server = Server()
    for id in 0..<20 { try await server.customers.edit { try $0.upsert(TestRow(id)) } }
    for id in 0..<5 { try await server.add(id) }
    let now = Self.positions(5, 25)
    #expect(kinds(await server.lines.lines(since: now).next()) == ["progress", "progress"])
    #expect(kinds(await server.lines.lines(since: now.reversed()).next()) == ["progress", "progress"])
    var line = await server.lines.lines(since: Self.positions(4, 24)).next()
    #expect(kinds(line) == ["changes", "changes"])
    #expect(line?.lists.orders?.start?.revision == 4 && line?.lists.customers?.start?.revision == 24)
    // Older than the history; unknown; missing.
    #expect(kinds(await server.lines.lines(since: Self.positions(5, 2)).next()) == ["progress", "initial"])
    line = await server.lines.lines(since: [ListPosition(epoch: "stranger", revision: 5), now[1]]).next()
    #expect(kinds(line) == ["initial", "progress"])
    #expect(kinds(await server.lines.lines(since: [now[1]]).next()) == ["initial", "progress"])
    // The first of two connections that begin so has encoded the line of the second.
    let count = server.encodings.value
    #expect(kinds(await server.lines.lines(since: [now[1]]).next()) == ["initial", "progress"])
    #expect(server.encodings.value == count)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `connections at the same revisions share each line`() async throws {
    let server = Server()
    let connections = (0..<20).map { _ in server.lines.lines() }
    for id in 0..<5 {
      if id > 0 { try await server.add(id) }
      for connection in connections { #expect(await connection.next()?.position == Self.positions(id, id)) }
      #expect(server.encodings.value == id + 1)
    }
    // One that was away needs a line of its own, once.
    let slow = [server.lines.lines(since: Self.positions(1, 2)), server.lines.lines(since: Self.positions(2, 1))]
    for connection in slow { #expect(await connection.next()?.position == Self.positions(4, 4)) }
    #expect(server.encodings.value == 7)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `the last line ends all lists, after the last change of any`() async throws {
    let server = Server()
    let (lines, late) = (server.lines.lines(), server.lines.lines())
    _ = await lines.next()
    try await server.add(1)
    await server.orders.finish()
    #expect(kinds(await lines.next()) == ["changes", "changes"])
    try await server.customers.edit { try $0.upsert(TestRow(2)) }
    #expect(kinds(await lines.next()) == ["progress", "changes"])
    let last = Task { await lines.next() }
    await eventually { await server.customers.waiterCount == 1 }
    await server.customers.finish()
    let line = await last.value
    #expect(kinds(line) == ["end", "end"])
    #expect(line?.lists.orders == .end(revision: 1, updates: 3, epoch: "orders"))
    #expect(line?.position == Self.positions(1, 2))
    #expect(await lines.next() == nil)
    #expect(await lines.next() == nil)
    #expect(kinds(await late.next()) == ["initial", "initial"])
    #expect(await late.next()?.lists.customers == .end(revision: 2, updates: 1, epoch: "customers"))
    #expect(await late.next() == nil)
    let resumed = server.lines.lines(since: Self.positions(1, 2))
    #expect(kinds(await resumed.next()) == ["progress", "progress"])
    #expect(kinds(await resumed.next()) == ["end", "end"])
    #expect(await resumed.next() == nil)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a stream that ends with what cannot be encoded was cut, and has no end`() async throws {
    let server = Server()
    let lines = server.lines.lines()
    _ = await lines.next()
    try await server.add(-1)
    await server.orders.finish()
    await server.customers.finish()
    #expect(await lines.next() == nil)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a connection that is cancelled or dropped leaves nothing behind`() async throws {
    let server = Server()
    var lines: AsyncStream<Line>? = server.lines.lines()
    let cancelled = server.lines.lines()
    let task = Task { [lines] in
      if let lines { _ = await lines.next() }
      _ = await cancelled.next()
      return await cancelled.next()
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
    await expectEachLineOnce { clock in
      let server = Server(clock)
      return SharedLines { edit in
        try await server.space.edit(server.orders, server.customers) {
          try edit(&$0)
          try edit(&$1)
        }
      } finish: {
        await server.orders.finish()
        await server.customers.finish()
      } read: { [lines = server.lines.lines(heartbeat: .seconds(1))] found in
        for await line in lines { if let orders = line.lists.orders { found.yield(orders) } }
      }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: ["another space", "a store twice", "a field twice", "a field with two mirrors"])
  func `a store of another space traps, and so does a store or a field that comes twice`(mistake: String) async {
    await #expect(processExitsWith: .failure) { [mistake] in
      guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
      let space = ListSpace()
      let store = space.store(of: TestRow.self)
      var (lines, shop) = (EncodedSpace(Shop()) { (line: Line) in line }, MirroredSpace<Shop>())
      lines.add(store, as: \.orders)
      switch mistake {
      case "another space": lines.add(ListSpace().store(of: TestRow.self), as: \.customers)
      case "a store twice": lines.add(store, as: \.customers)
      case "a field twice": lines.add(space.store(of: TestRow.self), as: \.orders)
      default: _ = [shop.list(\.orders), shop.list(\.orders)]
      }
    }
  }

  // MARK: - The wire form

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a line is one object, with a message for each list by the name of its field`() async throws {
    let server = Server()
    try await server.customers.edit { try $0.upsert(TestRow(1, "Ann")) }
    let line = try #require(await server.lines.lines(since: [Self.positions(0, 0)[0]]).next())
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
}
