import RowcastModel

/// The ids of rows, in order.
struct RowIDs<Row: RowViewModel>: RandomAccessCollection, Sendable {
  let rows: ListRows<Row>

  var startIndex: Int { 0 }
  var endIndex: Int { rows.count }
  subscript(index: Int) -> Row.ID { rows[index].id }
}
