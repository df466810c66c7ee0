import Rowcast

//: a store that is read without await
func count(_ store: ListStore<Shelf, Product>) -> Int {
  store.snapshot.rowCount  // error: 'async' property access in a function that does not support concurrency
}

//: an edit without await
func clear(_ store: ListStore<Shelf, Product>) async throws {
  try store.edit { $0.removeAll() }  // error: expression is 'async' but is not marked with 'await'
}

//: an edit without try
func clear(_ store: ListStore<Shelf, Product>) async {
  await store.edit { $0.removeAll() }  // error: call can throw
}

//: an edit whose body does not try
func add(_ product: Product, to store: ListStore<Shelf, Product>) async throws {
  try await store.edit { $0.append(product, to: "a") }  // error: call can throw, but it is not marked with 'try'
}

//: a row put into a store without an edit
func add(_ product: Product, to store: ListStore<SoleSection, Product>) async throws {
  try await store.upsert(product)  // error: 'ListStore<SoleSection, Product>' has no member 'upsert'
}

//: a row appended to a store without an edit
func add(_ product: Product, to store: ListStore<Shelf, Product>) async throws {
  try await store.append(product, to: "a")  // error: 'ListStore<Shelf, Product>' has no member 'append'
}

//: rows that are set in a store with sections
func show(_ products: [Product], in store: ListStore<Shelf, Product>) async throws {
  try await store.set(products)  // error: 'Shelf' and 'SoleSection'
}

//: rows that are set in a list with sections
func show(_ products: [Product], in store: ListStore<Shelf, Product>) async throws {
  try await store.edit { try $0.set(products) }  // error: 'Shelf' and 'SoleSection'
}

//: a row without its section
func add(_ product: Product, to store: ListStore<Shelf, Product>) async throws {
  try await store.edit { try $0.append(product) }  // error: 'Product' to expected argument type 'Shelf'
}

//: rows that are appended to the sole section
func add(_ products: [Product], to store: ListStore<SoleSection, Product>) async throws {
  try await store.edit { try $0.append(products) }  // error: '\[Product\]' to expected argument type 'Product'
}

//: a section named by itself
func add(_ product: Product, to shelf: Shelf, of store: ListStore<Shelf, Product>) async throws {
  try await store.edit { try $0.append(product, to: shelf) }  // error: 'Shelf' to expected argument type 'String'
}

//: an update with an id of another type
func rename(in store: ListStore<Shelf, Product>) async throws {
  // error: 'String' to expected argument type 'Int'
  try await store.edit { try $0.update("7") { $0.name = "tea" } }
}

//: an update of a property that is not there
func rename(in store: ListStore<Shelf, Product>) async throws {
  try await store.edit { try $0.update(7) { $0.title = "tea" } }  // error: 'Product' has no member 'title'
}

//: an update of the row's id
func rename(in store: ListStore<Shelf, Product>) async throws {
  // error: cannot assign to property: 'id' is a 'let' constant
  try await store.edit { try $0.update(7) { $0.id = 8 } }
}

//: a row with a value of another type
func add(to store: ListStore<SoleSection, Product>) async throws {
  // error: 'String' to expected argument type 'Int'
  try await store.edit { try $0.upsert(Product(id: "7", name: "tea")) }
}

//: a row of another list
func add(_ order: Order, to store: ListStore<SoleSection, Product>) async throws {
  try await store.edit { try $0.upsert(order) }  // note: expects value of type 'Product'.*\(got 'Order'\)
}

//: an edit that awaits
func load(_ store: ListStore<SoleSection, Product>, _ other: ListStore<SoleSection, Product>) async throws {
  // error: cannot pass function of type '@Sendable .* async
  try await store.edit { try $0.set(await other.snapshot.allRows) }
}

//: a variable that an edit changes
func count(_ store: ListStore<SoleSection, Product>) async throws -> Int {
  var count = 0
  try await store.edit { list in
    count = list.snapshot.rowCount  // error: mutation of captured var 'count' in concurrently-executing code
  }
  return count
}

//: a variable that an edit reads
func rename(_ store: ListStore<SoleSection, Product>) async throws {
  var name = "tea"
  name += "!"
  try await store.edit { list in
    try list.update(7) { $0.name = name }  // error: reference to captured var 'name' in concurrently-executing code
  }
}

//: an object that an edit uses
func count(_ store: ListStore<SoleSection, Product>, with counter: Counter) async throws {
  try await store.edit { list in
    counter.count = list.snapshot.rowCount  // error: capture of 'counter' with non-Sendable type 'Counter'
  }
}

