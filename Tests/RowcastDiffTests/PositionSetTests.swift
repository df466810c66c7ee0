import RowcastTestSupport
import Testing

@testable import RowcastDiff

/// The set in which moves look for neighbours, against an array: with levels that are full, sparse, and at their ends.
@Suite(.watched) struct PositionSetTests {
  @Test(arguments: [1, 64, 65, 4_096, 4_097, 262_144, 262_145, 600_000])
  func `the neighbours of a position are those of an array`(limit: Int) {
    var random = SeededGenerator.forFuzzing("position sets")
    let wrong = withScratch { scratch -> String? in
      // What is after the levels in memory is no member.
      var memory = scratch.array(of: UInt64.self)
      memory.fill(limit / 32 + 100, with: ~0)
      let set = PositionSet(limit: limit, in: memory)
      var members: Set<Int> = []
      for _ in 0..<60 {
        let position =
          [.random(in: 0..<limit, using: &random), 0, limit - 1, limit / 2].randomElement(using: &random) ?? 0
        if members.insert(position).inserted {
          set.insert(position)
        } else {
          members.remove(position)
          set.remove(position)
        }
        for other in [0, limit - 1, position, Int.random(in: 0..<limit, using: &random)] {
          let (below, above) = (set.last(below: other), set.first(above: other))
          let (less, greater) = (members.filter { $0 < other }.max() ?? -1, members.filter { $0 > other }.min() ?? -1)
          if below != less || above != greater {
            return "\(below) and \(above) are beside \(other) in \(members.sorted())"
          }
        }
      }
      return nil
    }
    #expect(wrong == nil)
  }
}
