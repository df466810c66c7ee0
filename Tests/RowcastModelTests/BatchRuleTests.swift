import Testing

/// One operation of a batch: on a section, or on a row by its section and its place there.
private enum Operation {
  case delete(Int, Int), insert(Int, Int)
  case move((Int, Int), (Int, Int)), update((Int, Int), (Int, Int))
  case deleteSection(Int), insertSection(Int), moveSection(Int, Int), updateSection(Int, Int)
}

private func path(_ section: Int, _ row: Int) -> RowPath { RowPath(section: section, row: row) }

private func transition(_ from: (Int, Int), _ to: (Int, Int)) -> Changeset<RowPath>.Transition {
  .init(from: path(from.0, from.1), to: path(to.0, to.1))
}

extension ListChanges {
  fileprivate init(_ operations: [Operation]) {
    self.init()
    for operation in operations {
      switch operation {
      case .delete(let section, let row): rows.deletes.append(path(section, row))
      case .insert(let section, let row): rows.inserts.append(path(section, row))
      case .move(let from, let to): rows.moves.append(transition(from, to))
      case .update(let from, let to): rows.updates.append(transition(from, to))
      case .deleteSection(let section): sections.deletes.append(section)
      case .insertSection(let section): sections.inserts.append(section)
      case .moveSection(let from, let to): sections.moves.append(.init(from: from, to: to))
      case .updateSection(let from, let to): sections.updates.append(.init(from: from, to: to))
      }
    }
  }
}

/// One test for each rule of part A but A17, which is about lists; the batch in it breaks that rule and none before it.
@Suite(.watched) struct BatchRuleTests {
  /// Why a batch is refused that leads from sections with so many rows to others.
  private func refusal(
    _ operations: [Operation], _ before: [Int], _ after: [Int], strict: Bool = false
  ) -> BatchError? {
    do {
      let validator = BatchValidator(ListChanges(operations), rowCountsBefore: before, rowCountsAfter: after)
      if strict { try validator.validateForCollectionView() } else { try validator.validate() }
      return nil
    } catch {
      return error
    }
  }

  @Test func `A1 A2 deletes count before, inserts after, in any order of listing`() {
    #expect(refusal([.delete(0, 2), .delete(0, 0), .insert(0, 1), .insert(0, 0)], [3], [3]) == nil)
  }

