/// The lines of a view that are on its screen.
struct Screen {
  let height: Int
  var top = 0

  /// The greatest first line.
  func last(_ heights: [Int]) -> Int { max(0, heights.reduce(0, +) - height) }

  mutating func scroll(toLine line: Int, _ heights: [Int]) { top = min(max(0, line), last(heights)) }

  mutating func scroll(to element: Int, distance: Double, _ heights: [Int]) {
    scroll(toLine: heights[..<element].reduce(0, +) - Int(distance), heights)
  }

  /// The elements on the screen, each by the index that a function gives it; without elements that have no index.
  func viewport<Index>(of heights: [Int], index: (Int) -> Index?) -> BatchViewport<Index> {
    var (line, rows): (Int, [(index: Index, distance: Double)]) = (0, [])
    for (element, height) in heights.enumerated() {
      if line + height > top, line < top + self.height, let index = index(element) {
        rows.append((index, Double(line - top)))
      }
      line += height
    }
    return BatchViewport(rows: rows, isAtStart: top <= 0, isAtEnd: top >= last(heights))
  }
}
