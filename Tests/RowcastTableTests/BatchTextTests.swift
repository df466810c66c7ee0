import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@Suite(.watched) struct BatchTextTests {
  @Test
  func
    `the error of a batch lists the operations of each section, of many the first, and of sections that do not exist`()
  {
    let path = { RowPath(section: $0, row: $1) }
    let changes = ListChanges(
      sections: Changeset(deletes: [1], inserts: [0], moves: [.init(from: 3, to: 0)]),
      rows: Changeset(
        deletes: (0..<21).map { path(0, $0) } + (0..<20).map { path(4, $0) } + [path(40, 7)], inserts: [path(1, 0)],
        moves: [.init(from: path(5, 1), to: path(6, 0))]))
    let batch = TableBatch(changes, reloadedSections: [2], reloadedRows: [path(5, 0)])
    let validator = BatchValidator(
      batch, rowCountsBefore: Array(repeating: 30, count: 25), rowCountsAfter: [1, 1])
    let lines = validator.error(.rowCount, "no message").description.split(separator: "\n").map(String.init)
    let twenty = (0..<20).map(String.init).joined(separator: " ")
    #expect(
      lines == [
        "A12: no message", "at: the list as a whole", "before: 25 sections, 750 rows",
        "  section 0: 30 rows; deletes \(twenty) … 21 in all", "  section 1: 30 rows; deleted",
        "  section 2: 30 rows; reloaded", "  section 3: 30 rows; moved to 0", "  section 4: 30 rows; deletes \(twenty)",
        "  section 5: 30 rows; moves 1→6-0; reloads 0",
      ] + (6..<20).map { "  section \($0): 30 rows" } + [
        "  … and 5 more sections", "  section 40: does not exist; deletes 7", "after: 2 sections, 2 rows",
        "  section 0: 1 row; inserted; moved from 3", "  section 1: 1 row; inserts 0",
        "  section 6: does not exist; receives 0←5-1",
      ])
  }
}
