package import RowcastDiff

/// Checks a batch against the rules that UIKit enforces by exception.
///
///     try BatchValidator(changes, rowCountsBefore: [3, 4], rowCountsAfter: [3, 5]).validate()
///
/// The rules are tried in a fixed order, and the first that is broken is reported. A validator needs no table: it checks
/// any batch, for any view, as a strict table would.
@usableFromInline
package struct BatchValidator {
  let changes: ListChanges
  let before: RowCounts
  let after: RowCounts
  /// The row counts of all sections before and after the batch, if they are known. Others follow from the batch, and agree with it.
  let known: (before: [Int], after: [Int])?
  /// The operations on sections, as if sections were the rows of one section: the rules are the same for both.
  let sections: Changeset<RowPath>
  /// False for the rules on sections, if there are operations on sections, then true for the rules on rows.
  let kinds: [Bool]

  init(
    _ changes: ListChanges, _ before: RowCounts, _ after: RowCounts, known: (before: [Int], after: [Int])? = nil
  ) {
    self.changes = changes
    self.before = before
    self.after = after
    self.known = known
    sections = changes.sections.onRows(ofSection: 0)
    kinds = changes.sections.isEmpty ? [true] : [false, true]
  }

  /// Prepares the check of a batch.
  ///
  /// - Parameters:
  ///   - changes: The operations of the batch. They need not be sorted.
  ///   - rowCountsBefore: The row count of each section before the batch.
  ///   - rowCountsAfter: The row count of each section of the data to be shown after the batch.
  package init(_ changes: ListChanges, rowCountsBefore: [Int], rowCountsAfter: [Int]) {
    self.init(
      changes, RowCounts(count: rowCountsBefore.count) { rowCountsBefore[$0] },
      RowCounts(count: rowCountsAfter.count) { rowCountsAfter[$0] }, known: (rowCountsBefore, rowCountsAfter))
  }

  /// Checks all rules that need no more than counts, except ``rowInMovedSection()``.
  ///
  /// - Throws: ``BatchError`` for the first rule that is broken.
  /// - Complexity: O(s + k log k) for s sections and k operations.
  @usableFromInline
  package func validate() throws(BatchError) { if let error = firstError() { throw error } }

  private func firstError() -> BatchError? {
    // Most batches do not move anything, and so break no rule about that. Skipping these rules saves a tenth of a change off
    // the screen of a table.
    let moves = !(changes.rows.moves.isEmpty && sections.moves.isEmpty)
    for isAfter in [false, true] {
      if moves, let error = changeAndMove(after: isAfter) { return error }
      if let error = changeOutOfBounds(after: isAfter) { return error }
    }
    if moves, let error = moveOutOfBounds() ?? ambiguousMove() { return error }
    if let error = wrongSectionCount() ?? wrongRowCount() ?? rowInVanishingSection() { return error }
    if moves, let error = moveAcrossVanishingSection() { return error }
    return duplicateOperation() ?? updateOutOfBounds()
  }

  /// The error of a rule that the batch breaks, with the places and the message.
  package func error(_ rule: BatchRule, at places: [BatchPlace] = [], _ message: String) -> BatchError {
    BatchError(
      rule: rule, message: message, places: places, changes: changes, rowCountsBefore: before.all,
      rowCountsAfter: after.all)
  }
}

extension BatchValidator {
  /// The sections or rows that are deleted, or inserted.
  private func changed(_ isRow: Bool, after isAfter: Bool) -> [RowPath] {
    isRow ? changes.rows.changed(after: isAfter) : sections.changed(after: isAfter)
  }

  /// Where the moves of sections or rows start, or end.
  private func moving(_ isRow: Bool, after isAfter: Bool) -> [RowPath] {
    isRow ? changes.rows.moving(after: isAfter) : sections.moving(after: isAfter)
  }

  /// The place of an operation: on a row, or on the section that is the row of its path.
  private func batchPlace(_ path: RowPath, isRow: Bool, after isAfter: Bool) -> BatchPlace {
    BatchPlace(isAfter: isAfter, section: isRow ? path.section : path.row, row: isRow ? path.row : nil)
  }

