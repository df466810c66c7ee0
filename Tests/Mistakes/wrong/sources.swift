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

//: lines that are iterated without try
func read() async {
  for await line in FollowedFile("/tmp/log") { print(line) }  // error: call can throw
}

//: an interval that is a number
func poll() {
  let polling = Polling(every: 5) { _ in 7 }  // error: 'Int' to expected argument type 'Duration'
  _ = polling
}
