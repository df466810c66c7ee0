import Rowcast

//: an optimistic edit without its confirmation
func retry(_ shown: OptimisticList<SoleSection, Product>) async throws {
  try await shown.edit { try $0.update(7) { $0.stock = 1 } }  // error: missing argument for parameter 'confirming'
}

//: an optimistic edit that awaits
func stock() async -> Int { 1 }
func retry(_ shown: OptimisticList<SoleSection, Product>) async throws {
  try await shown.edit { list in  // error: expecting synchronous function type
    let stock = await stock()
    try list.update(7) { $0.stock = stock }
  } confirming: {
  }
}

//: an optimistic edit of a property that is not there
func retry(_ shown: OptimisticList<SoleSection, Product>) async throws {
  try await shown.edit {
    try $0.update(7) { $0.state = 1 }  // error: 'Product' has no member 'state'
  } confirming: {
  }
}

//: a transaction of two stores with a row of the wrong one
func sell(_ space: ListSpace, _ shelves: ListStore<Shelf, Product>, _ sold: ListStore<SoleSection, Order>) async throws
{
  try await space.edit(shelves, sold) { shelves, sold in
    try sold.upsert(Product(id: 1, name: "tea"))  // error: no exact matches in call to instance method 'upsert'
  }
}

//: an archive of rows that cannot be encoded
struct Plain: RowViewModel { let id: Int }
func open(_ path: String) throws {
  _ = try ListArchive<SoleSection, Plain>(at: path)  // error: 'Plain' does not conform to protocol
}