  // The rules that no two operations share a place: A5, A7, A10 and A16.

  /// Refuses to delete, or to insert, what moves.
  func changeAndMove(after isAfter: Bool) -> BatchError? {
    for isRow in kinds {
      let (changed, moving) = (changed(isRow, after: isAfter), moving(isRow, after: isAfter))
      if changed.isEmpty || moving.isEmpty { continue }
      let taken = Set(moving)
      guard let path = changed.first(where: { taken.contains($0) }) else { continue }
      let place = batchPlace(path, isRow: isRow, after: isAfter)
      let attempt = isAfter ? "an insert and a move to" : "a delete and a move from"
      return error(
        isAfter ? .insertAndMove : .deleteAndMove, at: [place],
        "attempt to perform \(attempt) the same \(place.noun) (\(place.position))")
    }
    return nil
  }

  func ambiguousMove() -> BatchError? {
    for isRow in kinds {
      for isAfter in [false, true] {
        let (ends, others) = (moving(isRow, after: isAfter), moving(isRow, after: !isAfter))
        // The first move that has an end in common with the one before it at that end, and not the other end.
        var found: (first: Int, second: Int)?
        let order = indexesInOrder(ends.count) { ends[$0] < ends[$1] }
        for (first, second) in zip(order, order.dropFirst())
        where ends[first] == ends[second] && others[first] != others[second] && second < found?.second ?? .max {
          found = (first, second)
        }
        guard let (first, second) = found else { continue }
        let end = batchPlace(ends[second], isRow: isRow, after: isAfter)
        let (one, other) = (
          batchPlace(others[first], isRow: isRow, after: !isAfter),
          batchPlace(others[second], isRow: isRow, after: !isAfter)
        )
        // UIKit names the noun once for rows, and each time for sections.
        let (subject, noun) = isRow ? ("row at index path ", "") : ("", "section ")
        return error(
          .ambiguousMove, at: isAfter ? [one, other, end] : [end, one, other],
          isAfter
            ? "attempt to move both \(subject)\(noun)\(one.position) and \(noun)\(other.position) to \(noun)\(end.position)"
            : "attempt to move \(subject)\(noun)\(end.position) to both \(noun)\(one.position) and \(noun)\(other.position)"
        )
      }
    }
    return nil
  }

  func duplicateOperation() -> BatchError? {
    for isRow in kinds {
      for (verb, isAfter) in [("delete", false), ("insert", true), ("move", false), ("update", true)] {
        let paths =
          switch verb {
          case "move": moving(isRow, after: false)
          case "update": (isRow ? changes.rows : sections).updates.map { $0.to }
          default: changed(isRow, after: isAfter)
          }
        // Operations that are listed in order, as they are as a rule, need no set.
        if paths.indices.dropFirst().allSatisfy({ paths[$0 - 1] < paths[$0] }) { continue }
        var seen: Set<RowPath> = []
        guard let path = paths.first(where: { !seen.insert($0).inserted }) else { continue }
        let place = batchPlace(path, isRow: isRow, after: isAfter)
        return error(.duplicateOperation, at: [place], "the batch has the same \(verb) twice: \(place)")
      }
    }
    return nil
  }

  // The rules that operations name existing sections and rows: A6, A8, A9 and A3.

  /// Refuses to delete what is not there before the batch, and to insert what is not there after it.
  func changeOutOfBounds(after isAfter: Bool) -> BatchError? {
    let counts = isAfter ? after : before
    for isRow in kinds {
      guard
        let path = changed(isRow, after: isAfter).first(where: {
          !counts.contain(batchPlace($0, isRow: isRow, after: isAfter))
        })
      else { continue }
      let place = batchPlace(path, isRow: isRow, after: isAfter)
      let preposition = isAfter ? "into" : "from"
      let subject = (place.row.map { "row \($0) \(preposition) " } ?? "") + "section \(place.section)"
      if isAfter {
        // UIKit has a comma for rows only.
        return error(
          .insertOutOfBounds, at: [place],
          "attempt to insert \(subject)\(isRow ? "," : "") but \(known(place, counts)) after the update")
      }
      let there =
        isRow && counts.hasSection(place.section)
        ? " which only contains \(counts.rowCount(place.section)) rows" : ", but \(known(place, counts))"
      return error(.deleteOutOfBounds, at: [place], "attempt to delete \(subject)\(there) before the update")
    }
    return nil
  }

