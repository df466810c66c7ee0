import RowcastDiff
public import RowcastModel

extension RetainedTable {
  /// Shows the list after an update.
  ///
  /// Rows that stay on the screen keep their cells, wherever they move; if the content of a row changed, its cell is
  /// configured again. The first visible row that does not move itself stays in place when rows above it are inserted and
  /// removed, unless the table is at its top or follows its tail.
  ///
  /// - Parameter update: The next update of the stream that the table shows. The first update of any stream is the whole
  ///   list, and is accepted at any time. From then on, updates of the former stream are refused. Changes that do not lead to
  ///   the snapshot are refused as far as counts reveal it; the changes of a stream always lead there.
  ///
  ///   After an update is refused, the later updates of its stream are refused, too, and the error names the first:
  ///   ``TableError/stopped(at:by:)``. A whole list is accepted in any case. If some of its rows cannot be shown, these and
  ///   later ones have an ``EmptyCell``, and ``ApplyReport/diagnostics`` has the reasons.
  /// - Returns: The events of the cells.
  /// - Throws: ``TableError``; the table is then unchanged.
  /// - Complexity: O(s + v log k + k log n) for s sections, v elements on the screen or kept ready, k operations and n rows,
  ///   all of it on integers. Rows are looked at, and ids hashed, only where rows appear, change on the screen, are selected,
  ///   or are inserted and removed with a section.
  @discardableResult
  public func apply(_ update: ListUpdate<Section, Row>) throws(TableError) -> ApplyReport {
    do throws(TableError) {
      try beginChange()
      defer { endChange() }
      return try receive(update)
    } catch {
      throw named(error, of: update)
    }
  }

  private func receive(_ update: ListUpdate<Section, Row>) throws(TableError) -> ApplyReport {
    // Releasing rows may run code of the app, so the former list lives until the change is done.
    let former = snapshot
    defer { withExtendedLifetime(former) {} }
    // After a refusal any list is accepted.
    let isRescue = update.previous == nil && refusal != nil && !showsEmptyCells
    showsEmptyCells = showsEmptyCells || isRescue
    var hasEmptyCells = false
    defer { if isRescue { showsEmptyCells = hasEmptyCells } }
    let rowCounts = reader.rowCounts(rowCounts, former, update.snapshot)
    // An update that continues another list does not resolve a refusal. A refusal that happens while this update is planned
    // is remembered if this update is shown. It does not matter if this update is refused, or is the same one.
    let pending = refusal
    if update.previous == nil || pending?.position.epoch == update.epoch { refusal = nil }
    let report: ApplyReport
    do throws(TableError) {
      report = try follow(validated(update, rowCounts), to: update.snapshot, rowCounts, at: update.position)
    } catch {
      refusal = pending
      throw error
    }
    if refusal?.position == update.position { refusal = nil }
    hasEmptyCells = report.diagnostics.contains { $0.error != nil }
    return report
  }

  /// The error to report for an update: the first refusal, if this update depends on it.
  private func named(_ error: TableError, of update: ListUpdate<Section, Row>) -> TableError {
    let position = update.position
    if let refusal {
      // A whole list does not depend on other updates, and an update may be tried again.
      if update.previous == nil || (refusal.position, refusal.error) == (position, error) { return error }
      return .stopped(at: refusal.position, by: refusal.error)
    }
    // A late update is not remembered: the next update may follow.
    let isLate = update.start.map { start in
      self.position.map { $0.epoch != start.epoch || start.revision < $0.revision } ?? false
    }
    if isLate != true { refusal = (position, error) }
    return error
  }

  /// Adopts an edit that a person has performed on the screen: a row was dragged, or deleted with a swipe.
  ///
  /// Cells follow their rows, as in ``apply(_:)``. The next update applies only the rest: nothing if its list has the edit and
  /// nothing else, the reverse if its list lacks the edit.
  ///
  /// - Parameter list: The list with the edit. Its ids may be those of the list that is shown, or others.
  /// - Returns: The events of the cells.
  /// - Throws: ``TableError``; the table is then unchanged.
  /// - Complexity: That of `ListSnapshot.changes(to:)` and of ``apply(_:)``, for this edit and for the next update.
  @discardableResult
  public func viewDidPerform(_ list: ListSnapshot<Section, Row>) throws(TableError) -> ApplyReport {
    try beginChange()
    defer { endChange() }
    let former = snapshot
    defer { withExtendedLifetime(former) {} }
    return try follow(
      former.changes(to: list), to: list, reader.rowCounts(rowCounts, former, list), at: position, isEdited: true)
  }

