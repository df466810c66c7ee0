import Rowcast
import RowcastConsole

//: an app of rows that show no line
func run(_ orders: ListStore<Shelf, Order>) async throws {
  let app = ConsoleApp(orders, columns: [])  // error: conform to 'Console(Row|Section)'
  try await app.run()
}

//: a column of a value without an order
struct Line: ConsoleRow {
  let id: Int
  var title: String { "\(id)" }
  var subtitle: String? { nil }
  var level: Level { .low }
}
let columns = [
  ConsoleColumn<Line>("Level", width: 8) { $0.level }  // error: 'Level' conform to 'Comparable'
]

//: a row for a terminal without a title
struct Line: ConsoleRow {  // error: 'Line' does not conform to protocol 'ConsoleRow'
  let id: Int
}

//: a key that is a text
// error: 'String' to expected argument type 'Key'|delete
let command = KeyCommand<Int>("delete", label: "delete", help: "deletes") { _ in nil }
