import Rowcast

//: a mirror of rows that cannot be decoded
// error: 'Order' does not conform to protocol 'Decodable'|requires that 'Order' conform to 'Decodable'
func mirror() -> MirroredList<Shelf, Order> {
  MirroredList()
}

//: a mirror of sections without a wire form
func mirror() -> WireReader<Day, Product> {  // error: 'Day' does not conform to protocol 'WireSection'
  WireReader()
}

//: a message of rows that cannot be encoded
func message(_ store: ListStore<Shelf, Order>) async {
  _ = await store.message(since: nil)  // error: 'Order' conform to 'Decodable'
}

//: a message of sections without a wire form
func message(_ store: ListStore<Day, Product>) async {
  _ = await store.message(since: nil)  // error: 'Day' conform to 'WireSection'
}

//: lines of a list that cannot be encoded
func lines(_ store: ListStore<Day, Product>) {
  let lines = EncodedList(store) { message in "\(message)" }  // error: 'Day' conform to 'WireSection'
  _ = lines
}

//: a message of another list
func receive(_ message: WireMessage<Shelf, Product>, _ mirror: MirroredList<SoleSection, Product>) async throws {
  // error: 'WireMessage<Shelf, Product>' to expected argument type 'WireMessage<SoleSection, Product>'
  try await mirror.receive(message)
}

//: a message that is received without try
func receive(_ message: WireMessage<Shelf, Product>, _ mirror: MirroredList<Shelf, Product>) async {
  await mirror.receive(message)  // error: call can throw
}

//: an update for a message
func receive(_ update: ListUpdate<Shelf, Product>, _ mirror: MirroredList<Shelf, Product>) async throws {
  // error: 'ListUpdate<Shelf, Product>' to expected argument type 'WireMessage<Shelf, Product>'
  try await mirror.receive(update)
}

//: a mirror that is edited
func rename(_ mirror: MirroredList<Shelf, Product>) async throws {
  try await mirror.edit { $0.removeAll() }  // error: 'MirroredList<Shelf, Product>' has no member 'edit'
}

//: a mirror that is a constant
func receive(_ message: WireMessage<Shelf, Product>) throws {
  let mirror = WireReader<Shelf, Product>()
  _ = try mirror.receive(message)  // error: 'mirror' is a 'let' constant
}

//: a section whose content cannot be decoded
struct Floor: WireSection {  // error: 'Floor' does not conform to protocol 'WireSection'
  struct Content: Equatable { var title = "" }
  let id: Int
  var content = Content()
}
