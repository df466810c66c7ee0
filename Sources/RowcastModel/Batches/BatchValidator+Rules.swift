import RowcastDiff

// The rules that operations name existing sections and rows: A6, A8, A9 and A3.
extension BatchValidator {
  func deleteOutOfBounds() -> BatchError? {
    guard let place = (sections.deletes + rows.deletes).first(where: { !before.contain($0) }) else { return nil }
    let there =
      place.row == nil || !before.hasSection(place.section)
      ? ", but \(known(place, before))" : " which only contains \(before[place.section]) rows"
    return error(
      .deleteOutOfBounds, at: [place], "attempt to delete \(subject(place, "from"))\(there) before the update")
  }

  func insertOutOfBounds() -> BatchError? {
    guard let place = (sections.inserts + rows.inserts).first(where: { !after.contain($0) }) else { return nil }
    // UIKit has a comma for rows only.
    return error(
      .insertOutOfBounds, at: [place],
      "attempt to insert \(subject(place, "into"))\(place.row == nil ? "" : ",") but \(known(place, after)) after the update"
    )
  }

  private func subject(_ place: BatchPlace, _ preposition: String) -> String {
    guard let row = place.row else { return "section \(place.section)" }
    return "row \(row) \(preposition) section \(place.section)"
  }

  /// The count that a place exceeds.
  private func known(_ place: BatchPlace, _ counts: RowCounts) -> String {
    place.row != nil && counts.hasSection(place.section)
      ? "there are only \(counts[place.section]) rows in section \(place.section)"
      : "there are only \(counts.count) sections"
  }

  func moveOutOfBounds() -> BatchError? {
    for move in sections.moves + rows.moves {
      let isSource = !before.contain(move.from)
      if !isSource && after.contain(move.to) { continue }
      let (place, counts, side) = isSource ? (move.from, before, "before") : (move.to, after, "after")
      let fault =
        place.row == nil
        ? ", but"
        : counts.hasSection(place.section)
          ? " that does not exist -"
          : isSource ? " from a section that does not exist -" : " in section that does not exist -"
      let moved = isSource ? name(place) : "\(name(move.from)) to \(name(place))"
      return error(
        .moveOutOfBounds, at: isSource ? [place] : [move.from, place],
        "attempt to move \(moved)\(fault) \(known(place, counts)) \(side) the update")
    }
    return nil
  }

  private func name(_ place: BatchPlace) -> String {
    place.row == nil ? "section \(place.section)" : "index path (\(place.position))"
  }

  func updateOutOfBounds() -> BatchError? {
    if sections.updates.isEmpty && rows.updates.isEmpty { return nil }
    let map = PathMap(changes)
    for update in sections.updates + rows.updates {
      if before.contain(update.from), after.contain(update.to), map.destination(of: update.from) == update.to {
        continue
      }
      let fault =
        update.from.row == nil
        ? "that the batch does not take there; there are \(before.count) sections before and \(after.count) after the update"
        : "that does not exist or that the batch does not take there"
      let (from, to) = (name(update.from), update.to.row == nil ? update.to.position : "(\(update.to.position))")
      return error(
        .updateOutOfBounds, at: [update.from, update.to],
        "attempt to update \(update.from.row == nil ? "" : "the row at ")\(from), \(to) after the update, \(fault)")
    }
    return nil
  }

  // The rules that concern counts: A11 and A12.

  func wrongSectionCount() -> BatchError? {
    let (inserted, deleted) = (sections.inserts.count, sections.deletes.count)
    if after.count == before.count + inserted - deleted { return nil }
    return error(
      .sectionCount,
      "Invalid update: invalid number of sections. The number of sections contained in the table view after the "
        + "update (\(after.count)) must be equal to the number of sections contained in the table view before the "
        + "update (\(before.count)), plus or minus the number of sections inserted or deleted (\(inserted) inserted, "
        + "\(deleted) deleted).")
  }

