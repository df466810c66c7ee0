/// Where on the screen a row is brought.
public enum ScrollPosition: Hashable, Sendable {
  /// To the top.
  case top
  /// To the middle.
  case middle
  /// To the bottom.
  case bottom
  /// Wherever it is seen whole with the least scrolling; nowhere if it is already.
  case nearest

  /// Where the screen starts so that some lines stand at this position.
  ///
  /// - Parameters:
  ///   - lines: The lines of the content.
  ///   - top: The first line that is shown now.
  ///   - height: The number of lines of the screen.
  /// - Returns: The first line of the content to show.
  func top(showing lines: Range<Int>, from top: Int, height: Int) -> Int {
    switch self {
    case .top: lines.lowerBound
    case .middle: lines.lowerBound - (height - lines.count) / 2
    case .bottom: lines.upperBound - height
    case .nearest: min(lines.lowerBound, max(top, lines.upperBound - height))
    }
  }
}
