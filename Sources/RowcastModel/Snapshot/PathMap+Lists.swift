public import RowcastDiff

extension PathMap {
  /// Reads a change together with the lists that it leads from and to. The map knows each row that is in both lists.
  ///
  ///     let map = PathMap(update.changes, from: before, to: update.snapshot)
  ///     let path = map.destination(of: focused) ?? map.destination(nearestTo: focused, inSectionsOf: before.rowCounts)
  ///
  /// This is the map for what belongs to rows and outlives an update: focus, selection, heights, the row at the top of the
  /// screen. Make it once for each update and read everything from it.
  ///
  /// - Parameters:
  ///   - changes: The changes that lead from one list to the other.
  ///   - before: The list before the changes.
  ///   - after: The list after the changes.
  /// - Complexity: The cost of `init(_:)`. If sections are deleted or inserted, the ids of the rows that are
  ///   inserted and deleted with them, or cross to them, are read once, and hashed where their order differs; if rows are only
  ///   inserted or only deleted, none is read.
  @inlinable
  package init<Section, Row>(
    _ changes: ListChanges, from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>
  ) {
    self.init(changes, crossings: changes.crossings(from: before, to: after))
  }
}

extension ListChanges {
  /// The rows that cross the border of a section that is inserted or deleted: each is listed on one side, or on none. There are
  /// none if all sections stay.
  @inlinable
  package func crossings<Section, Row>(
    from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>
  ) -> [PathMap.Crossing] {
    if sections.deletes.isEmpty && sections.inserts.isEmpty { return [] }
    // A row that moved between two sections that both lists have is listed as a move.
    let gone = ListedRows(before, at: sections.inserts.isEmpty ? [] : rows.deletes, inSections: sections.deletes)
    let came = ListedRows(after, at: sections.deletes.isEmpty ? [] : rows.inserts, inSections: sections.inserts)
    return gone.count < came.count
      ? gone.stretches(sharedWith: came)
      : came.stretches(sharedWith: gone).map { PathMap.Crossing(from: $0.to, to: $0.from, count: $0.count) }
  }
}

/// The rows that changes list on one side: single rows, and the rows of whole sections.
@usableFromInline
struct ListedRows<Section: SectionViewModel, Row: RowViewModel> {
  @usableFromInline let list: ListSnapshot<Section, Row>
  @usableFromInline let paths: [RowPath]
  @usableFromInline let sections: [Int]
  @usableFromInline let count: Int

  @inlinable
  init(_ list: ListSnapshot<Section, Row>, at paths: [RowPath], inSections sections: [Int]) {
    (self.list, self.paths, self.sections) = (list, paths, sections)
    count = sections.reduce(paths.count) { $0 + list.rowCount(inSection: $1) }
  }

  /// Calls the body with each row's path and id, until it returns false.
  @inlinable
  func forEach(_ body: (RowPath, Row.ID) -> Bool) {
    for section in sections {
      for (index, row) in list.rows(inSection: section).enumerated() {
        guard body(RowPath(section: section, row: index), row.id) else { return }
      }
    }
    for path in paths {
      guard body(path, list.row(at: path).id) else { return }
    }
  }

  /// The rows that `others`, which has as many or more, has as well: runs of neighbours on both sides, from this one to the
  /// other.
  ///
  /// Rows are compared in step. An id is hashed only where the order of both sides differs.
  @inlinable
  func stretches(sharedWith others: ListedRows) -> [PathMap.Crossing] {
    if count == 0 { return [] }
    var rows: [(path: RowPath, id: Row.ID)] = []
    rows.reserveCapacity(count)
    forEach { path, id in
      rows.append((path, id))
      return true
    }
    var (indexes, next, rest): ([Row.ID: Int]?, Int, Int) = (nil, 0, count)
    var stretches: [PathMap.Crossing] = []
    others.forEach { path, id in
      var found: Int? = next
      if next == rows.count || rows[next].id != id {
        let known = indexes ?? Dictionary(rows.indices.map { (rows[$0].id, $0) }) { first, _ in first }
        indexes = known
        found = known[id]
      }
      guard let found else { return true }
      let row = rows[found].path
      next = found + 1
      rest -= 1
      if let last = stretches.last, last.from.section == row.section, last.from.row + last.count == row.row,
        last.to.section == path.section, last.to.row + last.count == path.row
      {
        stretches[stretches.count - 1].count += 1
      } else {
        stretches.append(PathMap.Crossing(from: row, to: path, count: 1))
      }
      return rest > 0
    }
    return stretches
  }
}
