/// What is to be on the screen and near it. All that can fail is behind it, and nothing has changed yet.
struct DisplayPlan {
  /// One element to show.
  struct Item {
    var element: TableElement
    /// The number of lines.
    var height: Int
    /// The index of the slot that shows the element already, if one does.
    var slot: Int?
    /// The index of the request to fill the cell by; `nil` if the cell shows what it should.
    var request: Int?
  }

  /// The heights as they are known by now.
  var geometry: TableGeometry
  /// The first line of the content on the screen.
  var top = 0
  /// The line of the screen at which the first visible element starts: 0, or less if it starts above.
  var firstLine = 0
  /// What is on the screen, from top to bottom.
  var visible: [Item] = []
  /// What is kept ready: first what is below the screen, from top to bottom, then what is above, from bottom to top.
  var ready: [Item] = []
  /// How many of those are below the screen.
  var readyBelow = 0
  /// What was asked for.
  var requests: [CellRequest] = []
}