  func wrongRowCount() -> BatchError? {
    // Counts that follow from the batch agree with it.
    guard case .known(let after) = after, case .known(let before) = before else { return nil }
    let map = PathMap(ListChanges(sections: changes.sections))
    // All paths lie within the counts by now.
    var (staying, arriving) = (before, [Int](repeating: 0, count: after.count))
    for place in rows.deletes { staying[place.section] -= 1 }
    for place in rows.inserts { arriving[place.section] += 1 }
    for move in rows.moves {
      staying[move.from.section] -= 1
      arriving[move.to.section] += 1
    }
    for section in staying.indices {
      guard let destination = map.destination(ofSection: section), after.indices.contains(destination),
        after[destination] != staying[section] + arriving[destination]
      else { continue }
      return wrongRowCount(section, destination)
    }
    return nil
  }

  private func wrongRowCount(_ section: Int, _ destination: Int) -> BatchError {
    let inserted = rows.inserts.count { $0.section == destination }
    let deleted = rows.deletes.count { $0.section == section }
    let movedIn = rows.moves.count { $0.to.section == destination }
    let movedOut = rows.moves.count { $0.from.section == section }
    return error(
      .rowCount, at: [.sectionBefore(section), .sectionAfter(destination)],
      "Invalid update: invalid number of rows in section \(destination). The number of rows contained in an "
        + "existing section after the update (\(after[destination])) must be equal to the number of rows contained "
        + "in that section before the update (\(before[section])), plus or minus the number of rows inserted or "
        + "deleted from that section (\(inserted) inserted, \(deleted) deleted) and plus or minus the number of rows "
        + "moved into or out of that section (\(movedIn) moved in, \(movedOut) moved out).")
  }

  // The rules that concern rows in sections that are themselves changed: A13 to A15.

  func rowInVanishingSection() -> BatchError? {
    if sections.deletes.isEmpty && sections.inserts.isEmpty { return nil }
    let leaving = rows.deletes + rows.updates.map { $0.from }
    let arriving = rows.inserts + rows.updates.map { $0.to }
    let rule = BatchRule.rowInVanishingSection
    return row(of: leaving, in: sections.deletes, rule, "is deleted with its section; do not list it")
      ?? row(of: arriving, in: sections.inserts, rule, "is inserted with its section; do not list it")
  }

  func moveAcrossVanishingSection() -> BatchError? {
    let (deleted, inserted) = (Set(sections.deletes), Set(sections.inserts))
    for move in rows.moves {
      let message: String
      if inserted.contains(move.to.sectionPlace) {
        message = "cannot move a row into a newly inserted section (\(move.to.section))"
      } else if deleted.contains(move.from.sectionPlace) {
        message = "cannot move an item from a deleted section (\(move.from.section))"
      } else {
        continue
      }
      return error(.moveAcrossVanishingSection, at: [move.from, move.to], message)
    }
    return nil
  }

  /// Collection views refuse these. A sink that applies a batch at once need not.
  package func rowInMovedSection() -> BatchError? {
    if sections.moves.isEmpty { return nil }
    let fate = "changes inside a section that the batch moves; apply the stages instead"
    let rule = BatchRule.rowInMovedSection
    return row(of: rows.deletes + rows.sources, in: sections.sources, rule, fate)
      ?? row(of: rows.inserts + rows.destinations, in: sections.destinations, rule, fate)
  }

  /// Refuses the first row that lies in one of some sections.
  private func row(
    of rows: [BatchPlace], in sections: [BatchPlace], _ rule: BatchRule, _ fate: String
  ) -> BatchError? {
    let sections = Set(sections)
    guard let row = rows.first(where: { sections.contains($0.sectionPlace) }) else { return nil }
    return error(
      rule, at: rule == .rowInMovedSection ? [row] : [row, row.sectionPlace],
      "the row at index path (\(row.position)) \(fate)")
  }
}

extension PathMap {
  /// Where the section or row of a place before the batch is after it.
  fileprivate func destination(of place: BatchPlace) -> BatchPlace? {
    guard let row = place.row else { return destination(ofSection: place.section).map { .sectionAfter($0) } }
    return destination(of: RowPath(section: place.section, row: row)).map { .rowAfter($0) }
  }
}

extension ListSnapshot {
  @inlinable package var rowCounts: [Int] { tree.map { $0.rows.count } }
}
