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
  /// - Returns: What happened to which cell.
  /// - Throws: ``TableError``; the table is then as it was.
  /// - Complexity: O(s + v log k + k log n) for s sections, v elements on the screen or kept ready, k operations and n
  ///   rows, all of it on integers. Rows are looked at, and ids hashed, only where they come into view, change in view,
  ///   are selected, or come and go with a section.
  @discardableResult
  public func apply(_ update: ListUpdate<Section, Row>) throws(TableError) -> ApplyReport {
    try changing { () throws(TableError) in
      let shown = lists.shown
      defer { withExtendedLifetime(shown) { lists.next = lists.shown } }
      return try show(update)
    }
  }

  private func show(_ update: ListUpdate<Section, Row>) throws(TableError) -> ApplyReport {
    lists.next = update.snapshot
    let rowCounts = reader.rowCounts(self.rowCounts)
    let changes = try changes(of: update, rowCounts)
    let following = Following(changes: changes, before: lists.shown, after: update.snapshot, map: PathMap(changes))
    var geometry = geometry
    geometry.apply(changes, map: following.map, rowCount: { rowCounts[$0] }, estimates: estimates(for: update.snapshot))
    let (known, crossings) = follow(following)
    func place(of path: RowPath) -> RowPath? { following.map.after(path) ?? crossings[path] }
    let selection = following.effect(on: selectedRows)
    let focus = focusedPath.flatMap { place(of: $0) ?? update.snapshot.nearestPath(to: $0) }
    let ends = (start: self.ends.start.flatMap(place), end: self.ends.end.flatMap(place))
    let commit = { [self] in
      lists.shown = update.snapshot
      revision = update.revision
      self.rowCounts = rowCounts
      self.ends = ends
      focusedPath = focus
      follow(selection)
    }
    if let top = topLine(showing: known, in: geometry) {
      display.setElements(known)
      (self.geometry, topLine) = (geometry, top)
      commit()
      raiseEnds()
      return ApplyReport(changes: changes, cells: [])
    }
    return show(try plan(anchor(known, in: geometry), geometry, known: known), changes: changes, commit: commit)
  }

  /// The changes that an update brings to this table, if it is one that the table can take.
  private func changes(of update: ListUpdate<Section, Row>, _ rowCounts: [Int]) throws(TableError) -> ListChanges {
    var changes = update.changes
    if let previous = update.previous {
      guard previous == revision else { throw .wrongRevision(table: revision, updateStartsAt: previous) }
    } else if revision != nil {
      changes = snapshot.changes(to: update.snapshot)
    }
    do {
      try BatchValidator(changes, rowCountsBefore: self.rowCounts, rowCountsAfter: rowCounts).validate()
    } catch {
      throw .invalidBatch(error)
    }
    return changes
  }

  private func estimates(for list: ListSnapshot<Section, Row>) -> TableGeometry.Estimates {
    TableGeometry.Estimates(header: estimates.header, footer: estimates.footer) { [reader, estimates] start, count in
      var runs = RunTree<RowRun>()
      let hasOwn = reader.estimate(start, count) { runs.append(RowRun(count: 1, height: CellRequest.clamped($0))) }
      return hasOwn ? runs : RunTree(RowRun(count: count, height: estimates.row))
    }
  }

  private func follow(_ selection: (changed: [Row], gone: [Row.ID])) {
    for row in selection.changed { changeSelection { $0[row.id] = row } }
    for id in selection.gone { deselect(id) }
  }
}

// MARK: - Following what is shown

extension RetainedTable {
  /// Where what is in use is after a change, and where rows are that are listed as gone and are not.
  private func follow(
    _ following: Following<Section, Row>
  ) -> (known: [KnownElement], crossings: [RowPath: RowPath]) {
    let updates = following.changes.rows.updates.byDestination()
    let sectionUpdates = following.changes.sections.updates.byDestination()
    var known: [KnownElement] = []
    known.reserveCapacity(display.visible.count + display.ready.count)
    var lost: [(index: Int, slot: Slot, path: RowPath)] = []
    display.forEachInOrder { index, slot in
      if let element = following.map.after(slot.element) {
        let isListed =
          element.rowPath.map { updates.hasOne(to: $0) } ?? sectionUpdates.hasOne(to: element.section)
        let isChanged = isListed && reader.isChanged(slot.element, element)
        known.append(KnownElement(element: element, slot: index, height: slot.height, isChanged: isChanged))
      } else if let path = slot.element.rowPath {
        lost.append((index, slot, path))
      }
    }
    let others = [focusedPath, ends.start, ends.end].compactMap(\.self).filter { following.map.after($0) == nil }
    let crossings = following.crossings(of: lost.map(\.path) + others)
    for (index, slot, path) in lost {
      guard let element = crossings[path].map(TableElement.row) else { continue }
      let isChanged = reader.isChanged(slot.element, element)
      known.append(KnownElement(element: element, slot: index, height: slot.height, isChanged: isChanged))
    }
    if !following.map.keepsOrder || !crossings.isEmpty { known.sort { $0.element.precedes($1.element) } }
    return (known, crossings)
  }

  /// The first line on the screen if a change leaves the screen as it is, so that nothing has to be laid out.
  private func topLine(showing known: [KnownElement], in geometry: TableGeometry) -> Int? {
    let visible = display.visible
    // What ends within the screen could go on, and what is kept ready could be other rows.
    guard display.ready.isEmpty, workingRange == 0, let first = known.first, known.count == visible.count,
      display.fills(screenHeight), !(followsTail && isAtEnd)
    else { return nil }
    var previous: KnownElement?
    for element in known {
      guard !element.isChanged, element.slot == (previous?.slot ?? -1) + 1 else { return nil }
      if let previous, !previous.element.isFollowed(by: element.element),
        geometry.element(after: previous.element) != element.element
      {
        return nil
      }
      previous = element
    }
    let top = geometry.line(of: first.element) - display.firstLine
    return topLine == 0 && showsArrivalsAtTop && top != 0 ? nil : top
  }

  /// What is to stand where after a change, so that what is on the screen stays where it is.
  private func anchor(_ known: [KnownElement], in geometry: TableGeometry) -> Anchor? {
    guard geometry.height > 0 else { return nil }
    if followsTail, isAtEnd { return end(of: geometry) }
    if topLine == 0, showsArrivalsAtTop { return Anchor(element: geometry.element(atLine: 0), place: .line(0)) }
    // The uppermost of the rows on the screen that are still there.
    let rows = known.lazy.filter { $0.slot < self.display.visible.count && $0.element.rowPath != nil }
    guard let first = rows.min(by: { $0.slot < $1.slot }) else { return place(ofLine: topLine, in: geometry) }
    return Anchor(element: first.element, place: .line(display.line(ofSlot: first.slot)))
  }
}

extension TableElement {
  /// Whether another element is the next row of the same section.
  fileprivate func isFollowed(by other: TableElement) -> Bool {
    guard let path = rowPath, let next = other.rowPath else { return false }
    return path.section == next.section && path.row + 1 == next.row
  }
}

extension Array {
  /// Transitions in the order of their destinations.
  fileprivate func byDestination<Position>() -> Self where Element == Changeset<Position>.Transition {
    indices.dropFirst().allSatisfy { self[$0 - 1].to < self[$0].to } ? self : sorted { $0.to < $1.to }
  }

  /// Whether transitions that are in the order of their destinations have one that ends at a position.
  fileprivate func hasOne<Position>(to position: Position) -> Bool where Element == Changeset<Position>.Transition {
    let index = indices.countPrefix { self[$0].to < position }
    return index < count && self[index].to == position
  }
}