  /// Expects that a batch is refused by a rule, in these words if there are any.
  private func expect(
    _ rule: BatchRule, of operations: [Operation], _ before: [Int], _ after: [Int], _ message: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let error = refusal(operations, before, after)
    #expect(error?.rule == rule, sourceLocation: sourceLocation)
    if let message { #expect(error?.message == message, sourceLocation: sourceLocation) }
  }

  /// A path as UIKit prints it.
  private func words(_ section: Int, _ row: Int) -> String { "{length = 2, path = \(section) - \(row)}" }

  @Test func `A3 an update must name a row on both sides, and end where the batch takes it`() {
    expect(.updateOutOfBounds, of: [.update((0, 0), (0, 5))], [1], [1])
    expect(.updateOutOfBounds, of: [.updateSection(3, 0)], [1], [1])
    expect(.updateOutOfBounds, of: [.insert(0, 0), .update((0, 0), (0, 0))], [1], [2])
    #expect(refusal([.insert(0, 0), .update((0, 0), (0, 1))], [1], [2]) == nil)
    expect(.updateOutOfBounds, of: [.insertSection(0), .updateSection(0, 0)], [1], [0, 1])
  }

  @Test func `A5 a delete and a move share their source`() {
    let message = "attempt to perform a delete and a move from the same "
    expect(
      .deleteAndMove, of: [.delete(0, 1), .move((0, 1), (0, 0))], [2], [2], message + "index path (\(words(0, 1)))")
    expect(.deleteAndMove, of: [.deleteSection(1), .moveSection(1, 0)], [0, 0], [0, 0], message + "section (1)")
  }

  @Test func `A6 a delete out of bounds`() {
    expect(
      .deleteOutOfBounds, of: [.deleteSection(2)], [1, 1], [1],
      "attempt to delete section 2, but there are only 2 sections before the update")
    expect(
      .deleteOutOfBounds, of: [.delete(3, 0)], [1], [1],
      "attempt to delete row 0 from section 3, but there are only 1 sections before the update")
    expect(
      .deleteOutOfBounds, of: [.delete(0, 4)], [3], [2],
      "attempt to delete row 4 from section 0 which only contains 3 rows before the update")
    expect(.deleteOutOfBounds, of: [.delete(0, -1)], [3], [2])
  }

  @Test func `A7 an insert and a move share their destination`() {
    let message = "attempt to perform an insert and a move to the same "
    expect(
      .insertAndMove, of: [.insert(0, 1), .move((0, 0), (0, 1))], [2], [2], message + "index path (\(words(0, 1)))")
    expect(.insertAndMove, of: [.insertSection(1), .moveSection(0, 1)], [0, 0], [0, 0], message + "section (1)")
  }

  @Test func `A8 an insert out of bounds`() {
    expect(
      .insertOutOfBounds, of: [.insertSection(5)], [1], [1, 1],
      "attempt to insert section 5 but there are only 2 sections after the update")
    expect(
      .insertOutOfBounds, of: [.insert(4, 0)], [1], [1],
      "attempt to insert row 0 into section 4, but there are only 1 sections after the update")
    expect(
      .insertOutOfBounds, of: [.insert(0, 3)], [2], [3],
      "attempt to insert row 3 into section 0, but there are only 3 rows in section 0 after the update")
  }

  @Test func `A9 a move out of bounds, either end`() {
    expect(
      .moveOutOfBounds, of: [.moveSection(4, 0)], [1, 1], [1, 1],
      "attempt to move section 4, but there are only 2 sections before the update")
    expect(.moveOutOfBounds, of: [.moveSection(0, 4)], [1, 1], [1, 1])
    for (from, to, rest) in [
      ((0, 7), (0, 0), " that does not exist - there are only 2 rows in section 0 before the update"),
      ((0, 0), (0, 7), " that does not exist - there are only 2 rows in section 0 after the update"),
      ((3, 0), (0, 0), " from a section that does not exist - there are only 1 sections before the update"),
      ((0, 0), (3, 0), " in section that does not exist - there are only 1 sections after the update"),
    ] {
      let target = rest.hasSuffix("after the update") ? " to index path (\(words(to.0, to.1)))" : ""
      let message = "attempt to move index path (\(words(from.0, from.1)))" + target + rest
      expect(.moveOutOfBounds, of: [.move(from, to)], [2], [2], message)
    }
  }

  @Test func `A10 one source to two destinations, two sources to one`() {
    expect(
      .ambiguousMove, of: [.move((0, 0), (0, 1)), .move((0, 0), (0, 2))], [3], [3],
      "attempt to move row at index path \(words(0, 0)) to both \(words(0, 1)) and \(words(0, 2))")
    let twoToOne: [Operation] = [.move((0, 0), (0, 2)), .move((0, 1), (0, 2))]
    expect(
      .ambiguousMove, of: twoToOne, [3], [3],
      "attempt to move both row at index path \(words(0, 0)) and \(words(0, 1)) to \(words(0, 2))")
    #expect(
      refusal(twoToOne, [3], [3])?.places == [.rowBefore(path(0, 0)), .rowBefore(path(0, 1)), .rowAfter(path(0, 2))])
    expect(
      .ambiguousMove, of: [.moveSection(0, 1), .moveSection(0, 2)], [0, 0, 0], [0, 0, 0],
      "attempt to move section 0 to both section 1 and section 2")
    expect(
      .ambiguousMove, of: [.moveSection(0, 2), .moveSection(1, 2)], [0, 0, 0], [0, 0, 0],
      "attempt to move both section 0 and section 1 to section 2")
  }

  @Test func `A11 the section counts do not add up`() {
    expect(
      .sectionCount, of: [.insertSection(0)], [1, 1], [1, 1],
      "Invalid update: invalid number of sections. The number of sections contained in the table view after the update "
        + "(2) must be equal to the number of sections contained in the table view before the update (2), plus or minus "
        + "the number of sections inserted or deleted (1 inserted, 0 deleted).")
  }

