import Foundation
import RowcastDiff
import RowcastTestSupport
import Testing

@testable import RowcastModel

/// Messages that contradict themselves, or the list.
@Suite(.watched) struct WireContradictionTests {
  typealias Message = WireMessage<TestSection, TestRow>
  typealias Mirror = WireReader<TestSection, TestRow>

  private static let nothing = #"{"deletes":[],"inserts":[],"moves":[],"updates":[]}"#

  /// Folds a message onto "a" with rows 1, 2, 3 and "b" with row 4, at revision 3.
  private func refusal(
    rows: String = nothing, sections: String = nothing, previous: Int = 3, revision: Int = 4
  ) throws -> WireError? {
    let text =
      #"{"v":1,"kind":"changes","previous":\#(previous),"revision":\#(revision),"#
      + #""rows":\#(rows),"sections":\#(sections)}"#
    let message = try JSONDecoder().decode(Message.self, from: Data(text.utf8))
    let list = try TestSnapshot.of(("a", [1, 2, 3]), ("b", [4]))
    var mirror = Mirror(list, at: ListPosition(epoch: "", revision: 3))
    do {
      _ = try mirror.fold(message)
      return nil
    } catch {
      #expect(mirror.snapshot == list && mirror.revision == 3)
      return error
    }
  }

  private func rule(rows: String = nothing, sections: String = nothing) throws -> BatchRule? {
    guard case .refused(let error) = try refusal(rows: rows, sections: sections) else { return nil }
    return error.rule
  }

  private func row(_ id: Int, at path: String) -> String { #"{"at":\#(path),"row":{"id":\#(id),"text":""}}"# }

  private func inserts(_ rows: String...) -> String {
    #"{"deletes":[],"inserts":[\#(rows.joined(separator: ","))],"moves":[],"updates":[]}"#
  }

  private func updates(_ updates: String) -> String {
    #"{"deletes":[],"inserts":[],"moves":[],"updates":[\#(updates)]}"#
  }

  @Test func `two inserts at one place are refused`() throws {
    #expect(try rule(rows: inserts(row(8, at: "[0,1]"), row(9, at: "[0,1]"))) == .duplicateOperation)
  }

  @Test func `an update that does not start where the row was is refused`() throws {
    for from in ["[0,999]", "[9,0]", "[0,1]", "[-1,0]", "[0,\(Int.max)]", "[\(Int.min),0]"] {
      let update = #"{"from":\#(from),"to":[0,0],"row":{"id":1,"text":"new"}}"#
      #expect(try rule(rows: updates(update)) == .updateOutOfBounds, "\(from)")
    }
    for from in ["999", "1", "-1", "\(Int.max)", "\(Int.min)"] {
      let update = #"{"from":\#(from),"to":0,"title":"new"}"#
      #expect(try rule(sections: updates(update)) == .updateOutOfBounds, "\(from)")
    }
  }

  @Test func `a row inside an inserted section is refused`() throws {
    let section = #"{"at":1,"section":{"id":"n","rows":[{"id":7,"text":""}],"title":""}}"#
    #expect(try rule(rows: inserts(row(8, at: "[1,0]")), sections: inserts(section)) == .rowInVanishingSection)
  }

  @Test func `positions at the ends of the integers are refused`() throws {
    for end in [Int.min, Int.max, -1] {
      let path = "[\(end),\(end)]"
      #expect(try rule(rows: inserts(row(8, at: path))) == .insertOutOfBounds)
      let section = #"{"at":\#(end),"section":{"id":"n","rows":[],"title":""}}"#
      #expect(try rule(sections: inserts(section)) == .insertOutOfBounds)
      let moves = #"{"deletes":[],"inserts":[],"moves":[{"from":\#(end),"to":0},{"from":1,"to":\#(end)}],"updates":[]}"#
      #expect(try rule(sections: moves) == .moveOutOfBounds)
      // Where the section is that the row comes to is not known: the row is refused first.
      #expect(try rule(rows: inserts(row(8, at: "[0,0]")), sections: moves) == .insertOutOfBounds)
    }
  }

  @Test func `ids that the list has, or that come twice, are refused`() throws {
    for rows in [inserts(row(4, at: "[0,0]")), inserts(row(8, at: "[0,0]"), row(8, at: "[1,0]"))] {
      guard case .contradiction(let text) = try refusal(rows: rows) else {
        Issue.record("\(rows) was accepted")
        continue
      }
      #expect(text.contains("Duplicate identifiers"))
    }
    let section = #"{"at":1,"section":{"id":"n","rows":[{"id":7,"text":""},{"id":7,"text":""}],"title":""}}"#
    #expect(try refusal(sections: inserts(section)) != nil)
    let same = #"{"at":1,"section":{"id":"b","rows":[],"title":""}}"#
    #expect(try refusal(sections: inserts(same)) != nil)
  }

  @Test func `an id that goes may come again`() throws {
    let rows = #"{"deletes":[[0,0]],"inserts":[\#(row(1, at: "[1,0]"))],"moves":[],"updates":[]}"#
    #expect(try refusal(rows: rows) == nil)
  }

  @Test func `revisions that are negative or do not grow are refused`() throws {
    #expect(try refusal(previous: 3, revision: 3) == .fallingRevision(from: 3, to: 3))
    #expect(try refusal(previous: 3, revision: 2) == .fallingRevision(from: 3, to: 2))
    #expect(try refusal(previous: 3, revision: -1) == .negativeRevision(-1))
    var mirror = Mirror()
    #expect(throws: WireError.negativeRevision(-4)) { try mirror.fold(.initial(revision: -4, snapshot: .init())) }
    _ = try mirror.fold(.initial(revision: 5, snapshot: .of(("a", [1]))))
    #expect(throws: WireError.fallingRevision(from: 5, to: 4)) {
      try mirror.fold(.initial(revision: 4, snapshot: .of(("a", [2]))))
    }
    #expect(try mirror.snapshot == .of(("a", [1])) && mirror.revision == 5)
  }

  @Test func `nothing follows the end`() throws {
    var mirror = Mirror()
    let list = try TestSnapshot.of(("a", [1]))
    _ = try mirror.fold(.initial(revision: 5, snapshot: list))
    #expect(try mirror.fold(.end(revision: 5, updates: 1)) == nil && mirror.isEnded)
    let more = ListUpdate(revision: 6, previous: 5, changes: list.changes(to: .init()), snapshot: TestSnapshot())
    for message in [Message(more), .initial(revision: 7, snapshot: .init()), .end(revision: 5, updates: 1)] {
      #expect(throws: WireError.ended(revision: 5)) { try mirror.fold(message) }
    }
    #expect(mirror.snapshot == list && mirror.revision == 5)
  }

  @Test func `operations and contents of unequal number are refused`() throws {
    let list = try TestSnapshot.of(("a", [1]))
    let after = try TestSnapshot([ListSection(TestSection("a"), rows: [TestRow(1, "new"), TestRow(2)])])
    let update = ListUpdate(revision: 1, previous: 0, changes: list.changes(to: after), snapshot: after)
    var changes = WireChanges(update, since: ListPosition(epoch: "", revision: 0), epoch: "")
    changes.insertedRows = []
    var mirror = Mirror(list, at: ListPosition(epoch: "", revision: 0))
    #expect {
      try mirror.fold(.changes(changes))
    } throws: { error in
      guard case .contradiction(let text) = error as? WireError else { return false }
      return text.contains("1 inserts of rows")
    }
    #expect(mirror.snapshot == list)
  }
}
