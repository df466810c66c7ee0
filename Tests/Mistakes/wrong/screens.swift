import Rowcast

//: a model off the main actor
func open(_ store: ListStore<Shelf, Product>) -> ListModel<Shelf, Product> {
  ListModel(store)  // error: call to main actor-isolated initializer .* in a synchronous nonisolated context
}

//: a model of a snapshot
@MainActor func open(_ list: ListSnapshot<Shelf, Product>) {
  let model = ListModel(list)  // error: 'ListSnapshot<Shelf, Product>' conform to 'LiveList'
  _ = model
}

//: a row of a model by a path
@MainActor func first(_ model: ListModel<Shelf, Product>) -> Product? {
  model.row(RowPath(section: 0, row: 0))  // error: 'RowPath' to expected argument type 'Int'
}

//: a model that is changed
@MainActor func rename(_ model: ListModel<Shelf, Product>) {
  model.row(7)?.name = "tea"  // error: function call returns immutable value
}

//: a driver of a view that is none
final class Picture {}
@MainActor func drive(_ picture: Picture) -> BatchDriver<Shelf, Product> {
  BatchDriver(picture)  // error: 'Picture' conform to 'BatchView'
}

//: a view of batches without its methods
final class Picture: BatchView {  // error: 'Picture' does not conform to protocol 'BatchView'
  var isInWindow: Bool { true }
}

//: an update of another list in a driver
@MainActor func show(_ update: ListUpdate<Shelf, Order>, in driver: BatchDriver<Shelf, Product>) {
  driver.apply(update)  // error: 'ListUpdate<Shelf, Order>' to expected argument type 'ListUpdate<Shelf, Product>'
}
