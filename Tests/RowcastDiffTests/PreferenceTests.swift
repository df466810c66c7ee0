import RowcastDiff
import RowcastTestSupport
import Testing

@Suite("Moves that look right", .watched)
struct PreferenceTests {
  /// The smallest sets of rows that have to move, by trying all, as sets of ids.
  private static func smallestSets(from old: [Item], to new: [Item]) -> [Set<Int>] {
    let places = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($1.id, $0) })
    let survivors = new.filter { places[$0.id] != nil }
    var best: [Set<Int>] = []
    for chosen in 0..<(1 << survivors.count) {
      let staying = survivors.indices.filter { chosen & (1 << $0) == 0 }.compactMap { places[survivors[$0].id] }
      guard zip(staying, staying.dropFirst()).allSatisfy({ $0 < $1 }) else { continue }
      let moving = Set(survivors.indices.filter { chosen & (1 << $0) != 0 }.map { survivors[$0].id })
      if let count = best.first?.count, moving.count > count { continue }
      if let count = best.first?.count, moving.count < count { best = [] }
      best.append(moving)
    }
    return best
  }

  @Test("Of all smallest sets one with the most changed rows is told, and of these one that went farthest")
  func everyScore() {
    let old = (0..<5).map { Item(id: $0) }
    for order in Combinatorics.arrangements(of: 5) where order.count == 5 {
      for contents in 0..<32 {
        let new = order.map { Item(id: $0, content: contents & (1 << $0) == 0 ? 0 : 1) }
        let moves = Changeset(from: old, to: new).moves
        func score(_ moving: Set<Int>) -> [Int] {
          let ways = order.enumerated().filter { moving.contains($1) }.map { $0 - $1 }
          return [
            moving.count { contents & (1 << $0) != 0 }, ways.reduce(0) { $0 + abs($1) }, ways.count { $0 > 0 },
          ]
        }
        // Ways are counted inside of what is out of order, where nothing else comes or goes.
        let best = Self.smallestSets(from: old, to: new).map(score).max { $0.lexicographicallyPrecedes($1) }
        let told = score(Set(moves.map { old[$0.from].id }))
        if best != told { Issue.record("\(order), contents \(contents): \(moves) has \(told), not \(best ?? [])") }
      }
    }
  }

  @Test("The choice is made in each place of a long list, among changes all over it")
  func inLongLists() {
    let old = (0..<2_000).map { Item(id: $0) }
    var new = old
    for start in stride(from: 0, to: 2_000, by: 20) {
      new.swapAt(start, start + 1)
      new[start].content = 1
      new.swapAt(start + 10, start + 11)
      new[start + 11].content = 1
    }
    let expected = stride(from: 0, to: 2_000, by: 20).flatMap { [$0 + 1, $0 + 10] }
    #expect(Set(Changeset(from: old, to: new).moves.map(\.from)) == Set(expected))
  }
}
