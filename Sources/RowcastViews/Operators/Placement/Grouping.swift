public import RowcastDiff
public import RowcastModel

/// Returns true if the first of two keys belongs before the second, false if it belongs after it, `nil` if the order does not
/// decide.
@usableFromInline
typealias KeyOrder<Key> = @Sendable (_ first: Key, _ second: Key) -> Bool?

/// Sections for the keys of rows, in an order of the keys.
///
/// Keys that give one section id share the section. A section is placed by its first key, kept keys included, and made from that
/// key as its first row spells it: keys may be equal and not the same.
@usableFromInline
final class KeyGrouping<Section: SectionViewModel, Row: RowViewModel, Key: Hashable & Sendable>: Sendable {
  /// A section with the first of its keys, in any spelling, and the indexes of its rows. It is shared if its keys differ.
  @usableFromInline typealias Division = (key: Key, section: Section, rows: [Int], isShared: Bool)

  @usableFromInline let key: @Sendable (Row) -> Key
  @usableFromInline let section: @Sendable (Key) -> Section
  /// Returns true if the first of two keys belongs before the second, false if it belongs after it, `nil` if they are one key.
  /// Keys that are not equal to themselves are last; unequal keys of which neither is smaller are ordered by their texts.
  @usableFromInline let precedes: KeyOrder<Key>
  /// The sections that are kept without rows, each with the first key that keeps it, and all keys that keep a section.
  @usableFromInline let kept: [Section.ID: Key]
  @usableFromInline let keptKeys: [Key]
  /// True if equal keys cannot be told apart.
  @usableFromInline let isExact: Bool

  @inlinable
  init(
    _ key: @escaping @Sendable (Row) -> Key, order: @escaping KeyOrder<Key>, keeping keys: [Key],
    isExact: Bool? = nil, _ section: @escaping @Sendable (Key) -> Section
  ) {
    let precedes: KeyOrder<Key> = { first, second in
      if let isBefore = order(first, second) { return isBefore }
      return first == second ? nil : "\(first)".precedes("\(second)")
    }
    self.key = Self.withoutNegativeZero(key)
    self.section = section
    self.precedes = precedes
    // The sign of a zero is taken away.
    self.isExact = isExact ?? (RowcastViews.isExact(Key.self) || Key.self is any FloatingPoint.Type)
    // Of equal keys the first counts. Keys that are not equal to themselves are all different.
    var seen: Set<Key> = []
    keptKeys = keys.map(Self.withoutNegativeZero { $0 }).filter { $0 != $0 || seen.insert($0).inserted }
    var kept: [Section.ID: Key] = [:]
    for key in keptKeys {
      let id = section(key).id
      if let first = kept[id], precedes(key, first) != true { continue }
      kept[id] = key
    }
    self.kept = kept
  }

  /// The first key of a section: the first of its rows' keys, or an earlier key that keeps the section. `nil` without either.
  @inlinable
  func firstKey(of id: Section.ID, _ key: Key?) -> Key? {
    guard !kept.isEmpty, let kept = kept[id] else { return key }
    guard let key, precedes(kept, key) != true else { return kept }
    return key
  }

  /// Divides rows into sections, in order. Rejects rows whose section has an id that is not equal to itself.
  @inlinable
  func divide(_ rows: [Row]) -> (divisions: [Division], rejected: [Row]) {
    var divisions: [Division] = []
    var byID: [Section.ID: Int] = [:]
    var byKey: [Key: Int] = [:]
    func index(of key: Key) -> Int? {
      if let known = byKey[key] { return known }
      let model = section(key)
      guard model.id == model.id else { return nil }
      let index = byID[model.id] ?? divisions.count
      if index == divisions.count {
        divisions.append((key, model, [], isShared: false))
        byID[model.id] = index
      } else {
        let isBefore = precedes(key, divisions[index].key)
        if isBefore != nil { divisions[index].isShared = true }
        if isBefore == true { (divisions[index].key, divisions[index].section) = (key, model) }
      }
      // A key that is not equal to itself would not be found again.
      if key == key { byKey[key] = index }
      return index
    }
    for key in keptKeys { _ = index(of: key) }
    var rejected: [Row] = []
    for (number, row) in rows.enumerated() {
      if let index = index(of: key(row)) { divisions[index].rows.append(number) } else { rejected.append(row) }
    }
    return (divisions.inOrder { precedes($0.key, $1.key) == true }, rejected)
  }

