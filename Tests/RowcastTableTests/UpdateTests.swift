import Testing

@testable import RowcastTable

/// A table takes what follows the list that it shows. One that has refused an update says what refused it, until a whole list
/// helps.
@Suite(.watched) struct UpdateTests {
  private let unknown = TableError.unregistered(identifier: "other")

  @Test func `each further refusal names the first, and a whole list helps while the bad row is in view`() throws {
    let table = TestTable.make(height: 5)
    try table.show(.rows([0]))
    var list = [TestRow(0), TestRow(1, "video¿")]
    func snapshot() throws -> TestSnapshot { try TestSnapshot([ListSection(TestSection("a"), rows: list)]) }
    let bad = try TestUpdate.next(snapshot(), after: table.snapshot, at: ListPosition(epoch: "", revision: 0))
    for _ in 0..<2 { #expect(throws: unknown) { try table.apply(bad) } }
    list.append(TestRow(2))
    let next = try TestUpdate.next(snapshot(), after: bad.snapshot, at: bad.position)
    let stopped = TableError.stopped(at: bad.position, by: unknown)
    for _ in 0..<2 { #expect(throws: stopped) { try table.apply(next) } }
    #expect("\(stopped)".contains("stopped at \(bad.position), which caused"), "\(stopped)")
    #expect("\(stopped)".contains("\(unknown)") && "\(stopped)".contains("give it a new stream"), "\(stopped)")
    #expect(table.ids == [0])

    let whole = TestUpdate(initial: try snapshot(), revision: 2)
    let report = try table.apply(whole)
    #expect(report.diagnostics.map(\.error) == [unknown] && report.diagnostics.map(\.reuseIdentifier) == ["other"])
    #expect("\(report.diagnostics)".contains("\(unknown)"))
    #expect(table.ids == [0, 1, 2] && table.visibleRows[1].cell is EmptyCell)
    // The stream continues: the row changes, becomes one that can be shown, and is bad again.
    for (text, isEmpty) in [("clip¿", true), ("text", false), ("video¿", true)] {
      list[1].text = text
      try table.show(rows: list)
      #expect((table.visibleRows[1].cell is EmptyCell) == isEmpty)
    }
    try table.reloadAll()
    try table.resize(toHeight: 2)
    try table.scroll(toLine: 2)
    try table.scroll(toLine: 0)
    #expect(table.visibleRows[1].cell is EmptyCell)
    // Other providers have cells for all rows, or are refused.
    #expect(throws: TableError.self) { try table.replaceCells(with: CellRegistry<TestRow>()) }
    #expect(table.visibleRows[1].cell is EmptyCell)
  }

  @Test
  func `of two interleaved streams a table takes what follows and can be shown, and names its first refusal`() throws {
    var random = SeededGenerator.forFuzzing("interleaved streams, tables")
    var counts: [String: Int] = [:]
    for round in 0..<SeededGenerator.rounds(40, long: 40_000) {
      let identity = [InterleavedStreams.Identity.epochs, .oneEpoch, .revisions][round % 3]
      var streams = InterleavedStreams(identity, contents: 3)
      let table = TestTable.make(height: 40)
      var (shown, performed): (TestUpdate?, TestSnapshot?)
      var (refusal, showsAll): ((position: ListPosition, error: TableError)?, Bool) = (nil, false)
      for step in 0..<60 {
        let note = Comment(rawValue: "seed \(random.seed), round \(round), step \(step), \(identity)")
        if Int.random(in: 0..<10, using: &random) == 0 {
          let list = try TestSnapshot.random(sections: 2, rows: 6, using: &random)
          try table.viewDidPerform(list)
          performed = list
        }
        let update = try streams.next(using: &random)
        let isWhole = update.previous == nil
        let isBad = update.snapshot.allRows.contains { $0.reuseIdentifier == "other" }
        var expected: TableError?
        if !update.mayFollow(epoch: shown?.epoch, revision: shown?.revision) {
          let isOther = shown.map { $0.epoch != update.epoch } ?? false
          expected =
            isOther
            ? .otherEpoch(table: shown?.epoch ?? "", update: update.epoch)
            : .wrongRevision(table: shown?.revision, updateStartsAt: update.previous ?? 0)
        } else if isBad, !showsAll, !isWhole || refusal == nil {
          expected = unknown
        }
        if let error = expected, !isWhole, let refusal, refusal != (update.position, error) {
          expected = .stopped(at: refusal.position, by: refusal.error)
        } else if let error = expected, refusal == nil {
          let isLate = shown.map { $0.epoch != update.epoch || update.previous ?? .max < $0.revision } ?? false
          if isWhole || !isLate { refusal = (update.position, error) }
        }
        var error: TableError?
        do throws(TableError) { try table.apply(update) } catch let refused { error = refused }
        try #require(error == expected, note)
        counts["\(expected ?? .changeInProgress)".prefix(16).description, default: 0] += 1
        if error == nil {
          if isWhole, isBad, refusal != nil { showsAll = true }
          if isWhole || refusal?.position.epoch == update.epoch { refusal = nil }
          (shown, performed) = (update, nil)
        }
        let list = performed ?? shown?.snapshot ?? TestSnapshot()
        try #require(table.snapshot == list && table.visibleRows.map(\.row) == Array(list.allRows), note)
        for shown in table.visibleRows {
          let isEmpty = shown.row.reuseIdentifier == "other"
          try #require(isEmpty ? shown.cell is EmptyCell : (shown.cell as? TestCell)?.row == shown.row, note)
        }
      }
    }
    #expect(counts.count == 5, "\(counts)")
  }
}
