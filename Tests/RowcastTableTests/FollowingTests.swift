import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastTable

/// A table takes what follows the list that it shows, and nothing else.
@Suite(.watched) struct FollowingTests {
  @Test func `of two interleaved streams a table takes what follows its list, and its cells show that list`() throws {
    var random = SeededGenerator.forFuzzing("interleaved streams, tables")
    var (taken, refused) = (0, 0)
    for round in 0..<SeededGenerator.rounds(120, long: 20_000) {
      let identity = [InterleavedStreams.Identity.epochs, .oneEpoch, .revisions][round % 3]
      var streams = InterleavedStreams(identity)
      let table = TestTable.make(height: 40)
      var (shown, performed): (TestUpdate?, TestSnapshot?)
      for step in 0..<60 {
        let note = Comment(rawValue: "seed \(random.seed), round \(round), step \(step), \(identity)")
        if Int.random(in: 0..<10, using: &random) == 0 {
          let list = try TestSnapshot.random(sections: 2, rows: 6, using: &random)
          try table.viewDidPerform(list)
          performed = list
        }
        let update = try streams.next(using: &random)
        let follows = update.mayFollow(epoch: shown?.epoch, revision: shown?.revision)
        let wrong = TableError.wrongRevision(table: table.revision, updateStartsAt: update.previous ?? -1)
        let other = TableError.otherEpoch(table: table.position?.epoch ?? "", update: update.epoch)
        do {
          try table.apply(update)
          try #require(follows, note)
          (shown, performed, taken) = (update, nil, taken + 1)
        } catch let error as TableError {
          let isStopped = if case .stopped(_, by: .wrongRevision) = error { true } else { false }
          try #require(!follows && (error == wrong || error == other || isStopped), "\(note): \(error)")
          refused += 1
        }
        let list = performed ?? shown?.snapshot ?? TestSnapshot()
        try #require(table.snapshot == list, note)
        try #require(
          table.visibleRows.map { ($0.cell as? TestCell)?.row } == list.allRows.map { $0 }
            || list.allRows.contains { $0.reuseIdentifier == "other" }, note)
      }
    }
    #expect(taken > 0 && refused > 0, "\(taken) updates were taken and \(refused) refused")
  }

  @Test func `a static table takes no update of another list, and can be reloaded after any`() throws {
    final class Line: Cell, CapableCell {
      static var slots: [CapabilitySlot<Line>] { [] }
    }
    struct Menu: StaticTable {
      var models: [Int] { [1, 2] }
      func cellType(for model: Int) -> any CapableCell.Type { Line.self }
      func capabilities(of model: Int) -> Capabilities { Capabilities() }
    }
    let view = try StaticTableView(Menu(), height: 5)
    let own = view.table.snapshot
    let other = try ListSnapshot([ListSection(StaticSection(), rows: Array(own.allRows.prefix(1)))])
    let late = ListUpdate(revision: 1, previous: 0, changes: own.changes(to: other), snapshot: other)
    #expect(throws: TableError.self) { try view.table.apply(late) }
    #expect(view.table.snapshot == own)
    try view.table.apply(ListUpdate(initial: other, revision: 0))
    try view.reload()
    #expect(view.table.snapshot == own)
    #expect(throws: TableError.self) { try view.table.apply(late) }
  }
}
