/// An element in use: on the screen, or kept ready near it.
///
/// Consists of integers, so that iteration does no reference counting.
struct Slot {
  var element: TableElement
  /// The number of lines.
  var height: Int
  /// The number of the cell in the pool; `nil` until one is dequeued.
  var cell: Int?
  /// Names this use of the cell. The cell receives it just before it is configured.
  var token = ReuseToken()
  var isVisible = false
  /// True if the content differs from what the cell shows.
  var isChanged = false
  /// False if the height was invalidated, so that it is asked for again.
  var isMeasured = true
  /// The index of the request that the cell is to be configured by, if it is.
  var request: Int?
}
