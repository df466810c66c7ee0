package import RowcastViews

/// Filters a list by a text, and sorts it in one of several orders.
package actor ListArranging<Section: ConsoleSection, Row: ConsoleRow> {
  package typealias List = ArrangedList<Section, Row, Section, Row>

  /// An order of the rows of each section, and its name.
  package typealias Order = (name: String, key: SortKey<Row>)

  private let list: List
  private let orders: [Order]
  /// The texts of a row that the filter searches.
  private let texts: @Sendable (Row) -> [String]
  /// The index of the order; `nil` for that of the list.
  private var order: Int?
  private var text = ""
  /// The last change of the arrangement. Each waits for the one before it, so that the newest one comes last.
  private var arranging: Task<Void, Never>?

  package init(_ list: List, orders: [Order], texts: @escaping @Sendable (Row) -> [String] = { [$0.line] }) {
    self.list = list
    self.orders = orders
    self.texts = texts
  }

  init(_ list: List, columns: [ConsoleColumn<Row>]) {
    self.init(list, orders: columns.map { ("by \($0.title)", $0.order) }) { row in
      [row.line] + columns.map { $0.text(row) }
    }
  }

  /// The keys that change the arrangement.
  package nonisolated var commands: [KeyCommand<Row.ID>] {
    let filter = KeyCommand<Row.ID>(
      "/", label: "filter", help: "show only rows with a text", prompt: "filter: "
    ) { await self.filter($0) }
    guard !orders.isEmpty else { return [filter] }
    let names = (["as it comes"] + orders.map(\.name)).joined(separator: ", ")
    let sort = KeyCommand<Row.ID>("s", label: "sort", help: "next order: \(names)") { _ in await self.sortByNext() }
    return [sort, filter]
  }

  private func sortByNext() async -> String? {
    let next = order.map { $0 + 1 } ?? 0
    order = next < orders.count ? next : nil
    await arrange()
    return "sorted: \(order.map { orders[$0].name } ?? "as it comes")"
  }

  private func filter(_ text: String) async -> String? {
    self.text = text
    await arrange()
    return text.isEmpty ? nil : "only rows with \"\(text)\""
  }

  private func arrange() async {
    let task = Task { [before = arranging] in
      await before?.value
      await list.rearrange(by: plan)
    }
    arranging = task
    await task.value
  }

  private var plan: Arrangement<Section, Row, Section, Row> {
    var plan = Arrangement<Section, Row, Section, Row>()
    if let order { plan = plan.sorted(by: [orders[order].key]) }
    let text = text.lowercased()
    if !text.isEmpty {
      // The header of a section without a match is of no use.
      plan = plan.filter { [texts] row in texts(row).contains { $0.lowercased().contains(text) } }
        .withoutEmptySections()
    }
    return plan
  }
}
