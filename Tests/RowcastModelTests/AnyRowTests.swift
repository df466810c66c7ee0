import RowcastDiff
import RowcastModel
import TestSupport
import Testing

@Suite struct AnyRowTests {
  struct Picture: RowViewModel {
    let id: Int
    var url = ""
  }

  @Test func `erasing twice is erasing once`() {
    let once = AnyRow(TestRow(1, "a"))
    #expect(AnyRow(once) == once)
    #expect(AnyRow(once).base is TestRow)
  }

  @Test func `rows of different types are different, whatever their ids`() {
    #expect(AnyRow(TestRow(1)) != AnyRow(Picture(id: 1)))
    #expect(AnyRow(TestRow(1)).id == AnyRow(Picture(id: 1)).id)
  }

  @Test func `equality is that of the rows`() {
    #expect(AnyRow(Picture(id: 1, url: "x")) == AnyRow(Picture(id: 1, url: "x")))
    #expect(AnyRow(Picture(id: 1, url: "x")) != AnyRow(Picture(id: 1, url: "y")))
  }

  @Test func `the reuse identifier is the qualified name of the row's type`() {
    #expect(AnyRow(TestRow(1)).reuseIdentifier == "TestSupport.TestRow")
  }

  @Test func `a list of several row types is diffed like any other`() throws {
    struct Only: SectionViewModel { let id = 0 }
    let before = try ListSnapshot([ListSection(Only(), rows: [AnyRow(TestRow(1)), AnyRow(Picture(id: 2))])])
    let after = try ListSnapshot([ListSection(Only(), rows: [AnyRow(Picture(id: 1)), AnyRow(Picture(id: 2))])])
    // The same row with content of another type: updated, not replaced.
    #expect(before.changes(to: after).rows.updates.count == 1)
    #expect(before.changes(to: after).rows.count == 1)
  }
}
