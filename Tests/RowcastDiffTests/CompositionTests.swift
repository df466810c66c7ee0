import RowcastDiff
import TestSupport
import Testing

@Suite("Maps of positions, and changes in a row", .watched)
struct CompositionTests {
  @Test("A map of indexes knows where every element of random lists is, on both sides")
  func flatMaps() {
    var maker = ListMaker(random: .forFuzzing("index maps"))
    for round in 0..<SeededGenerator.rounds(500, long: 20_000) {
      let (old, new) = maker.pair(upTo: round % 10 == 0 ? 200 : 14)
      let map = IndexMap(Changeset(from: old, to: new))
      for (index, row) in old.enumerated() {
        let expected = new.firstIndex { $0.id == row.id }
        if map.after(index) != expected {
          Issue.record("round \(round), seed \(maker.random.seed): \(row) is after \(map.after(index) as Any)")
          return
        }
      }
      for (index, row) in new.enumerated() where map.before(index) != old.firstIndex(where: { $0.id == row.id }) {
        Issue.record("round \(round), seed \(maker.random.seed): \(row) was before \(map.before(index) as Any)")
        return
      }
    }
  }

  @Test("A map of paths knows where every row and section of random lists is, on both sides")
  func maps() {
    var maker = ListMaker(random: .forFuzzing("path maps"))
    for round in 0..<SeededGenerator.rounds(500, long: 20_000) {
      let (old, new) = maker.shelves(upTo: round % 10 == 0 ? 200 : 14)
      let map = PathMap(Self.changes(old, new))
      let shared = Set(old.map(\.model.id)).intersection(new.map(\.model.id))
      for (from, to, isAfter) in [(old, new, true), (new, old, false)] {
        for (section, shelf) in from.enumerated() {
          let expected = to.firstIndex { $0.model.id == shelf.model.id }
          #expect((isAfter ? map.after(section: section) : map.before(section: section)) == expected)
          for (row, item) in shelf.rows.enumerated() {
            let path = RowPath(section: section, row: row)
            let found = isAfter ? map.after(path) : map.before(path)
            // Between sections that both lists have, a row is found wherever it went.
            let place = shared.contains(shelf.model.id) ? Self.path(of: item.id, in: to, shared) : nil
            if found != place {
              let side = isAfter ? "after" : "before"
              Issue.record(
                "round \(round), seed \(maker.random.seed): \(path) \(side) is \(found as Any), not \(place as Any)")
              return
            }
          }
        }
      }
    }
  }

  private static func path(of id: Int, in list: [Shelf], _ sections: Set<Int>) -> RowPath? {
    for (section, shelf) in list.enumerated() where sections.contains(shelf.model.id) {
      if let row = shelf.rows.firstIndex(where: { $0.id == id }) { return RowPath(section: section, row: row) }
    }
    return nil
  }

  private static func changes(_ old: [Shelf], _ new: [Shelf]) -> ListChanges {
    ListChanges(from: old.map(\.model), rows: old.map(\.rows), to: new.map(\.model), rows: new.map(\.rows))
  }

  /// What a change does to a list: rows that it does not know are taken from the last list, as are contents.
  private static func complaint(_ changes: ListChanges, from old: [Shelf], to new: [Shelf]) -> String? {
    var changes = changes
    // Contents that changed and changed back are told as updates; the naive applier refuses these.
    changes.sections.updates.removeAll { old[$0.from].model == new[$0.to].model }
    changes.rows.updates.removeAll { old[$0.from.section].rows[$0.from.row] == new[$0.to.section].rows[$0.to.row] }
    return Judge.mismatch(NaiveApplier.apply(changes, to: old, from: new), new)
  }

  @Test("Every two changes of small lists in a row lead to the last list, with the fewest moves that can be known")
  func everySmallPair() {
    let lists = Combinatorics.arrangements(of: 4).map { $0.map { Item(id: $0) } }
    for first in lists where zip(first.map(\.id), 0...).allSatisfy({ $0 == $1 }) {
      for second in lists {
        for third in lists {
          let (one, two) = (Changeset(from: first, to: second), Changeset(from: second, to: third))
          let both = one.followed(by: two)
          if let complaint = Self.complaint(both, from: first, via: second, to: third) {
            Issue.record(
              "\(first.map(\.id)) to \(second.map(\.id)) to \(third.map(\.id)) \(complaint): \(one), \(two): \(both)")
            return
          }
        }
      }
    }
  }