  /// The key to make a section from: its first key as the first row with this key spells it, or an earlier kept key. Takes O(m)
  /// for m rows before that row.
  @inlinable
  func representative(of division: Division, _ rows: [Row]) -> Key {
    let kept = kept[division.section.id]
    if let kept, precedes(kept, division.key) == true { return kept }
    for row in rows {
      let key = key(row)
      if !division.isShared || precedes(key, division.key) == nil { return key }
    }
    return kept ?? division.key
  }

  /// Makes 0 of −0: keys that are equal are one key, also where they look different.
  @inlinable
  static func withoutNegativeZero<Source>(_ key: @escaping @Sendable (Source) -> Key) -> @Sendable (Source) -> Key {
    guard let type = Key.self as? any FloatingPoint.Type, let zero = type.zero as? Key else { return key }
    return { source in
      let key = key(source)
      return key == zero ? zero : key
    }
  }
}

/// The order of the keys of a list: first the keys in it, then all others, then keys that are not equal to themselves. A key that
/// the list has twice counts where it is first.
@inlinable
func keyOrder<Key: Hashable & Sendable>(listing keys: [Key]) -> KeyOrder<Key> {
  let ranks = Dictionary(zip(keys, keys.indices)) { first, _ in first }
  let rank: @Sendable (Key) -> Int = { key in key == key ? ranks[key] ?? keys.count : keys.count + 1 }
  return { rank($0).precedes(rank($1)) }
}

// MARK: - Placing rows in sections of keys

extension Placement {
  /// The sections of rows that are given in the order of the source.
  @inlinable
  mutating func divided(_ all: [Row], by grouping: Keys) -> [ListSection<Section, Row>] {
    var material: [ListSection<Section, Row>] = []
    let (divisions, rejected) = grouping.divide(all)
    for row in rejected { omit(row, grouping) }
    var ids = Set(grouping.isExact ? [] : divisions.map { $0.section.id })
    var keys: [Key] = []
    for division in divisions {
      let rows = sorted(division.rows, of: all).map { all[$0] }
      var (key, section) = (division.key, division.section)
      if !grouping.isExact {
        let spelled = grouping.representative(of: division, rows)
        if !areIdentical(key, spelled) {
          let model = grouping.section(spelled)
          // Equal keys give one id, unless the app makes several ids. Then others may have this one.
          if model.id == section.id || (model.id == model.id && ids.insert(model.id).inserted) {
            (key, section) = (spelled, model)
          }
        }
      }
      material.append(ListSection(section, rows: rows))
      keys.append(key)
      firstKeys[section.id] = key
      if division.isShared && !rows.isEmpty { share(section.id, rows, grouping) }
    }
    if grouping.isExact { return material }
    // Keys that their order does not decide are sorted by text, and the loop above may have changed the spelling.
    return indexesInOrder(material.count) { grouping.precedes(keys[$0], keys[$1]) == true }.map { material[$0] }
  }

  /// Notes that a row has no section that could be found again.
  @inlinable
  mutating func omit(_ row: Row, _ grouping: Keys) {
    failed[row.id] = ArrangementFailure.unidentifiedSection(key: "\(grouping.key(row))")
  }

