import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@Suite(.watched) struct AnyRowTests {
  struct Picture: RowViewModel {
    let id: Int
    var url = ""
  }

  @Test func `erasing twice is erasing once`() {
    let once = AnyRow(TestRow(1, "a"))
    #expect(AnyRow(once) == once)
    #expect(AnyRow(once).base is TestRow)
  }

  @Test func `the reuse identifier is the qualified name of the row's type`() {
    #expect(AnyRow(TestRow(1)).reuseIdentifier == "RowcastTestSupport.TestRow")
  }

  struct Advertisement: RowViewModel {
    let id: String
    var slogan = ""
  }

  @Test func `rows with ids of several types are one list`() throws {
    let rows = [AnyRow(erasingID: TestRow(7, "a")), AnyRow(erasingID: Advertisement(id: "7"))]
    #expect(rows[0].base is TestRow && rows[1].base is Advertisement)
    #expect(AnyRow(erasingID: rows[0]) == rows[0] && AnyRow(rows[0]) == rows[0])
    let before = try ListSnapshot([ListSection(TestSection("a"), rows: rows)])
    let after = try ListSnapshot([
      ListSection(TestSection("a"), rows: [AnyRow(erasingID: TestRow(7, "b")), AnyRow(erasingID: TestRow(8)), rows[1]])
    ])
    #expect(before.changes(to: after).rows.updates.count == 1)
    #expect(before.changes(to: after).rows.inserts.count == 1)
    #expect(before.changes(to: after).rows.count == 2)
  }

  @Test func `ids of different types are different, and erasing one twice is erasing it once`() {
    #expect(AnyID(7) != AnyID("7") && AnyID(7) != AnyID(UInt8(7)) && AnyID(7) == AnyID(7))
    #expect(AnyID(AnyID(7)) == AnyID(7) && AnyID(AnyID(7)).base is Int)
    #expect(Set([AnyID(1), AnyID(1), AnyID("1")]).count == 2)
  }

  @Test func `a row with content of another type is an update`() throws {
    let before = try ListSnapshot([ListSection(TestSection("a"), rows: [AnyRow(TestRow(1)), AnyRow(Picture(id: 2))])])
    let after = try ListSnapshot([
      ListSection(TestSection("a"), rows: [AnyRow(Picture(id: 1)), AnyRow(Picture(id: 2))])
    ])
    #expect(before.changes(to: after).rows.updates.count == 1)
    #expect(before.changes(to: after).rows.count == 1)
  }
}