  /// Judges the net change of flat lists. An element that was away for a time is another one to it.
  private static func complaint(
    _ changes: Changeset<Int>, from first: [Item], via second: [Item], to third: [Item]
  ) -> String? {
    let known = Set(second.map(\.id))
    let renamed = third.map { Item(id: known.contains($0.id) ? $0.id : $0.id + 1_000_000, content: $0.content) }
    return Judge.complaint(about: changes, from: first, to: renamed, longest: Longest.byDealing)
      ?? (changes == Changeset(from: first, to: renamed) ? nil : "is not the difference of the ends")
  }

  @Test("Random changes of flat lists in a row are the difference of the ends")
  func flat() {
    var maker = ListMaker(random: .forFuzzing("flat compositions"))
    for round in 0..<SeededGenerator.rounds(600, long: 20_000) {
      let (first, second) = maker.pair(upTo: round % 10 == 0 ? 200 : 14)
      let third = maker.edited(second)
      let both = Changeset(from: first, to: second).followed(by: Changeset(from: second, to: third))
      if let complaint = Self.complaint(both, from: first, via: second, to: third) {
        Issue.record("round \(round), seed \(maker.random.seed): \(first) to \(second) to \(third) \(complaint)")
        return
      }
    }
  }

  /// Whether both are the same, but for which of equally small sets of moves they tell.
  private static func areEqual(_ changes: ListChanges, _ direct: ListChanges) -> Bool {
    changes.sections == direct.sections && changes.rows.deletes == direct.rows.deletes
      && changes.rows.inserts == direct.rows.inserts && changes.rows.updates == direct.rows.updates
      && changes.rows.moves.count == direct.rows.moves.count
  }

  @Test("Random changes of sectioned lists in a row lead to the last list")
  func sectioned() {
    var maker = ListMaker(random: .forFuzzing("compositions"))
    for round in 0..<SeededGenerator.rounds(600, long: 20_000) {
      let (first, second) = maker.shelves(upTo: round % 10 == 0 ? 200 : 14)
      let third = maker.edited(second)
      let both = Self.changes(first, second).followed(by: Self.changes(second, third))
      let direct = Self.changes(first, third)
      var complaint = Self.complaint(both, from: first, to: third)
      // Where no row or section was away for a time, it is the difference of the ends.
      let (middle, ends) = (Set(second.map(\.model.id)), Set(first.map(\.model.id)).intersection(third.map(\.model.id)))
      let (rows, known) = (Set(second.flatMap(\.rows).map(\.id)), Set(first.flatMap(\.rows).map(\.id)))
      let isKnown = ends.isSubset(of: middle) && known.intersection(third.flatMap(\.rows).map(\.id)).isSubset(of: rows)
      let wasAway = second.contains { shelf in !ends.contains(shelf.model.id) }
      if complaint == nil, isKnown, !wasAway, !Self.areEqual(both, direct) {
        complaint = "is not the difference of the ends: \(direct)"
      }
      if let complaint {
        Issue.record(
          "round \(round), seed \(maker.random.seed): \(first) to \(second) to \(third) \(complaint): \(both)")
        return
      }
    }
  }

  @Test("Nothing and a change are that change, on either side")
  func nothing() {
    var maker = ListMaker(random: .forFuzzing("compositions with nothing"))
    for _ in 0..<100 {
      let (old, new) = maker.shelves(upTo: 12)
      let changes = Self.changes(old, new)
      #expect(changes.followed(by: ListChanges()) == changes, "seed \(maker.random.seed): \(old) to \(new)")
      #expect(ListChanges().followed(by: changes) == changes, "seed \(maker.random.seed): \(old) to \(new)")
    }
  }

  @Test("A move and the move back are nothing; an update and another one are one update")
  func cancelling() {
    let there = Changeset<Int>(moves: [.init(from: 2, to: 900)])
    #expect(there.followed(by: Changeset(moves: [.init(from: 900, to: 2)])).isEmpty)
    let update = Changeset<Int>(updates: [.init(from: 7, to: 7)])
    #expect(update.followed(by: update) == update)
  }
}
