import Foundation
import Testing

/// Malicious messages: a typed error, and no change.
@Suite struct HostileMessageTests {
  typealias Failure = ListError<String, Int>

  private static let nothing = #"{"deletes":[],"inserts":[],"moves":[],"updates":[]}"#

  /// Receives a line at revision 3 of "e", a list of "a" with the rows 1 and 2 and "b" with the row 3.
  ///
  /// - Returns: The error; `nil` if there is none.
  private func refusal(_ line: String) throws -> (any Error)? {
    let list = try TestSnapshot.of(("a", [1, 2]), ("b", [3]))
    let start = Mirror(list, at: at("e", 3))
    var (lenient, strict) = (start, start)
    var errors: [any Error] = []
    var isNext = true
    do {
      let message = try read(line)
      isNext = message.revision == 4 && message.epoch == "e"
      do { _ = try strict.fold(message) } catch { errors.append(error) }
      do { _ = try lenient.receive(message) } catch { errors.append(error) }
    } catch {
      errors.append(error)
    }
    // A message that should fit the list and does not leaves the lenient mirror without a position.
    let hasPosition = lenient.position == start.position || lenient.state == .waiting(for: .wholeList)
    #expect(lenient.snapshot == list && hasPosition, "\(line.prefix(200))")
    #expect(strict.snapshot == list && strict.state == start.state, "\(line.prefix(200))")
    // Nothing is left behind that would be in the way of the next message.
    let after = try TestSnapshot.of(("b", [1, 3]), ("n", [7, 8]), ("a", [2, 9]))
    let next = TestUpdate.next(after, after: list, at: at("e", 3))
    if isNext { #expect(try strict.fold(Message(next)) == next, "\(line.prefix(200))") }
    return errors.last
  }

  private func changes(
    rows: String = nothing, sections: String = nothing, previous: String = "3", revision: String = "4"
  ) -> String {
    #"{"v":1,"kind":"changes","epoch":"e","previous":\#(previous),"revision":\#(revision),"#
      + #""rows":\#(rows),"sections":\#(sections)}"#
  }

  private func rows(deletes: String = "", inserts: String = "", moves: String = "", updates: String = "") -> String {
    #"{"deletes":[\#(deletes)],"inserts":[\#(inserts)],"moves":[\#(moves)],"updates":[\#(updates)]}"#
  }

  private func whole(_ sections: String, revision: String = "9", epoch: String = "e") -> String {
    #"{"v":1,"kind":"initial","epoch":"\#(epoch)","revision":\#(revision),"sections":\#(sections)}"#
  }

  private static let row = #"{"id":9,"text":""}"#

  @Test func `numbers below 0, and huge ones`() throws {
    for number in ["-1", "\(Int.max)", "\(Int.max - 1)", "\(Int.min)"] {
      for operations in [
        rows(deletes: "[\(number),0]"), rows(deletes: "[0,\(number)]"),
        rows(inserts: #"{"at":[0,\#(number)],"row":\#(Self.row)}"#),
        rows(moves: #"{"from":[0,0],"to":[0,\#(number)]}"#),
        rows(updates: #"{"from":[0,\#(number)],"to":[0,\#(number)],"row":\#(Self.row)}"#),
      ] {
        #expect(try refusal(changes(rows: operations)) is WireError, "\(operations)")
      }
      for operations in [rows(deletes: number), rows(moves: #"{"from":\#(number),"to":0}"#)] {
        #expect(try refusal(changes(sections: operations)) is WireError, "\(operations)")
      }
    }
    // Numbers beyond all integers.
    let long = "1" + String(repeating: "0", count: 100_000)
    for number in ["9223372036854775808", "-9223372036854775809", "1e400", long] {
      #expect(try refusal(changes(rows: rows(deletes: "[0,\(number)]"))) is DecodingError)
      #expect(try refusal(changes(revision: number)) is DecodingError)
    }
    // A revision in the far future changes nothing.
    #expect(try refusal(changes(previous: "\(Int.max - 1)", revision: "\(Int.max)")) is WireError)
  }

  @Test func `operations that contradict one another, or the list`() throws {
    for operations in [
      rows(deletes: "[0,0],[0,0]"), rows(deletes: "[0,0]", moves: #"{"from":[0,0],"to":[0,0]}"#),
      rows(deletes: "[0,0]", updates: #"{"from":[0,0],"to":[0,0],"row":\#(Self.row)}"#), rows(deletes: "[7,0]"),
      rows(inserts: #"{"at":[0,1],"row":\#(Self.row)},{"at":[0,1],"row":{"id":8,"text":""}}"#),
      rows(updates: #"{"from":[0,0],"to":[0,0],"row":\#(Self.row)}"#), rows(deletes: "[0,2]"),
      rows(moves: #"{"from":[0,0],"to":[0,1]},{"from":[0,1],"to":[0,1]}"#), rows(deletes: "[9,0]"),
      rows(inserts: #"{"at":[0,9],"row":\#(Self.row)}"#), rows(moves: #"{"from":[0,0],"to":[4,4]}"#),
      rows(updates: #"{"from":[0,0],"to":[0,5],"row":{"id":1,"text":""}}"#),
    ] {
      #expect(try refusal(changes(rows: operations)) is WireError, "\(operations)")
    }
    func section(_ id: String, at index: Int, rows: String = "") -> String {
      #"{"at":\#(index),"section":{"id":"\#(id)","rows":[\#(rows)],"title":""}}"#
    }
    for operations in [
      rows(deletes: "4"), rows(deletes: "0", moves: #"{"from":0,"to":0}"#), rows(inserts: section("n", at: 3)),
      rows(inserts: section("a", at: 0), moves: #"{"from":0,"to":1}"#),
      rows(inserts: section("n", at: 0, rows: #"{"id":3,"text":""}"#), moves: #"{"from":1,"to":1}"#),
      rows(inserts: section("n", at: 0, rows: "\(Self.row),\(Self.row)")),
      rows(updates: #"{"from":0,"to":2,"title":""}"#),
    ] {
      #expect(try refusal(changes(sections: operations)) is WireError, "\(operations)")
    }
  }

  @Test func `updates that do not start where the row was`() throws {
    func rule(_ line: String) throws -> BatchRule? {
      guard case .refused(let error) = try refusal(line) as? WireError else { return nil }
      return error.rule
    }
    for from in ["[0,999]", "[9,0]", "[0,1]", "[-1,0]", "[0,\(Int.max)]", "[\(Int.min),0]"] {
      let update = rows(updates: #"{"from":\#(from),"to":[0,0],"row":{"id":1,"text":"new"}}"#)
      #expect(try rule(changes(rows: update)) == .updateOutOfBounds, "\(from)")
    }
    for from in ["999", "1", "-1", "\(Int.max)", "\(Int.min)"] {
      let update = rows(updates: #"{"from":\#(from),"to":0,"title":"new"}"#)
      #expect(try rule(changes(sections: update)) == .updateOutOfBounds, "\(from)")
    }
  }

  @Test func `a million arrays or objects inside one another`() throws {
    for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
      let deep = String(repeating: open, count: 1_000_000) + "0" + String(repeating: close, count: 1_000_000)
      let unknown = String(whole("[]").dropLast()) + #","x":\#(deep)}"#
      for line in [deep, whole(deep), changes(rows: deep), changes(rows: rows(deletes: deep)), unknown] {
        #expect(try refusal(line) is DecodingError)
      }
    }
  }

  @Test func `values of wrong types`() throws {
    for value in ["null", "true", "\"1\"", "1.5", "[]", "{}", "[1]", "[1,2,3]", "[\"0\",\"0\"]"] {
      for line in [
        changes(rows: value), changes(sections: value), changes(rows: rows(deletes: value)), changes(previous: value),
        changes(rows: rows(inserts: #"{"at":[0,0],"row":\#(value)}"#)), changes(rows: rows(inserts: value)),
        changes(rows: rows(moves: #"{"from":\#(value),"to":[0,0]}"#)), whole("[\(value)]"),
        whole(#"[{"id":"a","rows":[],"title":\#(value == #""1""# ? "1" : value)}]"#, epoch: "f"),
      ] {
        let error = try refusal(line)
        #expect(error is DecodingError || error is WireError, "\(line)")
      }
    }
    for kind in ["1", "null", "\"INITIAL\"", "\"\"", "[\"initial\"]"] {
      let line = #"{"v":1,"kind":\#(kind),"epoch":"e","revision":9,"sections":[]}"#
      #expect(try refusal(line) is DecodingError, "\(line)")
    }
  }

  /// A row whose id may be unequal to itself.
  private struct Measurement: RowViewModel, Codable {
    let id: Double
  }

  @Test func `ids that are not equal to themselves`() throws {
    typealias Message = WireMessage<TestSection, Measurement>
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    var mirror = WireReader<TestSection, Measurement>(
      try ListSnapshot([ListSection(TestSection("a"), rows: [Measurement(id: 1)])]),
      at: at("e", 3))
    let before = mirror.snapshot
    let insert = rows(inserts: #"{"at":[0,0],"row":{"id":"nan"}}"#)
    let message = try decoder.decode(Message.self, from: Data(changes(rows: insert).utf8))
    #expect(throws: WireError.self) { try mirror.receive(message) }
    #expect(throws: ListError<String, Double>.self) {
      try decoder.decode(Message.self, from: Data(whole(#"[{"id":"a","title":"","rows":[{"id":"nan"}]}]"#).utf8))
    }
    #expect(mirror.snapshot == before && mirror.state == .waiting(for: .wholeList))
  }

  @Test func `ids that come twice`() throws {
    let twice = #"[{"id":"a","title":"","rows":[{"id":1,"text":""},{"id":1,"text":"x"}]}]"#
    let one = #""title":"","rows":[{"id":1,"text":""}]"#
    let apart = #"[{"id":"a",\#(one)},{"id":"b",\#(one)}]"#
    let sections = #"[{"id":"a","title":"","rows":[]},{"id":"a","title":"","rows":[]}]"#
    for list in [twice, apart, sections] { #expect(try refusal(whole(list)) is Failure, "\(list)") }
    let present = rows(inserts: #"{"at":[0,0],"row":{"id":3,"text":""}}"#)
    #expect(try refusal(changes(rows: present)) is WireError)
    let section = rows(inserts: #"{"at":0,"section":{"id":"b","title":"","rows":[]}}"#)
    #expect(try refusal(changes(sections: section)) is WireError)
  }

  @Test func `other epochs`() throws {
    let update = rows(deletes: "[0,0]")
    for epoch in ["f", "", "E", "e ", "e\\u0000"] {
      let line = changes(rows: update).replacingOccurrences(of: #""epoch":"e""#, with: #""epoch":"\#(epoch)""#)
      // The strict mirror throws the error; the other one waits.
      #expect(try refusal(line) is WireError, "\(epoch)")
    }
    let long = String(repeating: "e", count: 1_000_000)
    #expect(try refusal(whole("[]", epoch: long)) is DecodingError)
    #expect(try refusal(changes().replacingOccurrences(of: #""epoch":"e""#, with: #""epoch":7"#)) is DecodingError)
  }
}
