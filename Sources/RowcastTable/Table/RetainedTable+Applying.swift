import RowcastDiff
public import RowcastModel

extension RetainedTable {
  /// Shows the list after an update.
  ///
  /// Rows that stay on the screen keep their cells, wherever they moved; one whose content changed has its cell
  /// configured again. The first visible row stays in place when rows above it come and go, unless the table is at its
  /// top or follows its tail.
  ///
  /// - Parameter update: The next update of the stream that the table shows. The first update of any stream is the whole
  ///   list, and is accepted at any time.
  /// - Returns: The events of the cells.
  /// - Throws: ``TableError``; the table is then as it was.
  /// - Complexity: O(s + v log k + k log n) for s sections, v elements on the screen or kept ready, k operations and n
  ///   rows, all of it on integers. Rows are looked at, and ids hashed, only where they come into view, change in view,
  ///   are selected, or come and go with a section.
  @discardableResult
  public func apply(_ update: ListUpdate<Section, Row>) throws(TableError) -> ApplyReport {
    try changing { () throws(TableError) in
      // Releasing rows may run code of the app, so the former list lives until the change is done.
      let former = snapshot
      defer { withExtendedLifetime(former) {} }
      let rowCounts = reader.rowCounts(rowCounts, former, update.snapshot)
      return try follow(validated(update, rowCounts), to: update, rowCounts)
    }
  }

  /// Makes one change, then sends its events. Throws ``TableError/changeInProgress`` while another one is being made.
  func changing(_ change: () throws(TableError) -> ApplyReport) throws(TableError) -> ApplyReport {
    guard !isChanging else { throw .changeInProgress }
    isChanging = true
    defer {
      isChanging = false
      if drainsAfterChange { drain() }
      checkInvariants()
      events.sendWaiting()
    }
    return try change()
  }

  /// The changes that lead from the list that is shown to that of the update, if the update obeys all rules.
  private func validated(
    _ update: ListUpdate<Section, Row>, _ rowCounts: [Int]
  ) throws(TableError) -> ListChanges {
    var changes = update.changes
    if let previous = update.previous {
      guard previous == revision else { throw .wrongRevision(table: revision, updateStartsAt: previous) }
    } else if revision != nil {
      changes = snapshot.changes(to: update.snapshot)
    }
    do {
      try BatchValidator(TableBatch(changes), rowCountsBefore: self.rowCounts, rowCountsAfter: rowCounts).validate()
    } catch {
      throw .invalidBatch(error)
    }
    return changes
  }
}
