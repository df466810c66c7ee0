import RowcastDiff
import RowcastTestSupport
import Testing

@Suite("Duplicate ids", .watched)
struct DuplicateTests {
  @Test("Every pair of lists of up to four of three ids leads to the new list, and as many survive as can")
  func everyPair() {
    let lists = Combinatorics.words(over: 3, upTo: 4).map { $0.map { Item(id: $0) } }
    for old in lists {
      for new in lists {
        let changes = Changeset(from: old, to: new)
        if let complaint = Judge.complaint(aboutDuplicates: changes, from: old, to: new) {
          Issue.record("\(old.map(\.id)) to \(new.map(\.id)) \(complaint): \(changes)")
        }
      }
    }
  }

  @Test("Equal ids that are left for hashing are paired in order: the first with the first")
  func pairedInOrder() {
    // Fresh ids on all sides, so that no two stand in the same surroundings.
    let old = [9, 9, 9] + Array(100..<130)
    let new = Array(200..<230) + [9] + Array(300..<330) + [9, 9] + Array(400..<430)
    let changes = Changeset(fromIDs: old, toIDs: new)
    let origins = Judge.origins(of: changes, oldCount: old.count, newCount: new.count)
    #expect(origins.filter { $0 >= 0 } == [0, 1, 2])
    #expect(changes.moves.isEmpty)
  }

  @Test("Twenty thousand rows of ten ids cost a bounded number of comparisons for each row", arguments: Order.allCases)
  func isLinear(order: Order) {
    var random = SeededGenerator(seed: 11)
    let old = (0..<20_000).map { _ in Int.random(in: 0..<10, using: &random) }
    let tally = Tally()
    _ = tally.ofDifference(from: old, to: order.apply(to: old, &random))
    #expect(tally.idComparisons <= 30 * 40_000)
    #expect(tally.hashes <= 40_000 + 2_000)
    #expect(tally.contentComparisons <= 20_000)
  }

  /// Ways to make the second list out of the first.
  enum Order: CaseIterable {
    case shuffled, reversed, sorted, rotated, others, periodic, thinned

    func apply(to list: [Int], _ random: inout SeededGenerator) -> [Int] {
      switch self {
      case .shuffled: list.shuffled(using: &random)
      case .reversed: list.reversed()
      case .sorted: list.sorted()
      case .rotated: Array(list[7_000...] + list[..<7_000])
      case .others: list.map { $0 + 5 }
      case .periodic: list.indices.map { $0 % 10 }
      case .thinned: list.enumerated().filter { $0.offset % 40 < 20 }.map(\.element)
      }
    }
  }

  @Test("A block that is taken out or put in is told as such, whatever ids occur twice")
  func oneBlock() {
    for list in Combinatorics.words(over: 3, upTo: 6) {
      for start in 0...list.count {
        for end in start...list.count {
          let rest = Array(list[..<start] + list[end...])
          let (deletion, insertion) = (Changeset(fromIDs: list, toIDs: rest), Changeset(fromIDs: rest, toIDs: list))
          if deletion.count != end - start || deletion.deletes.count != end - start {
            Issue.record("\(list) without \(start)..<\(end): \(deletion)")
          }
          if insertion.count != end - start || insertion.inserts.count != end - start {
            Issue.record("\(list) with \(start)..<\(end): \(insertion)")
          }
        }
      }
    }
  }
}
