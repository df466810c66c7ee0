public import RowcastModel

extension Placement {
  /// Makes the output anew.
  ///
  /// - Complexity: O(n log n) for n rows.
  @inlinable
  mutating func rebuild(from list: Input, _ transform: Transform) {
    rebuild(from: list) { $0.passing(list.rows(inSection: $1), transform) }
  }

  /// Makes the output anew, of the rows that are shown for each section of the source.
  ///
  /// - Complexity: O(n log n) for n rows.
  @inlinable
  mutating func rebuild(from list: Input, rows passing: (inout Placement, _ section: Int) -> [Row]) {
    (failed, firstKeys, sharedKeys) = ([:], [:], [:])
    index.rebuild(from: list)
    var material: [ListSection<Section, Row>] = []
    switch grouping {
    case .source(let section):
      for index in 0..<list.sectionCount {
        material.append(ListSection(section(list.section(at: index)), rows: sorted(passing(&self, index))))
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
        let rows = sorted(division.rows, of: all).map { all[$0] }
        material.append(ListSection(division.section, rows: rows))
        firstKeys[division.section.id] = division.key
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

  /// Sorts some of many rows, by their indexes. They stand as in the source.
  ///
  /// - Complexity: O(n log n) comparisons; the key of each row is taken once.
  @inlinable
  func sorted(_ members: [Int], of rows: [Row]) -> [Int] {
    guard let order, members.count > 1 else { return members }
    var run = SortRun(members)
    order.sort(rows, &run)
    return run.order
  }

  /// Sorts rows that stand as in the source.
  @inlinable
  func sorted(_ rows: [Row]) -> [Row] {
    order == nil ? rows : sorted(Array(rows.indices), of: rows).map { rows[$0] }
  }
}
