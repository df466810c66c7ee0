import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

/// Reading outside of a list stops, with a message that has the values.
@Suite(.watched) struct OutsideTests {
  private func message(_ result: ExitTest.Result?) throws -> String {
    String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
  }

  @Test func `a row outside of its section`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try TestSnapshot.of(("a", [1, 2])).row(at: RowPath(section: 0, row: 5))
    }
    #expect(try message(result).contains("Row 0-5 is out of range: its section has 2 rows"))
  }

  @Test func `a section outside of the list`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try TestSnapshot.of(("a", [1, 2])).row(at: RowPath(section: 3, row: 0))
    }
    #expect(try message(result).contains("Section 3 is out of range 0..<1"))
  }

  @Test func `a row outside of the rows of a section`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try TestSnapshot.of(("a", [1, 2])).rows(inSection: 0)[9]
    }
    #expect(try message(result).contains("9 is out of range 0..<2"))
  }

  @Test func `stages of changes from another list`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (before, after) = (try TestSnapshot.of(("a", [1, 2, 3])), try TestSnapshot.of(("a", [1, 2])))
      _ = before.changes(to: after).stages(from: try TestSnapshot.of(("a", [1])), to: after)
    }
    #expect(try message(result).contains("delete row 2 from section 0 which only contains 1 rows before the update"))
  }

  @Test func `stages of changes to another list`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (before, after) = (try TestSnapshot.of(("a", [1])), try TestSnapshot.of(("a", [1]), ("b", [])))
      _ = before.changes(to: after).stages(from: before, to: before)
    }
    #expect(try message(result).contains("attempt to insert section 1 but there are only 1 sections after the update"))
  }
}
