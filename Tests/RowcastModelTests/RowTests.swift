import Foundation
import Testing

/// Ids that break the rules of ids.
@Suite(.watched) struct IdentityTests {
  struct Reading: RowViewModel {
    let id: Double
  }

  struct Station: SectionViewModel {
    let id: Double
  }

  typealias Failure = ListError<Double, Double>

  @Test(arguments: [DuplicatePolicy.reject, .keepFirst, .keepLast])
  func `a row or a section whose id is not equal to itself is refused under every policy, with its place`(
    _ policy: DuplicatePolicy
  ) {
    #expect(throws: Failure.nonReflexiveRowID("nan", at: RowPath(section: 1, row: 1))) {
      try ListSnapshot(
        [
          ListSection(Station(id: 1), rows: [Reading(id: 0), Reading(id: -0.0)].dropLast()),
          ListSection(Station(id: 2), rows: [Reading(id: 3), Reading(id: .nan)]),
        ], duplicates: policy)
    }
    #expect(throws: Failure.nonReflexiveSectionID("nan", at: 1)) {
      try ListSnapshot<Station, Reading>(
        [ListSection(Station(id: 1)), ListSection(Station(id: .nan))], duplicates: policy)
    }
  }

  @Test func `ids that are equal and look different are one id`() {
    #expect(
      throws: Failure.duplicateRow(-0.0, first: RowPath(section: 0, row: 0), second: RowPath(section: 0, row: 1))
    ) {
      try ListSnapshot([ListSection(Station(id: 1), rows: [Reading(id: 0), Reading(id: -0.0)])])
    }
  }

  struct Fickle: RowViewModel {
    var id: UUID { UUID() }
    var text = ""
    static func == (lhs: Fickle, rhs: Fickle) -> Bool { lhs.text == rhs.text }
  }

  @Test func `an id that changes from call to call stops with a message that names the type`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let list = try ListSnapshot([ListSection(TestSection("a"), rows: [Fickle(), Fickle()])])
      var draft = ListDraft(list)
      draft.removeRow(at: RowPath(section: 0, row: 0))
    }
    let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(message.contains("the id changed") && message.contains("Fickle"), "\(message)")
  }
}

@Suite(.watched) struct AnyRowTests {
  struct Picture: RowViewModel {
    let id: Int
    var url = ""
  }

  @Test func `the reuse identifier is the qualified name of the row's type`() {
    #expect(AnyRow(TestRow(1)).reuseIdentifier == "RowcastTestSupport.TestRow")
  }

  struct Advertisement: RowViewModel {
    let id: String
    var slogan = ""
  }

  @Test func `rows of several types, with ids of several types, are one list`() throws {
    let rows = [AnyRow(erasingID: TestRow(7, "a")), AnyRow(erasingID: Advertisement(id: "7"))]
    #expect(rows[0].base is TestRow && rows[1].base is Advertisement)
    // Erasing twice is erasing once.
    #expect(AnyRow(erasingID: rows[0]) == rows[0] && AnyRow(rows[0]) == rows[0] && AnyRow(rows[0]).base is TestRow)
    func changes(to row: AnyRow<AnyID>, _ others: AnyRow<AnyID>...) throws -> Changeset<RowPath> {
      let before = try ListSnapshot([ListSection(TestSection("a"), rows: rows)])
      let after = try ListSnapshot([ListSection(TestSection("a"), rows: others + [row, rows[1]])])
      return before.changes(to: after).rows
    }
    let path = RowPath(section: 0, row: 0)
    #expect(try changes(to: AnyRow(erasingID: Picture(id: 7))) == Changeset(updates: [.init(from: path, to: path)]))
    let both = try changes(to: AnyRow(erasingID: TestRow(7, "b")), AnyRow(erasingID: TestRow(8)))
    #expect(both.inserts == [path] && both.updates.count == 1 && both.count == 2)
  }

  @Test func `ids of different types are different, and erasing one twice is erasing it once`() {
    #expect(AnyID(7) != AnyID("7") && AnyID(7) != AnyID(UInt8(7)) && AnyID(7) == AnyID(7))
    #expect(AnyID(AnyID(7)) == AnyID(7) && AnyID(AnyID(7)).base is Int)
    #expect(Set([AnyID(1), AnyID(1), AnyID("1")]).count == 2)
  }
}
