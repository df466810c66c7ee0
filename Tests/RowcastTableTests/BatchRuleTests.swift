import RowcastDiff
import RowcastModel
import RowcastTable
import RowcastTestSupport
import Testing

/// One test for each rule of part A; the batch in it breaks that rule and none before it.
@Suite(.watched) struct BatchRuleTests {
  typealias Rows = Changeset<RowPath>
  typealias Sections = Changeset<Int>

  private func refusal(
    sections: Sections = .init(), rows: Rows = .init(), reloading reloadedSections: [Int] = [],
    reloadingRows reloadedRows: [RowPath] = [], before: [Int], after: [Int], strict: Bool = false
  ) -> BatchError? {
    let batch = TableBatch(
      ListChanges(sections: sections, rows: rows), reloadedSections: reloadedSections, reloadedRows: reloadedRows)
    let validator = BatchValidator(batch, rowCountsBefore: before, rowCountsAfter: after)
    do {
      try validator.validate(refusingRowsInMovedSections: strict)
      return nil
    } catch {
      return error
    }
  }

  private func path(_ section: Int, _ row: Int) -> RowPath { RowPath(section: section, row: row) }

  private func move(_ from: RowPath, _ to: RowPath) -> Rows.Transition { .init(from: from, to: to) }

  @Test func `A1 A2 deletes count before, inserts after, in any order of listing`() {
    let rows = Rows(deletes: [path(0, 2), path(0, 0)], inserts: [path(0, 1), path(0, 0)])
    #expect(refusal(rows: rows, before: [3], after: [3]) == nil)
  }

  @Test func `A3 an update must name a row on both sides`() {
    let rows = Rows(updates: [move(path(0, 0), path(0, 5))])
    #expect(refusal(rows: rows, before: [1], after: [1])?.rule == .updateOutOfBounds)
    let sections = Sections(updates: [.init(from: 3, to: 0)])
    #expect(refusal(sections: sections, before: [1], after: [1])?.rule == .updateOutOfBounds)
  }

  @Test func `A3 an update must end where the batch takes its row`() {
    let rows = Rows(inserts: [path(0, 0)], updates: [move(path(0, 0), path(0, 0))])
    #expect(refusal(rows: rows, before: [1], after: [2])?.rule == .updateOutOfBounds)
    let right = Rows(inserts: [path(0, 0)], updates: [move(path(0, 0), path(0, 1))])
    #expect(refusal(rows: right, before: [1], after: [2]) == nil)
    let sections = Sections(inserts: [0], updates: [.init(from: 0, to: 0)])
    #expect(refusal(sections: sections, before: [1], after: [0, 1])?.rule == .updateOutOfBounds)
  }

  @Test func `A4 a delete and a reload share their path`() {
    let row = refusal(rows: Rows(deletes: [path(0, 1)]), reloadingRows: [path(0, 1)], before: [2], after: [1])
    #expect(row?.rule == .deleteAndReload && row?.places == [.rowBefore(path(0, 1))])
    #expect(row?.message == "attempt to delete and reload the same index path ({length = 2, path = 0 - 1})")
    let section = refusal(sections: Sections(deletes: [1]), reloading: [1], before: [2, 2], after: [2])
    #expect(section?.message == "attempt to delete and reload the same section (1)")
    #expect(refusal(rows: Rows(deletes: [path(0, 0)]), reloadingRows: [path(0, 1)], before: [2], after: [1]) == nil)
  }