  /// Begins a change. Throws ``TableError/changeInProgress`` while another one is being made.
  func beginChange() throws(TableError) {
    if isChanging { throw .changeInProgress }
    isChanging = true
  }

  /// Ends the change, and sends its events.
  func endChange() {
    isChanging = false
    if drainsAfterChange { drain() }
    checkInvariants()
    events.sendWaiting()
  }

  /// The changes from the shown list to the list of the update, if the update obeys all rules.
  private func validated(
    _ update: ListUpdate<Section, Row>, _ rowCounts: [Int]
  ) throws(TableError) -> ListChanges {
    var changes = update.changes
    if update.previous != nil { try TableError.checkThat(update, follows: position) }
    // Another stream begins, or the shown list is ahead of this one by an edit.
    if isEdited || update.previous == nil && position != nil {
      changes = snapshot.changes(to: update.snapshot)
    }
    do {
      try BatchValidator(changes, rowCountsBefore: self.rowCounts, rowCountsAfter: rowCounts).validate()
    } catch {
      throw .invalidBatch(error)
    }
    return changes
  }

  /// Applies valid changes: plans the screen after them, with the elements in use in their new places, and shows it.
  ///
  /// One map gives the new place of each row. Cells, heights, focus, selection and the screen itself follow their rows by it.
  private func follow(
    _ changes: ListChanges, to next: ListSnapshot<Section, Row>, _ rowCounts: [Int], at position: ListPosition?,
    isEdited: Bool = false
  ) throws(TableError) -> ApplyReport {
    let list = snapshot
    let map = reader.map(changes, list, next)
    let ends = (start: self.ends.start.flatMap(map.destination), end: self.ends.end.flatMap(map.destination))

    var geometry = heights(geometry, after: changes, map, in: next, rowCounts)
    for change in changes.sections.updates {
      let element = TableElement.header(section: change.to)
      guard reader.isChanged(.header(section: change.from), list, element, next) else { continue }
      for element in [element, .footer(section: change.to)] { geometry.measure(element, lines(of: element, in: next)) }
    }
    let updatedRows = changes.rows.updates.map(\.to).ascending
    var plan = layout(geometry, of: next)
    if let start = startOfMovedScreen(after: map, updatedRows, geometry) {
      plan.keep(display, movedTo: start)
    } else {
      let (known, candidates) = display.slots(
        after: map, updatedRows: updatedRows, updatedSections: changes.sections.updates.map(\.to).ascending
      ) { reader.isChanged($0, list, $1, next) }
      let anchor: ScrollAnchor? =
        if followsTail, isAtEnd {
          .end(of: geometry)
        } else if topLine == 0, showsArrivalsAtTop {
          .top(0, of: geometry, height: screenHeight)
        } else {
          .keeping(candidates, covered: display.coveredLines) ?? anchor(besideScreen: map)
            ?? .top(topLine, of: geometry, height: screenHeight)
        }
      try plan.fill(known, from: anchor, workingRange: workingRange)
    }
    if let estimates = updatedEstimates(in: plan.geometry, after: changes, map, to: next, besides: plan.ends) {
      plan.estimate(by: estimates)
    }
    return show(plan, changes: changes) {
      // Cells and their providers may have set these.
      let focus = focusedPath.flatMap { map.destination(nearestTo: $0, inSectionsOf: self.rowCounts) }
      let selection = selectedRows.isEmpty ? nil : effectOnSelection(of: changes, map, to: next)
      (snapshot, self.position, self.isEdited) = (next, position, isEdited)
      forgetPaths(after: changes)
      self.rowCounts = rowCounts
      self.ends = ends
      focusedPath = focus
      guard let selection else { return }
      for path in selection.changed {
        let row = next.row(at: path)
        changeSelection { $0[row.id] = row }
      }
      for path in selection.gone { deselect(list.row(at: path).id) }
    }
  }

