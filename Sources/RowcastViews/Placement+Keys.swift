public import RowcastModel

/// Sections that stand for keys.
extension Placement {
  @usableFromInline typealias Keys = KeyGrouping<Section, Row>

  /// The first key of a section: that of a row, or the one that it is kept for.
  @inlinable
  func firstKey(_ id: Section.ID, _ rows: ListRows<Row>, _ grouping: Keys) -> KeyHolder<Row> {
    let row = (shared.leader(of: id) ?? rows.first).map { KeyHolder.row($0) }
    let kept = grouping.kept.isEmpty ? nil : grouping.kept[id].map { KeyHolder<Row>.kept($0) }
    guard let kept else { return row ?? .kept(0) }
    guard let row else { return kept }
    return grouping.compare(row, kept) == .before ? row : kept
  }

  /// Notes that a row has no section that could be found again.
  @inlinable
  mutating func omit(_ row: Row, _ grouping: Keys) {
    failed[row.id] = ArrangementFailure.unidentifiedSection(key: grouping.text(row))
  }

  /// Notes that the rows of a section may have several keys.
  @inlinable
  mutating func share(_ id: Section.ID, _ rows: some Sequence<Row>, _ grouping: Keys) {
    shared.insert(id, rows) { grouping.compare(.row($0), .row($1)) == .before }
  }

  /// The index of the section of a row's key, which is made if it is not there, and whether the row may change the first
  /// key of the section. The row is put into it next.
  @inlinable
  mutating func openSection(for row: Row, _ grouping: Keys) -> (index: Int, isUnsettled: Bool)? {
    let model = grouping.section(.row(row))
    let id = model.id
    guard id == id else {
      omit(row, grouping)
      return nil
    }
    guard let index = output.draft.index(ofSection: id) else {
      let index = sectionIndex(of: .row(row), grouping)
      output.draft.insertSection(model, at: index)
      if !grouping.haveEqualKeys(row, row) { share(id, [row], grouping) }
      return (index, false)
    }
    if shared.contains(id) {
      shared.insert(row, into: id) { grouping.compare(.row($0), .row($1)) == .before }
      return (index, true)
    }
    let rows = output.draft.list.rows(inSection: index)
    guard let first = rows.first else {
      if !grouping.haveEqualKeys(row, row) { share(id, [row], grouping) }
      return (index, true)
    }
    if grouping.haveEqualKeys(first, row) { return (index, false) }
    share(id, Array(rows) + [row], grouping)
    return (index, true)
  }

  /// Where a section belongs, by its first key, before the others that are not in order. These stand at the end.
  @inlinable
  func sectionIndex(of key: KeyHolder<Row>, behind others: Set<Section.ID> = [], _ grouping: Keys) -> Int {
    output.draft.list.partitioningSection { section, rows in
      if !others.isEmpty, others.contains(section.id) { return true }
      return grouping.compare(firstKey(section.id, rows, grouping), key) != .before
    }
  }

  /// Puts sections whose first keys may be others where they belong.
  @inlinable
  mutating func refit(_ ids: Set<Section.ID>, _ grouping: Keys) {
    if ids.isEmpty { return }
    var unsettled = ids
    let last = output.draft.list.sectionCount - 1
    for id in ids {
      if let index = output.draft.index(ofSection: id) {
        output.draft.moveSection(from: index, to: last)
      } else {
        unsettled.remove(id)
      }
    }
    for id in unsettled {
      guard let index = output.draft.index(ofSection: id) else { continue }
      let key = firstKey(id, output.draft.list.rows(inSection: index), grouping)
      let place = sectionIndex(of: key, behind: unsettled, grouping)
      output.draft.moveSection(from: index, to: place)
      let model = grouping.section(key)
      if model.id == id { output.draft.replaceSection(at: place, with: model) }
      unsettled.remove(id)
    }
  }
}
