import Rowcast
import RowcastTesting

/// The two tables, as arrays.
struct Tables {
  var orders: [Order] = []
  var customers: [Customer] = []

  func name(_ customer: Int?) -> String { customers.first { $0.id == customer }?.name ?? "–" }
  func orders(of customer: Int) -> [Order] { orders.filter { $0.customerID == customer } }
  var totals: [Total] {
    Set(orders.map(\.customerID)).sorted().map { id in
      Total(id: id, count: orders(of: id).count, sum: orders(of: id).map(\.amount).reduce(0, +))
    }
  }
  /// Customers below the customers who brought them, depth first; a ring begins at its first one.
  var tree: [Line] {
    var lines: [Line] = []
    func isInRing(_ customer: Customer) -> Bool {
      var (next, visited) = (customer.referrerID, Set<Int>())
      while let id = next, visited.insert(id).inserted { next = customers.first { $0.id == id }?.referrerID }
      return visited.contains(customer.id)
    }
    func ring(of customer: Customer) -> [Int] {
      var (ids, next) = ([Int](), customer.referrerID)
      while let id = next, !ids.contains(id) { (ids, next) = (ids + [id], customers.first { $0.id == id }?.referrerID) }
      return ids
    }
    func isTop(_ customer: Customer) -> Bool {
      guard let id = customer.referrerID, customers.contains(where: { $0.id == id }) else { return true }
      return isInRing(customer) && customers.first { ring(of: customer).contains($0.id) }?.id == customer.id
    }
    func add(_ customer: Customer, _ depth: Int) {
      lines.append(Line(id: customer.id, text: "\(depth)"))
      for child in customers where child.referrerID == customer.id && !isTop(child) { add(child, depth + 1) }
    }
    for customer in customers where isTop(customer) { add(customer, 0) }
    return lines
  }
}

extension Array {
  /// Stable, whatever the library's sort is.
  func ordered(_ isBefore: (Element, Element) -> Bool) -> [Element] {
    enumerated().sorted { a, b in
      isBefore(a.element, b.element) || !isBefore(b.element, a.element) && a.offset < b.offset
    }.map(\.element)
  }
  func sections<Section>(_ keys: [Int], _ key: (Element) -> Int, _ section: (Int) -> Section) -> [String] {
    keys.map { id in "\(section(id)): \(filter { key($0) == id })" }
  }
}

