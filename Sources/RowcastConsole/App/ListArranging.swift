import RowcastViews

/// How a person wants to see the list of an app: filtered by a text, and sorted by a column.
actor ListArranging<Section: ConsoleSection, Row: ConsoleRow> {
  private typealias Plan = Arrangement<Section, Row, Section, Row>

  private let list: ArrangedList<Section, Row, Section, Row>
  private let columns: [ConsoleColumn<Row>]
  /// The column that rows are sorted by; `nil` for the order in which they come.
  private var sorting: Int?
  private var text = ""

  init(_ list: ArrangedList<Section, Row, Section, Row>, columns: [ConsoleColumn<Row>]) {
    self.list = list
    self.columns = columns
  }

  /// The keys that change the arrangement.
  nonisolated var commands: [KeyCommand<Row.ID>] {
    let filter = KeyCommand<Row.ID>(
      "/", label: "filter", help: "show only rows with a text", prompt: "filter: "
    ) { await self.filter($0) }
    guard !columns.isEmpty else { return [filter] }
    let sort = KeyCommand<Row.ID>("s", label: "sort", help: "sort by the next column") { _ in await self.sortByNext() }
    return [sort, filter]
  }

  private func sortByNext() async -> String? {
    let next = sorting.map { $0 + 1 } ?? 0
    sorting = next < columns.count ? next : nil
    await arrange()
    return "sorted: \(sorting.map { "by \(columns[$0].title)" } ?? "as it comes")"
  }

  private func filter(_ text: String) async -> String? {
    self.text = text
    await arrange()
    return text.isEmpty ? nil : "only rows with \"\(text)\""
  }

  private func arrange() async {
    var plan = Plan()
    let text = text.lowercased()
    if !text.isEmpty {
      plan = plan.filter { [columns] row in
        row.line.lowercased().contains(text) || columns.contains { $0.text(row).lowercased().contains(text) }
      }
    }
    if let sorting { plan = plan.sorted(by: [columns[sorting].order]) }
    await list.rearrange(by: plan)
  }
}