  @Test func `A5 A6 a reload is a delete: it cannot share its source with a move, nor be out of bounds`() {
    let moved = refusal(
      rows: Rows(moves: [move(path(0, 1), path(0, 0))]), reloadingRows: [path(0, 1)], before: [2], after: [2])
    #expect(
      moved?.message == "attempt to perform a delete and a move from the same index path ({length = 2, path = 0 - 1})")
    let sections = refusal(
      sections: Sections(moves: [.init(from: 1, to: 0)]), reloading: [1], before: [1, 1], after: [1, 1])
    #expect(sections?.message == "attempt to perform a delete and a move from the same section (1)")
    #expect(
      refusal(reloadingRows: [path(0, 2)], before: [2], after: [2])?.message
        == "attempt to delete row 2 from section 0 which only contains 2 rows before the update")
    #expect(refusal(reloading: [1], before: [2], after: [2])?.rule == .deleteOutOfBounds)
  }

  @Test func `A5 a delete and a move share their source`() {
    let rows = refusal(
      rows: Rows(deletes: [path(0, 1)], moves: [move(path(0, 1), path(0, 0))]), before: [2], after: [2])
    #expect(rows?.rule == .deleteAndMove)
    #expect(
      rows?.message == "attempt to perform a delete and a move from the same index path ({length = 2, path = 0 - 1})")
    let sections = refusal(
      sections: Sections(deletes: [1], moves: [.init(from: 1, to: 0)]), before: [0, 0], after: [0, 0])
    #expect(sections?.message == "attempt to perform a delete and a move from the same section (1)")
  }

  @Test func `A6 a delete out of bounds`() {
    let section = refusal(sections: Sections(deletes: [2]), before: [1, 1], after: [1])
    #expect(section?.rule == .deleteOutOfBounds)
    #expect(section?.message == "attempt to delete section 2, but there are only 2 sections before the update")
    #expect(
      refusal(rows: Rows(deletes: [path(3, 0)]), before: [1], after: [1])?.message
        == "attempt to delete row 0 from section 3, but there are only 1 sections before the update")
    #expect(
      refusal(rows: Rows(deletes: [path(0, 4)]), before: [3], after: [2])?.message
        == "attempt to delete row 4 from section 0 which only contains 3 rows before the update")
    #expect(refusal(rows: Rows(deletes: [path(0, -1)]), before: [3], after: [2])?.rule == .deleteOutOfBounds)
  }

  @Test func `A7 an insert and a move share their destination`() {
    let rows = refusal(
      rows: Rows(inserts: [path(0, 1)], moves: [move(path(0, 0), path(0, 1))]), before: [2], after: [2])
    #expect(
      rows?.message == "attempt to perform an insert and a move to the same index path ({length = 2, path = 0 - 1})")
    let sections = refusal(
      sections: Sections(inserts: [1], moves: [.init(from: 0, to: 1)]), before: [0, 0], after: [0, 0])
    #expect(sections?.rule == .insertAndMove)
    #expect(sections?.message == "attempt to perform an insert and a move to the same section (1)")
  }

  @Test func `A7 a collection view forgets the moves when it puts a reload in again`() {
    // The batch of Instagram/IGListKit#690, with the message that UIKit gave.
    let sections = Sections(deletes: [4], inserts: [2], moves: [.init(from: 2, to: 4)])
    func refusalOfSections(strict: Bool) -> BatchError? {
      refusal(
        sections: sections, reloading: [3], before: [0, 0, 0, 0, 0], after: [0, 0, 0, 0, 0], strict: strict)
    }
    #expect(refusalOfSections(strict: true)?.rule == .insertAndMove)
    #expect(
      refusalOfSections(strict: true)?.message == "attempt to perform an insert and a move to the same section (4)")
    #expect(refusalOfSections(strict: false) == nil)
    let rows = Rows(deletes: [path(0, 4)], inserts: [path(0, 2)], moves: [move(path(0, 2), path(0, 4))])
    let error = refusal(rows: rows, reloadingRows: [path(0, 3)], before: [5], after: [5], strict: true)
    #expect(
      error?.message == "attempt to perform an insert and a move to the same index path ({length = 2, path = 0 - 4})")
    // A move that ends elsewhere is no obstacle, nor is one in another section.
    let apart = Rows(deletes: [path(0, 4)], inserts: [path(0, 2)], moves: [move(path(0, 2), path(0, 0))])
    #expect(refusal(rows: apart, reloadingRows: [path(0, 3)], before: [5], after: [5], strict: true) == nil)
    let other = Rows(moves: [move(path(1, 0), path(1, 1))])
    #expect(refusal(rows: other, reloadingRows: [path(0, 1)], before: [2, 2], after: [2, 2], strict: true) == nil)
  }

  @Test func `A8 an insert out of bounds`() {
    #expect(
      refusal(sections: Sections(inserts: [5]), before: [1], after: [1, 1])?.message
        == "attempt to insert section 5 but there are only 2 sections after the update")
    #expect(
      refusal(rows: Rows(inserts: [path(4, 0)]), before: [1], after: [1])?.message
        == "attempt to insert row 0 into section 4, but there are only 1 sections after the update")
    let row = refusal(rows: Rows(inserts: [path(0, 3)]), before: [2], after: [3])
    #expect(row?.rule == .insertOutOfBounds)
    #expect(
      row?.message == "attempt to insert row 3 into section 0, but there are only 3 rows in section 0 after the update")
  }

  @Test func `A9 a move out of bounds, either end`() {
    #expect(
      refusal(sections: Sections(moves: [.init(from: 4, to: 0)]), before: [1, 1], after: [1, 1])?.message
        == "attempt to move section 4, but there are only 2 sections before the update")
    #expect(
      refusal(sections: Sections(moves: [.init(from: 0, to: 4)]), before: [1, 1], after: [1, 1])?.rule
        == .moveOutOfBounds)
    #expect(
      refusal(rows: Rows(moves: [move(path(0, 7), path(0, 0))]), before: [2], after: [2])?.message
        == "attempt to move index path ({length = 2, path = 0 - 7}) that does not exist - there are only 2 rows in "
        + "section 0 before the update")
    #expect(
      refusal(rows: Rows(moves: [move(path(0, 0), path(0, 7))]), before: [2], after: [2])?.message
        == "attempt to move index path ({length = 2, path = 0 - 0}) to index path ({length = 2, path = 0 - 7}) that "
        + "does not exist - there are only 2 rows in section 0 after the update")
    #expect(
      refusal(rows: Rows(moves: [move(path(3, 0), path(0, 0))]), before: [2], after: [2])?.message
        == "attempt to move index path ({length = 2, path = 3 - 0}) from a section that does not exist - there are "
        + "only 1 sections before the update")
    #expect(
      refusal(rows: Rows(moves: [move(path(0, 0), path(3, 0))]), before: [2], after: [2])?.message
        == "attempt to move index path ({length = 2, path = 0 - 0}) to index path ({length = 2, path = 3 - 0}) in "
        + "section that does not exist - there are only 1 sections after the update")
  }

  @Test func `A10 one source to two destinations, two sources to one`() {
    let split = Rows(moves: [move(path(0, 0), path(0, 1)), move(path(0, 0), path(0, 2))])
    #expect(
      refusal(rows: split, before: [3], after: [3])?.message
        == "attempt to move row at index path {length = 2, path = 0 - 0} to both {length = 2, path = 0 - 1} and "
        + "{length = 2, path = 0 - 2}")
    let joined = Rows(moves: [move(path(0, 0), path(0, 2)), move(path(0, 1), path(0, 2))])
    let error = refusal(rows: joined, before: [3], after: [3])
    #expect(error?.rule == .ambiguousMove)
    #expect(error?.places == [.rowBefore(path(0, 0)), .rowBefore(path(0, 1)), .rowAfter(path(0, 2))])
    #expect(
      error?.message == "attempt to move both row at index path {length = 2, path = 0 - 0} and "
        + "{length = 2, path = 0 - 1} to {length = 2, path = 0 - 2}")
    let sections = Sections(moves: [.init(from: 0, to: 1), .init(from: 0, to: 2)])
    #expect(
      refusal(sections: sections, before: [0, 0, 0], after: [0, 0, 0])?.message
        == "attempt to move section 0 to both section 1 and section 2")
    let oneSection = Sections(moves: [.init(from: 0, to: 2), .init(from: 1, to: 2)])
    #expect(
      refusal(sections: oneSection, before: [0, 0, 0], after: [0, 0, 0])?.message
        == "attempt to move both section 0 and section 1 to section 2")
  }

  @Test func `A11 the section counts do not add up`() {
    let error = refusal(sections: Sections(inserts: [0]), before: [1, 1], after: [1, 1])
    #expect(error?.rule == .sectionCount)
    #expect(
      error?.message == "Invalid update: invalid number of sections. The number of sections contained in the table "
        + "view after the update (2) must be equal to the number of sections contained in the table view before the "
        + "update (2), plus or minus the number of sections inserted or deleted (1 inserted, 0 deleted).")
  }

  @Test func `A12 the row counts do not add up`() {
    let error = refusal(rows: Rows(deletes: [path(0, 0)]), before: [3, 1], after: [3, 1])
    #expect(error?.rule == .rowCount)
    #expect(
      error?.message == "Invalid update: invalid number of rows in section 0. The number of rows contained in an "
        + "existing section after the update (3) must be equal to the number of rows contained in that section before "
        + "the update (3), plus or minus the number of rows inserted or deleted from that section (0 inserted, 1 "
        + "deleted) and plus or minus the number of rows moved into or out of that section (0 moved in, 0 moved out).")
    #expect(error?.places == [.sectionBefore(0), .sectionAfter(0)])
    #expect(error?.rowCountsBefore == [3, 1] && error?.rowCountsAfter == [3, 1])
    let lines = error?.description.split(separator: "\n") ?? []
    #expect(lines.first?.hasPrefix("A12: Invalid update: invalid number of rows in section 0.") == true)
    #expect(
      lines.dropFirst() == [
        "at: section 0 before, section 0 after", "before: 2 sections, 4 rows", "  section 0: 3 rows; deletes 0",
        "  section 1: 1 row", "after: 2 sections, 4 rows", "  section 0: 3 rows", "  section 1: 1 row",
      ])
  }

  @Test func `A12 sections are followed through their own operations`() {
    let sections = Sections(deletes: [0], inserts: [1], moves: [.init(from: 2, to: 0)])
    #expect(refusal(sections: sections, before: [9, 1, 2], after: [2, 7, 1]) == nil)
    #expect(refusal(sections: sections, before: [9, 1, 2], after: [1, 7, 2])?.rule == .rowCount)
  }

  @Test func `A12 a section that is reloaded may have any number of rows`() {
    #expect(refusal(reloading: [0], before: [3, 1], after: [7, 1]) == nil)
    #expect(refusal(reloading: [1], before: [3, 1], after: [7, 1])?.rule == .rowCount)
    let shifted = Sections(deletes: [0], inserts: [1])
    #expect(refusal(sections: shifted, reloading: [1], before: [5, 1], after: [9, 5]) == nil)
    #expect(refusal(reloadingRows: [path(0, 0)], before: [3], after: [2])?.rule == .rowCount)
  }

  @Test func `A13 row operations inside a reloaded section`() {
    let shifted = Sections(inserts: [0])
    for (rows, reloads) in [
      (Rows(deletes: [path(0, 0)]), []), (Rows(inserts: [path(1, 0)]), []), (Rows(), [path(0, 0)]),
      (Rows(moves: [move(path(0, 0), path(2, 0))]), []), (Rows(moves: [move(path(1, 0), path(1, 0))]), []),
      (Rows(updates: [move(path(0, 0), path(1, 0))]), []),
    ] {
      // Counts are made to fit, so that no earlier rule speaks.
      let other = 2 - rows.moves.count { $0.from.section == 1 } + rows.moves.count { $0.to.section == 2 }
      let error = refusal(
        sections: shifted, rows: rows, reloading: [0], reloadingRows: reloads, before: [3, 2], after: [1, 3, other])
      #expect(error?.rule == .rowInVanishingSection, "\(rows)")
    }
  }

  @Test func `A13 a row is reloaded inside a section that is deleted`() {
    let error = refusal(sections: Sections(deletes: [0]), reloadingRows: [path(0, 0)], before: [1], after: [])
    #expect(error?.rule == .rowInVanishingSection && error?.places.first == .rowBefore(path(0, 0)))
  }

  @Test func `A13 row operations inside a deleted or inserted section`() {
    #expect(
      refusal(sections: Sections(deletes: [0]), rows: Rows(deletes: [path(0, 0)]), before: [1], after: [])?.rule
        == .rowInVanishingSection)
    #expect(
      refusal(sections: Sections(inserts: [0]), rows: Rows(inserts: [path(0, 0)]), before: [], after: [1])?.rule
        == .rowInVanishingSection)
  }

  @Test func `A14 a row moved out of a deleted or into an inserted section`() {
    let into = refusal(
      sections: Sections(inserts: [1]), rows: Rows(moves: [move(path(0, 0), path(1, 0))]), before: [1], after: [0, 1])
    #expect(into?.rule == .moveAcrossVanishingSection)
    #expect(into?.message == "cannot move a row into a newly inserted section (1)")
    let outOf = refusal(
      sections: Sections(deletes: [1]), rows: Rows(moves: [move(path(1, 0), path(0, 0))]), before: [0, 1], after: [1])
    #expect(outOf?.message == "cannot move an item from a deleted section (1)")
  }

  @Test func `A15 row operations inside a moved section are refused in a strict batch only`() {
    let sections = Sections(moves: [.init(from: 1, to: 0)])
    let rows = Rows(inserts: [path(0, 0)])
    #expect(refusal(sections: sections, rows: rows, before: [1, 2], after: [3, 1]) == nil)
    #expect(
      refusal(sections: sections, rows: rows, before: [1, 2], after: [3, 1], strict: true)?.rule == .rowInMovedSection)
  }

  @Test func `A15 a row is reloaded inside a moved section`() {
    let sections = Sections(moves: [.init(from: 1, to: 0)])
    #expect(refusal(sections: sections, reloadingRows: [path(1, 0)], before: [1, 2], after: [2, 1]) == nil)
    #expect(
      refusal(sections: sections, reloadingRows: [path(1, 0)], before: [1, 2], after: [2, 1], strict: true)?.rule
        == .rowInMovedSection)
  }

  @Test func `A16 the same operation twice`() {
    #expect(refusal(reloadingRows: [path(0, 0), path(0, 0)], before: [1], after: [1])?.rule == .duplicateOperation)
    #expect(refusal(reloading: [0, 0], before: [1], after: [1])?.rule == .duplicateOperation)
    #expect(
      refusal(rows: Rows(deletes: [path(0, 0), path(0, 0)]), before: [2], after: [0])?.rule == .duplicateOperation)
    #expect(
      refusal(sections: Sections(inserts: [0, 0]), before: [], after: [0, 0])?.rule == .duplicateOperation)
  }

  @Test func `A17 duplicate identifiers cannot become a list`() {
    #expect { try TestSnapshot.of(("a", [1, 1])) } throws: {
      "\($0)".contains("supplied item identifiers are not unique. Duplicate identifiers: 1")
    }
  }

  @Test func `A18 an empty batch is checked against the counts`() {
    #expect(refusal(before: [1, 2], after: [1, 3])?.rule == .rowCount)
    #expect(refusal(before: [1, 2], after: [1])?.rule == .sectionCount)
    #expect(refusal(before: [1, 2], after: [1, 2]) == nil)
  }

  @Test func `A18 a batch must lead to the data that is swapped in with it`() throws {
    let before = try TestSnapshot.of(("a", [1, 2, 3]), ("b", []))
    func refusal(_ rows: Rows, _ sections: Sections = .init(), to after: TestSnapshot) -> BatchError? {
      do {
        try BatchValidator.validate(TableBatch(ListChanges(sections: sections, rows: rows)), from: before, to: after)
        return nil
      } catch { return error }
    }
    let after = try TestSnapshot.of(("a", [1, 3]), ("b", []))
    #expect(refusal(Rows(deletes: [path(0, 1)]), to: after) == nil)
    let error = refusal(Rows(deletes: [path(0, 0)]), to: after)
    #expect(error?.rule == .otherData && error?.places == [.rowBefore(path(0, 1)), .rowAfter(path(0, 0))])
    #expect(refusal(Rows(), to: try .of(("a", [3, 2, 1]), ("b", [])))?.rule == .otherData)
    #expect(
      refusal(Rows(), to: try .of(("c", [1, 2, 3]), ("b", [])))?.places == [.sectionBefore(0), .sectionAfter(0)])
  }

  @Test func `the first rule that is broken is the one that is reported`() {
    let rows = Rows(
      deletes: [path(0, 0), path(9, 9)], inserts: [path(0, 0)],
      moves: [move(path(0, 0), path(0, 0)), move(path(0, 7), path(0, 7))])
    let all = refusal(
      sections: Sections(inserts: [0]), rows: rows, reloadingRows: [path(0, 0)], before: [2], after: [2])
    #expect(all?.rule == .deleteAndReload)
    #expect(refusal(sections: Sections(inserts: [0]), rows: rows, before: [2], after: [2])?.rule == .deleteAndMove)
    let bounds = Rows(deletes: [path(9, 9)], inserts: [path(9, 9)])
    #expect(refusal(rows: bounds, before: [2], after: [2])?.rule == .deleteOutOfBounds)
  }

  @Test func `B1 B2 what the differ makes is valid, and its stages are valid for strict views`() throws {
    var random = SeededGenerator.forFuzzing("stages")
    var twoStages = 0
    for _ in 0..<SeededGenerator.rounds(1_500, long: 50_000) {
      let before = try TestSnapshot.random(sections: 5, rows: 14, using: &random)
      let after = try TestSnapshot.random(sections: 5, rows: 14, using: &random)
      let changes = before.changes(to: after)
      let note = Comment(rawValue: "seed \(random.seed): \(before) to \(after): \(changes)")
      let whole = TableBatch(changes)
      #expect(throws: Never.self, note) { try BatchValidator.validate(whole, from: before, to: after) }

      let stages = changes.stages(from: before, to: after)
      var current = NaiveList(before)
      var list = before
      for stage in stages {
        #expect(throws: Never.self, note) {
          try BatchValidator.validate(
            TableBatch(stage.changes), from: list, to: stage.snapshot, refusingRowsInMovedSections: true)
        }
        try current.fold(stage.changes, after: stage.snapshot)
        #expect(current == NaiveList(stage.snapshot), note)
        // A17: no id stands twice in between.
        #expect(Set(current.parts.flatMap { $0.rows.map(\.id) }).count == stage.snapshot.rowCount, note)
        list = stage.snapshot
      }
      #expect(current == NaiveList(after), note)
      #expect(stages.last?.snapshot == (changes.isEmpty ? nil : after), note)
      #expect(stages.count <= 2, note)
      if stages.count == 2 {
        twoStages += 1
        #expect(throws: BatchError.self, note) {
          try BatchValidator.validate(whole, from: before, to: after, refusingRowsInMovedSections: true)
        }
      }
    }
    #expect(twoStages > 10)
  }
}