/// The answers from arrays: the text of all rows, or of each section with its rows.
private let answers: [String: @Sendable (Tables) -> String] = [
  "SELECT * FROM orders WHERE amount > 50": { "\($0.orders.filter { $0.amount > 50 })" },
  "WHERE amount > ?, and the number changes": { "\($0.orders.filter { $0.amount > 20 })" },
  "SELECT id, amount * 2": { "\($0.orders.map { Line(id: $0.id, text: "\($0.amount * 2)") })" },
  "WHERE id = 3": { tables in "\(tables.orders.first { $0.id == 3 } as Order?)" },
  "SELECT DISTINCT ON (customer_id) *": { tables in
    "\(tables.orders.filter { order in tables.orders.first { $0.customerID == order.customerID }?.id == order.id })"
  },
  "WHERE day > today - 3, and time passes": { "\($0.orders.filter { $0.day > 3 })" },
  "a field of each row from a server": { "\($0.orders.map { Line(id: $0.id, text: "<\($0.customerID)>") })" },

  "ORDER BY day DESC, amount": { "\($0.orders.ordered { ($1.day, $0.amount) < ($0.day, $1.amount) })" },
  "ORDER BY referrer_id NULLS LAST": {
    "\($0.customers.ordered { ($0.referrerID ?? .max) < ($1.referrerID ?? .max) })"
  },
  "ORDER BY referrer_id NULLS FIRST": {
    "\($0.customers.ordered { ($0.referrerID ?? .min) < ($1.referrerID ?? .min) })"
  },
  "ORDER BY name COLLATE NOCASE": { "\($0.customers.ordered { $0.name.lowercased() < $1.name.lowercased() })" },
  "ORDER BY CASE status WHEN 'open' THEN 1 …": { tables in
    "\(Status.allCases.flatMap { status in tables.orders.filter { $0.status == status } })"
  },
  "the table, backwards": { "\(Array($0.orders.reversed()))" },
  "ORDER BY amount LIMIT 3": { "\(Array($0.orders.ordered { $0.amount < $1.amount }.prefix(3)))" },
  "ORDER BY amount LIMIT 2 OFFSET 4": {
    "\(Array($0.orders.ordered { $0.amount < $1.amount }.dropFirst(4).prefix(2)))"
  },
  "the last three": { "\(Array($0.orders.ordered { $0.amount < $1.amount }.suffix(3)))" },
  "WHERE (amount, id) > (…) ORDER BY amount, id LIMIT 3": { tables in
    let sorted = tables.orders.ordered { ($0.amount, $0.id) < ($1.amount, $1.id) }
    let start = sorted.firstIndex { $0.id == 3 }.map { $0 + 1 } ?? 0
    return "\(Array(sorted[start...].prefix(3)))"
  },
  "ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY day DESC) <= 2": { tables in
    let newest = tables.totals.flatMap { Array(tables.orders(of: $0.id).ordered { $0.day > $1.day }.prefix(2)) }
    return "\(newest.sections(tables.totals.map(\.id), \.customerID) { Group(id: $0) })"
  },
  "LAG(day) OVER (ORDER BY day)": { tables in
    let sorted = tables.orders.ordered { $0.day < $1.day }
    return "\(sorted.indices.map { Line(id: sorted[$0].id, text: "\($0 == 0 ? 0 : sorted[$0 - 1].day)") })"
  },
  "ROW_NUMBER() OVER (ORDER BY amount) of one row": { tables in
    "\(tables.orders.ordered { $0.amount < $1.amount }.firstIndex { $0.id == 3 } as Int?)"
  },

  "the rows of each customer together": { tables in
    "\(tables.orders.sections(tables.totals.map(\.id), \.customerID) { Group(id: $0) })"
  },
  "a column for each status, in its order": { tables in
    "\(Status.allCases.map { status in "\(Kind(id: status)): \(tables.orders.filter { $0.status == status })" })"
  },
  "SELECT COUNT(*), SUM(amount) … GROUP BY customer_id, with the rows": { tables in
    "\(tables.totals.map { "\(Group(id: $0.id, count: $0.count, sum: $0.sum)): \(tables.orders(of: $0.id))" })"
  },
  "the same, without the rows": { "\($0.totals)" },
  "HAVING COUNT(*) > 1": { "\($0.totals.filter { $0.count > 1 })" },
  "ORDER BY SUM(amount) DESC LIMIT 2": { "\(Array($0.totals.ordered { $0.sum > $1.sum }.prefix(2)))" },
  "GROUP BY customer_id ORDER BY SUM(amount) DESC, each with its two newest rows": { tables in
    let accounts = tables.customers.map { customer in
      let orders = tables.orders(of: customer.id)
      let newest = orders.ordered { $0.day > $1.day }.prefix(2).map(\.id)
      return Account(id: customer.id, sum: orders.map(\.amount).reduce(0, +), newest: newest)
    }
    return "\(accounts.ordered { $0.sum > $1.sum })"
  },
  "SELECT COUNT(*), SUM(amount), AVG(amount) FROM orders": { tables in
    let sum = tables.orders.map(\.amount).reduce(0, +)
    return
      "\((tables.orders.count, sum, tables.orders.isEmpty ? nil : sum / Double(tables.orders.count)) as (Int, Double, Double?))"
  },
  "SELECT MIN(day), MAX(day) FROM orders": {
    "\(($0.orders.map(\.day).min(), $0.orders.map(\.day).max()) as (Int?, Int?))"
  },
  "COUNT(*) FILTER (WHERE amount > 50)": { "\($0.orders.filter { $0.amount > 50 }.count)" },
  "SELECT EXISTS (… WHERE amount > 90)": { "\($0.orders.contains { $0.amount > 90 })" },

  "orders JOIN customers ON customers.id = customer_id": { tables in
    "\(tables.orders.compactMap { order in tables.customers.first { $0.id == order.customerID }.map { Line(id: order.id, text: $0.name) } })"
  },
  "orders LEFT JOIN customers": { tables in
    "\(tables.orders.map { Line(id: $0.id, text: tables.name($0.customerID)) })"
  },
  "customers LEFT JOIN orders … GROUP BY customers.id, the rows": { tables in
    "\(tables.customers.map { Line(id: $0.id, text: "\(tables.orders(of: $0.id).ordered { $0.day > $1.day }.map(\.id))") })"
  },
  "the same, with COUNT(*), SUM(amount)": { tables in
    "\(tables.customers.map { customer in tables.totals.first { $0.id == customer.id } ?? Total(id: customer.id, count: 0, sum: 0) })"
  },
  "LEFT JOIN LATERAL (… ORDER BY amount DESC LIMIT 1)": { tables in
    "\(tables.customers.map { Line(id: $0.id, text: "\(tables.orders(of: $0.id).map(\.amount).max() ?? 0)") })"
  },
  "customers AS c LEFT JOIN customers AS r ON r.id = c.referrer_id": { tables in
    "\(tables.customers.map { Line(id: $0.id, text: tables.name($0.referrerID)) })"
  },
  "customers FULL JOIN orders": { tables in
    let lonely = tables.customers.filter { tables.orders(of: $0.id).isEmpty }
    return
      "\(tables.orders.map { Line(id: $0.id, text: tables.name($0.customerID)) } + lonely.map { Line(id: -1 - $0.id, text: $0.name) })"
  },
  "FROM customers WHERE EXISTS (SELECT … FROM orders …)": { tables in
    "\(tables.customers.filter { !tables.orders(of: $0.id).isEmpty })"
  },
  "FROM customers WHERE NOT EXISTS (SELECT … FROM orders …)": { tables in
    "\(tables.customers.filter { tables.orders(of: $0.id).isEmpty })"
  },

  "large UNION early": {
    "\($0.orders.filter { $0.amount > 50 } + $0.orders.filter { $0.amount <= 50 && $0.day < 4 })"
  },
  "large INTERSECT early": { "\($0.orders.filter { $0.amount > 50 && $0.day < 4 })" },
  "large EXCEPT early": { "\($0.orders.filter { $0.amount > 50 && $0.day >= 4 })" },
  "UNION of tables that change": {
    "\($0.orders.filter { $0.amount > 50 } + $0.orders.filter { $0.amount <= 50 && $0.day < 4 })"
  },
  "a table that is exchanged": { "\($0.orders.filter { $0.amount > 50 })" },
  "orders, unnest(…)": {
    "\($0.orders.flatMap { order in (0..<2).map { Line(id: 2 * order.id + $0, text: "\(order.day)") } })"
  },
  "another primary key": { "\($0.orders.map { Line(id: 100 - $0.id, text: "\($0.day)") })" },
  "WITH RECURSIVE over referrer_id": { "\($0.tree)" },
]

