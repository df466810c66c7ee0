public import RowcastModel

/// Which section a row belongs to.
@usableFromInline
enum Grouping<InputSection: SectionViewModel, Section: SectionViewModel, Row: RowViewModel>: Sendable {
  /// That of its section in the source.
  case source(@Sendable (InputSection) -> Section)
  /// That of its key.
  case keys(KeyGrouping<Section, Row>)
}

/// Something that has a key of sections.
@usableFromInline
enum KeyHolder<Row> {
  case row(Row)
  /// A key that is kept, by its index among them.
  case kept(Int)
}

/// Sections that stand for keys of rows, in the order of the keys. The type of the keys is known to the closures alone.
///
/// A section is told by its id: keys that give one id share the section. Its place and its content are those of the first
/// of its keys, the kept one among them. Keys that are not equal to themselves come last; unequal keys of which neither
/// comes first are ordered by their texts.
@usableFromInline
final class KeyGrouping<Section: SectionViewModel, Row: RowViewModel>: Sendable {
  /// A section with the indexes of its rows.
  @usableFromInline
  struct Division {
    @usableFromInline var section: Section
    @usableFromInline var rows: [Int] = []
    /// Whether its rows may have several keys, or keys that are not equal to themselves.
    @usableFromInline var isShared = false

    @inlinable
    init(_ section: Section) { self.section = section }
  }

  /// The order of two keys; the same for those that cannot be told apart.
  @usableFromInline let compare: @Sendable (KeyHolder<Row>, KeyHolder<Row>) -> RowOrdering
  @usableFromInline let haveEqualKeys: @Sendable (Row, Row) -> Bool
  /// The key of a row as text.
  @usableFromInline let text: @Sendable (Row) -> String
  /// Makes the section of a key.
  @usableFromInline let section: @Sendable (KeyHolder<Row>) -> Section
  /// The index of the kept key by the ids of the sections that are kept without rows.
  @usableFromInline let kept: [Section.ID: Int]
  /// Divides rows into sections, in order. Rows whose sections cannot be told by their ids are given back.
  @usableFromInline let divide: @Sendable ([Row]) -> (sections: [Division], rejected: [Row])

  @inlinable
  init<Key: Hashable & Comparable & Sendable>(
    _ signedKey: @escaping @Sendable (Row) -> Key, direction: SortDirection, keeping kept: [Key],
    _ section: @escaping @Sendable (Key) -> Section
  ) {
    let key = Self.withoutNegativeZero(signedKey)
    let order: @Sendable (Key, Key) -> RowOrdering = { first, second in
      let ordering = RowOrdering(first, second, direction)
      return ordering != .same || first == second ? ordering : RowOrdering("\(first)", "\(second)")
    }
    let keyOf: @Sendable (KeyHolder<Row>) -> Key = { holder in
      switch holder {
      case .row(let row): key(row)
      case .kept(let index): kept[index]
      }
    }
    compare = { order(keyOf($0), keyOf($1)) }
    haveEqualKeys = { key($0) == key($1) }
    text = { "\(key($0))" }
    self.section = { section(keyOf($0)) }
    self.kept = Dictionary(kept.enumerated().map { (section($1).id, $0) }) { first, second in
      order(kept[second], kept[first]) == .before ? second : first
    }
    divide = { rows in
      var divisions: [Division] = []
      var firstKeys: [Key] = []
      var byID: [Section.ID: Int] = [:]
      var byKey: [Key: Int] = [:]
      func index(of key: Key) -> Int? {
        if let known = byKey[key] { return known }
        let model = section(key)
        // Nothing could find the section again.
        guard model.id == model.id else { return nil }
        let index = byID[model.id] ?? divisions.count
        if index == divisions.count {
          divisions.append(Division(model))
          firstKeys.append(key)
          byID[model.id] = index
        } else {
          divisions[index].isShared = true
          if order(key, firstKeys[index]) == .before { (divisions[index].section, firstKeys[index]) = (model, key) }
        }
        if key == key { byKey[key] = index } else { divisions[index].isShared = true }
        return index
      }
      for key in kept { _ = index(of: key) }
      var rejected: [Row] = []
      for (number, row) in rows.enumerated() {
        if let index = index(of: key(row)) { divisions[index].rows.append(number) } else { rejected.append(row) }
      }
      let sorted = divisions.indices.sorted { order(firstKeys[$0], firstKeys[$1]) == .before }
      return (sorted.map { divisions[$0] }, rejected)
    }
  }

  /// Keys that are equal are one key, also where they look different: zero has no sign.
  @inlinable
  static func withoutNegativeZero<Key: Equatable & Sendable>(
    _ key: @escaping @Sendable (Row) -> Key
  ) -> @Sendable (Row) -> Key {
    guard let type = Key.self as? any FloatingPoint.Type, let zero = type.zero as? Key else { return key }
    return { row in
      let key = key(row)
      return key == zero ? zero : key
    }
  }
}
