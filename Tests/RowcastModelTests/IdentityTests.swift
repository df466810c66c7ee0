import Foundation
import RowcastDiff
import RowcastModel
import RowcastTestSupport
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
  func `a row whose id is not equal to itself is refused under every policy, with its path`(
    _ policy: DuplicatePolicy
  ) {
    #expect(throws: Failure.nonReflexiveRowID("nan", at: RowPath(section: 1, row: 1))) {
      try ListSnapshot(
        [
          ListSection(Station(id: 1), rows: [Reading(id: 0), Reading(id: -0.0)].dropLast()),
          ListSection(Station(id: 2), rows: [Reading(id: 3), Reading(id: .nan)]),
        ], duplicates: policy)
    }
  }

  @Test(arguments: [DuplicatePolicy.reject, .keepFirst, .keepLast])
  func `a section whose id is not equal to itself is refused under every policy, with its index`(
    _ policy: DuplicatePolicy
  ) {
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

  @Test func `an id that changes from call to call stops with a message that says so and names the type`() async throws
  {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let list = try ListSnapshot([ListSection(TestSection("a"), rows: [Fickle(), Fickle()])])
      var draft = ListDraft(list)
      draft.removeRow(at: RowPath(section: 0, row: 0))
    }
    let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(message.contains("the id changed") && message.contains("Fickle"), "\(message)")
  }
}
