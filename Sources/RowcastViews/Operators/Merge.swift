public import RowcastDiff
public import RowcastModel

/// The list that wins if several merged lists have one row or section: its row is shown, or its section with its title and place.
public enum MergePolicy: Hashable, Sendable {
  /// The first list that has it.
  case first
  /// The last list that has it.
  case last
}

/// Lists one after the other, as one list.
///
/// A row that several lists have belongs to one of them, its owner; so does a section. A section has the rows of all lists. They
/// are ordered by owner, then in the owner's order.
@usableFromInline
struct Merge<Section: SectionViewModel, Row: RowViewModel>: ListOperator {
  @usableFromInline typealias Snapshot = ListSnapshot<Section, Row>
  /// Lists in their order, the objects that they are recognised by, and for each a number that changes with it. If an object is
  /// gone, another list may have its identity: it counts as the list that changed. Three arrays: of lists that stay as they are
  /// only the numbers are looked at.
  @usableFromInline typealias Input = (lists: [Snapshot], identities: [ObjectIdentifier], versions: [Int])
  /// A list, and a row or a section in it.
  @usableFromInline typealias RowPlace = (part: Int, path: RowPath)
  @usableFromInline typealias SectionPlace = (part: Int, index: Int)

  @usableFromInline let policy: MergePolicy
  @usableFromInline let output = ListOutput<Section, Row>()
  /// The lists that the output was made from.
  @usableFromInline var lists: [Snapshot] = []
  /// The indexes of these lists; made at the first change.
  @usableFromInline var indexes: [SourceIndex<Section, Row>] = []

  @inlinable
  init(_ policy: MergePolicy) { self.policy = policy }

  /// Takes O(n) for n rows and sections.
  @inlinable
  mutating func rebuild(from input: Input) {
    lists = input.lists
    indexes = []
    /// The owners of sections.
    var owners: [Section.ID: Int] = [:]
    var rows: Set<Row.ID> = []
    var parts: [[ListSection<Section, Row>]] = Array(repeating: [], count: lists.count)
    for part in order {
      for content in lists[part].contents {
        let id = content.section.id
        if owners[id] == nil { owners[id] = part }
        let own = lists.count == 1 ? Array(content.rows) : content.rows.filter { rows.insert($0.id).inserted }
        parts[part].append(ListSection(content.section, rows: own))
      }
    }
    var material: [ListSection<Section, Row>] = []
    var indexes: [Section.ID: Int] = [:]
    for (part, contents) in parts.enumerated() {
      for content in contents where owners[content.model.id] == part {
        indexes[content.model.id] = material.count
        material.append(ListSection(content.model))
      }
    }
    for content in parts.joined() { if let index = indexes[content.model.id] { material[index].rows += content.rows } }
    output.rebuild(from: material)
  }

  /// There is an index for each list or none, and no row is shown that no list has.
  @inlinable
  func checkInvariants(for input: Input) {
    #if DEBUG
      assert(indexes.isEmpty || indexes.count == lists.count, "\(indexes.count) indexes of \(lists.count) lists")
      let (rows, shown) = (lists.map { $0.rowCount }, output.snapshot.rowCount)
      assert(
        shown <= rows.reduce(0, +) && shown >= rows.max() ?? 0, "\(shown) rows are shown of lists that have \(rows)")
    #endif
  }

  /// A list that changed, was added, or was removed. An added list was empty before, a removed one is emptied.
  @usableFromInline typealias Update = (
    part: Int, before: Snapshot, after: Snapshot, changes: ListChanges, touched: TouchedRows
  )
  /// The indexes of lists before and after the change, and those that changed by their numbers among these; `[]` if the lists are
  /// the same. `nil` if lists that stay have another order.
  @usableFromInline typealias Change = (parts: [(former: Int?, current: Int?)], updates: [Update])?

