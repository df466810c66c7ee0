import Rowcast

//: a wrong line behind an arrangement with sections
func sort(_ store: ListStore<SoleSection, Product>) {
  Task {
    let days = store.arranged { $0.sectioned(by: { String($0.name.prefix(1)) }) { Day(id: $0) } }
    let count: Int = "a"  // error: 'String' to specified type 'Int'
    _ = (days, count)
  }
}

//: a wrong line behind an arrangement with sections and a summary
func sort(_ store: ListStore<SoleSection, Product>) {
  Task {
    let days = store.arranged {
      $0.sectioned(by: { String($0.name.prefix(1)) }, summary: .count, .sum(\.stock)) { Day(id: $0, count: $1 + $2) }
    }
    days.show()  // error: has no member 'show'
  }
}

//: a property that the rows have not, in a filter
func filter(_ store: ListStore<SoleSection, Product>) {
  let view = store.arranged { $0.filter { $0.title.isEmpty } }  // error: 'Product' has no member 'title'
  _ = view
}

//: a filter that is no condition
func filter(_ store: ListStore<SoleSection, Product>) {
  let view = store.arranged { $0.filter(\.stock) }  // error: 'Int' .*'Bool'
  _ = view
}

//: a filter by a parameter of another type
func filter(_ store: ListStore<SoleSection, Product>, _ query: Parameter<String>) {
  // error: 'String' to expected argument type 'Int'
  let view = store.arranged { $0.filter(by: query) { $0.stock > $1 } }
  _ = view
}

//: a filter by a value that is no parameter
func filter(_ store: ListStore<SoleSection, Product>, _ text: String) {
  // error: 'String' to expected argument type 'Parameter<
  let view = store.arranged { $0.filter(by: text) { $0.name.contains($1) } }
  _ = view
}

//: rows sorted by what has no order
func sort(_ store: ListStore<SoleSection, Product>) {
  let view = store.arranged { $0.sorted(by: \.level) }  // note: 'Level'.* 'Comparable'
  _ = view
}

//: a direction behind a key
func sort(_ store: ListStore<SoleSection, Product>) {
  let view = store.arranged { $0.sorted(by: \.name, .descending) }  // error: SortKey<Product>
  _ = view
}

//: a direction alone
func sort(_ store: ListStore<SoleSection, Product>) {
  let view = store.arranged { $0.sorted(by: \.name, order: .descending) }  // error: 'order'
  _ = view
}

//: an order as the standard library has it
func sort(_ store: ListStore<SoleSection, Product>) {
  let view = store.arranged { $0.sorted { $0.name < $1.name } }  // error: expects 1 argument, but 2 were used
  _ = view
}

//: a key that the rows have not
func sort(_ store: ListStore<SoleSection, Product>) {
  let view = store.arranged { $0.sorted(by: \.title) }  // note: 'SortKey<Product>'
  _ = view
}

//: sections by a key that has no order
func divide(_ store: ListStore<SoleSection, Product>) {
  let view = store.arranged { $0.sectioned(by: \.level) { Day(id: "\($0)") } }  // note: 'Level'.* 'Comparable'
  _ = view
}

//: sections that are texts
func divide(_ store: ListStore<SoleSection, Product>) {
  let view = store.arranged { $0.sectioned(by: \.name) { $0 } }  // error: 'String' conform to 'SectionViewModel'
  _ = view
}

//: sections that are not made
func divide(_ store: ListStore<SoleSection, Product>) {
  let view = store.arranged { $0.sectioned(by: \.name) }  // error: missing argument for parameter 'section'
  _ = view
}

//: a section with an id of another type
func divide(_ store: ListStore<SoleSection, Product>) {
  // error: 'Int' to expected argument type 'String'
  let view = store.arranged { $0.sectioned(by: \.stock) { Day(id: $0) } }
  _ = view
}

