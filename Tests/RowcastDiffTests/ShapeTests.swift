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

  @Test(
    "A long list of every shape takes the fewest moves, and a bounded number of comparisons and hashes",
    arguments: Shape.allCases)
  func isLinear(shape: Shape) {
    let (old, new) = shape.ids(count: 20_000)
    let tally = Tally()
    let changes = tally.ofDifference(from: old, to: new) { $0 % 500 == 0 ? 1 : 0 }
    #expect(changes.applied(to: old, inserting: new) == new)
    if shape != .allEqualIDs {
      // The old list of each shape counts from 0 on.
      let survivors = new.filter { $0 < old.count }
      #expect(changes.moves.count == survivors.count - Longest.byDealing(survivors))
      #expect(changes.updates.map { new[$0.to] } == survivors.filter { $0 % 500 == 0 })
    }
    let rows = old.count + new.count
    let most = shape.bounds(count: 20_000)
    #expect(tally.idComparisons <= most.comparisons ?? 30 * rows)
    #expect(tally.hashes <= most.hashes ?? rows + rows / 16)
    // A row that has changed is compared with itself, too.
    #expect(tally.contentComparisons <= min(old.count, new.count) + changes.updates.count)
  }
}
