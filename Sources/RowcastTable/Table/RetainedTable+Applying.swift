import RowcastDiff
public import RowcastModel

extension RetainedTable {
  /// Shows the list after an update.
  ///
  /// Rows that stay on the screen keep their cells, wherever they moved; one whose content changed has its cell
  /// configured again. The first visible row that does not move itself stays in place when rows above it come and go, unless
  /// the table is at its top or follows its tail.
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
      return try follow(validated(update, rowCounts), to: update.snapshot, at: update.revision, rowCounts)
    }
  }

  /// Takes over an edit that a person has performed on the screen: a row was dragged, or deleted with a swipe.
  ///
  /// Cells follow their rows, as in ``apply(_:)``. The next update makes only the rest: nothing if its list has the edit and
  /// nothing else, the way back if its list lacks the edit.
  ///
  /// - Parameter list: The list with the edit. Its ids may be those of the list that is shown, or others.
  /// - Returns: The events of the cells.
  /// - Throws: ``TableError``; the table is then as it was.
  /// - Complexity: That of `ListSnapshot.changes(to:)` and of ``apply(_:)``, for this edit and for the next update.
  @discardableResult
  public func viewDidPerform(_ list: ListSnapshot<Section, Row>) throws(TableError) -> ApplyReport {
    try changing { () throws(TableError) in
      let former = snapshot
      defer { withExtendedLifetime(former) {} }
      let report = try follow(
        former.changes(to: list), to: list, at: revision, reader.rowCounts(rowCounts, former, list))
      hasPerformed = true
      return report
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
    }
    // Another stream begins, or the list that is shown is ahead of this one by an edit.
    if hasPerformed || update.previous == nil && revision != nil { changes = snapshot.changes(to: update.snapshot) }
    do {
      try BatchValidator(TableBatch(changes), rowCountsBefore: self.rowCounts, rowCountsAfter: rowCounts).validate()
    } catch {
      throw .invalidBatch(error)
    }
    return changes
  }

  /// Follows valid changes: plans the screen after them, with the elements in use where they are then, and shows it.
  ///
  /// Elements are followed by their paths. Ids serve only rows that are selected, or that changes list as gone although
  /// they crossed the border of a deleted or inserted section.
  func follow(
    _ changes: ListChanges, to next: ListSnapshot<Section, Row>, at revision: Int?, _ rowCounts: [Int]
  ) throws(TableError) -> ApplyReport {
    let (list, map) = (snapshot, PathMap(changes))
    let crossings = crossings(
      of: (display.slots.map(\.element.rowPath) + [focusedPath, ends.start, ends.end]).compactMap(\.self)
        .filter { map.destination(of: $0) == nil }, changes, to: next)
    func destination(of path: RowPath) -> RowPath? { map.destination(of: path) ?? crossings[path] }
    let focus = focusedPath.flatMap { destination(of: $0) ?? next.nearestPath(to: $0) }
    let ends = (start: self.ends.start.flatMap(destination), end: self.ends.end.flatMap(destination))
    let selection = selectedRows.isEmpty ? nil : effectOnSelection(of: changes, to: next)

    let updatedRows = changes.rows.updates.map(\.to).ascending
    let updatedSections = changes.sections.updates.map(\.to).ascending
    var geometry = geometry
    geometry.apply(
      changes, header: estimates.header, footer: estimates.footer, rowCount: { rowCounts[$0] },
      newRows: { heights(ofNewRows: $0, $1, in: next) })
    func commit() {
      snapshot = next
      (self.revision, hasPerformed) = (revision, false)
      self.rowCounts = rowCounts
      self.ends = ends
      focusedPath = focus
      guard let selection else { return }
      for row in selection.changed { changeSelection { $0[row.id] = row } }
      for id in selection.gone { deselect(id) }
    }
    if let start = commonShift(map, updatedRows) {
      let top = geometry.lines(of: .row(start)).lowerBound - display.firstLine
      if topLine > 0 || !showsArrivalsAtTop || top == 0 {
        return shift(to: start, top, geometry, changes, commit: commit)
      }
    }

    var known: [Slot] = []
    known.reserveCapacity(display.slots.count)
    var (anchor, isAnchored, line): (Anchor?, Bool, Int) = (nil, false, display.firstLine)
    for slot in display.slots {
      defer { if slot.isVisible { line += slot.height } }
      var (slot, element, isListed) = (slot, slot.element, false)
      switch element {
      case .row(let before):
        let followed = map.destination(of: before)
        guard let path = followed ?? crossings[before] else { continue }
        isListed = followed == nil || updatedRows.hasElement(path)
        slot.element = .row(path)
        // The first row on the screen that has not moved stays where it is; one that moved may be far away.
        if slot.isVisible, !isAnchored, anchor == nil || map.keepsPlace(of: before) {
          (anchor, isAnchored) = (.line(line, slot.element), map.keepsPlace(of: before))
        }
      case .header(let section), .footer(let section):
        guard let section = map.destination(ofSection: section) else { continue }
        isListed = updatedSections.hasElement(section)
        slot.element = if case .header = element { .header(section: section) } else { .footer(section: section) }
      }
      slot.isChanged = isListed && reader.isChanged(element, list, slot.element, next)
      known.append(slot)
    }
    if !map.keepsOrder || !crossings.isEmpty { known.sort { $0.element.precedes($1.element) } }

    if followsTail, isAtEnd {
      anchor = end(of: geometry)
    } else if topLine == 0, showsArrivalsAtTop {
      anchor = nil
    }
    let plan = try plan(anchor ?? place(ofLine: topLine, in: geometry), geometry, known: known, next)
    return show(plan, changes: changes, commit: commit)
  }

  /// The new path of the first row on the screen, if all elements there are rows that move together and none changes. The
  /// screen then stays as it is, so that nothing is laid out: a change off the screen takes 1.9 µs instead of 5.5 µs.
  private func commonShift(_ map: PathMap, _ updatedRows: [RowPath]) -> RowPath? {
    guard map.keepsOrder, workingRange == 0, display.ready.isEmpty, !(followsTail && isAtEnd),
      topLine + screenHeight <= geometry.height, let first = display.slots.first?.element.rowPath,
      let last = display.slots.last?.element.rowPath, first.section == last.section,
      let start = map.destination(of: first), let end = map.destination(of: last),
      end.row - start.row == last.row - first.row,
      map.leavingRows.countLess(than: first) == map.leavingRows.countLess(than: last),
      updatedRows.countLess(than: start) == updatedRows.countLess(than: RowPath(section: end.section, row: end.row + 1))
    else { return nil }
    return start
  }

  /// The estimated heights of new rows, by the provider or else by the table.
  private func heights(ofNewRows start: RowPath, _ count: Int, in list: ListSnapshot<Section, Row>) -> TableGeometry {
    guard let heights = reader.estimates(start, count, list) else {
      return TableGeometry(HeightRun(count: count, height: estimates.row))
    }
    var runs = TableGeometry()
    for height in heights { runs.append(HeightRun(count: 1, height: CellRequest.clamped(height))) }
    return runs
  }

  /// The paths in the next list of rows that are listed as gone and crossed the border of a deleted or inserted section.
  ///
  /// - Complexity: O(rows that came).
  private func crossings(
    of paths: @autoclosure () -> [RowPath], _ changes: ListChanges, to next: ListSnapshot<Section, Row>
  ) -> [RowPath: RowPath] {
    if changes.sections.deletes.isEmpty, changes.sections.inserts.isEmpty { return [:] }
    let origins = Dictionary(paths().map { (snapshot.row(at: $0).id, $0) }) { first, _ in first }
    if origins.isEmpty { return [:] }
    var found: [RowPath: RowPath] = [:]
    for (path, row) in next.rows(at: changes.rows.inserts, inSections: changes.sections.inserts) {
      guard let origin = origins[row.id] else { continue }
      found[origin] = path
      if found.count == origins.count { break }
    }
    return found
  }

  /// The selected rows whose content changed, and the ids of those that are gone, in their former order.
  ///
  /// - Complexity: O(k log n) for k rows that are listed, or whose sections are listed, and n rows.
  @inline(never)
  private func effectOnSelection(
    of changes: ListChanges, to next: ListSnapshot<Section, Row>
  ) -> (changed: [Row], gone: [Row.ID]) {
    let changed = changes.rows.updates.map { next.row(at: $0.to) }.filter { selectedRows[$0.id] != nil }
    let departed = snapshot.rows(at: changes.rows.deletes, inSections: changes.sections.deletes)
      .filter { selectedRows[$0.row.id] != nil }.sorted { $0.path < $1.path }
    let crossings = crossings(of: departed.map { $0.path }, changes, to: next)
    return (changed, departed.filter { crossings[$0.path] == nil }.map { $0.row.id })
  }
}

extension Array where Element: Comparable {
  /// True if the array, which is sorted, has an element.
  fileprivate func hasElement(_ element: Element) -> Bool {
    let index = countLess(than: element)
    return index < count && self[index] == element
  }
}

extension ListSnapshot {
  fileprivate func rows(
    at paths: [RowPath], inSections sections: [Int]
  ) -> some Sequence<(path: RowPath, row: Row)> {
    let single = paths.lazy.map { (path: $0, row: row(at: $0)) }
    let whole = sections.lazy.flatMap { section in
      rows(inSection: section).enumerated().lazy.map { (path: RowPath(section: section, row: $0), row: $1) }
    }
    return [AnySequence(single), AnySequence(whole)].joined()
  }
}
