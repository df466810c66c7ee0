import Rowcast

//: a cell that shows no row
final class TextCell: Cell, RowCell {  // error: 'TextCell' does not conform to protocol 'RowCell'
}

//: a cell registered for another row
func cells() -> CellRegistry<Product> {
  var cells = CellRegistry<Product>()
  cells.register(OrderCell.self)  // error: the types 'Product' and 'Order' be equivalent
  return cells
}

//: a cell as a value
func cells() -> CellRegistry<Product> {
  var cells = CellRegistry<Product>()
  // error: 'ProductCell' to expected argument type 'ProductCell.Type'|'ProductCell'
  cells.register(ProductCell(reuseIdentifier: "a"))
  return cells
}

//: a table with cells of other rows
func table() -> RetainedTable<Shelf, Product> {
  RetainedTable(cells: CellRegistry<Order>(), height: 10)  // error: 'Product' and 'Order'
}

//: an update of another list in a table
func show(_ update: ListUpdate<Shelf, Order>, in table: RetainedTable<Shelf, Product>) throws {
  // error: 'ListUpdate<Shelf, Order>' to expected argument type 'ListUpdate<Shelf, Product>'
  try table.apply(update)
}

//: a factory that makes no request
struct Cells: CellFactory {  // error: 'Cells' does not conform to protocol 'CellFactory'
  var cellTypes: [any RowCell.Type] { [ProductCell.self] }
  func generateCell(for row: Product) -> ProductCell? { nil }
}

//: a factory whose request shows another row
struct Cells: CellFactory {
  var cellTypes: [any RowCell.Type] { [OrderCell.self] }
  func generateCell(for row: Product) -> CellRequest? {
    CellRequest(OrderCell.self, showing: row)  // error: 'Product' to expected argument type 'Order'
  }
}

//: a strategy that is no list of cases
enum Kind: CellStrategy {  // error: 'Kind' does not conform to protocol 'CaseIterable'
  case product(Product)
  var drawer: CellDrawer<Product> { CellDrawer(ProductCell.self) { $0 } }
}

//: a static table of models that are no ids
struct Tin { var name = "" }
struct Settings: StaticTable {  // error: 'Settings' does not conform to protocol 'StaticTable'
  var models: [Tin] { [] }
  func cellType(for model: Tin) -> any CapableCell.Type { ToggleCell.self }
}
final class ToggleCell: Cell, CapableCell {
  static var slots: [CapabilitySlot<ToggleCell>] { [] }
}

//: a capability of another type
func hide() -> Capabilities {
  Capabilities().setting(.title, to: 7)  // error: 'Int' .*'String'
}
