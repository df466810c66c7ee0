import RowcastDiff
public import RowcastModel

/// The rows of a list that pass a filter, grouped and sorted.
///
/// A row's place is found by comparing it with rows that are there, in one descent of the tree. Where the order is that
/// of the source, two rows are compared by their paths in the source, which its index finds.
@usableFromInline
struct Placement<
  InputSection: SectionViewModel, InputRow: RowViewModel, Section: SectionViewModel, Row: RowViewModel,
  Key: Hashable & Sendable
> where InputRow.ID == Row.ID {
  @usableFromInline typealias Input = ListSnapshot<InputSection, InputRow>
  @usableFromInline typealias Keys = KeyGrouping<Section, Row, Key>
  /// Makes the row that is shown for one of the source; `nil` if it does not pass.
  @usableFromInline typealias Transform = (InputRow) throws -> Row?

  @usableFromInline let grouping: Grouping<InputSection, Section, Row, Key>
  /// The order of the rows of a section; without one, and among equals, that of the source.
  @usableFromInline let order: SortKey<Row>?
  /// True if a row for which the mapping throws stays as it was.
  @usableFromInline let keepsLast: Bool
  @usableFromInline let index: SourceIndex<InputSection, InputRow>
  @usableFromInline let output = ListOutput<Section, Row>()
  /// The errors of rows that are left out, or stay as they were.
  @usableFromInline var failed: [Row.ID: any Error] = [:]
  /// During a change: rows that were removed and may be inserted again in another section, if failing rows stay as they were.
  @usableFromInline var departed: [Row.ID: Row] = [:]
  /// The key that each section is made of, if sections are made of keys.
  @usableFromInline var firstKeys: [Section.ID: Key] = [:]
  /// The keys of the rows of each section whose keys may differ. In all other sections the keys of all rows are equal to the
  /// first.
  @usableFromInline var sharedKeys: [Section.ID: MergeTree<Row.ID, SpelledKey>] = [:]
  /// During a change: the sections that may have to be made of another spelling of their key.
  @usableFromInline var unsettled: Set<Section.ID> = []
  /// During a change: true if equal keys gave two ids, so that sections are found only by making them all anew.
  @usableFromInline var isTorn = false

  /// A key, and the row that spells it so.
  @usableFromInline typealias SpelledKey = (key: Key, row: Row.ID)

  @inlinable
  init(
    _ grouping: Grouping<InputSection, Section, Row, Key>, order: SortKey<Row>? = nil, keepsLast: Bool = false,
    index: SourceIndex<InputSection, InputRow>
  ) {
    (self.grouping, self.order, self.keepsLast, self.index) = (grouping, order, keepsLast, index)
  }

  /// Makes the row that is shown for one of the source. Notes the error if that fails.
  @inlinable
  mutating func transformed(_ row: InputRow, _ transform: Transform) -> Row? {
    do {
      let new = try transform(row)
      if let new, new.id != row.id {
        throw ListError<Section.ID, Row.ID>.changedRowID(from: row.id, to: new.id)
      }
      forget(row.id)
      return new
    } catch {
      failed[row.id] = error
      if !keepsLast { return nil }
      output.open()
      return output.draft.locate(row.id)?.row ?? departed[row.id]
    }
  }

  @inlinable
  mutating func forget(_ id: Row.ID) { if !failed.isEmpty { failed[id] = nil } }

  /// Checks, in debug builds, that the counts of all parts go together. No row is looked at: that would call the app.
  @inlinable
  func checkInvariants(_ source: Input) {
    #if DEBUG
      let (list, left) = (output.snapshot, keepsLast ? 0 : failed.count)
      let sharing = sharedKeys.values.reduce(0) { $0 + $1.ids.count }
      assert(
        list.rowCount + left <= source.rowCount && sharing <= list.rowCount,
        "\(list.rowCount) rows, of which \(sharing) share sections, and \(left) left out are made of \(source.rowCount)"
      )
      let keyed = if case .keys = grouping { list.sectionCount } else { 0 }
      assert(firstKeys.count == keyed, "\(firstKeys.count) of \(keyed) sections have a first key")
      assert(departed.isEmpty, "\(departed.count) removed rows are still kept")
      assert(unsettled.isEmpty && !isTorn, "\(unsettled.count) sections may have another key")
    #endif
  }

  // MARK: - Building

  /// Makes the output anew. Takes O(n log n) for n rows.
  @inlinable
  mutating func rebuild(from list: Input, _ transform: Transform) {
    rebuild(from: list) { $0.passing(list.rows(inSection: $1), transform) }
  }

  /// Makes the output anew, of the rows that are shown for each section of the source. Takes O(n log n) for n rows.
  @inlinable
  mutating func rebuild(from list: Input, rows passing: (inout Placement, _ section: Int) -> [Row]) {
    (failed, firstKeys, sharedKeys, unsettled, isTorn) = ([:], [:], [:], [], false)
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
      var ids = Set(grouping.isExact ? [] : divisions.map { $0.section.id })
      for division in divisions {
        let rows = sorted(division.rows, of: all).map { all[$0] }
        var (key, section) = (division.key, division.section)
        if !grouping.isExact {
          let spelled = grouping.representative(of: division, rows)
          if !areIdentical(key, spelled) {
            let model = grouping.section(spelled)
            // Equal keys have one id, unless the app makes several of them. Then others may have this one.
            if model.id == section.id || (model.id == model.id && ids.insert(model.id).inserted) {
              (key, section) = (spelled, model)
            }
          }
        }
        material.append(ListSection(section, rows: rows))
        firstKeys[section.id] = key
        if division.isShared && !rows.isEmpty { share(section.id, rows, grouping) }
      }
      if !grouping.isExact {
        // Keys that their order does not decide are sorted by text, and the loop above may have changed the spelling.
        let keys = material.map { firstKeys[$0.model.id] }
        let order = material.indices.sorted { one, other in
          guard let first = keys[one], let second = keys[other] else { return false }
          return grouping.precedes(first, second) == true
        }
        material = order.map { material[$0] }
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

  /// Sorts some of many rows, by their indexes. They are given in the order of the source. Takes O(n log n) comparisons; the key
  /// of each row is computed once.
  @inlinable
  func sorted(_ members: [Int], of rows: [Row]) -> [Int] {
    guard let order, members.count > 1 else { return members }
    var run = SortRun(members)
    order.sort(rows, &run)
    return run.order
  }

  /// Sorts rows that are given in the order of the source.
  @inlinable
  func sorted(_ rows: [Row]) -> [Row] {
    order == nil ? rows : sorted(Array(rows.indices), of: rows).map { rows[$0] }
  }

  // MARK: - Failures

  /// The rows that are left out, and those whose places follow from a rule for exceptions.
  /// Takes O(s + m) for s sections and the m rows of those that several keys share; O(n) if keys of the order may be
  /// unequal to themselves.
  @inlinable var failures: [Row.ID: any Error] {
    var failures = failed
    let list = output.snapshot
    if let unorderedKey = order?.unorderedKey {
      for row in list.allRows {
        if let key = unorderedKey(row) { failures[row.id] = ArrangementFailure.unorderedKey(key) }
      }
    }
    guard case .keys(let grouping) = grouping else { return failures }
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
    return failures
  }
}
