@testable import RowcastStore

/// Random transactions over three stores, servers that restart, and lines that get lost, or arrive twice, late or truncated.
@Suite(.watched) struct MirroredSpaceFuzzTests {
  typealias Message = WireMessage<SoleSection, TestRow>

  struct Shop: Codable {
    var left: Message?
    var right: Message?
    var owners: Message?
  }

  /// The rows of all three lists, as plain arrays.
  typealias Books = [[TestRow]]

  private struct Abort: Error {}

  /// The stores of a server, and what they had after each transaction.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private struct Server {
    let space = ListSpace()
    let stores: [ListStore<SoleSection, TestRow>]
    let lines: EncodedSpace<Shop, Data>
    var books: Books
    /// The former books, in their order.
    var history: [Books]
    var revisions = [0, 0, 0]

    init(_ books: Books, history: Int) throws {
      stores = try books.map { [space] rows in
        space.store(try ListSnapshot([ListSection(SoleSection(), rows: rows)]), history: .last(history))
      }
      var lines = EncodedSpace(Shop()) { try JSONEncoder().encode($0) }
      lines.add(stores[0], as: \.left)
      lines.add(stores[1], as: \.right)
      lines.add(stores[2], as: \.owners)
      self.lines = lines
      (self.books, self.history) = (books, [books])
    }

    /// A transaction over some of the stores, in any order, which may throw behind the edits of each.
    mutating func edit(using random: inout SeededGenerator) async throws {
      var next = books
      let (order, count) = ([0, 1, 2].shuffled(using: &random), Int.random(in: 1...3, using: &random))
      let (one, two, three) = (stores[order[0]], stores[order[1]], stores[order[2]])
      let throwsAfter = Int.random(in: 0..<9, using: &random)
      for index in order[..<count] where Int.random(in: 0..<5, using: &random) > 0 {
        let id = Int.random(in: 0..<8, using: &random)
        next[index].removeAll { $0.id == id }
        if next[index].count > 5 { next[index].removeLast() }
        // Texts are new each time: lists of two moments are never former books.
        let row = TestRow(id, "\(UInt32.random(in: 0...UInt32.max, using: &random))")
        next[index].insert(row, at: Int.random(in: 0...next[index].count, using: &random))
      }
      let edit: @Sendable (inout ListEditor<SoleSection, TestRow>, Int) throws -> Void = { [next] list, part in
        try list.set(next[order[part]])
        if throwsAfter == part { throw Abort() }
      }
      do {
        switch count {
        case 1: try await one.edit { try edit(&$0, 0) }
        case 2:
          try await space.edit(one, two) {
            try edit(&$0, 0)
            try edit(&$1, 1)
          }
        default:
          try await space.edit(one, two, three) {
            try edit(&$0, 0)
            try edit(&$1, 1)
            try edit(&$2, 2)
          }
        }
        #expect(throwsAfter >= count, "seed \(random.seed)")
        // A store that is as before has no revision of it.
        for index in 0..<3 where next[index] != books[index] { revisions[index] += 1 }
        if next != books { history.append(next) }
        books = next
      } catch is Abort { #expect(throwsAfter < count, "seed \(random.seed)") }
      for (index, store) in stores.enumerated() {
        let (rows, revision) = await (store.snapshot.allRows.map { $0 }, store.revision)
        #expect(rows == books[index] && revision == revisions[index], "seed \(random.seed), store \(index)")
      }
    }
  }

  /// Mirrors, and a connection to a server.
  private struct Client {
    let shop: MirroredSpace<Shop>
    let lists: [MirroredList<SoleSection, TestRow>]
    var connection: AsyncStream<Data>?
    /// How much of the server's history it was sent, at most.
    var sent = -1
    var delayed: [Data] = []

    init() {
      var shop = MirroredSpace<Shop>()
      lists = [shop.list(\.left), shop.list(\.right), shop.list(\.owners)]
      self.shop = shop
    }

    var books: Books {
      get async {
        var books: Books = []
        for list in lists { books.append(await list.snapshot.allRows.map { $0 }) }
        return books
      }
    }

    func receive(_ line: Data) async throws {
      try await shop.receive(JSONDecoder().decode(SpaceMessage<Shop>.self, from: line))
    }

    /// The next line of the connection, which a client that was sent all must not ask for.
    mutating func next(of historyCount: Int) async throws -> Data? {
      guard let connection, sent < historyCount else { return nil }
      sent = historyCount
      var lines = connection.makeAsyncIterator()
      return await lines.next()
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `whatever happens to lines, mirrors have lists of one moment, and in the end the newest`() async throws {
    var random = SeededGenerator.forFuzzing("a mirrored space")
    for _ in 0..<SeededGenerator.rounds(12, long: 6_000) { try await Self.play(using: &random) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func play(using random: inout SeededGenerator) async throws {
    let depth = Int.random(in: 0..<8, using: &random)
    let start: Books = [[TestRow(1)], [], [TestRow(1)]]
    var server = try Server(start, history: depth)
    var past: [Books] = [[[], [], []], start]
    var clients = (0..<3).map { _ in Client() }
    let seed = random.seed
    for _ in 0..<60 {
      let index = Int.random(in: 0..<3, using: &random)
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<8: try await server.edit(using: &random)
      case 8 where Int.random(in: 0..<4, using: &random) == 0:
        // It starts again with its lists, or with former ones.
        past += server.history
        let isBack = Bool.random(using: &random)
        server = try Server(
          isBack ? server.history.randomElement(using: &random) ?? server.books : server.books, history: depth)
        for index in clients.indices { (clients[index].connection, clients[index].sent) = (nil, -1) }
      case 9, 10:
        let position = await clients[index].shop.beginStream()
        clients[index].connection = server.lines.lines(since: position)
        clients[index].sent = -1
      default:
        guard let line = try await clients[index].next(of: server.history.count) else { break }
        do {
          switch Int.random(in: 0..<12, using: &random) {
          case 0: break
          case 1:
            try await clients[index].receive(line)
            try await clients[index].receive(line)
          case 2: clients[index].delayed.append(line)
          case 3: try await clients[index].receive(line.prefix(line.count / 2))
          default:
            try await clients[index].receive(line)
            if let late = clients[index].delayed.popLast() { try await clients[index].receive(late) }
          }
        } catch is WireError {
          if Bool.random(using: &random) { clients[index].connection = nil }
        } catch is DecodingError { clients[index].connection = nil }
      }
      let books = await clients[index].books
      #expect(past.contains(books) || server.history.contains(books), "seed \(seed): \(books)")
    }
    for index in clients.indices {
      let position = await clients[index].shop.beginStream()
      (clients[index].connection, clients[index].sent) = (server.lines.lines(since: position), -1)
      try await clients[index].receive(#require(await clients[index].next(of: server.history.count)))
      #expect(await clients[index].books == server.books, "seed \(seed), client \(index)")
    }
  }
}