  /// Notes the keys of the rows of a section, which may differ. The rows are given in order.
  @inlinable
  mutating func share(_ id: Section.ID, _ rows: [Row], _ grouping: Keys) {
    let keys = MergeTree<Row.ID, SpelledKey> { [output] first, second in
      if let isBefore = grouping.precedes(first.key, second.key) { return isBefore ? first : second }
      // Even of two that are the same, as other spellings of the key may be between them.
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

  /// Notes the key of a row that is inserted, or that stays at its place and may spell its key in another way. `isOther` says
  /// that the section begins with another key.
  @inlinable
  mutating func noteKey(
    _ key: @autoclosure () -> Key, of row: Row.ID, at path: RowPath, isOther: Bool, _ grouping: Keys
  ) {
    if (grouping.isExact || path.row > 0) && !isOther && sharedKeys.isEmpty { return }
    let id = output.draft.list.section(at: path.section).id
    let shared = sharedKeys[id]
    if let shared {
      shared.set((key(), row), for: row)
    } else if isOther {
      share(id, Array(output.draft.list.rows(inSection: path.section)), grouping)
    }
    if path.row == 0 || isOther || shared != nil { unsettled.insert(id) }
  }

  /// Notes that a row is about to be removed.
  @inlinable
  mutating func forgetKey(ofRowAt path: RowPath, _ grouping: Keys) {
    if grouping.isExact && sharedKeys.isEmpty { return }
    let id = output.draft.list.section(at: path.section).id
    let shared = sharedKeys[id]
    // While the row has a place, equal keys are ordered by it.
    shared?.remove(output.draft.list.row(at: path).id)
    if path.row == 0 || shared != nil { unsettled.insert(id) }
  }

  /// Brings a section up to date that a row was removed from. It is removed with its last row, unless it is kept.
  @inlinable
  mutating func settleSection(at index: Int, _ grouping: Keys) {
    let id = output.draft.list.section(at: index).id
    let isEmpty = output.draft.list.rowCount(inSection: index) == 0
    if !isEmpty && sharedKeys[id] == nil { return }
    let rest = sharedKeys[id]?.root?.key
    if isEmpty { sharedKeys[id] = nil }
    guard let first = grouping.firstKey(of: id, rest) else {
      let former = firstKeys.removeValue(forKey: id)
      if !grouping.isExact, grouping.keptKeys.contains(where: { $0 == former }) { isTorn = true }
      output.draft.removeSection(at: index)
      return
    }
    if let former = firstKeys[id], grouping.precedes(former, first) != nil {
      _ = moveSection(from: index, to: first, grouping)
    }
  }

  /// Rebuilds sections whose key now has another first row, which spells it in another way. A section that is equal to the former
  /// one is replaced as well; this does not change the list.
  @inlinable
  mutating func settleSections(_ grouping: Keys) {
    if unsettled.isEmpty { return }
    for id in unsettled {
      guard let former = firstKeys[id], let index = output.draft.index(ofSection: id) else { continue }
      let rest = sharedKeys[id]?.root?.key ?? output.draft.list.rows(inSection: index).first.map(grouping.key)
      guard let key = grouping.firstKey(of: id, rest), !areIdentical(former, key) else { continue }
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

  /// Returns false if a section is out of order with the one before it.
  @inlinable
  func isInOrder(_ index: Int, _ grouping: Keys) -> Bool {
    let list = output.draft.list
    guard index > 0, index < list.sectionCount, let key = firstKeys[list.section(at: index).id],
      let previous = firstKeys[list.section(at: index - 1).id]
    else { return true }
    return grouping.precedes(key, previous) != true
  }

  /// The index at which the section of a key belongs.
  @inlinable
  func sectionIndex(of key: Key, _ grouping: Keys) -> Int {
    output.draft.list.partitioningSection { [firstKeys] section, _ in
      guard let first = firstKeys[section.id] else { return true }
      return grouping.precedes(first, key) != true
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

  /// Adds the rows whose keys are not equal to themselves, and the rows in the section of another key.
  func addFailures(
    of list: ListSnapshot<Section, Row>, _ grouping: Keys, to failures: inout [Row.ID: any Error]
  ) {
    for section in 0..<list.sectionCount {
      let id = list.section(at: section).id
      guard let first = firstKeys[id], sharedKeys[id] != nil || first != first else { continue }
      for row in list.rows(inSection: section) {
        let key = grouping.key(row)
        if key != key {
          failures[row.id] = ArrangementFailure.unorderedKey("\(key)")
        } else if grouping.precedes(first, key) != nil {
          failures[row.id] = ArrangementFailure.sharedSection(key: "\(key)")
        }
      }
    }
  }
}
