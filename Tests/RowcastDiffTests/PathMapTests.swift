import RowcastDiff
import RowcastTestSupport
import Testing

@Suite("Maps of positions", .watched)
struct PathMapTests {
  @Test("A map of indexes knows where every element of random lists is, on both sides")
  func flatMaps() {
    var maker = ListMaker(random: .forFuzzing("index maps"))
    for round in 0..<SeededGenerator.rounds(500, long: 20_000) {
      let (old, new) = maker.pair(upTo: round % 10 == 0 ? 200 : 14)
      let map = IndexMap(Changeset(from: old, to: new))
      for (index, row) in old.enumerated() {
        let expected = new.firstIndex { $0.id == row.id }
        if map.destination(of: index) != expected {
          Issue.record(
            "round \(round), seed \(maker.random.seed): \(row) is after \(map.destination(of: index) as Any)")
          return
        }
      }
      for (index, row) in new.enumerated() where map.origin(of: index) != old.firstIndex(where: { $0.id == row.id }) {
        Issue.record("round \(round), seed \(maker.random.seed): \(row) was before \(map.origin(of: index) as Any)")
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
          #expect((isAfter ? map.destination(ofSection: section) : map.origin(ofSection: section)) == expected)
          for (row, item) in shelf.rows.enumerated() {
            let path = RowPath(section: section, row: row)
            let found = isAfter ? map.destination(of: path) : map.origin(of: path)
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
}
