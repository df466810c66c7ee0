import Rowcast

//: a store that is read without await
func count(_ store: ListStore<Shelf, Product>) -> Int {
  store.snapshot.rowCount  // error: 'async' property access in a function that does not support concurrency
}

//: an edit without await
func clear(_ store: ListStore<Shelf, Product>) async throws {
  try store.edit { $0.removeAll() }  // error: expression is 'async' but is not marked with 'await'
}

//: an edit whose body does not try
func add(_ product: Product, to store: ListStore<Shelf, Product>) async throws {
  try await store.edit { $0.append(product, to: "a") }  // error: call can throw, but it is not marked with 'try'
}

//: a row put into a store without an edit
func add(_ product: Product, to store: ListStore<SoleSection, Product>) async throws {
  try await store.upsert(product)  // error: 'ListStore<SoleSection, Product>' has no member 'upsert'
}

//: rows that are set in a store with sections
func show(_ products: [Product], in store: ListStore<Shelf, Product>) async throws {
  try await store.set(products)  // error: 'Shelf' and 'SoleSection'
}

//: a row without its section
func add(_ product: Product, to store: ListStore<Shelf, Product>) async throws {
  try await store.edit { try $0.append(product) }  // error: 'Product' to expected argument type 'Shelf'
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

//: a row of another list
func add(_ order: Order, to store: ListStore<SoleSection, Product>) async throws {
  try await store.edit { try $0.upsert(order) }  // note: expects value of type 'Product'.*\(got 'Order'\)
}

//: a variable that an edit changes
func count(_ store: ListStore<SoleSection, Product>) async throws -> Int {
  var count = 0
  try await store.edit { list in
    count = list.snapshot.rowCount  // error: mutation of captured var 'count' in concurrently-executing code
  }
  return count
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

//: updates that are iterated without await
func show(_ store: ListStore<Shelf, Product>) async {
  // error: AsyncStream<ListUpdate<Shelf, Product>>' to conform to 'Sequence'
  for update in store.updates() { print(update) }
}

//: a snapshot for a store
func count(_ list: ListSnapshot<Shelf, Product>) -> ListValue<Int> {
  list.rowCount  // error: 'Int' to return type 'ListValue<Int>'
}

//: a history without a bound
func open() -> ListStore<Shelf, Product> {
  ListStore(history: .last)  // error: 'last' expects argument of type 'Int'
}

//: a store that is edited by its section's phase without one
func load(_ store: ListStore<SoleSection, Product>) async throws {
  try await store.edit { try $0.setPhase(.loading, of: 0) }  // error: 'SoleSection' conform to 'PhasedSection'
}

//: rows of another list in an edit
func show(_ orders: [Order], in store: ListStore<Shelf, Product>) async throws {
  // error: 'Order' to expected argument type 'Product'
  try await store.edit { try $0.replaceRows(in: "a", with: orders) }
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
