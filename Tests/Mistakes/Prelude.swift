// What the programs of the corpus share: the models, stores, lists and screens of a shop.

import Rowcast
import RowcastSchedules
import RowcastTesting

enum Level { case low, high }

/// Shared state that no actor guards.
final class Counter { var count = 0 }

struct Shelf: PhasedSection, WireSection {
  struct Content: Codable, Equatable {
    var title = ""
    var phase = SectionPhase.idle
  }

  let id: String
  var content = Content()

  var phase: SectionPhase {
    get { content.phase }
    set { content.phase = newValue }
  }
}

struct Product: RowViewModel, Codable {
  let id: Int
  var name: String
  var price = 0.0
  var stock = 0

  var level: Level { stock < 3 ? .low : .high }
}

struct Order: RowViewModel {
  let id: String
  var product: Int?
}

struct Day: SectionViewModel {
  let id: String
  var count = 0
}

final class ProductCell: Cell, RowCell {
  func configure(with row: Product) {}
}

final class OrderCell: Cell, RowCell {
  func configure(with row: Order) {}
}

final class TableView: BatchView {
  var isInWindow: Bool { false }
  func performBatch(_ updates: @escaping () -> Void, completion: @escaping @MainActor @Sendable () -> Void) {
    updates()
    completion()
  }
  func reload() {}
  func insertSections(at indexes: [Int]) {}
  func deleteSections(at indexes: [Int]) {}
  func moveSection(from: Int, to: Int) {}
  func reconfigureSections(at indexes: [Int]) {}
  func insertRows(at paths: [RowPath]) {}
  func deleteRows(at paths: [RowPath]) {}
  func moveRow(from: RowPath, to: RowPath) {}
  func replaceRows(at paths: [RowPath]) {}
  func reconfigureRows(at paths: [RowPath]) {}
}

typealias Plan = Arrangement<SoleSection, Product, SoleSection, Product>

/// Lists of all kinds, and what feeds them.
struct Shop: Sendable {
  let store = ListStore<Shelf, Product>(history: .last(8))
  let products: ListStore<SoleSection, Product>
  let orders: ListStore<SoleSection, Order>
  let plan = Parameter(Plan())
  let view: ArrangedList<SoleSection, Product>
  let dayPlan = Parameter(Plan().sectioned(by: { String($0.name.prefix(1)) }) { Day(id: $0) })
  let days: ArrangedList<Day, Product>
  let merged: MergedList<SoleSection, Product>
  let joined: JoinedList<SoleSection, Order>
  let total: ListValue<(Int, Int)>
  let mirror = MirroredList<Shelf, Product>()
  let recorder: UpdateRecorder<Shelf, Product>
  let paging: Paging<Shelf, Product, String, Int>
  let binding: SourceBinding

  init() throws {
    let (stream, _) = AsyncStream<Product>.makeStream()
    products = try ListStore([Product(id: 1, name: "tea"), Product(id: 2, name: "coffee")])
    orders = try ListStore([])
    view = products.arranged(by: plan)
    days = products.arranged(by: dayPlan)
    merged = MergedList(products)
    joined = orders.joined(with: products, on: \.product) { order, _ in order }
    total = products.summary(.count, .sum(\.stock))
    recorder = UpdateRecorder(store)
    paging = Paging(store, section: "a", query: "tea") { _, _ in .init(rows: [], next: nil) }
    binding = store.attach(stream) { list, product in try list.upsert(product, to: "a") }
  }
}

/// An object of the main actor that has a shop.
@MainActor class Screen {
  let shop: Shop
  let model: ListModel<Shelf, Product>
  let driver = BatchDriver<Shelf, Product>(TableView())
  var isDescending = false

  init(_ shop: Shop) {
    self.shop = shop
    model = ListModel(shop.store)
  }
}

/// An actor that has a shop.
actor Clerk {
  let shop: Shop
  var isDescending = false

  init(_ shop: Shop) { self.shop = shop }
}
