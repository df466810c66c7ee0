public import RowcastModel

/// Tells which section a row belongs to.
@usableFromInline
enum Grouping<
  InputSection: SectionViewModel, Section: SectionViewModel, Row: RowViewModel, Key: Hashable & Sendable
>: Sendable {
  /// The section that the row has in the source.
  case source(@Sendable (InputSection) -> Section)
  /// The section of the row's key.
  case keys(KeyGrouping<Section, Row, Key>)
}

extension Grouping where InputSection == Section, Key == Never {
  /// The sections of the source, as they are.
  @inlinable static var unchanged: Grouping { .source { $0 } }
}

/// Returns true if the first of two keys belongs before the second, false if it belongs after it, `nil` if the order does not
/// decide.
@usableFromInline
typealias KeyOrder<Key> = @Sendable (_ first: Key, _ second: Key) -> Bool?

/// Sections for the keys of rows, in an order of the keys.
///
/// Keys that give one section id share the section. A section is placed by its first key, kept keys included, and made of that
/// key as its first row spells it: keys may be equal and not the same.
@usableFromInline
struct KeyGrouping<Section: SectionViewModel, Row: RowViewModel, Key: Hashable & Sendable>: Sendable {
  /// A section with the first of its keys, in any spelling, and the indexes of its rows. It is shared if its keys differ.
  @usableFromInline typealias Division = (key: Key, section: Section, rows: [Int], isShared: Bool)

  @usableFromInline let key: @Sendable (Row) -> Key
  @usableFromInline let section: @Sendable (Key) -> Section
  @usableFromInline let order: KeyOrder<Key>
  /// The sections that are kept without rows, each with the first key that keeps it, and the keys that keep any.
  @usableFromInline var kept: [Section.ID: Key] = [:]
  @usableFromInline var keptKeys: [Key] = []
  /// True if equal keys cannot be told apart.
  @usableFromInline let isExact: Bool

  @inlinable
  init(
    _ key: @escaping @Sendable (Row) -> Key, order: @escaping KeyOrder<Key>, keeping kept: [Key],
    isExact: Bool? = nil, _ section: @escaping @Sendable (Key) -> Section
  ) {
    self.key = Self.withoutNegativeZero(key)
    self.section = section
    self.order = order
    // The sign of a zero is taken away.
    self.isExact = isExact ?? (RowcastViews.isExact(Key.self) || Key.self is any FloatingPoint.Type)
    // Of equal keys the first counts. Those that are not equal to themselves are all different.
    var seen: Set<Key> = []
    keptKeys = kept.map(Self.withoutNegativeZero { $0 }).filter { $0 != $0 || seen.insert($0).inserted }
    for key in keptKeys {
      let id = section(key).id
      self.kept[id] = self.kept[id].map { first($0, key) } ?? key
    }
  }

  /// Returns true if the first of two keys belongs before the second, false if it belongs after it, `nil` if they are one key.
  /// Keys that are not equal to themselves come last; unequal keys of which neither is smaller are ordered by their texts.
  @inlinable
  func precedes(_ first: Key, _ second: Key) -> Bool? {
    if let isBefore = order(first, second) { return isBefore }
    return first == second ? nil : "\(first)".precedes("\(second)")
  }

  /// The first of two keys, and of equal ones the one that is given first.
  @inlinable
  func first(_ key: Key, _ other: Key?) -> Key {
    guard let other else { return key }
    return precedes(other, key) == true ? other : key
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
    let sorted = divisions.indices.sorted { precedes(divisions[$0].key, divisions[$1].key) == true }
    return (sorted.map { divisions[$0] }, rejected)
  }

  /// The key to make a section of: its first key as the first row with this key spells it, or an earlier kept key. Takes O(m)
  /// for m rows before that row.
  @inlinable
  func representative(of division: Division, _ rows: some Sequence<Row>) -> Key {
    if let kept = kept[division.section.id], precedes(kept, division.key) == true { return kept }
    for row in rows {
      let key = key(row)
      if !division.isShared || precedes(key, division.key) == nil { return key }
    }
    return kept[division.section.id] ?? division.key
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

/// The order of the keys of a list: its own, then all others, and those that are not equal to themselves. A key that the list has
/// twice is where it is first.
@inlinable
func keyOrder<Key: Hashable & Sendable>(listing keys: [Key]) -> KeyOrder<Key> {
  let ranks = Dictionary(zip(keys, keys.indices)) { first, _ in first }
  let rank: @Sendable (Key) -> Int = { key in key == key ? ranks[key] ?? keys.count : keys.count + 1 }
  return { rank($0).precedes(rank($1)) }
}
