#if canImport(UIKit) && !os(watchOS)
  import Rowcast
  import UIKit

  extension UIScrollView {
    /// The lines of the content that can be the first below the top inset.
    var lines: ClosedRange<CGFloat> {
      0...max(0, contentSize.height + adjustedContentInset.top + adjustedContentInset.bottom - bounds.height)
    }

    func viewport(_ rows: [(path: RowPath, frame: CGRect)]) -> BatchViewport<RowPath> {
      let line = contentOffset.y + adjustedContentInset.top
      return BatchViewport(
        rows: rows.filter { $0.frame.maxY > line }.map { ($0.path, $0.frame.minY - line) },
        isAtStart: line <= 0, isAtEnd: line >= lines.upperBound - 1)
    }

    /// Setting the offset stops a scroll in motion, so it is set only if it changes. Rows that appear are then measured: the
    /// driver scrolls again if that has moved its place.
    func scroll(toLine line: CGFloat) {
      let offset = min(max(line, lines.lowerBound), lines.upperBound) - adjustedContentInset.top
      if abs(offset - contentOffset.y) <= 0.5 { return }
      contentOffset.y = offset
      layoutIfNeeded()
    }
  }
#endif
