public import RowcastDiff

extension ListSnapshot {
  /// The material without duplicate ids, as the policy says.
  @inlinable
  static func resolved(
    _ material: [ListSection<Section, Row>], duplicates: DuplicatePolicy
  ) throws(ListError<Section.ID, Row.ID>) -> [ListSection<Section, Row>] {
    try rejectUnequalIDs(in: material)
    switch duplicates {
    case .reject:
      try rejectDuplicates(in: material)
      return material
    case .keepFirst:
      return keepingFirst(material)
    case .keepLast:
      // The last occurrence is the first of the list read backwards.
      return keepingFirst(material.reversed().map(\.reversed)).reversed().map(\.reversed)
    }
  }

  /// Refuses ids that are not equal to themselves.
  @inlinable
  static func rejectUnequalIDs(in material: [ListSection<Section, Row>]) throws(ListError<Section.ID, Row.ID>) {
    for (section, content) in material.enumerated() {
      let id = content.model.id
      if id != id { throw .sectionIDUnequalToItself("\(id)", at: section) }
      for (row, model) in content.rows.enumerated() {
        let id = model.id
        if id != id { throw .rowIDUnequalToItself("\(id)", at: RowPath(section: section, row: row)) }
      }
    }
  }

  @inlinable
  static func rejectDuplicates(
    in material: [ListSection<Section, Row>]
  ) throws(ListError<Section.ID, Row.ID>) {
    var sections: [Section.ID: Int] = Dictionary(minimumCapacity: material.count)
    var rows: [Row.ID: RowPath] = Dictionary(minimumCapacity: material.reduce(0) { $0 + $1.rows.count })
    for (section, content) in material.enumerated() {
      if let first = sections.updateValue(section, forKey: content.model.id) {
        throw .duplicateSection(content.model.id, first: first, second: section)
      }
      for (row, model) in content.rows.enumerated() {
        let path = RowPath(section: section, row: row)
        if let first = rows.updateValue(path, forKey: model.id) {
          throw .duplicateRow(model.id, first: first, second: path)
        }
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
