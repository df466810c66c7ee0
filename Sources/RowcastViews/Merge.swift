public import RowcastDiff
public import RowcastModel

/// Lists one after the other, as one list.
@usableFromInline
struct Merge<Section: SectionViewModel, Row: RowViewModel> {
  @usableFromInline typealias Snapshot = ListSnapshot<Section, Row>

  @usableFromInline var output = ListDraft<Section, Row>()
  /// The lists that the output was made of.
  @usableFromInline var lists: [Snapshot]?
  /// Whether ids occur twice, so that not all is in the output.
  @usableFromInline var hasDuplicates = false

  @inlinable
  init() {}

  /// Makes the output from nothing.
  ///
  /// - Complexity: O(n) for n rows and sections.
  @inlinable
  mutating func rebuild(from lists: [Snapshot]) {
    self.lists = lists
    let material = Snapshot.keepingFirst(lists.flatMap { $0.material })
    let merged = Snapshot(unchecked: material)
    hasDuplicates =
      merged.rowCount != lists.reduce(0) { $0 + $1.rowCount }
      || merged.sectionCount != lists.reduce(0) { $0 + $1.sectionCount }
    output.replace(with: merged)
  }

  /// Edits into the output what changes of the lists do to it.
  ///
  /// - Parameters:
  ///   - before: The lists before.
  ///   - after: The lists after.
  ///   - isChanged: Which of them differ.
  @inlinable
  mutating func take(_ before: [Snapshot], _ after: [Snapshot], _ isChanged: [Bool]) {
    let (old, new) = (Self.starts(before), Self.starts(after))
    var changes = ListChanges()
    for index in after.indices where isChanged[index] {
      changes.add(before[index].changes(to: after[index]), from: old[index], to: new[index])
    }
    func place(_ section: Int) -> (list: Int, section: Int) {
      let list = new.lastIndex { $0 <= section } ?? 0
      return (list, section - new[list])
    }
    func row(_ path: RowPath) -> Row {
      let (list, section) = place(path.section)
      return after[list].row(at: RowPath(section: section, row: path.row))
    }
    func section(_ index: Int) -> ListSection<Section, Row> {
      let (list, section) = place(index)
      return ListSection(after[list].section(at: section), rows: Array(after[list].rows(inSection: section)))
    }
    lists = after
    if hasDuplicates || bringsDuplicates(changes, row: row, section: section) { return rebuild(from: after) }
    output.apply(changes, row: row, section: section)
    for update in changes.sections.updates {
      let (list, section) = place(update.to)
      output.replaceSection(at: update.to, with: after[list].section(at: section))
    }
    for update in changes.rows.updates { output.replaceRow(at: update.to, with: row(update.to)) }
  }

  /// Where the sections of each list begin.
  @inlinable
  static func starts(_ lists: [Snapshot]) -> [Int] {
    var start = 0
    return lists.map { list in
      defer { start += list.sectionCount }
      return start
    }
  }

  /// Whether something arrives whose id is there, and stays.
  @inlinable
  func bringsDuplicates(
    _ changes: ListChanges, row: (RowPath) -> Row, section: (Int) -> ListSection<Section, Row>
  ) -> Bool {
    if changes.sections.inserts.isEmpty && changes.rows.inserts.isEmpty { return false }
    let sections = changes.sections.inserts.map(section)
    let rows = changes.rows.inserts.map { row($0).id } + sections.flatMap { $0.rows.map { $0.id } }
    let leavingRows = Set(changes.rows.deletes)
    let leavingSections = Set(changes.sections.deletes)
    for id in rows {
      guard let path = output.path(ofRow: id) else { continue }
      if !leavingRows.contains(path) && !leavingSections.contains(path.section) { return true }
    }
    for section in sections {
      guard let index = output.index(ofSection: section.model.id) else { continue }
      if !leavingSections.contains(index) { return true }
    }
    return Set(rows).count < rows.count || Set(sections.map(\.model.id)).count < sections.count
  }
}

extension ListChanges {
  /// Adds the changes of a list that is part of another one.
  ///
  /// - Parameters:
  ///   - part: The changes.
  ///   - old: The index of its first section before the change.
  ///   - new: The index of its first section after the change.
  @inlinable
  mutating func add(_ part: ListChanges, from old: Int, to new: Int) {
    func before(_ path: RowPath) -> RowPath { RowPath(section: path.section + old, row: path.row) }
    func after(_ path: RowPath) -> RowPath { RowPath(section: path.section + new, row: path.row) }
    sections.deletes += part.sections.deletes.map { $0 + old }
    sections.inserts += part.sections.inserts.map { $0 + new }
    sections.moves += part.sections.moves.map { .init(from: $0.from + old, to: $0.to + new) }
    sections.updates += part.sections.updates.map { .init(from: $0.from + old, to: $0.to + new) }
    rows.deletes += part.rows.deletes.map(before)
    rows.inserts += part.rows.inserts.map(after)
    rows.moves += part.rows.moves.map { .init(from: before($0.from), to: after($0.to)) }
    rows.updates += part.rows.updates.map { .init(from: before($0.from), to: after($0.to)) }
  }
}
