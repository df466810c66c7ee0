public import RowcastDiff
public import RowcastModel

/// The rows of a list that pass a filter, grouped and sorted.
///
/// A row's place is found by comparing it with rows in the output, in one descent of the tree. Where the source decides the
/// order, two rows are compared by their paths in the source, which its index finds.
///
/// Nobody copies it, and yet it can be copied, as can the states of other operators: with ThreadSanitizer, Swift 6.3.1 makes broken code
/// of the access to an object in a generic struct that cannot.
@usableFromInline
struct Placement<
  InputSection: SectionViewModel, InputRow: RowViewModel, Section: SectionViewModel, Row: RowViewModel,
  Key: Hashable & Sendable
> where InputRow.ID == Row.ID {
  @usableFromInline typealias Input = ListSnapshot<InputSection, InputRow>
  @usableFromInline typealias Keys = KeyGrouping<Section, Row, Key>
  /// Makes the row that is shown for a row of the source; `nil` if it does not pass.
  @usableFromInline typealias Transform = (InputRow) throws -> Row?

  /// The sections of keys; `nil` if rows have the sections of the source.
  @usableFromInline let keys: Keys?
  /// Makes a section from a section of the source, if rows keep their sections.
  @usableFromInline let section: (InputSection) -> Section
  /// The order of the rows of a section; without one, and among equals, the source decides.
  @usableFromInline let order: SortKey<Row>?
  /// True if a row for which the mapping throws stays as it was.
  @usableFromInline let keepsLast: Bool
  @usableFromInline let index: SourceIndex<InputSection, InputRow>
  @usableFromInline let output = ListOutput<Section, Row>()
  /// The errors of rows that are left out, or stay as they were.
  @usableFromInline var failed: [Row.ID: any Error] = [:]
  /// During a change: rows that were removed and may be inserted again in another section, if failing rows stay as they were.
  @usableFromInline var departed: [Row.ID: Row] = [:]
  /// The key that each section is made from, if sections are made from keys.
  @usableFromInline var firstKeys: [Section.ID: Key] = [:]
  /// The keys of the rows of each section whose keys may differ. In all other sections the keys of all rows are equal to the
  /// first.
  @usableFromInline var sharedKeys: [Section.ID: MergeTree<Row.ID, SpelledKey>] = [:]
  /// During a change: the sections that may have to be rebuilt from another spelling of their key.
  @usableFromInline var unsettled: Set<Section.ID> = []
  /// During a change: true if equal keys gave two ids, so that the output must be rebuilt to find its sections.
  @usableFromInline var isTorn = false

  /// A key, and the row that spells it so.
  @usableFromInline typealias SpelledKey = (key: Key, row: Row.ID)

  @inlinable
  init(
    by keys: Keys?, order: SortKey<Row>?, keepsLast: Bool, index: SourceIndex<InputSection, InputRow>,
    _ section: @escaping (InputSection) -> Section
  ) {
    (self.keys, self.order, self.keepsLast, self.index, self.section) = (keys, order, keepsLast, index, section)
  }

  /// The rows of a list in sections of keys.
  @inlinable
  init(by keys: Keys, order: SortKey<Row>?, of upstream: ListNode<InputSection, InputRow>) {
    self.init(by: keys, order: order, keepsLast: false, index: SourceIndex(shared: upstream.path)) { _ in
      stop("Rows that have keys have no section of the source")
    }
  }

  /// The rows of a list in their sections.
  @inlinable
  init(order: SortKey<Row>? = nil, keepsLast: Bool = false, of upstream: ListNode<InputSection, InputRow>)
  where InputSection == Section, Key == Never {
    self.init(by: nil, order: order, keepsLast: keepsLast, index: SourceIndex(shared: upstream.path)) { $0 }
  }

  /// Makes the row that is shown for a row of the source. Notes the error if that fails.
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

  /// Checks, in debug builds, that the counts of all parts agree. No row is looked at: that would call the app.
  @inlinable
  func checkInvariants(_ source: Input) {
    #if DEBUG
      let (list, left) = (output.snapshot, keepsLast ? 0 : failed.count)
      let sharing = sharedKeys.values.reduce(0) { $0 + $1.ids.count }
      assert(
        list.rowCount + left <= source.rowCount && sharing <= list.rowCount,
        "\(list.rowCount) rows, of which \(sharing) share sections, and \(left) left out are made of \(source.rowCount)"
      )
      let keyed = keys == nil ? 0 : list.sectionCount
      assert(firstKeys.count == keyed, "\(firstKeys.count) of \(keyed) sections have a first key")
      assert(departed.isEmpty, "\(departed.count) removed rows are still kept")
      assert(unsettled.isEmpty && !isTorn, "\(unsettled.count) sections may have another key")
    #endif
  }

  // MARK: - Building

  /// Rebuilds the output. Takes O(n log n) for n rows.
  @inlinable
  mutating func rebuild(from list: Input, _ transform: Transform) {
    rebuild(from: list) { $0.passing(list.rows(inSection: $1), transform) }
  }

  /// Rebuilds the output from the rows that are shown for each section of the source. Takes O(n log n) for n rows.
  @inlinable
  mutating func rebuild(from list: Input, rows passing: (inout Placement, _ section: Int) -> [Row]) {
    (failed, firstKeys, sharedKeys, unsettled, isTorn) = ([:], [:], [:], [], false)
    index.rebuild(from: list)
    var material: [ListSection<Section, Row>] = []
    if let keys {
      var all: [Row] = []
      for index in 0..<list.sectionCount {
        let rows = passing(&self, index)
        // The rows of a source of one section are not copied.
        if all.isEmpty { all = rows } else { all += rows }
      }
      material = divided(all, by: keys)
    } else {
      for index in 0..<list.sectionCount {
        material.append(ListSection(section(list.section(at: index)), rows: sorted(passing(&self, index))))
      }
    }
    output.rebuild(from: material)
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

  // MARK: - Following

  /// A row to be placed, with its path in the source.
  @usableFromInline typealias Arrival = (row: Row, path: RowPath)

  /// The rows of the source to look at after changes.
  @inlinable
  func touched(by changes: ListChanges, from before: Input, to after: Input) -> TouchedRows {
    keys == nil ? TouchedRows(changes.rows) : TouchedRows(changes, from: before, to: after)
  }

  /// Brings the output from one version of the source to the next for an operator of which it is a part: by a step, or by
  /// rebuilding the output if that takes less. `others` are further rows to look at, by their paths after the change.
  @inlinable
  mutating func follow(
    _ changes: ListChanges, from before: Input, to after: Input, others: [RowPath], _ transform: Transform
  ) {
    let touched = touched(by: changes, from: before, to: after)
    var others = others
    if !others.isEmpty {
      let (rows, sections) = (Set(touched.current), Set(changes.sections.inserts))
      others.removeAll { rows.contains($0) || sections.contains($0.section) }
    }
    if isBetterRebuilt((touched.count + others.count, after.rowCount)) { return rebuild(from: after, transform) }
    step((changes, touched), from: before, to: after, others: others, transform)
  }

  /// Edits changes into the output: rows that change their place are removed, then inserted among the others.
  /// Takes O(log n) comparisons for each changed row. Comparing by source takes O(log n).
  @inlinable
  mutating func step(
    _ change: TouchingChanges, from before: Input, to after: Input, others: [RowPath] = [], _ transform: Transform
  ) {
    let (changes, touched) = change
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
    for path in others { review(after, path, false, &arrivals, transform) }
    if keys == nil { stepSections(changes.sections, from: before, to: after, transform) }
    for path in touched.arriving {
      if let row = transformed(after.row(at: path), transform) { arrivals.append((row, path)) }
    }
    for (row, path) in arrivals { insert(row, path, after) }
    departed = [:]
    if let keys { settleSections(keys) }
    if isTorn { rebuild(from: after, transform) }
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
      if let keys, !keys.isExact { noteKey(keys.key(new), of: new.id, at: old.path, isOther: false, keys) }
      return
    }
    if let old { remove(at: old.path) }
    if let new { arrivals.append((new, path)) }
  }

  /// Returns true if two versions of a row belong at the same place, wherever all others are.
  @inlinable
  func isAtOnePlace(_ old: Row, _ new: Row) -> Bool {
    if let keys, keys.key(old) != keys.key(new) { return false }
    return order?.precedes(old, new) == nil
  }

  @inlinable
  mutating func stepSections(
    _ changes: Changeset<Int>, from before: Input, to after: Input, _ transform: Transform
  ) {
    if changes.isEmpty { return }
    for index in changes.deletes where keepsLast || !failed.isEmpty {
      for row in before.rows(inSection: index) {
        forget(row.id)
        if keepsLast { departed[row.id] = output.draft.locate(row.id)?.row }
      }
    }
    var arriving: [[Row]] = []
    for index in changes.inserts { arriving.append(sorted(passing(after.rows(inSection: index), transform))) }
    output.draft.follow(changes, section: { [section] in section(after.section(at: $0)) }, rows: arriving)
  }

  /// Removes a row.
  @inlinable
  mutating func remove(at path: RowPath) {
    if let keys { forgetKey(ofRowAt: path, keys) }
    output.draft.removeRow(at: path)
    if let keys { settleSection(at: path.section, keys) }
  }

  /// Inserts a row where it belongs, by its path in the source.
  @inlinable
  mutating func insert(_ row: Row, _ path: RowPath, _ after: Input) {
    var place = RowPath(section: path.section, row: 0)
    guard let keys else {
      place.row = index(of: row, path, after, inSection: place.section)
      output.draft.insertRow(row, at: place)
      return
    }
    let key = keys.key(row)
    guard let (section, isOther) = openSection(for: row, key, keys) else { return }
    place = RowPath(section: section, row: index(of: row, path, after, inSection: section))
    output.draft.insertRow(row, at: place)
    noteKey(key, of: row.id, at: place, isOther: isOther, keys)
  }

  /// The index at which a row belongs in its section.
  @inlinable
  func index(of row: Row, _ path: RowPath, _ after: Input, inSection section: Int) -> Int {
    // A closure that captures the placement would copy all of it.
    let (list, order, source) = (output.draft.list, order, index)
    let isBehind: (Row) -> Bool = { !(order?.precedes($0, row) ?? (source.requiredPath(ofRow: $0.id) < path)) }
    if order == nil {
      let rows = list.rows(inSection: section)
      // As the source has them, most rows arrive at the end.
      guard let last = rows.last, isBehind(last) else { return rows.count }
      if let index = indexBehindNeighbour(of: path, after) { return index }
    }
    return list.partitioningRow(inSection: section, where: isBehind)
  }

  /// The index after one of the eight rows directly before a row in the source, if sections are those of the source. `nil`
  /// if none of them is in the list. Each takes one look-up, like a step of the search that it saves.
  @inlinable
  func indexBehindNeighbour(of path: RowPath, _ after: Input) -> Int? {
    if keys != nil { return nil }
    for row in (max(0, path.row - 8)..<path.row).reversed() {
      let id = after.row(at: RowPath(section: path.section, row: row)).id
      if let neighbour = output.draft.locate(id)?.path { return neighbour.row + 1 }
    }
    return nil
  }

  // MARK: - Failures

  /// The rows that are left out, and the rows whose places follow from a rule for exceptions.
  /// Takes O(s + m) for s sections and the m rows of sections that several keys share; O(n) if keys of the order may be
  /// unequal to themselves.
  var failures: [Row.ID: any Error] {
    var failures = failed
    let list = output.snapshot
    if let unorderedKey = order?.unorderedKey {
      for row in list.allRows {
        if let key = unorderedKey(row) { failures[row.id] = ArrangementFailure.unorderedKey(key) }
      }
    }
    if let keys { addFailures(of: list, keys, to: &failures) }
    return failures
  }
}

