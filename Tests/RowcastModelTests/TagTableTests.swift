import TestSupport
import Testing

@testable import RowcastModel

/// The table of tags on its own.
@Suite struct TagTableTests {
  @Test func `growing never moves more than one shard's worth of pairs at a time`() {
    var random = SeededGenerator.forFuzzing("tags")
    var table = TagTable()
    var most = 0
    for number in 1...200_000 {
      let moved = table.movedCount
      table.insert(UInt32.random(in: 0...UInt32.max, using: &random), Int32(number))
      most = max(most, table.movedCount - moved)
    }
    #expect(table.count == 200_000 && table.movedCount > 200_000)
    #expect(most > 0 && most <= 2_048, "seed \(random.seed): \(most)")
  }
}