  /// The count that a place exceeds.
  private func known(_ place: BatchPlace, _ counts: RowCounts) -> String {
    place.row != nil && counts.hasSection(place.section)
      ? "there are only \(counts.rowCount(place.section)) rows in section \(place.section)"
      : "there are only \(counts.count) sections"
  }

  func moveOutOfBounds() -> BatchError? {
    for isRow in kinds {
      for move in isRow ? changes.rows.moves : sections.moves {
        let (from, to) = (
          batchPlace(move.from, isRow: isRow, after: false), batchPlace(move.to, isRow: isRow, after: true)
        )
        let isSource = !before.contain(from)
        if !isSource && after.contain(to) { continue }
        let (place, counts, side) = isSource ? (from, before, "before") : (to, after, "after")
        let fault =
          !isRow
          ? ", but"
          : counts.hasSection(place.section)
            ? " that does not exist -"
            : isSource ? " from a section that does not exist -" : " in section that does not exist -"
        let moved = isSource ? name(place) : "\(name(from)) to \(name(place))"
        return error(
          .moveOutOfBounds, at: isSource ? [place] : [from, place],
          "attempt to move \(moved)\(fault) \(known(place, counts)) \(side) the update")
      }
    }
    return nil
  }

  private func name(_ place: BatchPlace) -> String {
    place.row == nil ? "section \(place.section)" : "index path (\(place.position))"
  }

  func updateOutOfBounds() -> BatchError? {
    if changes.sections.updates.isEmpty && changes.rows.updates.isEmpty { return nil }
    let map = PathMap(changes)
    for isRow in kinds {
      for update in isRow ? changes.rows.updates : sections.updates {
        let (from, to) = (
          batchPlace(update.from, isRow: isRow, after: false), batchPlace(update.to, isRow: isRow, after: true)
        )
        if before.contain(from), after.contain(to),
          isRow
            ? map.destination(of: update.from) == update.to
            : map.destination(ofSection: from.section) == to.section
        {
          continue
        }
        let fault =
          isRow
          ? "that does not exist or that the batch does not take there"
          : "that the batch does not take there; there are \(before.count) sections before and \(after.count) after the update"
        return error(
          .updateOutOfBounds, at: [from, to],
          "attempt to update \(isRow ? "the row at " : "")\(name(from)), \(isRow ? "(\(to.position))" : to.position) "
            + "after the update, \(fault)")
      }
    }
    return nil
  }

  // The rules that concern counts: A11 and A12.

  func wrongSectionCount() -> BatchError? {
    let (inserted, deleted) = (changes.sections.inserts.count, changes.sections.deletes.count)
    if after.count == before.count + inserted - deleted { return nil }
    return error(
      .sectionCount,
      "Invalid update: invalid number of sections. The number of sections contained in the table view after the "
        + "update (\(after.count)) must be equal to the number of sections contained in the table view before the "
        + "update (\(before.count)), plus or minus the number of sections inserted or deleted (\(inserted) inserted, "
        + "\(deleted) deleted).")
  }

  func wrongRowCount() -> BatchError? {
    guard let known else { return nil }
    let map = PathMap(ListChanges(sections: changes.sections))
    // All paths lie within the counts by now.
    var (staying, arriving) = (known.before, [Int](repeating: 0, count: after.count))
    for path in changes.rows.deletes { staying[path.section] -= 1 }
    for path in changes.rows.inserts { arriving[path.section] += 1 }
    for move in changes.rows.moves {
      staying[move.from.section] -= 1
      arriving[move.to.section] += 1
    }
    for section in staying.indices {
      guard let destination = map.destination(ofSection: section), after.hasSection(destination),
        known.after[destination] != staying[section] + arriving[destination]
      else { continue }
      return wrongRowCount(section, destination)
    }
    return nil
  }