struct WrongAnswer: Error, CustomStringConvertible { let description: String }

/// Edits the tables at random, and compares each answer.
private func check(_ question: String, _ answer: () async -> String?) async throws {
  guard let expected = answers[question] else {
    throw WrongAnswer(description: "arrays have no answer to: \(question)")
  }
  for edit in 0..<60 {
    try await space.edit(orders, customers) { orders, customers in
      var random = SeededGenerator(seed: UInt64(1_000 * question.utf8.count + edit))
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let (id, other) = (Int.random(in: 0..<12, using: &random), Int.random(in: 0..<6, using: &random))
        switch Int.random(in: 0..<6, using: &random) {
        case 0: _ = orders.snapshot.allRows.contains { $0.id == id } ? try orders.remove(id) : nil
        case 1: _ = customers.snapshot.allRows.contains { $0.id == other } ? try customers.remove(other) : nil
        case 2:
          let name = ["ann", "Ann", "Bob", "cleo"][Int.random(in: 0..<4, using: &random)]
          let referrer = Bool.random(using: &random) ? Int.random(in: 0..<6, using: &random) : nil
          try customers.upsert(Customer(id: other, name: name, referrerID: referrer))
        default:
          let amount = Double(Int.random(in: 0..<200, using: &random)) / 2
          let status = Status.allCases[Int.random(in: 0..<3, using: &random)]
          try orders.upsert(
            Order(id: id, customerID: other, day: .random(in: 1..<8, using: &random), amount: amount, status: status))
        }
      }
    }
    let tables = try await space.edit(orders, customers) {
      Tables(orders: Array($0.snapshot.allRows), customers: Array($1.snapshot.allRows))
    }
    // Loaded values arrive later.
    var found = await answer()
    while found?.contains("…") == true { await Task.yield(); found = await answer() }
    guard found == expected(tables) else {
      throw WrongAnswer(
        description: "\(question), after \(edit + 1) edits of\n\(tables):\n\(found ?? "")\nand not\n\(expected(tables))"
      )
    }
  }
}

func ask<Section: SectionViewModel, Row: RowViewModel>(_ question: String, _ list: any LiveList<Section, Row>)
  async throws
{
  try await check(question) {
    let snapshot = await list.snapshot
    return Section.self == SoleSection.self
      ? "\(Array(snapshot.allRows))" : "\(snapshot.contents.map { "\($0.section): \(Array($0.rows))" })"
  }
}

func ask<Value>(_ question: String, _ value: ListValue<Value>) async throws {
  try await check(question) { "\(await value.value)" }
}
