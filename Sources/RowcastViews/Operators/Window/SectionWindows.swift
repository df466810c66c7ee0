public import RowcastDiff
public import RowcastModel

/// A list with each section cut to a window of its own.
@usableFromInline
struct SectionWindows<Section: SectionViewModel, Row: RowViewModel>: ListOperator {
  @usableFromInline typealias Input = ListSnapshot<Section, Row>

  @usableFromInline let window: RowWindow<Row.ID>
  @usableFromInline let index: SourceIndex<Section, Row>
  @usableFromInline let output = ListOutput<Section, Row>()

  @inlinable
  init(_ window: RowWindow<Row.ID>, index: SourceIndex<Section, Row>) {
    (self.window, self.index) = (window, index)
  }

  /// The positions of the rows of a section that are in its window.
  @inlinable
  func positions(_ list: Input, _ section: Int) -> Range<Int> {
    window.positions(count: list.rowCount(inSection: section)) { id in
      index.path(ofRow: id).flatMap { $0.section == section ? $0.row : nil }
    }
  }

  @inlinable
  func rows(_ list: Input, _ section: Int) -> [Row] { list.rows(inSection: section, positions(list, section)) }

  @inlinable
  func rebuild(from list: Input) {
    if window.followsRow { index.rebuild(from: list) }
    output.rebuild(from: (0..<list.sectionCount).map { ListSection(list.section(at: $0), rows: rows(list, $0)) })
  }

  /// Takes O(w + d log n) for d changed rows of n, and windows with w rows in the sections that have them.
  @inlinable
  func step(_ changes: ListChanges, from before: Input, to after: Input) {
    if window.followsRow { index.follow(changes, to: after) }
    let changed = changedSections(changes, from: before, to: after)
    output.open()
    // Rows that leave a section may arrive in another one.
    for path in changes.rows.deletes + changes.rows.moves.map({ $0.from }) {
      if let shown = output.path(ofRow: before.row(at: path).id) { output.draft.removeRow(at: shown) }
    }
    output.draft.follow(
      changes.sections, section: after.section(at:), rows: changes.sections.inserts.map { rows(after, $0) })
    for section in changed { output.draft.replaceRows(inSection: section, with: rows(after, section)) }
  }

  /// The sections, by their indexes after changes, whose windows may have other rows than before.
  @inlinable
  func changedSections(_ changes: ListChanges, from before: Input, to after: Input) -> Set<Int> {
    let (map, rows) = (PathMap(changes), changes.rows)
    var changed: Set<Int> = []
    func note(_ section: Int?, _ row: Int) {
      guard let section, let former = map.origin(ofSection: section), !changed.contains(section) else { return }
      if !window.followsRow {
        let shown = positions(after, section)
        if row >= shown.upperBound, shown == positions(before, former) { return }
      }
      changed.insert(section)
    }
    for path in rows.deletes { note(map.destination(ofSection: path.section), path.row) }
    for path in rows.inserts { note(path.section, path.row) }
    for move in rows.moves {
      note(map.destination(ofSection: move.from.section), move.from.row)
      note(move.to.section, move.to.row)
    }
    for update in rows.updates { note(update.to.section, min(update.from.row, update.to.row)) }
    return changed
  }

  @inlinable
  func checkInvariants(for input: Input) {
    let list = output.snapshot
    assert(
      list.sectionCount == input.sectionCount && list.rowCount <= input.rowCount,
      "\(list.rowCount) of \(input.rowCount) rows are in windows of sections")
  }
}

extension Arrangement {
  /// Cuts each section to some of its rows: the three newest of each day. Sections stay, also empty ones;
  /// ``withoutEmptySections()`` removes these.
  ///
  ///     .sectioned(by: \.customerID) { Customer(id: $0) }.sorted(by: .descending(\.date)).window(inEachSection: .first(3))
  ///
  /// - Parameter window: The rows to keep of each section. A section without the row that the window begins after, or is around,
  ///   shows its first rows.
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: O(w + log n) for each section in which rows of n changed, w being the number of rows in its window; O(log n)
  ///   for changes behind a window, unless that depends on a row.
  @inlinable
  public func window(inEachSection window: RowWindow<Row.ID>) -> Arrangement {
    .init("it is outside of the window of its section") { builder, tail in
      let upstream = builder.node(of: self)
      return ListNode(
        SectionWindows<Section, Row>(window, index: SourceIndex(shared: upstream.path)), reading: upstream
      ).ending(with: tail)
    }
  }
}
