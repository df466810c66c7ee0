import RowcastDiff
import RowcastTestSupport
import Testing

@Suite("Every small list", .watched)
struct ExhaustiveTests {
  /// Ids may be renamed at will, so that the old list can always count from 0: that leaves time for a sixth id.
  @Test("Every pair of lists over six ids is told apart with the fewest operations")
  func everyPair() {
    let lists = Combinatorics.arrangements(of: 6).map { $0.map { Item(id: $0) } }
    for count in 0...6 {
      for list in lists { expectNoComplaint(from: (0..<count).map { Item(id: $0) }, to: list) }
    }
  }

  /// The same of every content.
  @Test("Every change of content is found in every pair of lists over five ids")
  func everyContent() {
    let lists = Combinatorics.arrangements(of: 5)
    for count in 0...5 {
      let old = (0..<count).map { Item(id: $0) }
      for list in lists {
        let survivors = list.indices.filter { list[$0] < count }
        for changed in 1..<(1 << survivors.count) where survivors.count > 0 {
          var new = list.map { Item(id: $0) }
          for (bit, index) in survivors.enumerated() where changed & (1 << bit) != 0 { new[index].content = 1 }
          expectNoComplaint(from: old, to: new)
        }
      }
    }
  }

  private func expectNoComplaint(from old: [Item], to new: [Item]) {
    let changes = Changeset(from: old, to: new)
    if let complaint = Judge.complaint(about: changes, from: old, to: new, longest: Longest.byTrying) {
      Issue.record("\(old.map(\.id)) to \(new.map(\.id)) \(complaint): \(changes)")
    }
  }
}

@Suite("Every small sectioned list", .watched)
struct SectionedExhaustiveTests {
  /// Ids may be renamed at will: the old list counts its sections and its rows from 0.
  private static func canonical(sections: Int, rows: Int) -> [[Shelf]] {
    (0...sections).flatMap { sections in
      (0...(sections == 0 ? 0 : rows)).flatMap { rows in
        Combinatorics.cuts(of: Array(0..<rows), into: sections).map { slices in
          zip(0..<sections, slices).map { Shelf($0, $1.map { Item(id: $0) }) }
        }
      }
    }
  }

  /// The numbers of sections and rows: four rows in three sections take minutes on slow machines.
  static let sizes = SeededGenerator.rounds(0, long: 1) == 1 ? [(3, 4)] : [(2, 4), (3, 3)]

  @Test(
    "Every pair of lists of a few rows in a few sections is told apart with the fewest operations", arguments: sizes)
  func everyPair(sections: Int, rows: Int) {
    // Ids that the old list has not are alike: of all ways to name them in the new one, one is enough.
    let lists = Combinatorics.shelves(sections: sections, rows: rows).map { list in
      let (sectionIDs, rowIDs) = (list.map(\.model.id), list.flatMap { $0.rows.map(\.id) })
      return (
        shelves: list, fitsSections: (0...sections).map { Self.countsUp(sectionIDs, from: $0) },
        fitsRows: (0...rows).map { Self.countsUp(rowIDs, from: $0) }
      )
    }
    for old in Self.canonical(sections: sections, rows: rows) {
      let (sectionCount, rowCount) = (old.count, old.reduce(0) { $0 + $1.rows.count })
      for list in lists where list.fitsSections[sectionCount] && list.fitsRows[rowCount] {
        let new = list.shelves
        let changes = ListChanges(of: old, new)
        if let complaint = Judge.complaint(about: changes, from: old, to: new, longest: Longest.byTrying) {
          Issue.record("\(old) to \(new) \(complaint): \(changes)")
        }
      }
    }
  }

  private static func countsUp(_ ids: [Int], from first: Int) -> Bool {
    var next = first
    for id in ids where id >= first {
      if id != next { return false }
      next += 1
    }
    return true
  }
}
