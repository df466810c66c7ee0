import RowcastDiff
import RowcastModel
import RowcastTable
import TestSupport
import Testing

/// One test for each rule of part A; the batch in it breaks that rule and none before it.
@Suite struct BatchRuleTests {
  typealias Rows = Changeset<RowPath>
  typealias Sections = Changeset<Int>

  private func refusal(
    sections: Sections = .init(), rows: Rows = .init(), before: [Int], after: [Int], strict: Bool = false
  ) -> BatchError? {
    let validator = BatchValidator(
      ListChanges(sections: sections, rows: rows), rowCountsBefore: before, rowCountsAfter: after)
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
  }

  @Test func `A10 one source to two destinations, two sources to one`() {
    let split = Rows(moves: [move(path(0, 0), path(0, 1)), move(path(0, 0), path(0, 2))])
    #expect(
      refusal(rows: split, before: [3], after: [3])?.message
        == "attempt to move row at index path {length = 2, path = 0 - 0} to both {length = 2, path = 0 - 1} and "
        + "{length = 2, path = 0 - 2}")
    let joined = Rows(moves: [move(path(0, 0), path(0, 2)), move(path(0, 1), path(0, 2))])
    #expect(refusal(rows: joined, before: [3], after: [3])?.rule == .ambiguousMove)
    let sections = Sections(moves: [.init(from: 0, to: 1), .init(from: 0, to: 2)])
    #expect(
      refusal(sections: sections, before: [0, 0, 0], after: [0, 0, 0])?.message
        == "attempt to move section 0 to both 1 and 2")
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
    #expect(error?.description.hasPrefix("A12: Invalid update") == true)
    #expect(error?.description.contains("before: 2 sections with [3, 1] rows") == true)
  }

  @Test func `A12 sections are followed through their own operations`() {
    let sections = Sections(deletes: [0], inserts: [1], moves: [.init(from: 2, to: 0)])
    #expect(refusal(sections: sections, before: [9, 1, 2], after: [2, 7, 1]) == nil)
    #expect(refusal(sections: sections, before: [9, 1, 2], after: [1, 7, 2])?.rule == .rowCount)
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

  @Test func `A16 the same operation twice`() {
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

  @Test func `B1 B2 what the differ makes is valid, and its stages are valid for strict views`() throws {
    var random = SeededGenerator.forFuzzing("stages")
    var twoStages = 0
    for _ in 0..<SeededGenerator.rounds(1_500, long: 50_000) {
      let before = try TestSnapshot.random(sections: 5, rows: 14, using: &random)
      let after = try TestSnapshot.random(sections: 5, rows: 14, using: &random)
      let changes = before.changes(to: after)
      let note = Comment(rawValue: "seed \(random.seed): \(before) to \(after): \(changes)")
      let whole = BatchValidator(changes, rowCountsBefore: before.counts, rowCountsAfter: after.counts)
      #expect(throws: Never.self, note) { try whole.validate() }

      let stages = changes.stages(from: before, to: after)
      var current = NaiveList(before)
      var counts = before.counts
      for stage in stages {
        let validator = BatchValidator(
          stage.changes, rowCountsBefore: counts, rowCountsAfter: stage.snapshot.counts)
        #expect(throws: Never.self, note) { try validator.validate(refusingRowsInMovedSections: true) }
        try current.fold(stage.changes, after: stage.snapshot)
        #expect(current == NaiveList(stage.snapshot), note)
        // A17: no id stands twice in between.
        #expect(Set(current.parts.flatMap { $0.rows.map(\.id) }).count == stage.snapshot.rowCount, note)
        counts = stage.snapshot.counts
      }
      #expect(current == NaiveList(after), note)
      #expect(stages.last?.snapshot == (changes.isEmpty ? nil : after), note)
      #expect(stages.count <= 2, note)
      if stages.count == 2 {
        twoStages += 1
        #expect(throws: BatchError.self, note) { try whole.validate(refusingRowsInMovedSections: true) }
      }
    }
    #expect(twoStages > 10)
  }

  @Test func `a valid batch with one operation dropped, doubled or shifted is refused or folds to something else`()
    throws
  {
    var random = SeededGenerator.forFuzzing("broken batches")
    var refused = 0
    for _ in 0..<SeededGenerator.rounds(1_500, long: 50_000) {
      let before = try TestSnapshot.random(sections: 4, rows: 10, using: &random)
      let after = try TestSnapshot.random(sections: 4, rows: 10, using: &random)
      var changes = before.changes(to: after)
      guard Self.mutate(&changes, &random) else { continue }
      let validator = BatchValidator(changes, rowCountsBefore: before.counts, rowCountsAfter: after.counts)
      guard (try? validator.validate()) != nil else {
        refused += 1
        continue
      }
      // What passes must at least be applicable, with the counts that were promised.
      var folded = NaiveList(before)
      try folded.fold(changes, after: after)
      #expect(folded.parts.map(\.rows.count) == after.counts, "seed \(random.seed): \(changes)")
    }
    #expect(refused > 100)
  }

  private static func mutate(_ changes: inout ListChanges, _ random: inout SeededGenerator) -> Bool {
    func mutate<Element>(_ elements: inout [Element], shift: (inout Element) -> Void) -> Bool {
      guard let index = elements.indices.randomElement(using: &random) else { return false }
      switch Int.random(in: 0..<3, using: &random) {
      case 0: elements.remove(at: index)
      case 1: elements.append(elements[index])
      default: shift(&elements[index])
      }
      return true
    }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return mutate(&changes.rows.deletes) { $0.row += 1 }
    case 1: return mutate(&changes.rows.inserts) { $0.row += 1 }
    case 2: return mutate(&changes.rows.moves) { $0.to.row += 1 }
    case 3: return mutate(&changes.sections.deletes) { $0 += 1 }
    case 4: return mutate(&changes.sections.inserts) { $0 += 1 }
    default: return mutate(&changes.sections.moves) { $0.from += 1 }
    }
  }
}

extension ListSnapshot {
  var counts: [Int] { (0..<sectionCount).map { rows(inSection: $0).count } }
}