  private func wrongRowCount(_ section: Int, _ destination: Int) -> BatchError {
    let rows = changes.rows
    func count(_ paths: [RowPath], in section: Int) -> Int { paths.count { $0.section == section } }
    let (inserted, deleted) = (count(rows.inserts, in: destination), count(rows.deletes, in: section))
    let movedIn = count(rows.moving(after: true), in: destination)
    let movedOut = count(rows.moving(after: false), in: section)
    return error(
      .rowCount, at: [.sectionBefore(section), .sectionAfter(destination)],
      "Invalid update: invalid number of rows in section \(destination). The number of rows contained in an "
        + "existing section after the update (\(after.rowCount(destination))) must be equal to the number of rows "
        + "contained in that section before the update (\(before.rowCount(section))), plus or minus the number of rows "
        + "inserted or deleted from that section (\(inserted) inserted, \(deleted) deleted) and plus or minus the number "
        + "of rows moved into or out of that section (\(movedIn) moved in, \(movedOut) moved out).")
  }

  // The rules that concern rows in sections that are themselves changed: A13 to A15.

  func rowInVanishingSection() -> BatchError? {
    for isAfter in [false, true] {
      let sections = changes.sections.changed(after: isAfter)
      if sections.isEmpty { continue }
      let rows = changes.rows.changed(after: isAfter) + changes.rows.updates.map { isAfter ? $0.to : $0.from }
      guard let path = rows.first(inSections: sections) else { continue }
      let row = batchPlace(path, isRow: true, after: isAfter)
      return error(
        .rowInVanishingSection, at: [row, isAfter ? .sectionAfter(path.section) : .sectionBefore(path.section)],
        "the row at index path (\(row.position)) is \(isAfter ? "inserted" : "deleted") with its section; do not list it"
      )
    }
    return nil
  }

  func moveAcrossVanishingSection() -> BatchError? {
    let (deleted, inserted) = (Set(changes.sections.deletes), Set(changes.sections.inserts))
    for move in changes.rows.moves {
      let message: String
      if inserted.contains(move.to.section) {
        message = "cannot move a row into a newly inserted section (\(move.to.section))"
      } else if deleted.contains(move.from.section) {
        message = "cannot move an item from a deleted section (\(move.from.section))"
      } else {
        continue
      }
      return error(.moveAcrossVanishingSection, at: [.rowBefore(move.from), .rowAfter(move.to)], message)
    }
    return nil
  }

  /// Collection views refuse these. A sink that applies a batch at once need not.
  package func rowInMovedSection() -> BatchError? {
    if sections.moves.isEmpty { return nil }
    for isAfter in [false, true] {
      let rows = changes.rows.changed(after: isAfter) + changes.rows.moving(after: isAfter)
      guard let path = rows.first(inSections: changes.sections.moving(after: isAfter)) else { continue }
      let row = batchPlace(path, isRow: true, after: isAfter)
      return error(
        .rowInMovedSection, at: [row],
        "the row at index path (\(row.position)) changes inside a section that the batch moves; apply the stages instead"
      )
    }
    return nil
  }
}

extension [RowPath] {
  /// The first path that lies in one of some sections.
  fileprivate func first(inSections sections: [Int]) -> RowPath? {
    let sections = Set(sections)
    return first { sections.contains($0.section) }
  }
}

extension Changeset {
  /// The inserted positions, or the deleted ones, each on its side of the change.
  func changed(after isAfter: Bool) -> [Position] { isAfter ? inserts : deletes }

  /// Where the moves end, or start.
  func moving(after isAfter: Bool) -> [Position] { moves.map { isAfter ? $0.to : $0.from } }
}
