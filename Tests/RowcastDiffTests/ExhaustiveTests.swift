import RowcastDiff
import RowcastTestSupport
import Testing

@Suite("Every small list", .watched)
struct ExhaustiveTests {
  @Test("Every pair of lists over five ids is told apart with the fewest operations")
  func everyPair() {
    let lists = Combinatorics.arrangements(of: 5).map { $0.map { Item(id: $0) } }
    for old in lists {
      for new in lists { expectNoComplaint(from: old, to: new) }
    }
  }

  /// Ids may be renamed at will, so that the old list can always count from 0: that leaves time for every content.
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
  static let canonical: [[Shelf]] = (0...3).flatMap { sections in
    (0...(sections == 0 ? 0 : 4)).flatMap { rows in
      Combinatorics.cuts(of: Array(0..<rows), into: sections).map { slices in
        zip(0..<sections, slices).map { Shelf($0, $1.map { Item(id: $0) }) }
      }
    }
  }

  @Test("Every pair of lists of four rows in three sections is told apart with the fewest operations")
  func everyPair() {
    // Ids that the old list has not are alike: of all ways to name them in the new one, one is enough.
    let lists = Combinatorics.shelves(sections: 3, rows: 4).map { list in
      let (sections, rows) = (list.map(\.model.id), list.flatMap { $0.rows.map(\.id) })
      return (
        shelves: list, fitsSections: (0...3).map { Self.countsUp(sections, from: $0) },
        fitsRows: (0...4).map { Self.countsUp(rows, from: $0) }
      )
    }
    for old in Self.canonical {
      let (sections, rows) = (old.count, old.reduce(0) { $0 + $1.rows.count })
      for list in lists where list.fitsSections[sections] && list.fitsRows[rows] {
        let new = list.shelves
        let changes = ListChanges(
          from: old.map(\.model), rows: old.map(\.rows), to: new.map(\.model), rows: new.map(\.rows))
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
