import RowcastDiff
import RowcastTestSupport
import Testing

@Suite("Reversed runs", .watched)
struct ReversalTests {
  @Test("A list that is turned round is followed backwards, without hashing", arguments: [2, 3, 20, 500, 10_000])
  func whole(count: Int) {
    let tally = Tally()
    let old = Array(0..<count)
    let changes = tally.ofDifference(from: old, to: old.reversed())
    #expect(changes.moves.count == count - 1)
    #expect(changes.applied(to: old, inserting: old.reversed()) == old.reversed())
    #expect(tally.hashes == 0)
    #expect(tally.idComparisons <= count + 60, "\(tally.idComparisons)")
    #expect(tally.contentComparisons == count)
  }

  @Test("Rows that come and go in a list that is turned round are passed by comparing")
  func withEdits() {
    let tally = Tally()
    let old = Array(0..<5_000)
    var new = Array(old.reversed().filter { $0 % 50 != 7 })
    for index in stride(from: 40, to: 4_000, by: 45) { new.insert(10_000 + index, at: index) }
    let changes = tally.ofDifference(from: old, to: new)
    #expect(Judge.complaint(about: changes, from: old.items, to: new.items, longest: Longest.byDealing) == nil)
    #expect(tally.hashes <= 200, "\(tally.hashes)")
  }

  @Test("Long runs of another order are followed from anchors, upwards and downwards")
  func runsOfBothKinds() {
    let tally = Tally()
    let old = Array(0..<12_000)
    // Blocks of a thousand in another order, every other one turned round.
    let blocks = [7, 2, 11, 0, 5, 9, 4, 1, 10, 3, 8, 6].map { Array(old[$0 * 1_000..<($0 + 1) * 1_000]) }
    let new = blocks.enumerated().flatMap { $0 % 2 == 0 ? $1 : $1.reversed() }
    let changes = tally.ofDifference(from: old, to: new)
    #expect(Judge.complaint(about: changes, from: old.items, to: new.items, longest: Longest.byDealing) == nil)
    // The anchors, and what stands before the first one of each block.
    #expect(tally.hashes <= 12_000 / 32 + 12 * 40, "\(tally.hashes)")
  }
}

extension [Int] {
  /// Rows with these ids.
  fileprivate var items: [Item] { map { Item(id: $0) } }
}
