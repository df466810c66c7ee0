/// Where on the screen an element stands, from which all others follow.
struct Anchor {
  enum Place {
    /// The element starts at a line of the screen, that may lie outside.
    case line(Int)
    /// The element ends where the screen does.
    case bottom
    /// The element ends where the screen does, unless it is too long: then it starts where the screen does.
    case bottomFromStart
    /// The element is in the middle, under the same condition.
    case middle
  }

  var element: TableElement
  var place: Place

  /// The line of the screen at which an element of some lines starts.
  func line(elementHeight: Int, screenHeight: Int) -> Int {
    switch place {
    case .line(let line): line
    case .bottom: screenHeight - elementHeight
    case .bottomFromStart: max(0, screenHeight - elementHeight)
    case .middle: max(0, (screenHeight - elementHeight) / 2)
    }
  }
}
