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

//: a mirror that is edited
func rename(_ mirror: MirroredList<Shelf, Product>) async throws {
  try await mirror.edit { $0.removeAll() }  // error: 'MirroredList<Shelf, Product>' has no member 'edit'
}

//: a section whose content cannot be decoded
struct Floor: WireSection {  // error: 'Floor' does not conform to protocol 'WireSection'
  struct Content: Equatable { var title = "" }
  let id: Int
  var content = Content()
}
