import Testing

@Suite(.watched) struct ChangesetTests {
  @Test func `a collection that is not contiguous gives the same changes as an array`() {
    let old = (0..<200).map { Item(id: $0) }
    let new = old.reversed().filter { $0.id % 3 != 0 }
    let changes = Changeset(from: old.lazy.reversed(), to: new.lazy.reversed())
    #expect(changes == Changeset(from: Array(old.reversed()), to: Array(new.reversed())))
  }

  @Test func `changes print the operations that there are`() {
    let flat = Changeset(deletes: [1], moves: [.init(from: 3, to: 0)])
    #expect("\(flat)" == "deletes [1], moves [3→0]")
    let (first, second) = (RowPath(section: 0, row: 3), RowPath(section: 1, row: 0))
    let rows = Changeset(inserts: [second], updates: [.init(from: first, to: first)])
    #expect("\(ListChanges(sections: flat, rows: rows))" == "sections: \(flat); rows: inserts [1-0], updates [0-3→0-3]")
    #expect("\(ListChanges(rows: rows))" == "rows: \(rows)")
    #expect("\(Changeset<Int>()), \(ListChanges())" == "no changes, no changes")
  }

  @Test func `a slice counts from its own start`() {
    let list = Array(0..<20)
    let changes = Changeset(fromIDs: list[5..<10], toIDs: list[6..<10])
    #expect(changes == Changeset(deletes: [0]))
  }

  @Test func `ids are told from contents: a row whose comparison ignores its id is still found by it`() {
    struct Row: Identifiable, Equatable {
      var id: Int
      var text = "same"
      static func == (lhs: Row, rhs: Row) -> Bool { lhs.text == rhs.text }
    }
    let changes = Changeset(from: [Row(id: 1)], to: [Row(id: 2)])
    #expect(changes == Changeset(deletes: [0], inserts: [0]))
  }

  @Test func `contents may be compared by a function, once for each survivor, the old one first`() {
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

/// Elements that are not equal to themselves.
@Suite struct UnequalContentTests {
  enum Level: Equatable {
    case none
    case some(Double)
    case range(Double, Double)
  }

  final class Box: Equatable, Sendable {
    let value = Double.nan
    static func == (lhs: Box, rhs: Box) -> Bool { lhs.value == rhs.value }
  }

  /// Shows less than it has.
  struct Hidden: Equatable, CustomReflectable {
    var value = Double.nan
    var name = "a"
    var customMirror: Mirror { Mirror(self, children: ["value": value]) }
  }

  struct Element: Identifiable, Equatable {
    var id = 1
    var name = "a"
    var load: Double? = .nan
    var loads: [Float] = []
    var level = Level.none
    var box: Box?
    var hidden: Hidden?
  }

  private func isTold(_ old: Element, _ new: Element) -> Bool { !Changeset(from: [old], to: [new]).isEmpty }

  @Test func `an element has changed if something in it is another one, and not if nothing is`() {
    func elements() -> [Element] {
      [
        Element(), Element(name: "b"), Element(load: nil), Element(load: 1),
        Element(loads: [.nan]), Element(loads: [1, .nan]), Element(loads: [2, .nan]),
      ]
        + [Level.some(.nan), .some(1), .range(.nan, 1), .range(.nan, 2), .range(1, .nan)].map { Element(level: $0) }
    }
    for (index, old) in elements().enumerated() {
      for (other, new) in elements().enumerated() {
        #expect(isTold(old, new) == (index != other), "\(old), \(new)")
      }
    }
  }

  @Test func `an element that cannot be looked into has changed`() {
    #expect(isTold(Element(box: Box()), Element(box: Box())))
    #expect(isTold(Element(hidden: Hidden()), Element(hidden: Hidden())))
  }
}
