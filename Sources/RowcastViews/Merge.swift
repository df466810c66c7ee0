public import RowcastDiff
public import RowcastModel

/// Which list counts if several merged lists have one row or section: its row is shown, or its section with title and place.
public enum MergePolicy: Hashable, Sendable {
  /// The first list that has it.
  case first
  /// The last list that has it.
  case last
}

/// Lists one after the other, as one list.
///
/// A row that several lists have belongs to one of them. So does a section, which has the rows of all lists in the order of the
/// lists. Everything stands in the order of what it belongs to.
@usableFromInline
struct Merge<Section: SectionViewModel, Row: RowViewModel> {
  @usableFromInline typealias Snapshot = ListSnapshot<Section, Row>
  /// A list, and a row or a section in it.
  @usableFromInline typealias RowPlace = (part: Int, path: RowPath)
  @usableFromInline typealias SectionPlace = (part: Int, index: Int)

  @usableFromInline let policy: MergePolicy
  @usableFromInline var output = ListOutput<Section, Row>()
  /// The lists that the output was made of.
  @usableFromInline var lists: [Snapshot] = []
  /// What finds rows and sections in them; made at the first change.
  @usableFromInline var indexes: [SourceIndex<Section, Row>] = []

  @inlinable
  init(_ policy: MergePolicy) { self.policy = policy }

  /// Makes the output from nothing.
  ///
  /// - Complexity: O(n) for n rows and sections.
  @inlinable
  mutating func rebuild(from lists: [Snapshot]) {
    self.lists = lists
    indexes = []
    let order = Array(policy == .first ? Array(lists.indices) : lists.indices.reversed())
    var sections: [Section.ID: SectionPlace] = [:]
    var rows: Set<Row.ID> = []
    var parts: [[ListSection<Section, Row>]] = Array(repeating: [], count: lists.count)
    for part in order {
      for (index, content) in lists[part].contents.enumerated() {
        let id = content.section.id
        if sections[id] == nil { sections[id] = (part, index) }
        let own = lists.count == 1 ? Array(content.rows) : content.rows.filter { rows.insert($0.id).inserted }
        parts[part].append(ListSection(content.section, rows: own))
      }
    }
    var material: [ListSection<Section, Row>] = []
    var indexes: [Section.ID: Int] = [:]
    for (part, contents) in parts.enumerated() {
      for (index, content) in contents.enumerated()
      where sections[content.model.id].map({ $0 == (part, index) }) ?? false {
        indexes[content.model.id] = material.count
        material.append(ListSection(content.model))
      }
    }
    for content in parts.joined() { if let index = indexes[content.model.id] { material[index].rows += content.rows } }
    output.rebuild(from: material)
  }

  /// Brings the output up to date with all lists, all at once.
  ///
  /// - Complexity: O(k log n) for each changed row of n in k lists, and O(k log² n) for each that comes or moves.
  @inlinable
  mutating func step(to lists: [Snapshot]) -> ListStep<Section, Row>? {
    let before = output.snapshot
    let changes = zip(self.lists, lists).map { $0.changes(to: $1) }
    var touched: [TouchedRows] = []
    for part in lists.indices {
      touched.append(TouchedRows(contentOf: changes[part], from: self.lists[part], to: lists[part]))
    }
    let count = touched.reduce(0) { $0 + $1.count }
    if count > 64 + lists.reduce(0, { $0 + $1.rowCount }) / 4 {
      rebuild(from: lists)
    } else {
      take(changes, touched, lists)
    }
    return output.commitStep(from: before)
  }

  /// Edits into the output what changes do to it.
  @inlinable
  mutating func take(_ changes: [ListChanges], _ touched: [TouchedRows], _ lists: [Snapshot]) {
    output.open()
    if indexes.isEmpty {
      indexes = self.lists.map { list in
        var index = SourceIndex<Section, Row>(shared: nil)
        index.rebuild(from: list)
        return index
      }
    }
    let (rows, sections) = (formerRows(touched, lists), formerSections(changes, lists))
    for part in lists.indices where !changes[part].isEmpty { indexes[part].follow(changes[part], to: lists[part]) }
    self.lists = lists
    var arrivals: [RowPlace] = []
    for (id, former) in rows { review(id, former, &arrivals) }
    takeSections(sections)
    for arrival in arrivals { insert(arrival) }
  }
}

// MARK: - What things belong to

extension Merge {
  @inlinable
  func row(_ id: Row.ID) -> RowPlace? {
    func find(_ part: Int) -> RowPlace? { indexes[part].path(ofRow: id).map { (part, $0) } }
    return policy == .first ? indexes.indices.firstNonNil(find) : indexes.indices.reversed().firstNonNil(find)
  }

