public import RowcastDiff
public import RowcastModel

/// Shows a list as an outline: rows under their parents, if these are expanded.
///
/// To move a subtree, it is hidden using the old forest, then shown using the new one.
/// It is shown after the last shown descendant of its previous sibling, or after its parent.
@usableFromInline
struct OutlineOperator<Section: SectionViewModel, InputRow: RowViewModel, Row: RowViewModel, Value>: ListOperator
where Row.ID == InputRow.ID {
  @usableFromInline typealias ID = InputRow.ID
  @usableFromInline typealias List = ListSnapshot<Section, InputRow>
  @usableFromInline typealias Expanded = ExpandedRows<ID>
  @usableFromInline typealias Level = Expanded.Level
  /// A list, and the rows that are expanded: the revisions of these are compared, which takes less than to compare themselves.
  @usableFromInline typealias Input = (list: List, expanded: Expanded, revision: Int?)
  /// `reopened` has the rows whose expansion changed.
  @usableFromInline typealias Change = (list: ListChanges, touched: TouchedRows, reopened: Set<ID>, hasOtherDepth: Bool)
  /// Makes the row that is shown.
  @usableFromInline typealias Transform = (InputRow, OutlinePlace<ID>, Subtotals<InputRow, Value>) -> Row

  @usableFromInline var forest: OutlineForest<Section, InputRow, Value>
  @usableFromInline let transform: Transform
  @usableFromInline var expanded = Expanded()
  @usableFromInline let output = ListOutput<Section, Row>()
  /// The levels of some rows, while nothing changes them.
  @usableFromInline var levels: [ID: Level] = [:]

  @inlinable
  init(_ forest: consuming OutlineForest<Section, InputRow, Value>, transform: @escaping Transform) {
    self.forest = forest
    self.transform = transform
  }

  @usableFromInline var failures: [ID: any Error] { forest.failures }

  // MARK: - Building

  /// Takes O(n) for n rows, shown or not.
  @inlinable
  mutating func rebuild(from input: Input) {
    let list = input.list
    expanded = input.expanded
    let all = Array(list.allRows)
    let table = forest.rebuild(from: list, all)
    if isAbandoned(at: 0) { return }
    var top = table.children(of: OutlineTable.top)[...]
    var material: [ListSection<Section, Row>] = []
    var end = 0
    for section in 0..<list.sectionCount {
      end += list.rowCount(inSection: section)
      let count = top.prefix { $0 < end }.count
      let rows = shown(
        Array(top.prefix(count)), Expanded.topLevel, isRebuilding: true, children: { table.children(of: $0) }
      ) {
        number, level in
        let parent = table.parents[number]
        return place(
          all[number], level, under: parent < 0 ? nil : all[parent].id, hasChildren: table.hasChildren(number),
          passes: table.passes[number])
      }
      top = top.dropFirst(count)
      material.append(ListSection(list.section(at: section), rows: rows))
    }
    output.rebuild(from: material)
  }

  /// The rows that are shown for some siblings and their descendants, in order. Without recursion: an outline may be as deep as
  /// the list is long.
  @inlinable
  func shown<Node>(
    _ siblings: [Node], _ level: Level, isRebuilding: Bool = false, children: (Node) -> [Node],
    row: (Node, Level) -> (row: Row, isExpanded: Bool)
  ) -> [Row] {
    var rows: [Row] = []
    var rest = [(siblings: siblings[...], level: level)]
    while let last = rest.indices.last {
      guard let node = rest[last].siblings.popFirst() else {
        rest.removeLast()
        continue
      }
      let level = rest[last].level
      let (row, isExpanded) = row(node, level)
      rows.append(row)
      if isExpanded { rest.append((children(node)[...], expanded.level(below: row.id, at: level))) }
      if isRebuilding, isAbandoned(at: rows.count) { break }
    }
    return rows
  }

  /// The row that is shown for a row of the list.
  @inlinable
  func place(
    _ row: InputRow, _ level: Level, under parent: ID?, hasChildren: Bool, passes: Bool
  ) -> (row: Row, isExpanded: Bool) {
    let isExpanded = hasChildren && expanded.isExpanded(row.id, at: level)
    let place = OutlinePlace(
      depth: level.depth, parent: parent, hasChildren: hasChildren, isExpanded: isExpanded, isMatch: passes)
    let new = transform(row, place, forest.subtotals)
    require(new.id == row.id, "The row \(row.id) has the id \(new.id) in an outline; give the new row the same id")
    return (new, isExpanded)
  }

  // MARK: - Following

  @inlinable
  func change(from before: Input, to after: Input) -> Change {
    let changes = before.list.changes(to: after.list)
    let isSame = before.revision == after.revision
    return (
      changes, TouchedRows(changes, from: before.list, to: after.list),
      isSame ? [] : after.expanded.differences(from: before.expanded),
      !isSame && after.expanded.depth != before.expanded.depth
    )
  }

  /// If all rows to another depth are expanded, any number of rows is shown or hidden.
  @inlinable
  func work(for change: Change, to after: Input) -> (step: Int, rebuild: Int) {
    (change.hasOtherDepth ? .max : change.touched.count + change.reopened.count, after.list.rowCount)
  }

  /// Takes O(d log n) for each changed row at depth d, and O(log n) for each row that is shown or hidden.
  @inlinable
  mutating func step(_ change: Change, from before: Input, to after: Input) {
    let (changes, touched, reopened, _) = change
    let expanded = after.expanded
    let (before, after) = (before.list, after.list)
    output.open()
    forest.index.follow(changes, to: after)
    forest.list = after
    let misplaced = forest.misplaced(by: touched, from: before)
    hide(misplaced.union(reopened))
    forest.replace(misplaced, touched, from: before)
    output.draft.follow(
      changes.sections, section: after.section(at:), rows: Array(repeating: [], count: changes.sections.inserts.count))
    self.expanded = expanded
    levels = [:]
    forest.unsettled.formUnion(reopened)
    show()
    refresh()
  }

  /// The level of a row. Takes O(d log n) at depth d, or less if the level of an ancestor is known.
  @inlinable
  mutating func level(of id: ID) -> Level {
    var (path, next): ([ID], ID) = ([], id)
    while levels[next] == nil, let parent = forest.place(of: next)?.group.parent {
      path.append(next)
      next = parent
    }
    var level = levels[next] ?? Expanded.topLevel
    levels[next] = level
    for id in path.reversed() {
      level = expanded.level(below: next, at: level)
      levels[id] = level
      next = id
    }
    return level
  }

  /// The last shown descendant of a shown row, or the row itself. Takes O(d log n) for d levels.
  @inlinable
  func last(at id: ID, _ level: Level) -> ID {
    var (last, level) = (id, level)
    while expanded.isExpanded(last, at: level), let child = forest.children(of: last).last {
      level = expanded.level(below: last, at: level)
      last = child.id
    }
    return last
  }

  /// Removes rows, with their shown descendants, from the output: the highest first, as their descendants must be complete.
  @inlinable
  mutating func hide(_ ids: Set<ID>) {
    var leveled: [(ID, Level)] = []
    for id in ids { leveled.append((id, level(of: id))) }
    for (id, level) in leveled.sorted(by: { $0.1.depth < $1.1.depth }) {
      guard let start = output.draft.locate(id)?.path else { continue }
      let end = requiredPath(of: last(at: id, level))
      output.draft.removeRows(start.row..<end.row + 1, inSection: start.section)
    }
  }

  /// Inserts the rows that the output lacks, and removes the rows that it must not have any more: the deepest first, then
  /// siblings in order, so that everything before a row is in the output when it is inserted.
  @inlinable
  mutating func show() {
    var arriving: [(id: ID, depth: Int, path: RowPath)] = []
    for id in forest.unsettled {
      let path = output.draft.locate(id)?.path
      if forest.place(of: id)?.group.isKept ?? false {
        if path == nil { arriving.append((id, level(of: id).depth, forest.index.requiredPath(ofRow: id))) }
      } else if let path {
        output.draft.removeRow(at: path)
      }
    }
    arriving.sort { $0.depth == $1.depth ? $0.path < $1.path : $0.depth > $1.depth }
    for (id, _, path) in arriving { show(id, path) }
    forest.unsettled = []
  }

  @inlinable
  mutating func show(_ id: ID, _ path: RowPath) {
    guard let (place, _, group) = forest.place(of: id), output.draft.locate(id) == nil else { return }
    let level = level(of: id)
    let previous = RowPath(section: place.section, row: place.row - 1)
    let sibling = place.row == 0 ? nil : forest.groups.list.row(at: previous).id
    var destination = RowPath(section: path.section, row: 0)
    if let parent = group.parent {
      guard let above = output.draft.locate(parent)?.path, expanded.isExpanded(parent, at: self.level(of: parent))
      else { return }
      destination = RowPath(section: above.section, row: above.row + 1)
    }
    if let sibling, group.parent != nil || forest.index.requiredPath(ofRow: sibling).section == path.section {
      destination = requiredPath(of: last(at: sibling, level))
      destination.row += 1
    }
    let rows = shown([id], level, children: { id in forest.children(of: id).map { $0.id } }, row: { made($0, $1) })
    output.draft.insertRows(rows, at: destination)
  }

  @inlinable
  func made(_ id: ID, _ level: Level) -> (row: Row, isExpanded: Bool) {
    let place = forest.place(of: id)
    return self.place(
      forest.row(id), level, under: place?.group.parent.map { forest.spelled($0) }, hasChildren: forest.hasChildren(id),
      passes: place?.member.passes ?? true)
  }

  /// Updates the content of the shown rows that are stale.
  @inlinable
  mutating func refresh() {
    for id in forest.stale {
      guard let (path, row) = output.draft.locate(id) else { continue }
      output.draft.replaceRow(row, at: path, with: made(id, level(of: id)).row)
    }
    (forest.stale, levels) = ([], [:])
  }

  @inlinable
  func requiredPath(of id: ID) -> RowPath {
    guard let path = output.draft.locate(id)?.path else { stop("The row \(id) is not shown, and should be") }
    return path
  }
}
