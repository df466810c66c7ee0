import Rowcast
import RowcastConsole

/// The feed as a person wants to see it: in an order, and filtered by a text.
actor FeedView {
  typealias Plan = Arrangement<Group, Item, Group, Item>

  /// An order of the rows of each section.
  private enum Order: CaseIterable {
    case arrival, title, titleDescending, subtitle

    var name: String {
      switch self {
      case .arrival: "as it comes"
      case .title: "by title, A to Z"
      case .titleDescending: "by title, Z to A"
      case .subtitle: "by second column"
      }
    }

    var keys: [SortKey<Item>] {
      switch self {
      case .arrival: []
      case .title: [.ascending(\.title)]
      case .titleDescending: [.descending(\.title)]
      case .subtitle: [.ascending { $0.subtitle ?? "" }]
      }
    }
  }

  nonisolated let list: ArrangedList<Group, Item, Group, Item>
  private var order = Order.arrival
  private var text = ""

  init(_ store: Store) {
    list = store.arranged(by: Plan())
  }

  /// The keys that change the view.
  nonisolated var commands: [KeyCommand<Item.ID>] {
    [
      KeyCommand("s", label: "sort", help: "next order: as it comes, by title, by second column") { _ in
        await self.sortByNext()
      },
      KeyCommand("/", label: "filter", help: "show only rows with a text", prompt: "filter: ") {
        await self.filter($0)
      },
    ]
  }

  private func sortByNext() async -> String? {
    let all = Order.allCases
    order = all[((all.firstIndex(of: order) ?? 0) + 1) % all.count]
    await arrange()
    return "sorted: \(order.name)"
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
      plan = plan.filter { $0.title.lowercased().contains(text) || $0.subtitle?.lowercased().contains(text) == true }
    }
    if !order.keys.isEmpty { plan = plan.sorted(by: order.keys) }
    await list.rearrange(by: plan)
  }
}
