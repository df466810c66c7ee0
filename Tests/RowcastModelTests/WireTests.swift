import Foundation
import Testing

@Suite(.watched) struct WireTests {
  @Test func `the first update is the whole list`() throws {
    let list = try TestSnapshot([ListSection(TestSection("a", "A"), rows: [TestRow(1, "x")])])
    #expect(
      try json(Message(TestUpdate(initial: list, revision: 4))) == """
        {"kind":"initial","revision":4,"sections":[{"id":"a","rows":[{"id":1,"text":"x"}],"title":"A"}],"v":1}
        """)
  }

  @Test func `changes carry positions, and values where they are new`() throws {
    let before = try TestSnapshot([
      ListSection(TestSection("a", "A"), rows: [TestRow(1), TestRow(2), TestRow(3)]), ListSection(TestSection("x")),
    ])
    let after = try TestSnapshot([
      ListSection(TestSection("n", "N"), rows: [TestRow(9)]),
      ListSection(TestSection("a", "B"), rows: [TestRow(3), TestRow(1, "new"), TestRow(4)]),
    ])
    #expect(
      try json(Message(update(from: before, to: after))) == """
        {"kind":"changes","previous":3,"revision":5,\
        "rows":{"deletes":[[0,1]],"inserts":[{"at":[1,2],"row":{"id":4,"text":""}}],\
        "moves":[{"from":[0,0],"to":[1,1]}],"updates":[{"from":[0,0],"row":{"id":1,"text":"new"},"to":[1,1]}]},\
        "sections":{"deletes":[1],"inserts":[{"at":0,"section":{"id":"n","rows":[{"id":9,"text":""}],"title":"N"}}],\
        "moves":[],"updates":[{"from":0,"title":"B","to":1}]},"v":1}
        """)
  }

  @Test func `a message from a list without an epoch says so`() throws {
    let (start, end) = (ListPosition(epoch: "", revision: 3), ListPosition(epoch: "m8", revision: 4))
    for message in [Message.changes(.init(from: start, to: end, ListChanges())), .progress(end, since: start)] {
      let text = try json(message)
      #expect(text.contains(#""previousEpoch":"""#), "\(text)")
      #expect(try JSONDecoder().decode(Message.self, from: Data(text.utf8)) == message)
    }
  }

  @Test func `operations may stand in any order, each with its content`() throws {
    func message(_ rows: [String], _ updates: [String], _ sections: [String], _ titles: [String]) throws -> Message {
      func list(_ operations: [String]) -> String { "[" + operations.joined(separator: ",") + "]" }
      return try read(
        #"{"v":1,"kind":"changes","previous":0,"revision":1,"#
          + #""rows":{"deletes":[[1,1],[0,1]],"inserts":\#(list(rows)),"moves":[],"updates":\#(list(updates))},"#
          + #""sections":{"deletes":[],"inserts":\#(list(sections)),"moves":[],"updates":\#(list(titles))}}"#)
    }
    let rows = [7, 8, 9].map { #"{"at":[0,\#($0)],"row":{"id":\#($0),"text":""}}"# }
    let updates = [0, 2, 3].map { #"{"from":[1,\#($0)],"to":[1,\#($0)],"row":{"id":\#($0),"text":"new"}}"# }
    let sections = [4, 5].map { #"{"at":\#($0),"section":{"id":"\#($0)","title":"","rows":[]}}"# }
    let titles = [0, 2].map { #"{"from":\#($0),"to":\#($0),"title":"\#($0)"}"# }
    let sorted = try message(rows, updates, sections, titles)
    let mixed = try message(
      [rows[1], rows[2], rows[0]], [updates[2], updates[0], updates[1]], sections.reversed(), titles.reversed())
    #expect(mixed == sorted)
    guard case .changes(let changes) = mixed else { return }
    #expect(changes.insertedRows.map(\.id) == [7, 8, 9] && changes.updatedRows.map(\.id) == [0, 2, 3])
    #expect(changes.insertedSections.map(\.model.id) == ["4", "5"])
    #expect(changes.updatedSections.map(\.title) == ["0", "2"])
    #expect(changes.changes.rows.deletes == [RowPath(section: 0, row: 1), RowPath(section: 1, row: 1)])
  }

  @Test func `messages after a refused one name its error, until that one or the whole list comes`() throws {
    let lists = try (0..<6).map { try TestSnapshot.of(("a", Array(0..<$0))) }
    func message(to revision: Int, epoch: String = "e") -> Message {
      Message(.next(lists[revision], after: lists[revision - 1], at: at(epoch, revision - 1)))
    }
    func whole(_ revision: Int) -> Message {
      Message(TestUpdate(initial: lists[revision], revision: revision, epoch: "e"))
    }
    let broken = Message(.next(lists[1], after: lists[0], at: at("e", 2)))
    let position = at("e", 3)
    func error(_ message: Message, _ mirror: inout Mirror) -> WireError? {
      do throws(WireError) { _ = try mirror.fold(message) } catch { return error }
      return nil
    }
    var mirror = Mirror()
    for message in [whole(1), message(to: 2)] { _ = try mirror.fold(message) }
    #expect(
      error(message(to: 1), &mirror) == .wrongRevision(list: 2, messageStartsAt: 0), "what comes late is forgotten")
    let first = try #require(error(broken, &mirror))
    #expect(error(broken, &mirror) == first, "the message may be tried again")
    #expect(error(message(to: 4, epoch: "f"), &mirror) == .otherEpoch(list: "e", message: "f"))
    for next in [message(to: 4), message(to: 5), .end(revision: 5, updates: 3, epoch: "e")] {
      #expect(error(next, &mirror) == .stopped(at: position, by: first))
    }
    #expect("\(WireError.stopped(at: position, by: first))".contains("\(first)"))
    var other = mirror
    #expect(error(message(to: 3), &other) == nil)
    #expect(error(message(to: 5), &other) == .wrongRevision(list: 3, messageStartsAt: 4))
    #expect(error(whole(4), &mirror) == nil && mirror.snapshot == lists[4])
    #expect(error(message(to: 5), &mirror) == nil)
  }

  @Test(arguments: [1_000, 50_000])
  func `a message costs a mirror what it changes, whatever the length of the list`(count: Int) throws {
    let rows = (0..<count).map { TestRow($0) }
    let list = TestSnapshot(unchecked: [ListSection(TestSection("a"), rows: rows)])
    var mirror = Mirror(list, at: at("", 0))
    for revision in 1...20 {
      let before = mirror.snapshot
      var draft = ListDraft(before)
      draft.moveRow(from: RowPath(section: 0, row: revision), to: RowPath(section: 0, row: count - revision))
      let middle = RowPath(section: 0, row: 500)
      draft.replaceRow(at: middle, with: TestRow(draft.snapshot.row(at: middle).id, "\(revision)"))
      _ = try mirror.fold(Message(.next(draft.snapshot, after: before, at: at("", revision - 1))))
      #expect(mirror.snapshot == draft.snapshot)
      #expect(mirror.snapshot.nodeCount(besides: before) <= 6 * TreeWorkTests.logarithm(count))
    }
  }

  /// All copies of a JSON value that lack one field somewhere, each with the name of the field.
  private func copies(lackingAFieldOf value: Any) -> [(field: String, copy: Any)] {
    if let array = value as? [Any] {
      return array.indices.flatMap { index in
        copies(lackingAFieldOf: array[index]).map { field, copy in
          var changed = array
          changed[index] = copy
          return (field, changed)
        }
      }
    }
    guard let object = value as? [String: Any] else { return [] }
    return object.keys.sorted().flatMap { key in
      [(key, object.filter { $0.key != key })]
        + copies(lackingAFieldOf: object[key] ?? [:]).map { field, copy in
          (field, object.merging([key: copy]) { $1 })
        }
    }
  }

  @Test func `a message that lacks a field is refused with its name, wherever it is`() throws {
    let before = try TestSnapshot.of(("a", [1, 2, 3]), ("x", []), ("y", []))
    let after = try TestSnapshot([
      ListSection(TestSection("n", "N"), rows: [TestRow(9)]), ListSection(TestSection("y")),
      ListSection(TestSection("a", "B"), rows: [TestRow(3), TestRow(1, "new"), TestRow(4)]),
    ])
    for message in [Message(update(from: before, to: after)), Message(TestUpdate(initial: after, revision: 4))] {
      let value = try JSONSerialization.jsonObject(with: Data(json(message).utf8))
      for (field, copy) in copies(lackingAFieldOf: value) {
        let data = try JSONSerialization.data(withJSONObject: copy)
        #expect {
          try JSONDecoder().decode(Message.self, from: data)
        } throws: { error in
          guard case .keyNotFound(let key, _)? = error as? DecodingError else { return false }
          return key.stringValue == field
        }
      }
    }
  }

  @Test func `another version of the wire form is refused by its number`() {
    #expect { try read(#"{"v":2,"kind":"end","revision":0,"updates":0}"#) } throws: { "\($0)".contains("version 2") }
  }
}
