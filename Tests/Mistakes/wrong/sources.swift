import Rowcast

//: a source that forgets its events' type
func attach(_ store: ListStore<Shelf, Product>, _ events: AsyncStream<Product>) {
  let binding = store.attach(events) { list, event in
    try list.upsert(event.title, to: "a")  // error: 'Product' has no member 'title'
  }
  _ = binding
}

//: events that are no sequence
func attach(_ store: ListStore<Shelf, Product>, _ products: [Product]) {
  // error: '\[Product\]' conform to 'AsyncSequence'
  let binding = store.attach(products) { list, product in try list.upsert(product, to: "a") }
  _ = binding
}

//: an object among events
func attach(_ store: ListStore<Shelf, Product>, _ events: AsyncStream<Counter>) {
  // error: 'Counter' does not conform to the 'Sendable' protocol
  let binding = store.attach(events) { list, counter in list.removeAll() }
  _ = binding
}

//: an object that a source uses
func attach(_ store: ListStore<Shelf, Product>, _ events: AsyncStream<Product>, _ counter: Counter) {
  let binding = store.attach(events) { list, product in
    counter.count += 1  // error: capture of 'counter' with non-Sendable type 'Counter'
    try list.upsert(product, to: "a")
  }
  _ = binding
}

//: a source whose rows are of another list
func attach(_ store: ListStore<Shelf, Product>, _ events: AsyncStream<Order>) {
  let binding = store.attach(events) { list, order in
    try list.upsert(order, to: "a")  // error: 'Order' to expected argument type 'Product'
  }
  _ = binding
}

//: sources of sections without a phase
func attach(_ store: ListStore<SoleSection, Product>) async throws {
  _ = try await store.attach([])  // error: 'SoleSection' conform to 'PhasedSection'
}

//: a source of rows that gives other rows
func source(_ orders: AsyncStream<[Order]>) -> SectionSource<Shelf, Product> {
  SectionSource(Shelf(id: "a"), rows: { orders })  // error: 'Order'|'\[Order\]'
}

//: pages of other rows
func pages(_ store: ListStore<Shelf, Product>) -> Paging<Shelf, Product, String, Int> {
  Paging(store, section: "a", query: "tea") { query, cursor in
    .init(rows: [Order(id: query)], next: nil)  // error: 'Order'.* 'Product'
  }
}

//: pages that are demanded without await
func demand(_ paging: Paging<Shelf, Product, String, Int>) {
  paging.demand()  // error: 'async' call in a function that does not support concurrency
}

//: a query of another type
func search(_ paging: Paging<Shelf, Product, String, Int>) async {
  await paging.change(to: 7)  // error: 'Int' to expected argument type 'String'
}

//: lines that are iterated without try
func read() async {
  for await line in FollowedFile("/tmp/log") { print(line) }  // error: call can throw
}

//: a source's state that is read without await
func show(_ binding: SourceBinding) {
  print(binding.status)  // error: 'async' property access in a function that does not support concurrency
}

//: an interval that is a number
func poll() {
  let polling = Polling(every: 5) { _ in 7 }  // error: 'Int' to expected argument type 'Duration'
  _ = polling
}
