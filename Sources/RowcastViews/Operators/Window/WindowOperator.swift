public import RowcastDiff
public import RowcastModel

/// Cuts a list to a window: its rows, in the sections that have any of them.
@usableFromInline
struct WindowOperator<Section: SectionViewModel, Row: RowViewModel>: ListOperator {
  @usableFromInline typealias List = ListSnapshot<Section, Row>

  @usableFromInline let window: RowWindow<Row.ID>
  @usableFromInline let index: SourceIndex<Section, Row>
  /// A cursor at a section, with the number of rows before it, from which counting continues.
  @usableFromInline var (section, rowsBefore) = (0, 0)
  /// The positions in the window at the last cut, and the path after the last of them.
  @usableFromInline var (shown, end) = (0..<0, RowPath(section: 0, row: 0))
  @usableFromInline let output = ListOutput<Section, Row>()

  @inlinable
  init(_ window: RowWindow<Row.ID>, index: SourceIndex<Section, Row>) {
    (self.window, self.index) = (window, index)
  }

  @inlinable
  mutating func rebuild(from list: List) {
    if window.followsRow { index.rebuild(from: list) }
    (section, rowsBefore) = (0, 0)
    output.rebuild(from: cut(list, positions(in: list)))
  }

  /// Edits changes into the output.
  /// Takes O(w + d log n) for a window of w rows and d changed rows of n, and O(sections) that the window passes; O(d) if all
  /// changes are after the window.
  @inlinable
  mutating func step(_ changes: ListChanges, from before: List, to after: List) {
    if window.followsRow { index.follow(changes, to: after) }
    moveCursor(changes)
    let positions = positions(in: after)
    if positions == shown, changes.isBehind(end) { return }
    output.open()
    output.draft.replace(with: ListSnapshot(unchecked: cut(after, positions)))
  }

  /// The positions of the rows in the window.
  @inlinable
  mutating func positions(in list: List) -> Range<Int> {
    let (window, index) = (window, index)
    return window.positions(count: list.rowCount) { id in
      index.path(ofRow: id).map { path in
        moveCursor(in: list) { section, _ in section < path.section ? 1 : section > path.section ? -1 : 0 }
        return rowsBefore + path.row
      }
    }
  }

  /// The sections and rows at some positions, which become the shown ones.
  @inlinable
  mutating func cut(_ list: List, _ positions: Range<Int>) -> [ListSection<Section, Row>] {
    (shown, end) = (positions, RowPath(section: 0, row: 0))
    if positions.isEmpty { return [] }
    moveCursor(in: list) { section, start in
      if positions.lowerBound < start { return -1 }
      return positions.lowerBound < start + list.rowCount(inSection: section) ? 0 : 1
    }
    var material: [ListSection<Section, Row>] = []
    var (section, start) = (section, rowsBefore)
    while start < positions.upperBound {
      let count = list.rowCount(inSection: section)
      let part = positions.clamped(to: start..<start + count)
      if !part.isEmpty {
        let rows = part.lowerBound - start..<part.upperBound - start
        material.append(ListSection(list.section(at: section), rows: list.rows(inSection: section, rows)))
        end = RowPath(section: section, row: rows.upperBound)
      }
      start += count
      section += 1
    }
    return material
  }

  /// Brings the cursor from one list to the next. It starts over if the order of sections changed.
  /// Takes O(d) for d changed rows.
  @inlinable
  mutating func moveCursor(_ changes: ListChanges) {
    if changes.sections.hasStructure {
      (section, rowsBefore) = (0, 0)
      return
    }
    let (leaving, arriving) = (changes.rows.moves.map { $0.from }, changes.rows.moves.map { $0.to })
    for path in changes.rows.deletes + leaving where path.section < section { rowsBefore -= 1 }
    for path in changes.rows.inserts + arriving where path.section < section { rowsBefore += 1 }
  }