//: state of the main actor that an edit reads
@MainActor final class Search {
  var text = ""
  func rename(_ store: ListStore<SoleSection, Product>) async throws {
    try await store.edit { list in
      // error: main actor-isolated property 'text' can not be referenced
      try list.update(7) { $0.name = self.text }
    }
  }
}

//: an object that an edit returns
func count(_ store: ListStore<SoleSection, Product>) async throws -> Counter {
  try await store.edit { _ in Counter() }  // error: 'Counter' does not conform to the 'Sendable' protocol
}

//: the list of an edit that is kept
func keep(_ store: ListStore<SoleSection, Product>) async throws {
  var kept: ListEditor<SoleSection, Product>?
  try await store.edit { list in
    kept = list  // error: mutation of captured var 'kept' in concurrently-executing code
  }
  _ = kept
}

//: updates that are iterated without await
func show(_ store: ListStore<Shelf, Product>) async {
  // error: AsyncStream<ListUpdate<Shelf, Product>>' to conform to 'Sequence'
  for update in store.updates() { print(update) }
}

//: updates in a function that cannot wait
func show(_ store: ListStore<Shelf, Product>) {
  // error: 'async' in a function that does not support concurrency
  for await update in store.updates() { print(update) }
}

//: a snapshot for a store
func count(_ list: ListSnapshot<Shelf, Product>) -> ListValue<Int> {
  list.rowCount  // error: 'Int' to return type 'ListValue<Int>'
}

//: a snapshot where a list is watched
func watch(_ list: ListSnapshot<Shelf, Product>) {
  let model = ArrangedView(list)  // error: 'ListSnapshot<Shelf, Product>' conform to 'LiveList'
  _ = model
}
struct ArrangedView { init(_ list: some LiveList<Shelf, Product>) {} }

//: a history without a bound
func open() -> ListStore<Shelf, Product> {
  ListStore(history: .last)  // error: 'last' expects argument of type 'Int'
}

//: a store that is edited by its section's phase without one
func load(_ store: ListStore<SoleSection, Product>) async throws {
  try await store.edit { try $0.setPhase(.loading, of: 0) }  // error: 'SoleSection' conform to 'PhasedSection'
}

//: rows of another list
func show(_ orders: [Order], in store: ListStore<SoleSection, Product>) async throws {
  try await store.set(orders)  // error: 'Order' to expected argument type 'Product'
}

//: rows of another list in an edit
func show(_ orders: [Order], in store: ListStore<Shelf, Product>) async throws {
  // error: 'Order' to expected argument type 'Product'
  try await store.edit { try $0.replaceRows(in: "a", with: orders) }
}

//: rows of another list at an end
func show(_ orders: [Order], in store: ListStore<Shelf, Product>) async throws {
  // error: 'Order' to expected argument type 'Product'
  try await store.edit { try $0.append(contentsOf: orders, to: "a") }
}

//: a store that begins with rows of another list
func open(_ orders: [Order]) throws -> ListStore<SoleSection, Product> {
  try ListStore(orders)  // error: the types 'Product' and 'Order' be equivalent
}

//: a move to a section
func move(in store: ListStore<Shelf, Product>) async throws {
  try await store.edit { try $0.move(7, to: "a") }  // error: 'String' to expected argument type 'RowPath'
}

//: a removal by row
func remove(_ product: Product, from store: ListStore<Shelf, Product>) async throws {
  try await store.edit { try $0.remove(product) }  // error: 'Product' to expected argument type 'Int'
}

//: a snapshot of another list
func show(_ list: ListSnapshot<Shelf, Order>, in store: ListStore<Shelf, Product>) async throws {
  // error: 'ListSnapshot<Shelf, Order>' to expected argument type 'ListSnapshot<Shelf, Product>'
  try await store.replace(with: list)
}

//: a row of a snapshot by its id
func find(_ id: Int, in list: ListSnapshot<Shelf, Product>) -> Product? {
  list.row(id)  // error: a snapshot has no index of ids
}

//: a position that is a number
func follow(_ store: ListStore<Shelf, Product>) {
  _ = store.updates(since: 7)  // error: 'Int' to expected argument type 'ListPosition'
}

//: an edit that awaits
func load() async throws -> Product { Product(id: 1, name: "tea", stock: 1) }
func add(to store: ListStore<SoleSection, Product>) async throws {
  try await store.edit { list in try list.upsert(try await load()) }  // error: expecting synchronous function type
}