  @inlinable
  func section(_ id: Section.ID) -> SectionPlace? {
    func find(_ part: Int) -> SectionPlace? { indexes[part].index(ofSection: id).map { (part, $0) } }
    return policy == .first ? indexes.indices.firstNonNil(find) : indexes.indices.reversed().firstNonNil(find)
  }

  /// What something belonged to before changes, and where else it has moved.
  @usableFromInline
  struct Former {
    @usableFromInline let part: Int?
    /// The lists in which it came, went or moved.
    @usableFromInline var moved: Set<Int> = []

    @inlinable
    init(_ part: Int?) { self.part = part }

    /// Whether it stands where it stood if it belongs to a list now.
    @inlinable
    func stays(in part: Int) -> Bool { self.part == part && !moved.contains(part) }
  }

  /// The rows to look at.
  @inlinable
  func formerRows(_ touched: [TouchedRows], _ lists: [Snapshot]) -> [Row.ID: Former] {
    var rows: [Row.ID: Former] = [:]
    func note(_ id: Row.ID, _ part: Int, hasMoved: Bool) {
      var former = rows[id] ?? Former(row(id)?.part)
      if hasMoved { former.moved.insert(part) }
      rows[id] = former
    }
    for (part, touched) in touched.enumerated() {
      for path in touched.leaving { note(self.lists[part].row(at: path).id, part, hasMoved: true) }
      for path in touched.arriving { note(lists[part].row(at: path).id, part, hasMoved: true) }
      for touch in touched.staying { note(lists[part].row(at: touch.path).id, part, hasMoved: touch.hasMoved) }
    }
    return rows
  }

  /// The sections to look at.
  @inlinable
  func formerSections(_ changes: [ListChanges], _ lists: [Snapshot]) -> [Section.ID: Former] {
    var sections: [Section.ID: Former] = [:]
    func note(_ id: Section.ID, _ part: Int, hasMoved: Bool) {
      var former = sections[id] ?? Former(section(id)?.part)
      if hasMoved { former.moved.insert(part) }
      sections[id] = former
    }
    for (part, changes) in changes.enumerated() {
      for index in changes.sections.deletes { note(self.lists[part].section(at: index).id, part, hasMoved: true) }
      for index in changes.sections.inserts { note(lists[part].section(at: index).id, part, hasMoved: true) }
      for move in changes.sections.moves { note(lists[part].section(at: move.to).id, part, hasMoved: true) }
      for update in changes.sections.updates { note(lists[part].section(at: update.to).id, part, hasMoved: false) }
    }
    return sections
  }
}

// MARK: - Editing

extension Merge {
  /// Looks at a row of any list.
  @inlinable
  mutating func review(_ id: Row.ID, _ former: Former, _ arrivals: inout [RowPlace]) {
    let (place, found) = (row(id), output.draft.find(id))
    if let place, let found, former.stays(in: place.part) {
      return output.draft.replaceRow(found.row, at: found.path, with: lists[place.part].row(at: place.path))
    }
    if let found { output.draft.removeRow(at: found.path) }
    if let place { arrivals.append(place) }
  }

  /// Looks at sections. Those that go have no rows any more.
  @inlinable
  mutating func takeSections(_ sections: [Section.ID: Former]) {
    var unsettled: Set<Section.ID> = []
    for (id, former) in sections {
      let index = output.draft.index(ofSection: id)
      guard let place = section(id) else {
        if let index { output.draft.removeSection(at: index) }
        continue
      }
      let model = lists[place.part].section(at: place.index)
      if let index {
        output.draft.replaceSection(at: index, with: model)
        if former.stays(in: place.part) { continue }
        output.draft.moveSection(from: index, to: output.draft.list.sectionCount - 1)
      } else {
        output.draft.insertSection(model, at: output.draft.list.sectionCount)
      }
      unsettled.insert(id)
    }
    // Sections that are not in order stand at the end.
    for id in unsettled {
      guard let from = output.draft.index(ofSection: id), let place = section(id) else { continue }
      let to = output.draft.list.partitioningSection { other, _ in
        unsettled.contains(other.id) || section(other.id).map { $0 > place } ?? true
      }
      output.draft.moveSection(from: from, to: to)
      unsettled.remove(id)
    }
  }

  /// Puts a row where it belongs.
  @inlinable
  mutating func insert(_ place: RowPlace) {
    let list = lists[place.part]
    guard let section = output.draft.index(ofSection: list.section(at: place.path.section).id) else { return }
    let index = output.draft.list.partitioningRow(inSection: section) { other in
      row(other.id).map { ($0.part, $0.path.row) > (place.part, place.path.row) } ?? true
    }
    output.draft.insertRow(list.row(at: place.path), at: RowPath(section: section, row: index))
  }
}

extension Sequence {
  /// The first result that is not `nil`.
  @inlinable
  func firstNonNil<Result>(_ transform: (Element) -> Result?) -> Result? {
    for element in self { if let result = transform(element) { return result } }
    return nil
  }
}
