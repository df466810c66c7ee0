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
}