  @Test func `A12 the row counts do not add up`() {
    let message =
      "Invalid update: invalid number of rows in section 0. The number of rows contained in an existing section after "
      + "the update (3) must be equal to the number of rows contained in that section before the update (3), plus or "
      + "minus the number of rows inserted or deleted from that section (0 inserted, 1 deleted) and plus or minus the "
      + "number of rows moved into or out of that section (0 moved in, 0 moved out)."
    expect(.rowCount, of: [.delete(0, 0)], [3, 1], [3, 1], message)
    let error = refusal([.delete(0, 0)], [3, 1], [3, 1])
    #expect(error?.places == [.sectionBefore(0), .sectionAfter(0)])
    #expect(error?.rowCountsBefore == [3, 1] && error?.rowCountsAfter == [3, 1])
    #expect(
      error?.description.split(separator: "\n") == [
        "A12: \(message)", "at: section 0 before, section 0 after", "before: 2 sections, 4 rows",
        "  section 0: 3 rows; deletes 0", "  section 1: 1 row", "after: 2 sections, 4 rows", "  section 0: 3 rows",
        "  section 1: 1 row",
      ])
  }

  @Test func `A12 sections are followed through their own operations`() {
    let sections: [Operation] = [.deleteSection(0), .insertSection(1), .moveSection(2, 0)]
    #expect(refusal(sections, [9, 1, 2], [2, 7, 1]) == nil)
    expect(.rowCount, of: sections, [9, 1, 2], [1, 7, 2])
  }

  @Test func `A13 row operations inside a section that is deleted or inserted`() {
    let delete: [Operation] = [.deleteSection(0), .delete(0, 0)]
    expect(.rowInVanishingSection, of: delete, [1], [])
    #expect(refusal(delete, [1], [])?.places.first == .rowBefore(path(0, 0)))
    expect(.rowInVanishingSection, of: [.insertSection(0), .insert(0, 0)], [], [1])
    expect(.rowInVanishingSection, of: [.insertSection(1), .update((0, 0), (1, 0))], [1], [1, 1])
    expect(.rowInVanishingSection, of: [.deleteSection(1), .update((1, 0), (0, 0))], [1, 1], [1])
  }

  @Test func `A14 a row moved out of a deleted or into an inserted section`() {
    expect(
      .moveAcrossVanishingSection, of: [.insertSection(1), .move((0, 0), (1, 0))], [1], [0, 1],
      "cannot move a row into a newly inserted section (1)")
    expect(
      .moveAcrossVanishingSection, of: [.deleteSection(1), .move((1, 0), (0, 0))], [0, 1], [1],
      "cannot move an item from a deleted section (1)")
  }

  @Test func `A15 row operations inside a moved section are refused in a strict batch only`() {
    for (operation, after) in [(.insert(0, 0), [3, 1]), (.delete(1, 0), [1, 1])] as [(Operation, [Int])] {
      let operations = [.moveSection(1, 0), operation]
      #expect(refusal(operations, [1, 2], after) == nil)
      #expect(refusal(operations, [1, 2], after, strict: true)?.rule == .rowInMovedSection)
    }
  }

  @Test func `A16 the same operation twice`() {
    expect(.duplicateOperation, of: [.delete(0, 0), .delete(0, 0)], [2], [0])
    expect(.duplicateOperation, of: [.insertSection(0), .insertSection(0)], [], [0, 0])
  }

  @Test func `A18 an empty batch is checked against the counts`() {
    expect(.rowCount, of: [], [1, 2], [1, 3])
    expect(.sectionCount, of: [], [1, 2], [1])
    #expect(refusal([], [1, 2], [1, 2]) == nil)
  }

  @Test func `A18 a batch must lead to the data that is swapped in with it`() throws {
    let before = try TestSnapshot.of(("a", [1, 2, 3]), ("b", []))
    func refusal(_ operations: [Operation], to after: (String, [Int])) throws -> BatchError? {
      let after = try TestSnapshot.of(after, ("b", []))
      do {
        try BatchValidator.validate(ListChanges(operations), from: before, to: after)
        return nil
      } catch { return error }
    }
    #expect(try refusal([.delete(0, 1)], to: ("a", [1, 3])) == nil)
    let error = try refusal([.delete(0, 0)], to: ("a", [1, 3]))
    #expect(error?.rule == .otherData && error?.places == [.rowBefore(path(0, 1)), .rowAfter(path(0, 0))])
    #expect(try refusal([], to: ("a", [3, 2, 1]))?.rule == .otherData)
    #expect(try refusal([], to: ("c", [1, 2, 3]))?.places == [.sectionBefore(0), .sectionAfter(0)])
  }

  @Test func `the first rule that is broken is the one that is reported`() {
    let operations: [Operation] = [
      .insertSection(0), .delete(0, 0), .delete(9, 9), .insert(0, 0), .move((0, 0), (0, 0)), .move((0, 7), (0, 7)),
    ]
    expect(.deleteAndMove, of: operations, [2], [2])
    expect(.deleteOutOfBounds, of: [.delete(9, 9), .insert(9, 9)], [2], [2])
  }

  @Test func `the error of a batch lists the operations of each section, of many the first, and of no section`() {
    let deletes: [Operation] = (0..<21).map { .delete(0, $0) } + (0..<20).map { .delete(4, $0) }
    let others: [Operation] = [
      .delete(40, 7), .insert(1, 0), .move((5, 1), (6, 0)), .deleteSection(1), .insertSection(0),
      .moveSection(3, 0),
    ]
    let validator = BatchValidator(
      ListChanges(deletes + others), rowCountsBefore: Array(repeating: 30, count: 25), rowCountsAfter: [1, 1])
    let lines = validator.error(.rowCount, "no message").description.split(separator: "\n").map(String.init)
    let twenty = (0..<20).map(String.init).joined(separator: " ")
    #expect(
      lines == [
        "A12: no message", "at: the list as a whole", "before: 25 sections, 750 rows",
        "  section 0: 30 rows; deletes \(twenty) … 21 in all", "  section 1: 30 rows; deleted",
        "  section 2: 30 rows", "  section 3: 30 rows; moved to 0", "  section 4: 30 rows; deletes \(twenty)",
        "  section 5: 30 rows; moves 1→6-0",
      ] + (6..<20).map { "  section \($0): 30 rows" } + [
        "  … and 5 more sections", "  section 40: does not exist; deletes 7", "after: 2 sections, 2 rows",
        "  section 0: 1 row; inserted; moved from 3", "  section 1: 1 row; inserts 0",
        "  section 6: does not exist; receives 0←5-1",
      ])
  }
}
