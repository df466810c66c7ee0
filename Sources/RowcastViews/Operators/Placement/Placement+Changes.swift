public import RowcastDiff
public import RowcastModel

extension Placement {
  /// A row to be placed, with its path in the source.
  @usableFromInline typealias Arrival = (row: Row, path: RowPath)

  /// Edits changes into the output: rows that change their place are removed, then inserted among those that stay.
  /// `others` are further rows to look at, by their paths after the change.
  /// Takes O(log n) comparisons for each changed row. Comparing by source takes O(log n).
  @inlinable
  mutating func step(
    _ changes: ListChanges, from before: Input, to after: Input, others: [RowPath] = [], _ transform: Transform
  ) {
    let touched: TouchedRows
    switch grouping {
    case .source: touched = TouchedRows(changes.rows)
    case .keys: touched = TouchedRows(changes, from: before, to: after)
    }
    if touched.count + others.count > 64 + after.rowCount / 4 { return rebuild(from: after, transform) }
    output.open()
    var arrivals: [Arrival] = []
    for path in touched.leaving {
      let id = before.row(at: path).id
      forget(id)
      guard let old = output.draft.locate(id) else { continue }
      if keepsLast { departed[id] = old.row }
      remove(at: old.path)
    }
    for touch in touched.staying { review(after, touch.path, touch.hasMoved, &arrivals, transform) }
    if !others.isEmpty {
      let (rows, sections) = (Set(touched.current), Set(changes.sections.inserts))
      for path in others where !rows.contains(path) && !sections.contains(path.section) {
        review(after, path, false, &arrivals, transform)
      }
    }
    if case .source(let section) = grouping {
      stepSections(changes.sections, from: before, to: after, section, transform)
    }
    for path in touched.arriving {
      if let row = transformed(after.row(at: path), transform) { arrivals.append((row, path)) }
    }
    for (row, path) in arrivals { insert(row, path, after) }
    departed = [:]
    if case .keys(let grouping) = grouping { settleSections(grouping) }
    if isTorn { return rebuild(from: after, transform) }
    checkInvariants(after)
  }

  /// Looks at a row that stays in the source.
  @inlinable
  mutating func review(
    _ after: Input, _ path: RowPath, _ hasMoved: Bool, _ arrivals: inout [Arrival], _ transform: Transform
  ) {
    let row = after.row(at: path)
    let old = output.draft.locate(row.id)
    let new = transformed(row, transform)
    if let old, let new, !hasMoved, isAtOnePlace(old.row, new) {
      output.draft.replaceRow(old.row, at: old.path, with: new)
      if case .keys(let grouping) = grouping, !grouping.isExact { noteSpelling(of: new, at: old.path, grouping) }
      return
    }
    if let old { remove(at: old.path) }
    if let new { arrivals.append((new, path)) }
  }

  /// Returns true if two versions of a row belong at the same place, wherever all others are.
  @inlinable
  func isAtOnePlace(_ old: Row, _ new: Row) -> Bool {
    if case .keys(let grouping) = grouping, grouping.key(old) != grouping.key(new) { return false }
    return order?.precedes(old, new) == nil
  }

  @inlinable
  mutating func stepSections(
    _ changes: Changeset<Int>, from before: Input, to after: Input, _ section: (InputSection) -> Section,
    _ transform: Transform
  ) {
    if changes.isEmpty { return }
    for index in changes.deletes where keepsLast || !failed.isEmpty {
      for row in before.rows(inSection: index) {
        forget(row.id)
        if keepsLast { departed[row.id] = output.draft.locate(row.id)?.row }
      }
    }
    var arriving: [Int: [Row]] = [:]
    for index in changes.inserts {
      arriving[index] = sorted(passing(after.rows(inSection: index), transform))
    }
    output.draft.apply(changes) { index, _ in
      ListSection(section(after.section(at: index)), rows: arriving[index] ?? [])
    }
    for update in changes.updates {
      output.draft.replaceSection(at: update.to, with: section(after.section(at: update.to)))
    }
  }

  /// Removes a row.
  @inlinable
  mutating func remove(at path: RowPath) {
    if case .keys(let grouping) = grouping, !grouping.isExact || !sharedKeys.isEmpty {
      let id = output.draft.list.section(at: path.section).id
      if sharedKeys[id] != nil {
        // While the row has a place, equal keys are ordered by it.
        sharedKeys[id]?.remove(output.draft.list.row(at: path).id)
        unsettled.insert(id)
      } else if path.row == 0 {
        unsettled.insert(id)
      }
    }
    output.draft.removeRow(at: path)
    if case .keys(let grouping) = grouping { settleSection(at: path.section, grouping) }
  }

