import RowcastDiff
import RowcastTestSupport
import Testing

@Suite("Shapes of change", .watched)
struct ShapeTests {
  @Test("Every shape leads to the new list", arguments: Shape.allCases)
  func leadsToNew(shape: Shape) {
    let ids = shape.ids(count: 1_000)
    let (old, new) = (ids.old.map { Item(id: $0) }, ids.new.map { Item(id: $0, content: $0 % 7 == 0 ? 1 : 0) })
    let changes = Changeset(from: old, to: new)
    if shape == .allEqualIDs {
      #expect(Judge.complaint(aboutDuplicates: changes, from: old, to: new) == nil)
    } else {
      #expect(Judge.complaint(about: changes, from: old, to: new, longest: Longest.byDealing) == nil)
    }
  }

  @Test("Every shape costs a bounded number of comparisons and hashes for each row", arguments: Shape.allCases)
  func isLinear(shape: Shape) {
    let ids = shape.ids(count: 20_000)
    let tally = Tally()
    let work = tally.ofDifference(from: ids.old, to: ids.new)
    let rows = ids.old.count + ids.new.count
    #expect(tally.idComparisons <= 30 * rows, "\(work)")
    #expect(tally.hashes <= rows + rows / 16, "\(work)")
    #expect(tally.contentComparisons <= min(ids.old.count, ids.new.count), "\(work)")
  }

  @Test("Changes all over a long list take the fewest moves", arguments: [200, 4_000])
  func scattered(changed: Int) {
    var random = SeededGenerator(seed: 3)
    let old = (0..<20_000).map { Item(id: $0) }
    // Most of the list is thinned out, so that the positions of those that stay do not grow evenly.
    var new = old.filter { $0.id >= 15_000 || $0.id % 3 == 0 }
    for index in 0..<changed {
      let row = new.remove(at: Int.random(in: 0..<new.count, using: &random))
      new.insert(
        index % 2 == 0 ? row : Item(id: 30_000 + index), at: Int.random(in: 0..<new.count, using: &random))
    }
    let changes = Changeset(from: old, to: new)
    #expect(Judge.complaint(about: changes, from: old, to: new, longest: Longest.byDealing) == nil)
  }

  @Test("A long sequence that grows from below a longer block is found")
  func growingFromBelow() {
    let old = Array(0..<20_000)
    // First a block from the top, which is not what stays; then what stays, one by one, between what runs downwards.
    let between = zip(stride(from: 0, to: 14_000, by: 2), stride(from: 13_999, to: 0, by: -2))
    let new = Array(14_000..<20_000) + between.flatMap { [$0, $1] }
    let changes = Changeset(fromIDs: old, toIDs: new)
    #expect(changes.applied(to: old, inserting: new) == new)
    #expect(changes.moves.count == 20_000 - Longest.byDealing(new))
  }

  @Test("Long blocks that changed places are followed to their ends", arguments: [Shape.blockSwap, .rotation])
  func longBlocks(shape: Shape) {
    let ids = shape.ids(count: 20_000)
    let (old, new) = (ids.old.map { Item(id: $0) }, ids.new.map { Item(id: $0, content: $0 % 500 == 0 ? 1 : 0) })
    let changes = Changeset(from: old, to: new)
    #expect(Judge.complaint(about: changes, from: old, to: new, longest: Longest.byDealing) == nil)
  }

  @Test("What is new stays new if anchors find all that is old")
  func nothingOldLeft() {
    let old = Array(0..<200)
    let new = Array(100..<200) + Array(1_000..<1_200) + Array(0..<100)
    let changes = Changeset(fromIDs: old, toIDs: new)
    #expect(changes.deletes.isEmpty)
    #expect(changes.inserts == Array(100..<300))
    #expect(changes.moves.count == 100)
  }

  @Test("Short insertions and deletions are found without any hash")
  func interleaving() {
    let tally = Tally()
    let shape = Shape.interleaving.ids(count: 5_000)
    _ = tally.ofDifference(from: shape.old, to: shape.new)
    #expect(tally.hashes == 0)
  }
}