/// An operator that filters, maps, sections and sorts in one step.
@usableFromInline
struct Arranger<
  InputSection: SectionViewModel, InputRow: RowViewModel, Section: SectionViewModel, Row: RowViewModel,
  Key: Hashable & Sendable
>: ListOperator where InputRow.ID == Row.ID {
  @usableFromInline typealias Input = ListSnapshot<InputSection, InputRow>

  @usableFromInline var placement: Placement<InputSection, InputRow, Section, Row, Key>
  @usableFromInline let passing: (([InputRow]) -> [Row])?
  @usableFromInline let transform: (InputRow) throws -> Row?

  @inlinable
  init(
    _ placement: consuming Placement<InputSection, InputRow, Section, Row, Key>, passing: (([InputRow]) -> [Row])?,
    transform: @escaping (InputRow) throws -> Row?
  ) {
    (self.placement, self.passing, self.transform) = (placement, passing, transform)
  }

  @inlinable var output: ListOutput<Section, Row> { placement.output }
  @usableFromInline var failures: [Row.ID: any Error] { placement.failures }

  @inlinable
  mutating func rebuild(from list: Input) {
    let (passing, transform) = (passing, transform)
    placement.rebuild(from: list) { placement, section in
      var rows: [Row] = []
      let count = list.rowCount(inSection: section)
      for start in stride(from: 0, to: count, by: 4_096) where !isAbandoned(at: start) {
        let some = list.rows(inSection: section, start..<min(start + 4_096, count))
        rows += passing?(some) ?? placement.passing(some, transform)
      }
      return rows
    }
  }

  @inlinable
  func change(from before: Input, to after: Input) -> TouchingChanges {
    let changes = before.changes(to: after)
    return (changes, placement.touched(by: changes, from: before, to: after))
  }

  @inlinable
  mutating func step(_ change: TouchingChanges, from before: Input, to after: Input) {
    placement.index.follow(change.all, to: after)
    placement.step(change, from: before, to: after, transform)
  }

  @inlinable
  func checkInvariants(for input: Input) { placement.checkInvariants(input) }
}

extension ListNode {
  /// The list of a placement. `passing` does the same as `transform` for many rows that stay as they are: it builds a filtered
  /// list in a quarter of the time.
  @inlinable
  static func arranging<InputSection, InputRow, Key>(
    _ upstream: ListNode<InputSection, InputRow>,
    _ placement: consuming Placement<InputSection, InputRow, Section, Row, Key>,
    passing: (([InputRow]) -> [Row])? = nil, transform: @escaping (InputRow) throws -> Row?
  ) -> ListNode where InputRow.ID == Row.ID {
    ListNode(Arranger(placement, passing: passing, transform: transform), reading: upstream)
  }

  /// The list of a placement that takes over the filters at the end of an arrangement, and makes no other rows.
  @inlinable
  static func arranging<InputSection, Key>(
    _ upstream: ListNode<InputSection, Row>, _ placement: consuming Placement<InputSection, Row, Section, Row, Key>,
    keeping tail: ArrangementTail<Row>?
  ) -> ListNode {
    arranging(
      upstream, placement, passing: { tail?.included?($0) ?? $0 },
      transform: { tail?.isIncluded?($0) ?? true ? $0 : nil })
  }
}