  /// Inserts a row where it belongs, by its path in the source.
  @inlinable
  mutating func insert(_ row: Row, _ path: RowPath, _ after: Input) {
    guard case .keys(let grouping) = grouping else {
      let index = index(of: row, path, after, inSection: path.section)
      output.draft.insertRow(row, at: RowPath(section: path.section, row: index))
      return
    }
    let key = grouping.key(row)
    guard let (section, isOther) = openSection(for: row, key, grouping) else { return }
    let place = RowPath(section: section, row: index(of: row, path, after, inSection: section))
    output.draft.insertRow(row, at: place)
    if grouping.isExact && !isOther && sharedKeys.isEmpty { return }
    let id = output.draft.list.section(at: section).id
    if sharedKeys[id] != nil {
      sharedKeys[id]?.insert((key, row.id), for: row.id)
      unsettled.insert(id)
    } else if isOther {
      share(id, Array(output.draft.list.rows(inSection: section)), grouping)
      unsettled.insert(id)
    } else if place.row == 0 {
      unsettled.insert(id)
    }
  }

  /// Notes that a row that stays at its place may spell its key in another way.
  @inlinable
  mutating func noteSpelling(of row: Row, at path: RowPath, _ grouping: Keys) {
    if path.row > 0 && sharedKeys.isEmpty { return }
    let id = output.draft.list.section(at: path.section).id
    if sharedKeys[id] != nil {
      sharedKeys[id]?.replace((grouping.key(row), row.id), for: row.id)
      unsettled.insert(id)
    } else if path.row == 0 {
      unsettled.insert(id)
    }
  }

  /// The index at which a row belongs in its section.
  @inlinable
  func index(of row: Row, _ path: RowPath, _ after: Input, inSection section: Int) -> Int {
    // A closure with the placement in it would copy all of that.
    let (list, order, source) = (output.draft.list, order, index)
    let isBehind: (Row) -> Bool = { !(order?.precedes($0, row) ?? (source.requiredPath(ofRow: $0.id) < path)) }
    if order == nil {
      let rows = list.rows(inSection: section)
      // As the source has them, most rows arrive at the end.
      if rows.last.map({ !isBehind($0) }) ?? true { return rows.count }
      if let index = indexBehindNeighbour(of: path, after) { return index }
    }
    return list.partitioningRow(inSection: section, where: isBehind)
  }

  /// The index after one of the eight rows directly before a row in the source, if sections are those of the source. `nil`
  /// if none of them is in the list. Each takes one look-up, like a step of the search that it saves.
  @inlinable
  func indexBehindNeighbour(of path: RowPath, _ after: Input) -> Int? {
    guard case .source = grouping else { return nil }
    for row in (max(0, path.row - 8)..<path.row).reversed() {
      let id = after.row(at: RowPath(section: path.section, row: row)).id
      if let neighbour = output.draft.locate(id)?.path { return neighbour.row + 1 }
    }
    return nil
  }

  // MARK: - Sections of keys

  /// Notes that a row has no section that could be found again.
  @inlinable
  mutating func omit(_ row: Row, _ grouping: Keys) {
    failed[row.id] = ArrangementFailure.unidentifiedSection(key: "\(grouping.key(row))")
  }

  /// Notes the keys of the rows of a section, which may differ. The rows are given in order.
  @inlinable
  mutating func share(_ id: Section.ID, _ rows: [Row], _ grouping: Keys) {
    var keys = MergeTree<Row.ID, SpelledKey> { [output] first, second in
      if let isBefore = grouping.precedes(first.key, second.key) { return isBefore ? first : second }
      // Also of two that are the same, as others of the same key may be between them.
      guard let row = output.path(ofRow: first.row), let other = output.path(ofRow: second.row) else { return first }
      return row < other ? first : second
    }
    keys.rebuild(rows.map { $0.id }, rows.map { (grouping.key($0), $0.id) }) {
      grouping.precedes($1.key, $0.key) == true ? $1 : $0
    }
    sharedKeys[id] = keys
  }

