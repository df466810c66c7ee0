import Testing

@Suite(.watched) struct FuzzTests {
  @Test func `random flat lists are told apart with the fewest operations`() {
    ListMaker.drive("flat lists", rounds: 500, long: 50_000) { maker, limit in
      let (old, new) = maker.pair(upTo: limit)
      let changes = Changeset(from: old, to: new)
      let complaint = Judge.complaint(about: changes, from: old, to: new)
      return complaint.map { "\(old) to \(new) \($0): \(changes)" }
    }
  }

  @Test func `random sectioned lists are told apart with the fewest operations`() {
    ListMaker.drive("sectioned lists", rounds: 300, long: 30_000) { maker, limit in
      let (old, new) = maker.shelves(upTo: limit)
      let changes = ListChanges(of: old, new)
      let complaint = Judge.complaint(about: changes, from: old, to: new)
      return complaint.map { "\(old) to \(new) \($0): \(changes)" }
    }
  }

  @Test func `random lists with duplicate ids lead to the new list, and as many survive as can`() {
    ListMaker.drive("duplicates", rounds: 200, long: 20_000) { maker, limit in
      let (old, new) = maker.duplicates(upTo: limit)
      let changes = Changeset(from: old, to: new)
      let complaint = Judge.complaint(aboutDuplicates: changes, from: old, to: new)
      return complaint.map { "\(old) to \(new) \($0): \(changes)" }
    }
  }

  @Test func `random sectioned lists with duplicate ids still lead to the new list`() {
    ListMaker.drive("sectioned duplicates", rounds: 60, long: 6_000) { maker, limit in
      let (before, after) = maker.duplicates(upTo: limit)
      let (old, new) = ([Shelf(0, before), Shelf(1, after)], [Shelf(0, after), Shelf(1, before)])
      let changes = ListChanges(of: old, new)
      return NaiveApplier.apply(changes, to: old, from: new) == new ? nil : "\(old) to \(new): \(changes)"
    }
  }

  @Test func `a map of indexes knows where every element of random lists is, on both sides`() {
    ListMaker.drive("index maps", rounds: 100, long: 20_000) { maker, limit in
      let (old, new) = maker.pair(upTo: limit)
      let map = IndexMap(Changeset(from: old, to: new))
      func places(of rows: [Item], in list: [Item]) -> [Int?] {
        let indexes = Dictionary(uniqueKeysWithValues: list.enumerated().map { ($1.id, $0) })
        return rows.map { indexes[$0.id] }
      }
      let (after, before) = (old.indices.map(map.destination(of:)), new.indices.map(map.origin(of:)))
      return after == places(of: old, in: new) && before == places(of: new, in: old)
        ? nil : "\(old) to \(new): \(after), \(before)"
    }
  }

  @Test func `a map of paths knows where every row and section of random lists is, on both sides`() {
    ListMaker.drive("path maps", rounds: 100, long: 20_000) { maker, limit in
      let (old, new) = maker.shelves(upTo: limit)
      let map = PathMap(ListChanges(of: old, new))
      let shared = Set(old.map(\.model.id)).intersection(new.map(\.model.id))
      for (from, to, isAfter) in [(old, new, true), (new, old, false)] {
        // Between sections that both lists have, a row is found wherever it went.
        var places: [Int: RowPath] = [:]
        for (section, shelf) in to.enumerated() where shared.contains(shelf.model.id) {
          for (row, item) in shelf.rows.enumerated() { places[item.id] = RowPath(section: section, row: row) }
        }
        for (section, shelf) in from.enumerated() {
          let found = isAfter ? map.destination(ofSection: section) : map.origin(ofSection: section)
          if found != to.firstIndex(where: { $0.model.id == shelf.model.id }) {
            return "\(old) to \(new): section \(section) is \(found as Any)"
          }
          for (row, item) in shelf.rows.enumerated() {
            let path = RowPath(section: section, row: row)
            let found = isAfter ? map.destination(of: path) : map.origin(of: path)
            let place = shared.contains(shelf.model.id) ? places[item.id] : nil
            if found != place { return "\(old) to \(new): \(path) is \(found as Any), not \(place as Any)" }
          }
        }
      }
      return nil
    }
  }
}
