import Rowcast
import RowcastConsole

/// A customer of a shop.
struct Customer: RowViewModel {
  let id: String
  var name: String
}

/// An order of a customer.
struct Order: RowViewModel {
  let id: String
  let number: Int
  let customerID: String
  var goods: String
  var cents: Int
}

/// What a customer has ordered: a group of orders as a row.
struct Turnover: SectionViewModel {
  let id: String
  var count: Int
  var cents: Int
}

/// A customer with what they have ordered.
struct Buyer: RowViewModel {
  let id: String
  var name: String
  var count: Int
  var cents: Int
}

/// The lists of a shop, and the question that is asked: who are the best customers, and what have they ordered?
struct Shop: Sendable {
  let space = ListSpace()
  let customers: ListStore<SoleSection, Customer>
  let orders: ListStore<SoleSection, Order>
  /// The answer.
  let board: MergedList<Group, Item>

  init() {
    let customers = space.store(of: Customer.self), orders = space.store(of: Order.self)
    (self.customers, self.orders) = (customers, orders)
    // GROUP BY customer, ORDER BY SUM(cents) DESC LIMIT 5; a customer whose name has not arrived yet does not count.
    let best = orders.arranged {
      $0.sectioned(by: \.customerID, summary: .count, .sum(\.cents)) { Turnover(id: $0, count: $1, cents: $2) }
    }
    .asRows { Buyer(id: $0.id, name: "", count: $0.count, cents: $0.cents) }
    .joined(with: customers, on: \.id) { Buyer(id: $0.id, name: $1.name, count: $0.count, cents: $0.cents) }
    .arranged { $0.sorted(by: .descending(\.cents), .ascending(\.name)).window(.first(5)) }
    let ranking = best.arranged {
      $0.sectioned(by: { _ in 0 }, keeping: [0]) { _ in Group(id: "customers", title: "The best customers") }
        .map { buyer in
          let orders = buyer.count == 1 ? "1 order" : "\(buyer.count) orders"
          return Item(id: buyer.id, title: buyer.name, subtitle: "\(price(buyer.cents)) · \(orders)", kind: "customer")
        }
    }
    // A join keeps the order of its left side.
    let newest = orders.arranged { $0.sorted(by: .descending(\.number)) }.joined(with: best, on: \.customerID) {
      Item(
        id: $0.id, title: "\($1.name): \($0.goods)", subtitle: "\(price($0.cents)) · #\($0.number)", kind: "order")
    }
    .arranged {
      $0.window(.first(8))
        .sectioned(by: { _ in 0 }, keeping: [0]) { _ in Group(id: "orders", title: "Their newest orders") }
    }
    board = MergedList(ranking, newest)
  }

  /// Ends the lists.
  func finish() async {
    await customers.finish()
    await orders.finish()
  }
}

/// An amount in euros and cents.
private func price(_ cents: Int) -> String { "\(cents / 100).\(cents % 100 / 10)\(cents % 10) €" }

extension ScenarioRun {
  /// Orders arrive, grow and are cancelled; the question is asked once, and its answer is kept up to date.
  func prepareOrders() -> PreparedScenario {
    let shop = Shop()
    var run = self
    run.arranged = shop.board
    let source: PreparedScenario.Source = { [run] in
      // A scenario that is cancelled has shown what it could.
      try? await run.play(shop)
      await shop.finish()
    }
    return PreparedScenario(source: source, updates: { shop.board.updates() }, arranges: true, served: shop.board)
  }

  private func play(_ shop: Shop) async throws {
    // In lockstep events follow each other as fast as they are shown, unless a speed is asked for.
    let speed = options.speed ?? (options.lockstep ? nil : 1)
    let start = ContinuousClock.now
    for step in ShopScript.steps(seed: options.seed) {
      if let speed { try await Task.sleep(until: start.advanced(by: step.time / speed)) }
      try await shop.space.edit(shop.customers, shop.orders) { customers, orders in
        switch step.event {
        case .customer(let customer): try customers.upsert(customer)
        case .order(let order): try orders.upsert(order)
        case .cancelled(let id): try orders.remove(id)
        }
      }
      await pacer.settle(at: await shown.revision, events: 1)
    }
    // A person looks as long as they like.
    if hasKeys { for await _ in AsyncStream<Never>.makeStream().stream {} }
  }
}