  /// The new path of the first row on the screen, if all elements there are rows that move together and none of them changes.
  /// Nothing is laid out then: a change off the screen takes 5 µs instead of 7.5 µs with 40 lines, and 7 µs instead of
  /// 17.6 µs with 200.
  private func startOfMovedScreen(
    after map: PathMap, _ updatedRows: [RowPath], _ geometry: TableGeometry
  ) -> RowPath? {
    guard map.keepsOrder, map.crossings.isEmpty, workingRange == 0, display.ready.isEmpty, !(followsTail && isAtEnd),
      topLine + screenHeight <= self.geometry.height, let first = display.slots.first?.element.rowPath,
      let last = display.slots.last?.element.rowPath, first.section == last.section,
      let start = map.destination(of: first), let end = map.destination(of: last),
      end.row - start.row == last.row - first.row,
      map.leavingRows.countLess(than: first) == map.leavingRows.countLess(than: last),
      !updatedRows.contains(where: { $0 >= start && $0 <= end }),
      // A new header of the section may belong at the top, as may rows that are inserted there.
      !pinsHeaders || geometry.lines(of: .header(section: start.section)).isEmpty,
      topLine > 0 || !showsArrivalsAtTop || geometry.lines(of: .row(start)).lowerBound == 0
    else { return nil }
    return start
  }

  /// Lays out a list from an anchor, with slots in use. Nothing changes yet.
  func plan(
    _ anchor: ScrollAnchor?, _ geometry: TableGeometry, known: [Slot], height: Int? = nil
  ) throws(TableError) -> Layout {
    var layout = layout(geometry, of: snapshot, height: height)
    try layout.fill(known, from: anchor, workingRange: workingRange)
    return layout
  }

  /// An empty layout of a list.
  private func layout(
    _ geometry: TableGeometry, of list: ListSnapshot<Section, Row>, height: Int? = nil
  ) -> Layout {
    Layout(
      geometry, height: height ?? screenHeight, pinsHeaders: pinsHeaders, pool: display.pool
    ) { [reader, showsEmptyCells] element, refusal throws(TableError) in
      guard let refusal else { return try reader.request(element, list) }
      if !showsEmptyCells { throw refusal }
      let model: any ListViewModel =
        if let path = element.rowPath { list.row(at: path) } else { list.section(at: element.section) }
      return .empty(TableDiagnostic(unknown: model, refusal))
    }
  }

  /// Commits a plan, then calls the cells. `commit` sets the other properties that change. In a reload all cells are first
  /// returned to the pool, which is not reported.
  func show(
    _ plan: borrowing Layout, changes: ListChanges = ListChanges(), isReload: Bool = false, commit: () -> Void = {}
  ) -> ApplyReport {
    var next = display
    let transition = next.show(plan, isReload: isReload)
    let former = snapshot
    display = consume next
    geometry = plan.geometry
    topLine = plan.topLine
    commit()
    if events.hasListeners {
      for path in transition.ended { events.raise(.didEndDisplaying(former.row(at: path))) }
      for path in transition.begun { events.raise(.willDisplay(snapshot.row(at: path), at: path)) }
    }
    raiseEnds()
    transition.callCells(plan.requests)
    return ApplyReport(changes: changes, cells: transition.cells, diagnostics: transition.diagnostics)
  }

  /// Raises an event if the start or the end of the list became visible, or if its row there was replaced.
  private func raiseEnds() {
    let start = topLine == 0 ? firstVisiblePath : nil
    let end = isAtEnd ? display.slots[display.visible].last { $0.element.rowPath != nil }?.element.rowPath : nil
    if start != nil, start != ends.start { events.raise(.reachedStart) }
    if end != nil, end != ends.end { events.raise(.reachedEnd) }
    ends = (start, end)
  }

  /// The anchor that keeps the place in the list if no row on the screen remains: the rows above the screen end where they
  /// did or, if none of those remains either, the rows below the screen begin at its top.
  private func anchor(besideScreen map: PathMap) -> ScrollAnchor? {
    guard geometry.height > 0 else { return nil }
    // A table without lines on the screen has no element there either.
    let first =
      display.slots[display.visible].first?.element ?? geometry.element(atLine: min(topLine, geometry.height - 1))
    let line = geometry.lines(of: first).lowerBound - topLine
    let path =
      switch first {
      case .header(let section): RowPath(section: section, row: 0)
      case .row(let path): path
      case .footer(let section): RowPath(section: section, row: rowCounts[section])
      }
    if first.rowPath != nil, let kept = map.keptDestination(of: path) {
      return .keeping([(.row(kept), line, 0, 0)], covered: 0)
    }
    if let last = map.destination(before: path, inSectionsOf: rowCounts, map.keptDestination) {
      return ScrollAnchor(element: .row(last), place: .endingAbove(line))
    }
    return map.destination(from: path, inSectionsOf: rowCounts, map.keptDestination).map { .line(0, .row($0)) }
  }