  @inlinable
  func change(from before: Input, to after: Input) -> Change {
    var (parts, updates): ([(former: Int?, current: Int?)], [Update]) = ([], [])
    func note(_ part: Int, _ before: Snapshot, _ after: Snapshot) {
      let changes = before.changes(to: after)
      updates.append((part, before, after, changes, TouchedRows(contentOf: changes, from: before, to: after)))
    }
    if before.identities == after.identities {
      for part in before.versions.indices where before.versions[part] != after.versions[part] {
        note(part, before.lists[part], after.lists[part])
      }
      return ([], updates)
    }
    let origins = after.identities.map { before.identities.firstIndex(of: $0) }
    let kept = origins.compactMap { $0 }
    guard zip(kept, kept.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
    var former = 0
    for (current, origin) in origins.enumerated() {
      if let origin {
        parts += (former..<origin).map { ($0, nil) }
        former = origin + 1
      }
      parts.append((origin, current))
    }
    parts += (former..<before.lists.count).map { ($0, nil) }
    for (part, (former, current)) in parts.enumerated() {
      note(part, former.map { before.lists[$0] } ?? Snapshot(), current.map { after.lists[$0] } ?? Snapshot())
    }
    return (parts, updates)
  }

  @inlinable
  func work(for change: Change, to after: Input) -> (step: Int, rebuild: Int) {
    (change.map { $0.updates.reduce(0) { $0 + $1.touched.count } } ?? .max, output.snapshot.rowCount)
  }

  /// Takes O(k log n) for each changed row of n in k lists, and O(k log² n) for each that is inserted or moved, or is in a list
  /// that was added or removed.
  @inlinable
  mutating func step(_ change: Change, from before: Input, to after: Input) {
    guard let (parts, updates) = change else { return rebuild(from: after) }
    if !parts.isEmpty {
      lists = parts.map { $0.former.map { lists[$0] } ?? Snapshot() }
      if !indexes.isEmpty { indexes = parts.map { $0.former.map { indexes[$0] } ?? SourceIndex(shared: nil) } }
    }
    apply(updates)
    if !parts.isEmpty {
      lists = after.lists
      indexes = parts.indices.filter { parts[$0].current != nil }.map { indexes[$0] }
    }
  }

  /// Edits changes into the output.
  @inlinable
  mutating func apply(_ updates: [Update]) {
    output.open()
    if indexes.isEmpty {
      indexes = lists.map { list in
        let index = SourceIndex<Section, Row>(shared: nil)
        index.rebuild(from: list)
        return index
      }
    }
    let (rows, sections) = former(updates)
    for update in updates {
      indexes[update.part].follow(update.changes, to: update.after)
      lists[update.part] = update.after
    }
    var arrivals: [RowPlace] = []
    for (id, former) in rows { review(id, former, &arrivals) }
    applySections(sections)
    for arrival in arrivals { insert(arrival) }
  }

  // MARK: - Owners

  /// The lists, those that win first.
  @inlinable var order: StrideTo<Int> {
    policy == .first ? stride(from: 0, to: lists.count, by: 1) : stride(from: lists.count - 1, to: -1, by: -1)
  }

  @inlinable
  func row(_ id: Row.ID) -> RowPlace? {
    for part in order { if let path = indexes[part].path(ofRow: id) { return (part, path) } }
    return nil
  }

  /// The place of a row. If no list inserted, removed or moved it, its owner is unchanged.
  @inlinable
  func row(_ id: Row.ID, since former: Former) -> RowPlace? {
    guard former.moved.isEmpty, let part = former.part else { return row(id) }
    return indexes[part].path(ofRow: id).map { (part, $0) }
  }

  @inlinable
  func section(_ id: Section.ID) -> SectionPlace? {
    for part in order { if let index = indexes[part].index(ofSection: id) { return (part, index) } }
    return nil
  }

  /// The owner of a row or section before changes, and the lists that inserted, removed or moved it.
  @usableFromInline typealias Former = (part: Int?, moved: [Int])

  /// Returns true if a row or section that a list owns keeps its place there.
  @inlinable
  func stays(_ former: Former, in part: Int) -> Bool { former.part == part && !former.moved.contains(part) }

  /// The rows and sections to look at.
  @inlinable
  func former(_ updates: [Update]) -> (rows: [Row.ID: Former], sections: [Section.ID: Former]) {
    var (rows, sections): ([Row.ID: Former], [Section.ID: Former]) = ([:], [:])
    // If no row is in several lists, the owner is the list that has it. A row that arrives is placed in any case.
    let isDisjoint = lists.reduce(0) { $0 + $1.rowCount } == output.draft.list.rowCount
    func note(_ id: Row.ID, _ part: Int, hasMoved: Bool = true) {
      var former = rows[id] ?? (isDisjoint ? part : row(id)?.part, [])
      if hasMoved { former.moved.append(part) }
      rows[id] = former
    }
    func noteSection(_ id: Section.ID, _ part: Int, hasMoved: Bool = true) {
      var former = sections[id] ?? (section(id)?.part, [])
      if hasMoved { former.moved.append(part) }
      sections[id] = former
    }
    for update in updates {
      let part = update.part
      for path in update.touched.leaving { note(update.before.row(at: path).id, part) }
      for path in update.touched.arriving { note(update.after.row(at: path).id, part) }
      for touch in update.touched.staying {
        note(update.after.row(at: touch.path).id, part, hasMoved: touch.hasMoved)
      }
      let changes = update.changes.sections
      for index in changes.deletes { noteSection(update.before.section(at: index).id, part) }
      for index in changes.inserts { noteSection(update.after.section(at: index).id, part) }
      for move in changes.moves { noteSection(update.after.section(at: move.to).id, part) }
      for same in changes.updates { noteSection(update.after.section(at: same.to).id, part, hasMoved: false) }
    }
    return (rows, sections)
  }

  // MARK: - Editing

  /// Updates, removes or collects a row of any list.
  @inlinable
  mutating func review(_ id: Row.ID, _ former: Former, _ arrivals: inout [RowPlace]) {
    let (place, found) = (row(id, since: former), output.draft.locate(id))
    if let place, let found, stays(former, in: place.part) {
      return output.draft.replaceRow(found.row, at: found.path, with: lists[place.part].row(at: place.path))
    }
    if let found { output.draft.removeRow(at: found.path) }
    if let place { arrivals.append(place) }
  }

  /// Updates sections of any list. Those that are removed have no rows any more.
  @inlinable
  mutating func applySections(_ sections: [Section.ID: Former]) {
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
        if stays(former, in: place.part) { continue }
        output.draft.moveSection(from: index, to: output.draft.list.sectionCount - 1)
      } else {
        output.draft.insertSection(model, at: output.draft.list.sectionCount)
      }
      unsettled.insert(id)
    }
    // Sections that are not in order are at the end.
    for id in unsettled {
      guard let from = output.draft.index(ofSection: id), let place = section(id) else { continue }
      let to = output.draft.list.partitioningSection { other, _ in
        unsettled.contains(other.id) || section(other.id).map { $0 > place } ?? true
      }
      output.draft.moveSection(from: from, to: to)
      unsettled.remove(id)
    }
  }

  /// Inserts a row where it belongs.
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
