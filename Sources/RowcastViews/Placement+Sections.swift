public import RowcastModel

/// Sections that stand for keys.
extension Placement {
  /// Notes that a row has no section that could be found again.
  @inlinable
  mutating func omit(_ row: Row, _ grouping: Keys) {
    failed[row.id] = ArrangementFailure.unidentifiedSection(key: "\(grouping.key(row))")
  }

  /// Notes the keys of the rows of a section, which may differ.
  @inlinable
  mutating func share(_ id: Section.ID, _ rows: [Row], _ grouping: Keys) {
    var keys = MergeTree<Row.ID, Key> { grouping.first($0, $1) }
    keys.rebuild(rows.map { $0.id }, rows.map { grouping.key($0) })
    sharedKeys[id] = keys
  }

  /// The index of the section for a row, which is inserted if it is not there. The row is inserted into it next.
  @inlinable
  mutating func openSection(for row: Row, _ grouping: Keys) -> Int? {
    let key = grouping.key(row)
    let model = grouping.section(key)
    let id = model.id
    guard id == id else {
      omit(row, grouping)
      return nil
    }
    guard let first = firstKeys[id], let index = output.draft.index(ofSection: id) else {
      let index = sectionIndex(of: key, grouping)
      firstKeys[id] = key
      output.draft.insertSection(model, at: index)
      return index
    }
    let isBefore = key == first ? nil : grouping.precedes(key, first)
    if sharedKeys[id] != nil {
      sharedKeys[id]?.insert(key, for: row.id)
    } else if isBefore != nil {
      share(id, output.draft.list.rows(inSection: index) + [row], grouping)
    }
    return isBefore == true ? moveSection(from: index, to: key, grouping) : index
  }

  /// Brings a section up to date that a row was removed from. It goes with its last row, unless it is kept.
  @inlinable
  mutating func settleSection(at index: Int, without row: Row.ID, _ grouping: Keys) {
    let id = output.draft.list.section(at: index).id
    let isEmpty = output.draft.list.rowCount(inSection: index) == 0
    if !isEmpty && sharedKeys[id] == nil { return }
    sharedKeys[id]?.remove(row)
    let rest = sharedKeys[id]?.root
    if isEmpty { sharedKeys[id] = nil }
    let kept = grouping.kept.isEmpty ? nil : grouping.kept[id]
    guard let first = rest.map({ grouping.first($0, kept) }) ?? kept else {
      firstKeys[id] = nil
      output.draft.removeSection(at: index)
      return
    }
    if let former = firstKeys[id], grouping.precedes(former, first) != nil {
      _ = moveSection(from: index, to: first, grouping)
    }
  }

  /// The index at which the section of a key belongs.
  @inlinable
  func sectionIndex(of key: Key, _ grouping: Keys) -> Int {
    output.draft.list.partitioningSection { section, _ in
      firstKeys[section.id].map { grouping.precedes($0, key) != true } ?? true
    }
  }

  /// Gives a section another first key, and with it another place and model. Returns its index.
  @inlinable
  mutating func moveSection(from index: Int, to key: Key, _ grouping: Keys) -> Int {
    let id = output.draft.list.section(at: index).id
    firstKeys[id] = key
    // At the end it is in nobody's way.
    let last = output.draft.list.sectionCount - 1
    output.draft.moveSection(from: index, to: last)
    let place = sectionIndex(of: key, grouping)
    output.draft.moveSection(from: last, to: place)
    let model = grouping.section(key)
    if model.id == id { output.draft.replaceSection(at: place, with: model) }
    return place
  }
}