  /// The heights with new estimates for rows whose content changed off the screen, or `nil` if these are the same. A row
  /// keeps its measured height until it is on the screen, unless the provider estimates another height for it now.
  private func updatedEstimates(
    in geometry: TableGeometry, after changes: ListChanges, _ map: PathMap, to next: ListSnapshot<Section, Row>,
    besides ends: (first: TableElement, last: TableElement)?
  ) -> TableGeometry? {
    if changes.rows.updates.isEmpty && map.crossings.isEmpty || !hasEstimatingProvider { return nil }
    var result: TableGeometry?
    func update(_ before: RowPath, _ after: RowPath) {
      let element = TableElement.row(after)
      if let ends, !element.precedes(ends.first), !ends.last.precedes(element) { return }
      guard let height = reader.estimates(after, 1, next)?.first,
        height != reader.estimates(before, 1, snapshot)?.first,
        reader.isChanged(.row(before), snapshot, element, next)
      else { return }
      var changed = result ?? geometry
      changed.measure(element, CellRequest.clamped(height))
      result = changed
    }
    for row in changes.rows.updates { update(row.from, row.to) }
    for stretch in map.crossings {
      for row in 0..<stretch.count {
        update(
          RowPath(section: stretch.from.section, row: stretch.from.row + row),
          RowPath(section: stretch.to.section, row: stretch.to.row + row))
      }
    }
    return result
  }

  /// The lines of a header or footer by its cell; 0 if there is none. If it has no cell, the error is reported when it
  /// appears.
  func lines(of element: TableElement, in list: ListSnapshot<Section, Row>) -> Int {
    let estimate = if case .header = element { estimates.header } else { estimates.footer }
    if estimate == 0 { return 0 }
    return (try? reader.request(element, list).height) ?? estimate
  }

  /// The heights after changes that lead to a list with some row counts. New elements are estimated.
  func heights(
    _ heights: TableGeometry, after changes: ListChanges, _ map: PathMap, in list: ListSnapshot<Section, Row>,
    _ rowCounts: [Int]
  ) -> TableGeometry {
    var heights = heights
    heights.apply(
      changes, map, rowCounts: rowCounts, lines: { lines(of: $0, in: list) },
      newRows: { estimatedHeights($0, $1, in: list) })
    return heights
  }

  /// The estimated heights of consecutive rows, by the provider or else by the table.
  func estimatedHeights(_ start: RowPath, _ count: Int, in list: ListSnapshot<Section, Row>) -> [HeightRun] {
    guard count > 0, let heights = reader.estimates(start, count, list) else {
      return [HeightRun(count: count, height: estimates.row)]
    }
    var runs: [HeightRun] = []
    runs.add(heights.lazy.map { HeightRun(count: 1, height: CellRequest.clamped($0)) })
    return runs
  }

  /// The selected rows whose content changed, by their new paths, and the selected rows that were removed, by their former
  /// paths, in order.
  ///
  /// - Complexity: O(k log n) for k rows that are listed, or whose sections are listed, and n rows.
  private func effectOnSelection(
    of changes: ListChanges, _ map: PathMap, to next: ListSnapshot<Section, Row>
  ) -> (changed: [RowPath], gone: [RowPath]) {
    var (changed, gone): ([RowPath], [RowPath]) = ([], [])
    for update in changes.rows.updates where isSelected(next.row(at: update.to).id) { changed.append(update.to) }
    var departed = changes.rows.deletes
    for section in changes.sections.deletes {
      for row in 0..<rowCounts[section] { departed.append(RowPath(section: section, row: row)) }
    }
    for path in departed.ascending {
      guard isSelected(snapshot.row(at: path).id) else { continue }
      // A row that crosses to another section is not listed as changed.
      if let destination = map.destination(of: path) { changed.append(destination) } else { gone.append(path) }
    }
    return (changed, gone)
  }
}

extension TableError {
  /// Checks that an update starts from the list that is shown at a position.
  package static func checkThat<Section, Row>(
    _ update: ListUpdate<Section, Row>, follows position: ListPosition?
  ) throws(TableError) {
    guard let start = update.start, !update.follows(position) else { return }
    if let position, position.epoch != start.epoch { throw .otherEpoch(table: position.epoch, update: start.epoch) }
    throw .wrongRevision(table: position?.revision, updateStartsAt: start.revision)
  }
}
