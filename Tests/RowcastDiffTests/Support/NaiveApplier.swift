import RowcastDiff

/// What a changeset means, spelled out as slowly and plainly as possible: take out from high to low, put in from low to
/// high, set the contents. Shares nothing with the code under test.
enum NaiveApplier {
  /// Applies a flat changeset. Returns nothing if a position is out of range.
  static func apply(_ changes: Changeset<Int>, to old: [Item], from new: [Item]) -> [Item]? {
    var result = old
    for index in (changes.deletes + changes.moves.map(\.from)).sorted().reversed() {
      guard result.indices.contains(index) else { return nil }
      result.remove(at: index)
    }
    var arrivals = changes.inserts.map { (to: $0, element: new[$0]) }
    arrivals += changes.moves.map { (to: $0.to, element: old[$0.from]) }
    for arrival in arrivals.sorted(by: { $0.to < $1.to }) {
      guard arrival.to <= result.count else { return nil }
      result.insert(arrival.element, at: arrival.to)
    }
    for update in changes.updates {
      // The same element must stand at both ends, and it must be another content.
      guard result[update.to].id == new[update.to].id, old[update.from] != new[update.to] else { return nil }
      result[update.to] = new[update.to]
    }
    return result
  }

  /// Applies changes to a sectioned list. Returns nothing if a path is out of range or in a section that comes or goes.
  static func apply(_ changes: ListChanges, to old: [Shelf], from new: [Shelf]) -> [Shelf]? {
    let (sections, rows) = (changes.sections, changes.rows)
    let (gone, come) = (Set(sections.deletes), Set(sections.inserts))
    var shelves = old
    for path in (rows.deletes + rows.moves.map(\.from)).sorted().reversed() {
      guard shelves.indices.contains(path.section), shelves[path.section].rows.indices.contains(path.row),
        !gone.contains(path.section)
      else { return nil }
      shelves[path.section].rows.remove(at: path.row)
    }
    let moving = sections.moves.map { (to: $0.to, shelf: shelves[$0.from]) }
    for index in (sections.deletes + sections.moves.map(\.from)).sorted().reversed() { shelves.remove(at: index) }
    let arrivingShelves = moving + sections.inserts.map { (to: $0, shelf: new[$0]) }
    for arrival in arrivingShelves.sorted(by: { $0.to < $1.to }) {
      guard arrival.to <= shelves.count else { return nil }
      shelves.insert(arrival.shelf, at: arrival.to)
    }
    for update in sections.updates { shelves[update.to].model = new[update.to].model }

    var arrivals = rows.inserts.map { (to: $0, row: new[$0.section].rows[$0.row]) }
    arrivals += rows.moves.map { (to: $0.to, row: old[$0.from.section].rows[$0.from.row]) }
    for arrival in arrivals.sorted(by: { $0.to < $1.to }) {
      guard shelves.indices.contains(arrival.to.section), !come.contains(arrival.to.section),
        arrival.to.row <= shelves[arrival.to.section].rows.count
      else { return nil }
      shelves[arrival.to.section].rows.insert(arrival.row, at: arrival.to.row)
    }
    for update in rows.updates {
      let row = new[update.to.section].rows[update.to.row]
      guard old[update.from.section].rows[update.from.row] != row, !come.contains(update.to.section) else { return nil }
      shelves[update.to.section].rows[update.to.row] = row
    }
    return shelves
  }
}
