import RowcastDiff
import RowcastModel
import RowcastTestSupport

@testable import RowcastViews

extension NaiveList {
  /// The lists one after the other, as their policy says.
  static func merging(_ lists: [NaiveList], _ policy: MergePolicy) -> NaiveList {
    merging(lists, prefersLast: policy == .last)
  }

  /// The rows of a list, each combined with the row of another list whose id is its key, or left out.
  static func joining<Partner: RowViewModel>(
    _ left: NaiveList, _ right: NaiveList<Section, Partner>, key: (Row) -> Partner.ID?,
    _ combine: (Row, Partner?) -> Row?
  ) -> NaiveList {
    let partners = Dictionary(right.parts.flatMap(\.rows).map { ($0.id, $0) }) { first, _ in first }
    var joined = left
    for index in joined.parts.indices {
      joined.parts[index].rows = joined.parts[index].rows.compactMap { row in
        combine(row, key(row).flatMap { partners[$0] })
      }
    }
    return joined
  }

  /// The rows of one list with the rows of another that refer to them, in their order and then by `areInOrder`.
  static func joining<Other: RowViewModel>(
    _ left: NaiveList, withMany right: NaiveList<Section, Other>, on key: (Other) -> Row.ID?,
    sortedBy areInOrder: (Other, Other) -> Bool, _ combine: (Row, [Other]) -> Row?
  ) -> NaiveList {
    // Not a look through all others for each row: that is minutes for a composition of long lists.
    let others = Dictionary(grouping: right.parts.flatMap(\.rows), by: key)
    var joined = left
    for index in joined.parts.indices {
      joined.parts[index].rows = joined.parts[index].rows.compactMap { row in
        let group = (others[row.id] ?? []).enumerated().sorted {
          areInOrder($0.element, $1.element) || (!areInOrder($1.element, $0.element) && $0.offset < $1.offset)
        }
        return combine(row, group.map(\.element))
      }
    }
    return joined
  }
}

extension ListSnapshot {
  /// Checks the changes that lead to another list: that they lead there, and that their moves are as few as they can be.
  func checkChanges(to other: ListSnapshot, countsMoves: Bool) throws {
    other.checkInvariants()
    let (changes, after) = (self.changes(to: other), NaiveList(other))
    var folded = NaiveList(self)
    try Mismatch.unless(changes.isEmpty == (folded == after), "\(changes) from \(folded) to \(after)")
    if countsMoves {
      let (least, moves) = (folded.minimalMoves(to: after), (changes.rows.moves.count, changes.sections.moves.count))
      try Mismatch.unless((least.rows, least.sections) == moves, "\(changes) move too much, from \(folded) to \(after)")
    }
    try folded.fold(changes, after: other)
    try Mismatch.unless(folded == after, "\(changes) do not fold")
  }
}