  /// Moves the cursor section by section, in the direction that a function gives, until that is 0.
  @inlinable
  mutating func moveCursor(in list: List, _ direction: (_ section: Int, _ rowsBefore: Int) -> Int) {
    while true {
      let step = direction(section, rowsBefore)
      if step == 0 { break }
      if step < 0 { section -= 1 }
      let count = list.rowCount(inSection: section)
      rowsBefore += step < 0 ? -count : count
      if step > 0 { section += 1 }
    }
    assert(
      section <= 16 ? rowsBefore == (0..<section).reduce(0) { $0 + list.rowCount(inSection: $1) } : rowsBefore >= 0,
      "\(rowsBefore) rows are before section \(section)")
  }
}

extension ListChanges {
  /// Returns true if no section is changed, and no row before a path, in the list before and in the list after the changes.
  @inlinable
  func isBehind(_ path: RowPath) -> Bool {
    sections.isEmpty && rows.deletes.allSatisfy { $0 >= path } && rows.inserts.allSatisfy { $0 >= path }
      && rows.moves.allSatisfy { min($0.from, $0.to) >= path }
      && rows.updates.allSatisfy { min($0.from, $0.to) >= path }
  }
}

extension Arrangement {
  /// Cuts the list to some of its rows, counted over all sections. Sections without any of them are left out.
  ///
  ///     .sorted(by: .descending(\.date)).window(.first(50))
  ///     .window(.around(message, count: 100))
  ///
  /// - Parameter window: The rows to keep.
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: O(w + log n) for each changed row of n, w being the number of rows in the window.
  @inlinable
  public func window(_ window: RowWindow<Row.ID>) -> Arrangement {
    .init("it is outside of the window") { builder, tail in
      let upstream = builder.node(of: self)
      return ListNode(
        WindowOperator<Section, Row>(window, index: SourceIndex(shared: upstream.path)), reading: upstream
      ).ending(with: tail)
    }
  }
}

/// A part of a list, counted over all sections.
///
/// Any numbers are allowed: positions that the list does not have show nothing, and a negative length counts as 0.
public enum RowWindow<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The rows with these positions that the list has. The first row has the position 0.
  case rows(Range<Int>)
  /// This many rows at the end of the list.
  case last(Int)
  /// This many rows around the row with an id, as many before it as after it. At an end of the list there are fewer on
  /// one side and more on the other. If no row has the id, the first rows.
  case around(ID, count: Int)
  /// This many rows after the row with an id, without that one; all of them without a number. If no row has the id, the first
  /// rows.
  case after(ID, count: Int = .max)
  /// A page of rows; the first has the number 0. A page that the list does not have shows nothing, or is the last one.
  case page(number: Int, size: Int, beyondEnd: PageEndPolicy = .empty)

  /// This many rows at the start of the list.
  public static func first(_ count: Int) -> RowWindow { .rows(0..<max(0, count)) }

  /// The positions of the rows in a list of `count` rows, in which `place` finds the row with an id.
  @inlinable
  func positions(count: Int, place: (ID) -> Int?) -> Range<Int> {
    switch self {
    case .rows(let rows): return rows.clamped(to: 0..<count)
    case .last(let length): return count - min(max(0, length), count)..<count
    case .around(let id, let given):
      let length = min(max(0, given), count)
      guard let place = place(id) else { return 0..<length }
      let start = max(0, min(place - length / 2, count - length))
      return start..<start + length
    case .after(let id, let given):
      let start = place(id).map { $0 + 1 } ?? 0
      return start..<start + min(max(0, given), count - start)
    case .page(let number, let size, let policy):
      guard size > 0, count > 0, number >= 0 else { return 0..<0 }
      let last = (count - 1) / size
      if number > last && policy == .empty { return count..<count }
      let start = min(number, last) * size
      return start..<start + min(size, count - start)
    }
  }

  /// True if the positions follow a row.
  @inlinable var followsRow: Bool {
    switch self {
    case .around, .after: true
    case .rows, .last, .page: false
    }
  }
}

/// A policy for a page whose number is greater than that of the last page.
public enum PageEndPolicy: Hashable, Sendable {
  /// Nothing.
  case empty
  /// The last page, as long as the list has no more.
  case last
}
