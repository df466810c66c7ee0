import Rowcast

//: a row that cannot be compared
struct Paint { var name = "" }
struct Tin: RowViewModel {  // error: 'Tin' does not conform to protocol 'Equatable'
  let id: Int
  var paint = Paint()
}

//: a row that holds an object
struct Basket: RowViewModel {
  let id: Int
  var counter: Counter  // error: of 'Sendable'-conforming struct 'Basket' has non-Sendable type 'Counter'
  static func == (first: Basket, second: Basket) -> Bool { first.id == second.id }
}

//: a section without an id
struct Corner: SectionViewModel {  // error: 'Corner' does not conform to protocol 'Identifiable'
  var title = ""
}

//: a row whose id is an object
final class Number: Hashable {
  static func == (first: Number, second: Number) -> Bool { first === second }
  func hash(into hasher: inout Hasher) {}
}
struct Ticket: RowViewModel {  // error: 'Number' does not conform to the 'Sendable' protocol
  let id: Number  // error: 'Ticket' has non-Sendable type 'Number'
}

//: a row for a section
// error: 'Product' does not conform to protocol 'SectionViewModel'
func open() -> ListStore<Product, Product> { ListStore() }

//: a list of values that are no rows
let store = try ListStore(["tea", "coffee"])  // error: 'String' conform to 'RowViewModel'

//: a snapshot whose sections are rows
func list(_ products: [Product]) throws -> ListSnapshot<Shelf, Product> {
  try ListSnapshot(products)  // error: 'Product' to expected argument type 'ListSection<Shelf, Product>'
}

//: a row by a place that is a number
func first(_ list: ListSnapshot<Shelf, Order>) -> Order? {
  list[0]  // error: 'Int' to expected argument type
}

//: a difference of values without ids
func compare() -> Changeset<Int> {
  Changeset(from: ["a"], to: ["b"])  // error: 'String' conform to 'Identifiable'
}
