import RowcastDiff

extension WireChanges {
  typealias Draft = ListDraft<Section, Row>

  /// Takes out rows, then sections, by positions before; puts in sections, then rows, by positions after, ascending;
  /// sets updated content.
  ///
  /// - Throws: ``WireError`` or ``ListError`` for what does not fit the list; some edits were then made.
  /// - Complexity: O(k log n) for k operations on n rows, those of inserted and deleted sections included.
  func fold(into draft: inout Draft) throws {
    let travellers = try takeOutRows(of: &draft)
    let entries = try takeOutSections(of: &draft)
    try putInSections(moving: entries, into: &draft)
    try putInRows(moving: travellers, into: &draft)
    try setContent(in: &draft)
  }

  private func takeOutRows(of draft: inout Draft) throws -> [RowPath: Row] {
    var travellers: [RowPath: Row] = [:]
    for path in try descending(changes.rows.deletes + changes.rows.moves.map(\.from), "row") {
      guard draft.list.contains(path) else { throw outOfRange("taking out row", path) }
      travellers[path] = draft.removeRow(at: path)
    }
    return travellers
  }

  /// Gives back the sections that move, with their rows, by their index before.
  private func takeOutSections(of draft: inout Draft) throws -> [Int: SectionEntry<Section, Row>] {
    var entries: [Int: SectionEntry<Section, Row>] = [:]
    let moving = Set(changes.sections.moves.map(\.from))
    for index in try descending(changes.sections.deletes + changes.sections.moves.map(\.from), "section") {
      guard (0..<draft.list.sectionCount).contains(index) else { throw outOfRange("taking out section", index) }
      if moving.contains(index) {
        entries[index] = draft.list.tree.remove(at: index, &draft.ledger)
      } else {
        draft.removeSection(at: index)
      }
    }
    return entries
  }

  /// Puts in sections: those that move with their rows, new ones still without.
  private func putInSections(moving entries: [Int: SectionEntry<Section, Row>], into draft: inout Draft) throws {
    typealias Arrival = (index: Int, section: Section, moving: SectionEntry<Section, Row>?)
    let arrivals =
      zip(changes.sections.inserts, insertedSections).map { Arrival($0, $1.model, nil) }
      + changes.sections.moves.compactMap { move in entries[move.from].map { Arrival(move.to, $0.model, $0) } }
    for (index, section, entry) in arrivals.sorted(by: { $0.index < $1.index }) {
      guard (0...draft.list.sectionCount).contains(index) else { throw outOfRange("putting in section", index) }
      if let first = draft.index(ofSection: section.id) {
        throw ListError<Section.ID, Row.ID>.duplicateSection(section.id, first: first, second: index)
      }
      if let entry {
        draft.list.tree.insert(entry, at: index, &draft.ledger)
      } else {
        draft.insertSection(section, at: index)
      }
    }
  }

  private func putInRows(moving travellers: [RowPath: Row], into draft: inout Draft) throws {
    let newSections = zip(changes.sections.inserts, insertedSections).flatMap { index, section in
      section.rows.enumerated().map { (RowPath(section: index, row: $0.offset), $0.element) }
    }
    let arrivals =
      newSections + zip(changes.rows.inserts, insertedRows)
      + changes.rows.moves.compactMap { move in travellers[move.from].map { (move.to, $0) } }
    for (path, row) in arrivals.sorted(by: { $0.0 < $1.0 }) {
      guard (0..<draft.list.sectionCount).contains(path.section),
        (0...draft.list.rowCount(inSection: path.section)).contains(path.row)
      else { throw outOfRange("putting in row", path) }
      if let first = draft.path(ofRow: row.id) {
        throw ListError<Section.ID, Row.ID>.duplicateRow(row.id, first: first, second: path)
      }
      draft.insertRow(row, at: path)
    }
  }

  private func setContent(in draft: inout Draft) throws {
    for (update, content) in zip(changes.sections.updates, updatedSections) {
      guard (0..<draft.list.sectionCount).contains(update.to) else { throw outOfRange("updating section", update.to) }
      draft.replaceSection(at: update.to, with: Section(id: draft.list.section(at: update.to).id, content: content))
    }
    for (update, row) in zip(changes.rows.updates, updatedRows) {
      guard draft.list.contains(update.to) else { throw outOfRange("updating row", update.to) }
      let known = draft.list.row(at: update.to)
      guard known.id == row.id else {
        throw WireError.contradiction(
          "the update of row \(update.to) has the id \(row.id), but that row is \(known.id)")
      }
      draft.replaceRow(known, at: update.to, with: row)
    }
  }

  private func outOfRange(_ operation: String, _ position: some CustomStringConvertible) -> WireError {
    .outOfRange(operation: operation, position: "\(position)")
  }

  private func descending<Position: Comparable>(_ positions: [Position], _ name: String) throws -> [Position] {
    let sorted = positions.sorted(by: >)
    if let twice = zip(sorted, sorted.dropFirst()).first(where: { $0 == $1 }) {
      throw WireError.contradiction("\(name) \(twice.0) is taken out twice")
    }
    return sorted
  }
}
