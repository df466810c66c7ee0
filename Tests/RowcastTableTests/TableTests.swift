import RowcastDiff
import RowcastModel
import RowcastTable
import RowcastTestSupport
import Testing

@Suite(.watched) struct TableTests {
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
}
