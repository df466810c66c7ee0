import RowcastDiff
import RowcastModel
import RowcastTable
import RowcastTestSupport
import Testing

@Suite(.watched) struct TableTests {
  @Test func `an update from another revision is refused, and the table stays as it was`() throws {
    let table = TestTable.make(height: 3)
    try table.show(.of(("a", [1, 2])))
    let list = try TestSnapshot.of(("a", [1]))
    let stray = TestUpdate(revision: 9, previous: 8, changes: table.snapshot.changes(to: list), snapshot: list)
    #expect(throws: TableError.wrongRevision(table: 0, updateStartsAt: 8)) { try table.apply(stray) }
    #expect(table.ids == [1, 2] && table.revision == 0)
  }

  @Test func `an update whose counts do not add up is refused in UIKit's words, and nothing changes`() throws {
    let table = TestTable.make(height: 3)
    try table.show(.of(("a", [1, 2])))
    let cells = table.visibleRows.map(\.cell)
    let lie = TestUpdate(revision: 1, previous: 0, changes: ListChanges(), snapshot: try .of(("a", [1])))
    #expect {
      try table.apply(lie)
    } throws: { error in
      "\(error)".hasPrefix("A12: Invalid update: invalid number of rows in section 0.")
    }
    #expect(table.ids == [1, 2] && table.revision == 0)
    #expect(table.visibleRows.map(\.cell).elementsEqual(cells) { $0 === $1 })
  }

  @Test func `the first update of another stream replaces the list, and rows keep their cells`() throws {
    let table = TestTable.make(height: 3)
    try table.show(.of(("a", [1, 2])))
    let cell = table.cell(of: 2)
    let report = try table.apply(TestUpdate(initial: .of(("a", [2, 3])), revision: 40))
    #expect(table.revision == 40 && table.cell(of: 2) === cell)
    #expect(report.changes.rows.deletes.count == 1 && report.changes.rows.inserts.count == 1)
  }

  @Test func `the first visible row stays in place when rows come above it`() throws {
    let table = TestTable.make(height: 3)
    try table.show(.of(("a", Array(0..<20))))
    try table.scroll(toLine: 10)
    try table.show(.of(("a", [100, 101] + Array(0..<20))))
    #expect(table.ids == [10, 11, 12] && table.topLine == 12)
    // It goes: the one below it is what stays in place.
    try table.show(.of(("a", Array(0..<10) + Array(11..<20))))
    #expect(table.ids == [9, 11, 12])
  }

  @Test func `the screen does not go after a row that moves away`() throws {
    let table = TestTable.make(height: 3)
    try table.show(.of(("a", Array(0..<20))))
    try table.scroll(toLine: 10)
    try table.show(.of(("a", [10] + Array(0..<10) + Array(11..<20))))
    #expect(table.ids == [9, 11, 12] && table.topLine == 10)
    // All rows of the screen move: the first of them is followed.
    try table.show(.of(("a", [9, 11, 12, 10] + Array(0..<9) + Array(13..<20))))
    #expect(table.ids == [9, 11, 12])
  }

  @Test func `at the top new rows come into view`() throws {
    let table = TestTable.make(height: 2)
    try table.show(.of(("a", [1, 2, 3])))
    try table.show(.of(("a", [9, 1, 2, 3])))
    #expect(table.ids == [9, 1])
  }

  @Test func `a table that follows its tail keeps it in view`() throws {
    let table = TestTable.make(height: 2)
    table.followsTail = true
    try table.show(.of(("a", [1, 2, 3])))
    try table.scroll(toLine: 99)
    try table.show(.of(("a", [1, 2, 3, 4, 5])))
    #expect(table.ids == [4, 5])
    try table.scroll(byLines: -2)
    try table.show(.of(("a", [1, 2, 3, 4, 5, 6])))
    #expect(table.ids == [2, 3])
  }

  @Test func `headers take a line each`() throws {
    let table = TestTable.make(height: 4, showsHeaders: true)
    try table.show(.of(("a", [1]), ("b", []), ("c", [2])))
    #expect(
      table.lines.map(\.element) == [
        .header(section: 0), .row(RowPath(section: 0, row: 0)), .header(section: 1), .header(section: 2),
      ])
    #expect(table.ids == [1] && table.contentHeight == 5)
  }

  @Test func `a list that shrinks pulls the content down`() throws {
    let table = TestTable.make(height: 3)
    try table.show(.of(("a", Array(0..<20))))
    try table.scroll(toLine: 17)
    try table.show(.of(("a", [0, 1, 2, 3])))
    #expect(table.topLine <= 1 && table.ids.count == 3)
  }

  @Test func `a cell that cannot show a row's type is a typed error`() throws {
    struct Odd: RowViewModel {
      let id: Int
      var reuseIdentifier: String { "RowcastTestSupport.TestRow" }
    }
    var registry = CellRegistry<AnyRow<Int>>()
    registry.register(TestCell.self)
    let table = RetainedTable<TestSection, AnyRow<Int>>(cells: registry, height: 3)
    let list = try ListSnapshot([ListSection(TestSection("a"), rows: [AnyRow(Odd(id: 1))])])
    #expect { try table.apply(ListUpdate(initial: list, revision: 0)) } throws: { error in
      guard case .mismatch("RowcastTestSupport.TestRow", let type) = error as? TableError else { return false }
      return type.contains("Odd")
    }
  }

  @Test func `a prototype makes cells`() throws {
    var registry = CellRegistry<TestRow>()
    var made = 0
    registry.register(TestCell.self) { identifier in
      made += 1
      return TestCell(reuseIdentifier: identifier)
    }
    let table = TestTable(cells: registry, height: 2)
    try table.show(.of(("a", [1, 2, 3])))
    #expect(made == 2)
  }

  @Test func `a million rows off the screen cost no cell`() throws {
    let table = TestTable.make(height: 20)
    let report = try table.show(.of(("a", Array(0..<100_000))))
    #expect(report.configuredCount == 20 && table.totals.created == 20)
  }
}