  /// The index of the section for a row, which is inserted if it is missing, and whether the section begins with another key. The
  /// row is inserted into it next.
  @inlinable
  mutating func openSection(for row: Row, _ key: Key, _ grouping: Keys) -> (index: Int, isOther: Bool)? {
    let model = grouping.section(key)
    let id = model.id
    guard id == id else {
      omit(row, grouping)
      return nil
    }
    guard let first = firstKeys[id], let index = output.draft.index(ofSection: id) else {
      let index = sectionIndex(of: key, grouping)
      if !grouping.isExact, index < output.draft.list.sectionCount,
        firstKeys[output.draft.list.section(at: index).id] == key
      {
        isTorn = true
        return nil
      }
      firstKeys[id] = key
      output.draft.insertSection(model, at: index)
      return (index, false)
    }
    let isBefore = key == first ? nil : grouping.precedes(key, first)
    return (isBefore == true ? moveSection(from: index, to: key, grouping) : index, isBefore != nil)
  }

  /// Brings a section up to date that a row was removed from. It is removed with its last row, unless it is kept.
  @inlinable
  mutating func settleSection(at index: Int, _ grouping: Keys) {
    let id = output.draft.list.section(at: index).id
    let isEmpty = output.draft.list.rowCount(inSection: index) == 0
    if !isEmpty && sharedKeys[id] == nil { return }
    let rest = sharedKeys[id]?.root?.key
    if isEmpty { sharedKeys[id] = nil }
    let kept = grouping.kept.isEmpty ? nil : grouping.kept[id]
    guard let first = rest.map({ grouping.first($0, kept) }) ?? kept else {
      let former = firstKeys.removeValue(forKey: id)
      if !grouping.isExact, grouping.keptKeys.contains(where: { $0 == former }) { isTorn = true }
      output.draft.removeSection(at: index)
      return
    }
    if let former = firstKeys[id], grouping.precedes(former, first) != nil {
      _ = moveSection(from: index, to: first, grouping)
    }
  }

  /// Makes sections anew whose key is spelled in another way by the row that is the first to have it now. A section that is equal
  /// to the former one is replaced as well, which is no change of the list.
  @inlinable
  mutating func settleSections(_ grouping: Keys) {
    if unsettled.isEmpty { return }
    for id in unsettled {
      guard let former = firstKeys[id], let index = output.draft.index(ofSection: id) else { continue }
      var key = sharedKeys[id]?.root?.key ?? output.draft.list.rows(inSection: index).first.map(grouping.key)
      if !grouping.kept.isEmpty, let kept = grouping.kept[id] { key = key.map { grouping.first($0, kept) } ?? kept }
      guard let key, !areIdentical(former, key) else { continue }
      let model = grouping.section(key)
      guard model.id == id else {
        isTorn = true
        break
      }
      firstKeys[id] = key
      // Keys that their order does not decide are sorted by text, and the text has just changed.
      if !isInOrder(index, grouping) || !isInOrder(index + 1, grouping) { isTorn = true }
      output.draft.exchangeSection(at: index, with: model)
    }
    unsettled = []
  }

  /// Returns false if a section belongs before the one that is before it.
  @inlinable
  func isInOrder(_ index: Int, _ grouping: Keys) -> Bool {
    guard index > 0, index < output.draft.list.sectionCount else { return true }
    let keys = [index - 1, index].compactMap { firstKeys[output.draft.list.section(at: $0).id] }
    return keys.count < 2 || grouping.precedes(keys[1], keys[0]) != true
  }

  /// The index at which the section of a key belongs.
  @inlinable
  func sectionIndex(of key: Key, _ grouping: Keys) -> Int {
    output.draft.list.partitioningSection { [firstKeys] section, _ in
      firstKeys[section.id].map { grouping.precedes($0, key) != true } ?? true
    }
  }

  /// Gives a section another first key, and with it another place and model. Returns its index.
  @inlinable
  mutating func moveSection(from index: Int, to key: Key, _ grouping: Keys) -> Int {
    let id = output.draft.list.section(at: index).id
    firstKeys[id] = key
    // At the end it does not affect the search.
    let last = output.draft.list.sectionCount - 1
    output.draft.moveSection(from: index, to: last)
    let place = sectionIndex(of: key, grouping)
    output.draft.moveSection(from: last, to: place)
    let model = grouping.section(key)
    if model.id == id { output.draft.exchangeSection(at: place, with: model) } else { isTorn = true }
    return place
  }
}
