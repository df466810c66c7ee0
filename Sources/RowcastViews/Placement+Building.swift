public import RowcastModel

extension Placement {
  /// Makes the output from nothing.
  ///
  /// - Complexity: O(n log n) for n rows.
  @inlinable
  mutating func rebuild(from list: Input, _ transform: Transform) {
    rebuild(from: list) { $0.passing(list.rows(inSection: $1), transform) }
  }

  /// Makes the output from nothing, of the rows that each section of the source becomes.
  ///
  /// - Complexity: O(n log n) for n rows.
  @inlinable
  mutating func rebuild(from list: Input, rows passing: (inout Placement, _ section: Int) -> [Row]) {
    failed = [:]
    pivots = [:]
    shared = .init()
    index.rebuild(from: list)
    var material: [ListSection<Section, Row>] = []
    switch grouping {
    case .source(let section):
      for index in 0..<list.sectionCount {
        let model = section(list.section(at: index))
        material.append(ListSection(model, rows: sorted(passing(&self, index), in: model.id)))
      }
    case .keys(let grouping):
      var all: [Row] = []
      for index in 0..<list.sectionCount {
        let rows = passing(&self, index)
        // The rows of a source of one section are not copied.
        if all.isEmpty { all = rows } else { all += rows }
      }
      let (divisions, rejected) = grouping.divide(all)
      for row in rejected { omit(row, grouping) }
      for division in divisions {
        let rows: [Row]
        if isOrderConsistent {
          rows = order.sorted(division.rows, of: all).map { all[$0] }
        } else {
          rows = sorted(division.rows.map { all[$0] }, in: division.section.id)
        }
        material.append(ListSection(division.section, rows: rows))
        if division.isShared && !rows.isEmpty { share(division.section.id, rows, grouping) }
      }
    }
    output.rebuild(from: material)
    checkInvariants(list)
  }

  @inlinable
  mutating func passing(_ source: some Sequence<InputRow>, _ transform: Transform) -> [Row] {
    var rows: [Row] = []
    for row in source { if let new = transformed(row, transform) { rows.append(new) } }
    return rows
  }

  /// The rows of a section, which stand as in the source, in their order.
  @inlinable
  mutating func sorted(_ rows: [Row], in id: Section.ID) -> [Row] {
    if isOrderConsistent { return order.sorted(rows) }
    let order = PivotOrder(rows) { precedes($0, $1) }
    pivots[id] = order
    return order.rows
  }
}
