import Testing

@testable import RowcastModel

/// Drafts and their differences, in trees with tiny nodes, against plain arrays and the differ.
@Suite(.watched) struct TreeDraftTests {
  typealias Model = NaiveList<TestSection, TestRow>

  static let shapes = [TreeShape(leaf: 3, fanOut: 4), TreeShape(leaf: 6, fanOut: 4), TreeShape.rows]

  /// A draft and the plain arrays that it has to equal.
  struct Pair {
    var draft: Draft
    var model = Model()
    var nextRow = 0
    var nextSection = 0

    init(sections: Int, rows: Int, shape: TreeShape) {
      var material: [ListSection<TestSection, TestRow>] = []
      for section in 0..<sections {
        material.append(
          ListSection(TestSection("s\(section)"), rows: (0..<rows).map { TestRow(section * rows + $0) }))
      }
      draft = Draft(ListSnapshot(unchecked: material, sectionShape: shape, rowShape: shape))
      model = Model(draft.snapshot)
      nextRow = sections * rows
      nextSection = sections
    }

    mutating func edit(_ random: inout SeededGenerator) {
      let count = model.parts.count
      guard count > 0 else { return insertSection(at: 0, &random) }
      let section = Int.random(in: 0..<count, using: &random)
      let rows = model.parts[section].rows.count
      switch Int.random(in: 0..<40, using: &random) {
      case 0 where count < 40: insertSection(at: Int.random(in: 0...count, using: &random), &random)
      case 1 where count > 3:
        #expect(draft.removeSection(at: section).rows == model.parts.remove(at: section).rows)
      case 2:
        let to = Int.random(in: 0..<count, using: &random)
        draft.moveSection(from: section, to: to)
        model.parts.insert(model.parts.remove(at: section), at: to)
      case 3:
        model.parts[section].section.content.title += "!"
        draft.replaceSection(at: section, with: model.parts[section].section)
      case 4:
        let row = Int.random(in: 0...rows, using: &random)
        let fresh = freshRows(Int.random(in: 0...30, using: &random))
        draft.insertRows(fresh, at: RowPath(section: section, row: row))
        model.parts[section].rows.insert(contentsOf: fresh, at: row)
      case 5...14:
        let row = Int.random(in: 0...rows, using: &random)
        let fresh = freshRows(1)
        draft.insertRow(fresh[0], at: RowPath(section: section, row: row))
        model.parts[section].rows.insert(fresh[0], at: row)
      case 15...22 where rows > 0:
        let row = Int.random(in: 0..<rows, using: &random)
        let path = RowPath(section: section, row: row)
        #expect(draft.path(ofRow: model.parts[section].rows[row].id) == path)
        #expect(draft.removeRow(at: path) == model.parts[section].rows.remove(at: row))
      case 23...30 where rows > 0:
        let row = Int.random(in: 0..<rows, using: &random)
        model.parts[section].rows[row].text += "x"
        draft.replaceRow(at: RowPath(section: section, row: row), with: model.parts[section].rows[row])
      case 31...39 where rows > 0:
        let from = RowPath(section: section, row: Int.random(in: 0..<rows, using: &random))
        let other = Bool.random(using: &random) ? section : Int.random(in: 0..<count, using: &random)
        let traveller = model.parts[section].rows.remove(at: from.row)
        let to = RowPath(section: other, row: Int.random(in: 0...model.parts[other].rows.count, using: &random))
        model.parts[other].rows.insert(traveller, at: to.row)
        draft.moveRow(from: from, to: to)
      default: break
      }
    }

    /// Replaces the whole list by a former one, or by one that shares nothing with any other.
    mutating func replace(_ former: (snapshot: TestSnapshot, model: Model)?) {
      nextSection += 5
      let sections = (nextSection - 5..<nextSection).map { ListSection(TestSection("s\($0)"), rows: freshRows(30)) }
      let fresh = TestSnapshot(unchecked: sections)
      let (snapshot, list) = former ?? (fresh, Model(fresh))
      draft.replace(with: snapshot)
      model = list
    }

    private mutating func freshRows(_ count: Int) -> [TestRow] {
      nextRow += count
      return (nextRow - count..<nextRow).map { TestRow($0) }
    }

    private mutating func insertSection(at index: Int, _ random: inout SeededGenerator) {
      let section = TestSection("s\(nextSection)")
      nextSection += 1
      let rows = freshRows(Int.random(in: 0...12, using: &random))
      draft.insertSection(section, rows: rows, at: index)
      model.parts.insert(.init(section: section, rows: rows), at: index)
    }

    func check(_ note: String) {
      draft.list.checkInvariants(draft.nodeIndex)
      #expect(Model(draft.snapshot) == model, "\(note)")
      #expect(draft.snapshot.rowCount == model.parts.reduce(0) { $0 + $1.rows.count }, "\(note)")
      #expect(draft.nodeIndex.elementCount == draft.snapshot.rowCount + draft.snapshot.sectionCount, "\(note)")
      for (index, part) in model.parts.enumerated() {
        #expect(draft.index(ofSection: part.section.id) == index, "\(note)")
      }
    }
  }

  /// What the differ makes of two lists that it knows nothing about.
  static func plainChanges(_ before: TestSnapshot, _ after: TestSnapshot) -> ListChanges {
    ListChanges(
      from: before.sections, rows: (0..<before.sectionCount).map { Array(before.rows(inSection: $0)) },
      to: after.sections, rows: (0..<after.sectionCount).map { Array(after.rows(inSection: $0)) })
  }

