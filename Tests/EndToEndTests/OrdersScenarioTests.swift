import Testing

@testable import RowcastDemo

/// The scenario that asks a question, beside the same question asked of arrays.
@Suite(.watched) struct OrdersScenarioTests {
  private struct Tables {
    var customers: [Customer] = []
    var orders: [Order] = []

    mutating func apply(_ event: ShopScript.Event) {
      switch event {
      case .customer(let customer): Self.upsert(customer, in: &customers)
      case .order(let order): Self.upsert(order, in: &orders)
      case .cancelled(let id): orders.removeAll { $0.id == id }
      }
    }

    private static func upsert<Element: Identifiable>(_ element: Element, in elements: inout [Element]) {
      let index = elements.firstIndex { $0.id == element.id }
      elements.replaceSubrange(index.map { $0..<$0 + 1 } ?? elements.endIndex..<elements.endIndex, with: [element])
    }

    /// The lines of the answer.
    var answer: [String] {
      var ranking: [(id: Customer.ID, name: String, count: Int, cents: Int)] = []
      for customer in customers {
        let own = orders.filter { $0.customerID == customer.id }
        guard !own.isEmpty else { continue }
        ranking.append((customer.id, customer.name, own.count, own.map(\.cents).reduce(0, +)))
      }
      ranking.sort { $0.cents == $1.cents ? $0.name < $1.name : $0.cents > $1.cents }
      let best = ranking.prefix(5)
      let newest = orders.filter { order in best.contains { $0.id == order.customerID } }.suffix(8).reversed()
      func price(_ cents: Int) -> String { String(format: "%d.%02d €", cents / 100, cents % 100) }
      let customerLines = best.map {
        "\($0.name) \(price($0.cents)) · \($0.count == 1 ? "1 order" : "\($0.count) orders")"
      }
      let orderLines = newest.map { order in
        let name = best.first { $0.id == order.customerID }?.name ?? ""
        return "\(name): \(order.goods) \(price(order.cents)) · #\(order.number)"
      }
      return customerLines + orderLines
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `after every event the best customers and their newest orders are those that arrays give`(_ seed: UInt64)
    async throws
  {
    let shop = Shop()
    var tables = Tables()
    var moves = 0
    for (_, event) in ShopScript.steps(seed: seed) {
      tables.apply(event)
      try await shop.space.edit(shop.customers, shop.orders) { [tables] customers, orders in
        try customers.set(tables.customers)
        // In the order of their numbers, which is the order of arrival.
        try orders.set(tables.orders)
      }
      let rows = await shop.board.snapshot.allRows.map { "\($0.title) \($0.subtitle ?? "")" }
      #expect(rows == tables.answer)
      if rows.count == 13 { moves += 1 }
    }
    #expect(moves > 20)
  }

  @Test func `orders are shown until the last one, and the recording ends with the answer`() async throws {
    let first = try await Program.run(["orders", "--json", "--lockstep", "--seed", "3"])
    let again = try await Program.run(["orders", "--json", "--lockstep", "--seed", "3"])
    #expect(first.status == 0 && first.errors.isEmpty && first.output == again.output)
    let list = try first.list()
    var tables = Tables()
    for (_, event) in ShopScript.steps(seed: 3) { tables.apply(event) }
    #expect(list.sections.map(\.id) == ["customers", "orders"])
    #expect(list.sections.flatMap { $0.rows.map(\.id) }.count == tables.answer.count)
    #expect(first.output.contains("Countess Ada"))
    let cut = try await Program.run(["orders", "--log", "--duration", "0.2"])
    #expect(cut.status == 0 && cut.output.contains("= end: "))
  }
}