//: a summary that the section does not take
func divide(_ store: ListStore<SoleSection, Product>) {
  // error: expects 2 arguments
  let view = store.arranged { $0.sectioned(by: \.name, summary: .count) { Day(id: $0) } }
  _ = view
}

//: a sum of texts
func total(_ store: ListStore<SoleSection, Product>) {
  let total = store.summary(.sum(\.name))  // note: 'String' conform to 'FixedWidthInteger'
  _ = total
}

//: a mapping to a row with an id of another type
func orders(_ store: ListStore<SoleSection, Product>) {
  let view = store.arranged { $0.map { Order(id: "\($0.id)", product: $0.id) } }  // error: a mapped row keeps its id
  _ = view
}

//: a mapping to no row
func names(_ store: ListStore<SoleSection, Product>) {
  let view = store.arranged { $0.map { $0.name } }  // error: 'String' conform to 'RowViewModel'
  _ = view
}

//: an object that a filter uses
func filter(_ store: ListStore<SoleSection, Product>, by counter: Counter) {
  // error: capture of 'counter' with non-Sendable type 'Counter'
  let view = store.arranged { $0.filter { $0.stock > counter.count } }
  _ = view
}

//: an arrangement that is set without await
func show(_ plan: Parameter<Arrangement<Shelf, Product, Shelf, Product>>) async {
  plan.set(.init().filter { $0.stock > 0 })  // error: expression is 'async' but is not marked with 'await'
}

//: an arrangement that is set to one of other rows
func show(_ plan: Parameter<Arrangement<Shelf, Product, Shelf, Product>>) async {
  // error: Product
  await plan.set(Arrangement<Shelf, Order, Shelf, Order>().filter { $0.id != "" })
}

//: the former call of a list of other sections than its source
func show(_ view: ArrangedList<Shelf, Product>) async {
  await view.rearrange { $0.sectioned(by: \.name) { Day(id: $0) } }  // error: 'Shelf'|'Day'
}

//: a window that is a number
func page(_ store: ListStore<Shelf, Product>) {
  let view = store.arranged { $0.window(50) }  // error: 'Int' to expected argument type 'RowWindow<Int>'
  _ = view
}

//: an arrangement of a snapshot
func filter(_ list: ListSnapshot<Shelf, Product>) {
  // error: 'ListSnapshot<Shelf, Product>' has no member 'arranged'
  let view = list.arranged { $0.filter { $0.stock > 0 } }
  _ = view
}

//: a join with a key of another type
func join(_ orders: ListStore<SoleSection, Order>, _ products: ListStore<Shelf, Product>) {
  // error: '@Sendable \(Order\) -> String' to contextual type '@Sendable \(Order\) -> Int\?'
  let list = orders.joined(with: products, on: \.id) { order, product in order }
  _ = list
}

//: a join that makes rows with other ids
func join(_ orders: ListStore<SoleSection, Order>, _ products: ListStore<Shelf, Product>) {
  // error: 'Int'.*'String'|'String'.*'Int'
  let list = orders.joined(with: products, on: \.product) { order, product in product }
  _ = list
}

//: a join that has no row for those without one
func join(_ orders: ListStore<SoleSection, Order>, _ products: ListStore<Shelf, Product>) {
  let list = orders.joined(withOptional: products, on: \.product) { order, product in
    Order(id: product.name)  // error: value of optional type 'Product\?' must be unwrapped
  }
  _ = list
}

//: lists of different rows that are merged
func merge(_ orders: ListStore<SoleSection, Order>, _ products: ListStore<SoleSection, Product>) {
  let list = MergedList(orders, products)  // error: 'Product'.*'Order'|'Order'.*'Product'
  _ = list
}

//: a list without what is in one with other ids
func exclude(_ orders: ListStore<SoleSection, Order>, _ products: ListStore<SoleSection, Product>) {
  let list = orders.excluding(products)  // error: 'Int'.*'String'|'String'.*'Int'
  _ = list
}
