import RowcastDiff
import RowcastModel
import TestSupport
import Testing

@testable import RowcastTable

@Suite(.watched) struct FollowerTests {
  @Test func `rows that follow one another are followed as one run, which any other element ends`() {
    let row = { TableElement.row(RowPath(section: $0, row: $1)) }
    let elements: [TableElement] = [
      .header(section: 0), row(0, 3), row(0, 4), row(0, 5), row(0, 7), row(1, 8), row(1, 9), .header(section: 2),
    ]
    let known = elements.enumerated().map { KnownElement(element: $1, slot: $0, height: 1) }
    var (start, runs) = (0, [Range<Int>]())
    while start < known.count {
      let end = known.endOfRun(from: start)
      runs.append(start..<end)
      start = end
    }
    #expect(runs == [0..<1, 1..<4, 4..<5, 5..<7, 7..<8])
  }
}
