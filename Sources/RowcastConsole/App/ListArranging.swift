package import RowcastViews

/// Filters a list by a text, and sorts it in one of several orders.
package final actor ListArranging<Section: ConsoleSection, Row: ConsoleRow> {
  package typealias Plan = Arrangement<Section, Row, Section, Row>

  /// An order of the rows of each section, and its name.
  package typealias Order = (name: String, key: SortKey<Row>)

  /// The arrangement of the list.
  private let plan: Parameter<Plan>
  private let orders: [Order]
  /// The reversed orders, at the same indexes; empty without columns.
  private let reversed: [SortKey<Row>]
  /// The columns of the rows, whose texts the filter looks at; empty for rows without columns.
  private let columns: [ConsoleColumn<Row>]
  /// The index of the order, `nil` for the list's own, and whether it is reversed.
  private var order: Int?
  private var isReversed = false
  /// Shows the order that is in effect.
  private let shows: @Sendable (_ order: Int?, _ isReversed: Bool) -> Void
  /// Reports the number of arrangements, before the list has the newest one.
  private let counts: @Sendable (Int) -> Void
  private var count = 0
  private var text = ""
  nonisolated let outline: ConsoleOutline<Row>?
  /// The expanded rows in place of those of the outline, for a log.
  private var expansion: OutlineExpansion<Row.ID>?
  /// The rows that are expanded while a filter is in effect.
  private let found = OutlineExpansion<Row.ID>()
  /// The last change of the arrangement. Each waits for its predecessor, so that the newest is applied last.
  private var arranging: Task<Void, Never>?

  package init(_ plan: Parameter<Plan>, orders: [Order]) {
    (self.plan, self.orders, reversed, columns, outline) = (plan, orders, [], [], nil)
    (shows, counts) = ({ _, _ in }, { _ in })
  }

  init(
    _ plan: Parameter<Plan>, columns: [ConsoleColumn<Row>], outline: ConsoleOutline<Row>? = nil,
    shows: @escaping @Sendable (_ order: Int?, _ isReversed: Bool) -> Void = { _, _ in },
    counts: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    (self.plan, self.columns, self.outline, self.shows, self.counts) = (plan, columns, outline, shows, counts)
    orders = columns.map { ("by \($0.title)", $0.order) }
    reversed = columns.map(\.reversedOrder)
  }

  /// The commands that change the arrangement, by their actions.
  nonisolated var actions: [ConsoleAction: KeyCommand<Row.ID>] {
    let filter = KeyCommand<Row.ID>(
      "/", label: "filter", help: "show only rows with a text", prompt: "filter: "
    ) { await self.filter($0) }
    guard !orders.isEmpty else { return [.filter: filter] }
    let names = (["as it comes"] + orders.map(\.name)).joined(separator: ", ")
    let sort = KeyCommand<Row.ID>("s", label: "sort", help: "next order: \(names)") { _ in await self.sortByNext() }
    return [.sort: sort, .filter: filter]
  }

  /// The commands that change the arrangement.
  package nonisolated var commands: [KeyCommand<Row.ID>] {
    [.sort, .filter].compactMap { actions[$0] }
  }

  private func sortByNext() async -> String? {
    let next = order.map { $0 + 1 } ?? 0
    return await sort(by: next < orders.count ? next : nil, isReversed: false)
  }

  /// Sorts by an order, or by its reverse if the order is already in effect.
  func sort(by index: Int) async -> String? {
    await sort(by: index, isReversed: order == index && !isReversed && index < reversed.count)
  }

  private func sort(by index: Int?, isReversed: Bool) async -> String? {
    (order, self.isReversed) = (index, isReversed)
    await arrange()
    shows(order, isReversed)
    return "sorted: \(order.map { orders[$0].name } ?? "as it comes")\(isReversed ? ", backwards" : "")"
  }

  private func filter(_ text: String) async -> String? {
    if self.text.isEmpty { await found.expandAll() }
    self.text = text
    await arrange()
    return text.isEmpty ? nil : "only rows with \"\(text)\""
  }

  /// Makes the list an outline, if the app has one. A log ends with the list: nobody could expand or filter its rows.
  func begin(isLog: Bool) async {
    if let outline {
      if isLog { expansion = OutlineExpansion(following: outline.expansion) }
      await arrange()
    }
    if isLog { plan.finish() }
  }

  /// Expands or collapses a row of the outline, perhaps with all its descendants; while a filter is set, until that ends.
  func fold(_ id: Row.ID, isExpanded: Bool, descendants: Bool) async {
    guard let expansion = text.isEmpty ? outline?.expansion : found else { return }
    if isExpanded {
      await expansion.expand(id, descendants: descendants)
    } else {
      await expansion.collapse(id, descendants: descendants)
    }
  }

  private func arrange() async {
    let task = Task { [before = arranging] in
      await before?.value
      count += 1
      counts(count)
      await plan.set(arrangement)
    }
    arranging = task
    await task.value
  }

  private var arrangement: Plan {
    var plan = Plan()
    if let order { plan = plan.sorted(by: [isReversed ? reversed[order] : orders[order].key]) }
    let passes = TextMatcher(text).map { matcher in
      { @Sendable [columns] (row: Row) in matcher.occurs(in: row, showing: columns) }
    }
    if let outline {
      plan = outline.outline(
        plan, expansion: passes == nil ? expansion ?? outline.expansion : found, where: passes)
    } else if let passes {
      plan = plan.filter(passes)
    }
    // The header of a section without a match is of no use.
    return passes == nil ? plan : plan.withoutEmptySections()
  }
}
