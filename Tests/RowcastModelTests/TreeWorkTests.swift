import RowcastDiff
import RowcastModel
import TestSupport
import Testing

/// What edits and differences cost, counted.
@Suite struct TreeWorkTests {
  typealias Draft = ListDraft<TestSection, TestRow>

  static func draft(sections: Int = 1, rows: Int) -> Draft {
    Draft(
      ListSnapshot(
        unchecked: (0..<sections).map { section in
          ListSection(TestSection("s\(section)"), rows: (0..<rows).map { TestRow(section * rows + $0) })
        }))
  }

  /// More than the levels of a tree with nodes at their narrowest.
  static func logarithm(_ count: Int) -> Int { (Int.bitWidth - count.leadingZeroBitCount) / 3 + 2 }

  @Test(arguments: [1_000, 10_000, 100_000])
  func `an event copies a path of nodes, and its difference compares two leaves`(_ count: Int) {
    var random = SeededGenerator.forFuzzing("work")
    var draft = Self.draft(rows: count)
    for step in 0..<60 {
      let before = draft.snapshot
      let path = RowPath(section: 0, row: Int.random(in: 0..<before.rowCount, using: &random))
      switch step % 3 {
      case 0: draft.replaceRow(at: path, with: TestRow(before.row(at: path).id, "step \(step)"))
      case 1: draft.insertRow(TestRow(count + step), at: path)
      default: draft.removeRow(at: path)
      }
      draft.commit()
      let work = before.work(to: draft.snapshot)
      // A split copies one node more on each level.
      #expect(work.nodes <= 3 * Self.logarithm(count) + 4, "\(work)")
      #expect(work.leaves <= 4 && work.rows <= 4 * 33, "\(work)")
      if step < 6 { #expect(draft.snapshot.nodeCount(besides: before) <= 2 * Self.logarithm(count) + 2) }
    }
  }

  @Test func `the difference of k changes visits k paths`() {
    var random = SeededGenerator.forFuzzing("work")
    for changes in [1, 10, 100, 1_000] {
      var draft = Self.draft(rows: 60_000)
      let before = draft.snapshot
      for step in 0..<changes {
        let path = RowPath(section: 0, row: Int.random(in: 0..<draft.snapshot.rowCount, using: &random))
        draft.replaceRow(at: path, with: TestRow(draft.snapshot.row(at: path).id, "step \(step)"))
      }
      let work = before.work(to: draft.snapshot)
      #expect(work.nodes <= changes * 2 * Self.logarithm(60_000), "\(changes): \(work)")
      #expect(work.rows <= changes * 66, "\(changes): \(work)")
    }
  }

  @Test func `toggling a row a thousand times and back is an empty difference that compares one leaf`() {
    var draft = Self.draft(rows: 50_000)
    let before = draft.snapshot
    let path = RowPath(section: 0, row: 31_415)
    for step in 0..<1_000 {
      draft.replaceRow(at: path, with: TestRow(31_415, step % 2 == 0 ? "on" : ""))
      draft.commit()
    }
    let after = draft.snapshot
    #expect(before.changes(to: after).isEmpty)
    #expect(before == after)
    let work = before.work(to: after)
    #expect(work.leaves == 2 && work.rows <= 64, "one leaf on each side: \(work)")
  }

  @Test func `a change in one of a thousand sections costs no look at the others`() {
    var draft = Self.draft(sections: 1_000, rows: 30)
    let before = draft.snapshot
    let path = RowPath(section: 777, row: 7)
    draft.replaceRow(at: path, with: TestRow(before.row(at: path).id, "new"))
    let work = before.work(to: draft.snapshot)
    #expect(work.nodes <= 14 && work.leaves <= 4, "\(work)")
    #expect(draft.snapshot.nodeCount(besides: before) <= 7)
    draft.moveSection(from: 5, to: 900)
    #expect(draft.snapshot.nodeCount(besides: before) <= 24)
    let changes = before.changes(to: draft.snapshot)
    #expect(changes.sections.moves == [.init(from: 5, to: 900)] && changes.rows.count == 1)
  }

  @Test func `one row moved across half a list is one move, with or without a section border between`() {
    var draft = Self.draft(sections: 2, rows: 20_000)
    let before = draft.snapshot
    draft.moveRow(from: RowPath(section: 0, row: 3), to: RowPath(section: 0, row: 15_000))
    draft.moveRow(from: RowPath(section: 0, row: 10), to: RowPath(section: 1, row: 10))
    let changes = before.changes(to: draft.snapshot)
    #expect(changes.rows.moves.count == 2 && changes.count == 2)
    #expect(before.work(to: draft.snapshot).rows <= 8 * 33)
  }

  @Test func `letting go of a snapshot frees all that the others do not need`() {
    var random = SeededGenerator.forFuzzing("memory")
    var draft = Self.draft(rows: 10_000)
    let alone = ListSnapshot<TestSection, TestRow>.nodeCount(of: [draft.snapshot])
    do {
      let held = draft.snapshot
      for step in 0..<500 {
        let path = RowPath(section: 0, row: Int.random(in: 0..<10_000, using: &random))
        draft.replaceRow(at: path, with: TestRow(draft.snapshot.row(at: path).id, "step \(step)"))
        draft.commit()
      }
      #expect(ListSnapshot<TestSection, TestRow>.nodeCount(of: [draft.snapshot, held]) > alone + 200)
    }
    #expect(ListSnapshot<TestSection, TestRow>.nodeCount(of: [draft.snapshot]) == alone)
  }

  @Test func `a row that was removed goes when the last snapshot that has it goes`() {
    final class Token: Sendable {}
    struct Row: RowViewModel {
      let id: Int
      let token: Token
      static func == (lhs: Row, rhs: Row) -> Bool { lhs.id == rhs.id }
    }
    weak var token: Token?
    var draft: ListDraft<TestSection, Row>
    do {
      let rows = (0..<1_000).map { Row(id: $0, token: Token()) }
      token = rows[500].token
      draft = ListDraft(ListSnapshot(unchecked: [ListSection(TestSection("a"), rows: rows)]))
    }
    do {
      let held = draft.snapshot
      draft.removeRow(at: RowPath(section: 0, row: 500))
      draft.commit()
      #expect(token != nil && held.rowCount == 1_000)
    }
    #expect(token == nil)
    #expect(draft.snapshot.rowCount == 999)
  }

  @Test func `a list whose nodes are numbered twice is copied`() throws {
    // The list between two stages is combined from two lists.
    let before = try TestSnapshot(
      (0..<5).map { ListSection(TestSection("s\($0)"), rows: [TestRow($0), TestRow($0 + 10)]) })
    var draft = Draft(before)
    draft.moveSection(from: 0, to: 4)
    draft.moveRow(from: RowPath(section: 4, row: 0), to: RowPath(section: 4, row: 1))
    let stages = before.changes(to: draft.snapshot).stages(from: before, to: draft.snapshot)
    #expect(stages.count == 2)
    for stage in stages {
      let draft = Draft(stage.snapshot)
      draft.list.checkInvariants(draft.ledger)
      #expect(draft.snapshot == stage.snapshot)
    }
  }
}
