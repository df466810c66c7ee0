public import RowcastDiff

extension ListSnapshot {
  /// The material without duplicate ids, as the policy says.
  @inlinable
  static func resolved(
    _ material: [ListSection<Section, Row>], duplicates: DuplicatePolicy
  ) throws(ListError<Section.ID, Row.ID>) -> [ListSection<Section, Row>] {
    try check(material, rejectingDuplicates: duplicates == .reject)
    switch duplicates {
    case .reject:
      return material
    case .keepFirst:
      return keepingFirst(material)
    case .keepLast:
      // The last occurrence is the first of the list read backwards.
      return keepingFirst(material.reversed().map(\.reversed)).reversed().map(\.reversed)
    }
  }

  /// Refuses ids that are not equal to themselves, and ids that occur again.
  @inlinable
  static func check(
    _ material: [ListSection<Section, Row>], rejectingDuplicates: Bool
  ) throws(ListError<Section.ID, Row.ID>) {
    typealias Failure = ListError<Section.ID, Row.ID>
    var sections: [Section.ID: Int] = [:]
    var rows: [Row.ID: RowPath] = [:]
    if rejectingDuplicates {
      sections.reserveCapacity(material.count)
      rows.reserveCapacity(material.reduce(0) { $0 + $1.rows.count })
    }
    for section in material.indices {
      let id = material[section].model.id
      try Failure.check(id, at: section, known: rejectingDuplicates ? sections.updateValue(section, forKey: id) : nil)
      for row in material[section].rows.indices {
        let (id, path) = (material[section].rows[row].id, RowPath(section: section, row: row))
        try Failure.check(id, at: path, known: rejectingDuplicates ? rows.updateValue(path, forKey: id) : nil)
      }
    }
  }

  /// The material without ids that occurred before.
  @inlinable
  package static func keepingFirst(_ material: [ListSection<Section, Row>]) -> [ListSection<Section, Row>] {
    var sections: Set<Section.ID> = []
    var rows: Set<Row.ID> = []
    return material.compactMap { content in
      guard sections.insert(content.model.id).inserted else { return nil }
      return ListSection(content.model, rows: content.rows.filter { rows.insert($0.id).inserted })
    }
  }
}

extension ListSection {
  @inlinable var reversed: ListSection { ListSection(model, rows: rows.reversed()) }
}

/// The treatment of an id that occurs twice in the material of a snapshot.
///
/// Row ids are unique in the whole list, section ids among its sections. Dropping a section drops its rows with it.
///
/// An id that is unequal to itself, such as `Double.nan`, is a duplicate of nothing, and its row could never be found.
/// Snapshots and transactions refuse it under every policy, with
/// ``ListError/nonReflexiveRowID(_:at:)`` or ``ListError/nonReflexiveSectionID(_:at:)``.
public enum DuplicatePolicy: Hashable, Sendable {
  /// Refuse the material with a ``ListError`` that names the id and both places.
  case reject
  /// Keep the first occurrence, drop the later ones.
  case keepFirst
  /// Keep the last occurrence, drop the earlier ones.
  case keepLast
}
