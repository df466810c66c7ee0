import Foundation
import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore

/// Random transactions over three stores, servers that restart, and lines that get lost, come twice, late, or cut.
@Suite(.watched) struct MirroredSpaceFuzzTests {
  /// A row with an amount, which one account gives to another, and an owner.
  struct Account: RowViewModel, Codable {
    let id: Int
    var amount: Int
    var owner: Int
  }

  struct Bank: Codable {
    var left: WireMessage<SoleSection, Account>?
    var right: WireMessage<SoleSection, Account>?
    var owners: WireMessage<SoleSection, TestRow>?
  }

  /// The rows of all three lists, as plain arrays.
  struct Books: Equatable {
    var left: [Account] = []
    var right: [Account] = []
    var owners: [TestRow] = []

    /// What holds after each transaction: the sum of all amounts, and that each account has an owner.
    var areBalanced: Bool {
      let owners = Set(owners.map(\.id))
      return (left + right).allSatisfy { owners.contains($0.owner) }
        && (left + right).reduce(0) { $0 + $1.amount } == 100
    }
  }

  private struct Abort: Error {}
  private struct Cut: Error {}

  /// The stores of a server, and what they had after each transaction.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private struct Server {
    let space = ListSpace()
    let left, right: ListStore<SoleSection, Account>
    let owners: ListStore<SoleSection, TestRow>
    let lines: EncodedSpace<Bank, Data>
    var books: Books
    /// Those that it had, in their order.
    var history: [Books]

    init(_ books: Books, history: Int) throws {
      func snapshot<Row>(_ rows: [Row]) throws -> ListSnapshot<SoleSection, Row> {
        try ListSnapshot([ListSection(SoleSection(), rows: rows)])
      }
      left = space.store(try snapshot(books.left), history: .last(history))
      right = space.store(try snapshot(books.right), history: .last(history))
      owners = space.store(try snapshot(books.owners), history: .last(history))
      var lines = EncodedSpace(Bank()) { try JSONEncoder().encode($0) }
      lines.add(left, as: \.left)
      lines.add(right, as: \.right)
      lines.add(owners, as: \.owners)
      self.lines = lines
      (self.books, self.history) = (books, [books])
    }

    /// A transaction over two or three stores, or one.
    mutating func edit(using random: inout SeededGenerator) async throws {
      var next = books
      let isAborted = Int.random(in: 0..<5, using: &random) == 0
      let amount = Int.random(in: -9..<10, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        guard let from = books.left.indices.randomElement(using: &random),
          let to = books.right.indices.randomElement(using: &random)
        else { return }
        next.left[from].amount -= amount
        next.right[to].amount += amount
      case 1:
        guard let from = books.left.indices.randomElement(using: &random) else { return }
        next.right.append(next.left.remove(at: from))
      case 2:
        guard let from = books.right.indices.randomElement(using: &random) else { return }
        next.left.insert(next.right.remove(at: from), at: 0)
      case 3:
        // An owner, with an account, which gets its amount from another one.
        let id = (books.owners.map(\.id).max() ?? 0) + 1
        next.owners.append(TestRow(id, "\(amount)"))
        next.left.append(Account(id: id, amount: books.left.isEmpty ? 0 : amount, owner: id))
        if !books.left.isEmpty { next.left[0].amount -= amount }
        if books.owners.count > 8, let leaving = books.owners.dropFirst().randomElement(using: &random) {
          // It leaves, with its accounts, whose amounts the others get.
          let rest = (next.left + next.right).filter { $0.owner == leaving.id }.reduce(0) { $0 + $1.amount }
          next.owners.removeAll { $0.id == leaving.id }
          next.left.removeAll { $0.owner == leaving.id }
          next.right.removeAll { $0.owner == leaving.id }
          guard !next.left.isEmpty else { return }
          next.left[0].amount += rest
        }
      default:
        guard let index = books.owners.indices.randomElement(using: &random) else { return }
        next.owners[index].text = "\(amount)"
        if !isAborted {
          try await owners.edit { [next] in try $0.set(next.owners) }
          return note(next)
        }
      }
      do {
        if next.owners == books.owners {
          try await space.edit(right, left) { [next] in
            try $0.set(next.right)
            try $1.set(next.left)
            if isAborted { throw Abort() }
          }
        } else {
          try await space.edit(left, owners, right) { [next] in
            try $0.set(next.left)
            try $1.set(next.owners)
            try $2.set(next.right)
            if isAborted { throw Abort() }
          }
        }
        note(next)
      } catch is Abort {}
    }

    private mutating func note(_ next: Books) {
      if next != books { history.append(next) }
      books = next
    }
  }

  /// Mirrors, and a connection to a server.
  private struct Client {
    let bank: MirroredSpace<Bank>
    let left, right: MirroredList<SoleSection, Account>
    let owners: MirroredList<SoleSection, TestRow>
    var connection: AsyncStream<Data>?
    /// How much of the server's history it was sent, at most.
    var sent = -1
    var delayed: [Data] = []

    init() {
      var bank = MirroredSpace<Bank>()
      left = bank.list(\.left)
      right = bank.list(\.right)
      owners = bank.list(\.owners)
      self.bank = bank
    }

    var books: Books {
      get async {
        await Books(
          left: left.snapshot.allRows.map { $0 }, right: right.snapshot.allRows.map { $0 },
          owners: owners.snapshot.allRows.map { $0 })
      }
    }

    func receive(_ line: Data) async throws {
      try await bank.receive(JSONDecoder().decode(SpaceMessage<Bank>.self, from: line))
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
  @Test
  func `mirrors have lists that the server had at one moment, whatever happens to lines, and are equal in the end`()
    async throws
  {
    var random = SeededGenerator.forFuzzing("a mirrored space")
    for _ in 0..<SeededGenerator.rounds(60, long: 6_000) { try await Self.play(using: &random) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func play(using random: inout SeededGenerator) async throws {
    let depth = Int.random(in: 0..<8, using: &random)
    let start = Books(left: [Account(id: 1, amount: 100, owner: 1)], owners: [TestRow(1)])
    var server = try Server(start, history: depth)
    var past: [Books] = [Books(), start]
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
        let position = await clients[index].bank.beginStream()
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
        } catch is DecodingError {
          clients[index].connection = nil
        }
      }
      let books = await clients[index].books
      #expect(books == Books() || books.areBalanced, "seed \(seed): \(books)")
      #expect(past.contains(books) || server.history.contains(books), "seed \(seed): \(books)")
    }
    for index in clients.indices {
      let position = await clients[index].bank.beginStream()
      (clients[index].connection, clients[index].sent) = (server.lines.lines(since: position), -1)
      try await clients[index].receive(#require(await clients[index].next(of: server.history.count)))
      #expect(await clients[index].books == server.books, "seed \(seed), client \(index)")
    }
  }
}
