import RowcastDiff
import RowcastTestSupport
import Testing

@Suite("Changesets", .watched)
struct ChangesetTests {
  @Test("A collection that is not contiguous gives the same changes as an array")
  func notContiguous() {
    let old = (0..<200).map { Item(id: $0) }
    let new = old.reversed().filter { $0.id % 3 != 0 }
    let changes = Changeset(from: old.lazy.reversed(), to: new.lazy.reversed())
    #expect(changes == Changeset(from: Array(old.reversed()), to: Array(new.reversed())))
  }

  @Test("Changes print the operations that there are")
  func descriptions() {
    let flat = Changeset(deletes: [1], moves: [.init(from: 3, to: 0)])
    #expect("\(flat)" == "deletes [1], moves [3→0]")
    let (first, second) = (RowPath(section: 0, row: 3), RowPath(section: 1, row: 0))
    let rows = Changeset(inserts: [second], updates: [.init(from: first, to: first)])
    #expect("\(ListChanges(sections: flat, rows: rows))" == "sections: \(flat); rows: inserts [1-0], updates [0-3→0-3]")
    #expect("\(ListChanges(rows: rows))" == "rows: \(rows)")
    #expect("\(Changeset<Int>()), \(ListChanges())" == "no changes, no changes")
  }

  @Test("A slice counts from its own start")
  func slices() {
    let list = Array(0..<20)
    let changes = Changeset(fromIDs: list[5..<10], toIDs: list[6..<10])
    #expect(changes == Changeset(deletes: [0]))
  }

  @Test("Ids are told from contents: a row whose `==` ignores its id is still found by it")
  func contentWithoutID() {
    struct Row: Identifiable, Equatable {
      var id: Int
      var text = "same"
      static func == (lhs: Row, rhs: Row) -> Bool { lhs.text == rhs.text }
    }
    let changes = Changeset(from: [Row(id: 1)], to: [Row(id: 2)])
    #expect(changes == Changeset(deletes: [0], inserts: [0]))
  }

  @Test("Contents may be compared by a function, once for each survivor and with the old one first")
  func comparedByFunction() {
    final class Record: Identifiable {
      let id: Int
      var text: String
      init(_ id: Int, _ text: String) { (self.id, self.text) = (id, text) }
    }
    let old = (0..<40).map { Record($0, "old") }
    let new = old.reversed().map { Record($0.id, $0.id == 7 ? "new" : "old") } + [Record(99, "new")]
    var asked: [Int] = []
    let changes = Changeset(from: old, to: new) { before, after in
      asked.append(before.id)
      #expect(before.text == "old" && before.id == after.id)
      return before.text == after.text
    }
    #expect(changes.updates == [.init(from: 7, to: 32)])
    #expect(changes.inserts == [40] && changes.deletes.isEmpty && changes.moves.count == 39)
    #expect(asked.sorted() == Array(0..<40))
  }
}