  /// Checks that changes are what the differ says, but for the choice of what moves and what stays.
  static func checkKinds(
    of changes: ListChanges, from before: TestSnapshot, to after: TestSnapshot, _ note: @autoclosure () -> String
  ) {
    var (changes, plain) = (changes, plainChanges(before, after))
    #expect(changes.rows.moves.count == plain.rows.moves.count, "\(note())")
    #expect(changes.sections.moves.count == plain.sections.moves.count, "\(note())")
    (changes.rows.moves, changes.sections.moves) = ([], [])
    (plain.rows.moves, plain.sections.moves) = ([], [])
    #expect(changes == plain, "\(note())")
  }

  @Test(arguments: shapes)
  func `random edits do to a draft what they do to arrays, and differ as the differ says, or are rolled back`(
    _ shape: TreeShape
  ) throws {
    var random = SeededGenerator.forFuzzing("draft \(shape.leaf)×\(shape.fanOut)")
    var pair = Pair(sections: 6, rows: 12, shape: shape)
    var held: [(snapshot: TestSnapshot, model: Model)] = []
    let rounds = SeededGenerator.rounds(120, long: 26_000)
    for round in 0..<rounds {
      let note = "seed \(random.seed) round \(round)"
      let before = pair.draft.snapshot
      let steps = [1, 1, 2, 5, 30].randomElement(using: &random) ?? 1
      let backup = pair
      for _ in 0..<steps { pair.edit(&random) }
      // Most lists are not replaced, some more than once.
      let replacements = round % 4 == 0 ? Int.random(in: 1...3, using: &random) : 0
      for _ in 0..<replacements {
        pair.replace(Bool.random(using: &random) ? held.suffix(12).randomElement(using: &random) : nil)
        pair.check("\(note), replaced")
        for _ in 0..<5 { pair.edit(&random) }
      }
      if round % 7 == 0 || replacements > 0 && Bool.random(using: &random) {
        pair.draft.rollBack(to: before)
        pair.model = backup.model
        pair.check(note)
        continue
      }
      pair.draft.commit()
      let after = pair.draft.snapshot
      let changes = before.changes(to: after)
      if replacements == 0 {
        #expect(changes == Self.plainChanges(before, after), "\(note)")
      } else {
        Self.checkKinds(of: changes, from: before, to: after, note)
      }
      #expect(changes.isEmpty == (before == after), "\(note)")
      var folded = Model(before)
      try folded.fold(changes, after: after)
      #expect(folded == pair.model, "\(note)")
      if round % 20 == 0 || replacements > 0 { pair.check(note) }
      if let old = held.randomElement(using: &random), round % 10 == 0 {
        let changes = old.snapshot.changes(to: after)
        Self.checkKinds(of: changes, from: old.snapshot, to: after, note)
        var folded = old.model
        try folded.fold(changes, after: after)
        #expect(folded == pair.model, "\(note)")
      }
      if round % (rounds / 30) == 0 { held.append((after, pair.model)) }
    }
    for (snapshot, model) in held {
      #expect(Model(snapshot) == model, "a held snapshot changed, seed \(random.seed)")
    }
  }
}

/// The difference of one event, exhausted on small lists.
@Suite(.watched) struct SingleChangeTests {
  /// Two sections of nine rows in leaves that are filled to three quarters.
  private static func draft(leaf: Int = 4) -> Draft {
    let shape = TreeShape(leaf: leaf, fanOut: 4)
    let material = (0..<2).map { section in
      ListSection(TestSection("s\(section)"), rows: (0..<9).map { TestRow(section * 9 + $0) })
    }
    return Draft(ListSnapshot(unchecked: material, sectionShape: shape, rowShape: shape))
  }

  private static let paths = (0..<2).flatMap { section in (0..<9).map { RowPath(section: section, row: $0) } }

  /// Checks that changes are what the differ finds.
  private func check(_ before: TestSnapshot, _ after: TestSnapshot, _ note: @autoclosure () -> String) {
    #expect(before.changes(to: after) == TreeDraftTests.plainChanges(before, after), "\(note())")
  }

  @Test func `every way of one row, with an update of it or a neighbour or none, is what the differ finds`() {
    for from in Self.paths {
      for to in Self.paths {
        for updated in [nil, -1, 0, 1] {
          var draft = Self.draft()
          let before = draft.snapshot
          // Taken out and put in, as the tree does with a move; to its own place too.
          let row = draft.removeRow(at: from)
          let length = draft.snapshot.rowCount(inSection: to.section)
          let place = RowPath(section: to.section, row: min(to.row, length))
          draft.insertRow(row, at: place)
          if let updated, 0...length ~= place.row + updated {
            let path = RowPath(section: place.section, row: place.row + updated)
            draft.replaceRow(at: path, with: TestRow(draft.snapshot.row(at: path).id, "updated"))
          }
          draft.commit()
          check(before, draft.snapshot, "\(from) to \(place), updated: \(updated ?? 9)")
          // The steps before say nothing about the steps after.
          let moved = draft.snapshot
          draft.removeRow(at: RowPath(section: 0, row: 0))
          draft.commit()
          check(moved, draft.snapshot, "a removal after \(from) went to \(place)")
          check(draft.snapshot, moved, "a removal undone after \(from) went to \(place)")
        }
      }
    }
  }

  @Test func `any two events are what the differ finds`() {
    for first in Self.paths {
      for second in Self.paths {
        for kind in 0..<4 {
          var draft = Self.draft()
          let before = draft.snapshot
          if kind & 1 == 0 { draft.removeRow(at: first) } else { draft.insertRow(TestRow(100), at: first) }
          let row = min(second.row, draft.snapshot.rows(inSection: second.section).count - 1)
          let place = RowPath(section: second.section, row: row)
          if kind & 2 == 0 { draft.removeRow(at: place) } else { draft.insertRow(TestRow(200), at: place) }
          draft.commit()
          check(before, draft.snapshot, "\(kind) at \(first) and \(second)")
        }
      }
    }
  }
}
